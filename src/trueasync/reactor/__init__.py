"""What the system reports. Knows no scheduler.

base.py      what anyone may ask of a reactor       reactor.py      the libuv loop
note.py      what a callback leaves behind          failure.py      libuv's errors as OSError
timer.py     fires once, after a delay              heap.py         timers by deadline
poll.py      a descriptor can be read or written    descriptors.py  all that are watched
process.py   a process has ended                    waiting_thread.py  the same without pidfd
signal.py    a signal arrives                       signals.py      all that are waited for
run_handler.py what a run does at signals           dispositions.py  what signals do meanwhile
trigger.py   another thread says so
filesystem.py  files change                         watches.py      all that are watched
tree.py      what is in a watched directory         inotify.py      what Linux says of it
lookup.py    the addresses of a name
work.py      a job for libuv's thread pool
thread_call.py  a thread has called a function      workers.py      threads, idle until needed
"""
