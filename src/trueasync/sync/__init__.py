"""Coroutines, and native threads, that wait for each other.

channel.py    values from coroutine to coroutine    line.py    who waits for them, in order
items.py      what a channel holds                  select.py  the first of several things
awaitable.py  how to wait for each kind of thing    arrivals.py  what comes from outside
line.py      who waits for something, in order      wait.py      in a coroutine or a thread
lock.py      one at a time                          rlock.py     the same, for its owner again
semaphore.py so many at a time                      condition.py until somebody says so
event.py     until a flag is set                    barrier.py   until all have come
queue.py     items, and the work on them            exchange.py  one wait at a queue
queues.py    the same in other orders               simplequeue.py items, whatever happens
queue_errors.py what queues raise
channel.py   values from coroutine to coroutine     items.py     what a channel holds
threadchannel.py the same between threads
select.py    the first of several things            awaitable.py how to wait for each kind
pool.py      resources, lent in order            breaker.py   leave alone what fails
loan.py      one of them, borrowed
health.py    looks at what a pool has idle
future.py     a result that somebody will give
awaiting.py   await_ and its family                 gathering.py  several events as one
kinds.py      timeouts and threads as events
A module is compiled if a .pxd stands beside it.
"""
