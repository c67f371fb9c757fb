"""Waiting for the outside world, in functions that look blocking.

handle.py   what all open things have in common    turns.py   one reader, one writer at a time
stream.py   bytes in order, whole or in lines      ahead.py   bytes nobody has asked for yet
transfer.py  tried at once, waited for if it must  gather.py  several buffers in one write
descriptor_stream.py  over a descriptor; kinds of it are socket_stream.py and pipe.py
listen.py   for others to connect to              listener.py, doors.py  what takes them
connect.py  to where others listen                attempt.py   one address of several
resolve.py  the addresses of a name            dns.py          the same as socket has it
adopt.py    pipes, pairs, what others have opened  address.py  addresses in words
files.py    opening files, and whole ones          file.py    one that is open, with a position
device.py   pipes and devices, by their path       buffer.py  a file for Python's io
jobs.py     system calls on files, for the pool    whole.py   a file in one trip to the pool
pieces.py   what one job writes of several
tls.py      encrypted, over any stream             start_tls.py  the handshake before that
errand.py   what one coroutine does for all
output.py   sys.stdout and sys.stderr for each coroutine
trigger.py  until a native thread says so
process.py  a program that runs beside us      run_process.py  from its start to its end
exchange.py what it reads and writes
signals.py  the signals that arrive            filesystem.py  what happens to files
changes.py  of which each path has one         child_pipes.py  of a program before it starts
changes.py  of which each path has one
signals.py  the signals that arrive
exchange.py what it reads and writes           child_pipes.py  its pipes before it starts
offload.py  a function in a thread             thread_pool.py  with a bound and a queue
futures.py  of others, to be waited for        executors.py    of others, to be used
foreign.py  others' things to wait for         call.py         the result of one of them
room.py     so many may be inside at a time
A module is compiled if a .pxd stands beside it.
"""
