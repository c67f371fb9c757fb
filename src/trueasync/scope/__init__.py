"""Structured concurrency.

scope.py    coroutines that end together    shield.py  code that is not cancelled from outside
timeout.py  code that must be done in time
iterate.py  one function over many items, at the same time
in_turn.py  one call after another, and none holds up those behind it
map.py      the same, for its results
task_group.py  a scope that limits how many run, and collects what became of each: task.py
local.py    attributes for each coroutine   news.py    the next thing to happen
A module is compiled if a .pxd stands beside it.
"""
