from trueasync.events.event cimport Event, Listener

cdef class Ear

cdef class Gathering(Event):
    cdef readonly list events
    cdef object enough          # is asked for each that has fired, with this
    cdef readonly list settled  # those that have, in that order
    cdef readonly int succeeded     # how many of these without an error
    cdef list started
    cdef Ear ear                # while started; it knows this, and this knows it

    cdef start_one(self, Event event)
    cdef note(self, Event event)
    cdef look(self)


cdef class Ear(Listener):
    cdef Gathering gathering
