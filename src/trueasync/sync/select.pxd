from trueasync.events.event cimport Event
from trueasync.scheduler.scheduler cimport Scheduler

cdef list shuffled(Scheduler scheduler, tuple cases)
cdef tuple take_ready(list order)
cdef Event event_for(object case)
cdef Event wait_for_one(Scheduler scheduler, list events, object timeout)
cdef Event first_fired(list events)
cdef Py_ssize_t position(list things, object thing) except -1
