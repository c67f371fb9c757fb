"""Structured concurrency.

scope.py    coroutines that end together    shield.py  code that is not cancelled from outside
timeout.py  code that must be done in time
iterate.py  one function over many items, at the same time
in_turn.py  one call after another, and none holds up those behind it
A module is compiled if a .pxd stands beside it.
"""
