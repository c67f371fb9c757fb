from cpython.object cimport PyObject
from trueasync.events.event cimport Event
from trueasync.reactor.base cimport Reactor

cdef class Scheduler

from trueasync.scheduler.block cimport Block
from trueasync.scheduler.context cimport Context
from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.scheduler.microtasks cimport Microtask, MicrotaskQueue
from trueasync.scheduler.pool cimport ContextPool
from trueasync.scheduler.ready cimport ReadyQueue
from trueasync.scheduler.registry cimport Registry
from trueasync.scheduler.waker cimport Waker

cdef class Scheduler:
    cdef readonly Reactor reactor
    cdef readonly Coroutine current     # None on the scheduler's own coroutine
    cdef readonly Coroutine main        # set before anything runs
    cdef ReadyQueue ready
    cdef MicrotaskQueue microtasks
    cdef Registry registry
    cdef ContextPool pool
    cdef object home                    # the scheduler's own coroutine: the root stack
    cdef Coroutine handed               # what home has to resume before anything else
    cdef bint trim_due                  # the next switch goes home, to shrink the pool
    cdef public bint at_exit            # it is that of the exit phase: another may stand on it
    cdef readonly object shutdown       # how the run ends: a Shutdown
    cdef public bint hard               # every wait is refused
    cdef public bint forked             # this is a child of the process it began in
    cdef int turns                      # ticks since the last poll
    cdef int requests                   # in a row that need not wait, for io to count
    cdef Py_ssize_t backlog             # how many were ready after the last poll
    cdef double last_poll
    cdef int threads_awaited            # waits that another thread may end
    cdef int handlers_awaited           # those of them that a signal handler may end, too
    cdef int failed_polls               # in a row
    cdef int unclaimed_errors           # of coroutines that have failed, and may yet be asked
    cdef long long switches
    cdef long long polls
    cdef long long home_visits
    cdef long long spawned
    cdef list cancelling                # scopes still to be gone through; None if none is cancelled
    cdef unsigned long long draws       # what select has drawn last

    cdef Coroutine spawn(self, object function, tuple args, dict kwargs, int priority)
    cdef spawn_into(self, Block children, object function, object args, object kwargs, int priority)
    cpdef Event wait(self, Event first, Event second=*, list others=*)
    cdef int pause(self) except -1
    cdef Coroutine after_finish(self, Context context)
    cdef int begin_wait(self, str call) except -1
    cdef int refuse(self, Coroutine coroutine) except -1
    cdef int switch_away(self, Coroutine coroutine) except -1
    cdef PyObject* stack_of(self, Coroutine following)      # borrowed
    cdef PyObject* home_first(self, Coroutine following)
    cdef int switch(self, PyObject* stack, Coroutine away) except -1
    cdef int switch_failed(self, object error, Coroutine away) except -1
    cdef Coroutine next_ready(self)
    cdef Coroutine leave(self, Coroutine coroutine)
    cdef int tick(self) except -1
    cdef int run_microtasks(self) except -1
    cdef int poll_if_due(self) except -1
    cdef int poll(self, bint wait) except -1
