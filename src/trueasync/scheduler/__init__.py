"""Who runs next. Knows no libuv.

scheduler.py    the tick, the switch, waiting       home.py        the scheduler's own coroutine
coroutine.py    states, result, its end             waker.py       one wait: its events, its winner
context.py      stacks; the only greenlet user      pool.py        idle contexts, by recent demand
arena.py        cheap memory for stacks             registry.py    every coroutine that lives
ring.py         a queue in an array                 ready.py       the ready queue
microtasks.py   small things between switches       calls.py       spawn, suspend, sleep and friends
current.py      this thread's scheduler, coroutine  moment.py      names of priorities and moments
shutdown.py     cancel, drain, raise                deadlock.py    who holds up whom, in cycles
report.py       who waits for what, as data         words.py       the same as text
tree.py         a report as a tree
look.py         what there is to see of others      runs.py        every run, by thread
status.py       the exit status after a signal
watchdog.py     names who holds the thread      on_signal.py   a report at a signal
order.py        seeded schedules for tests          location.py    file:line of what happened
cancel.py       who has to leave what, once         block.py       what can be cancelled by itself
children.py     the coroutines of one scope         leave.py       the end of a scope
fork.py         the child of a fork
grace.py        when to cancel again                extras.py      what few coroutines have
birth.py        how a coroutine comes into being
completion.py   an outcome, for whoever asks        as_future.py   how other threads see that
completion.py   an outcome, for whoever asks        outside.py     how other threads see that
elsewhere.py    what another thread brings to its end
groups.py       several errors as one               handlers.py    called around switches
outside.py      who could still wake a run that waits
A module is compiled if a .pxd stands beside it.
"""
