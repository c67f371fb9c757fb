from trueasync._c.python cimport flag
from trueasync.events.event cimport Event
from trueasync.sync.breaker cimport CircuitBreaker
from trueasync.sync.line cimport Line

cdef class Pool

from trueasync.sync.loan cimport Loan

cdef class Pool:
    cdef object factory
    cdef object destroy
    cdef object check
    cdef object before_acquire
    cdef object before_release
    cdef object on_error
    cdef readonly CircuitBreaker breaker
    cdef readonly Py_ssize_t minimum
    cdef readonly Py_ssize_t maximum
    cdef readonly flag closed
    cdef readonly Py_ssize_t total      # slots taken: by a resource, or to make or destroy one
    cdef list free                      # resources that lie idle, the last used last
    cdef Line waiting                   # empty as long as there is a free one, or a free slot
    cdef double check_every
    cdef Event due                      # when the idle ones are looked at; None if nobody looks
    cdef object __weakref__

    cdef int lend(self, Loan loan, object timeout) except -1
    cdef object next_free(self)
    cdef object wait(self, object timeout)
    cdef object prepare(self, object item)
    cdef object make(self, Loan loan)
    cdef int take_back(self, Loan loan, object item) except -1
    cdef bint is_fit(self, Loan loan, object item) except -1
    cdef int put(self, object item) except -1
    cdef int remove(self, object item) except -1
    cdef int free_slot(self) except -1
    cdef int destroy_quietly(self, object item) except -1
    cdef int destroy_now(self, object item) except -1
    cdef int failure(self, Loan loan) except -1
    cdef int report(self, object error) except -1
    cdef object ended(self)
    cdef int watch(self) except -1
    cdef int make_minimum(self) except -1


cdef int raise_all(list errors) except -1
cdef object exception_group(str text, list errors)
