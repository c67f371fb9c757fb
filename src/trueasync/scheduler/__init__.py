"""Who runs next. Knows no libuv.

scheduler.py    the tick, the switch, waiting       coroutine.py   states, result, cancellation
waker.py        one wait: its events, its winner    context.py     stacks; the only greenlet user
pool.py         idle contexts, by recent demand     arena.py       cheap memory for stacks
ring.py         a queue in an array                 ready.py       the ready queue
microtasks.py   small things between switches       registry.py    every coroutine that lives
current.py      this thread's scheduler, coroutine  calls.py       spawn, suspend and friends
moment.py       names of priorities and moments     order.py       seeded schedules for tests
shutdown.py     cancel, drain, report               deadlock.py    who waits for what, in words
location.py     file:line of what happened
A module is compiled if a .pxd stands beside it.
"""
