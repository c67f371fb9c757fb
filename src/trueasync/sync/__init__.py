"""Coroutines that wait for each other.

channel.py    values from coroutine to coroutine    line.py    who waits for them, in order
items.py      what a channel holds                  select.py  the first of several things
awaitable.py  how to wait for each kind of thing    arrivals.py  what comes from outside
A module is compiled if a .pxd stands beside it.
"""
