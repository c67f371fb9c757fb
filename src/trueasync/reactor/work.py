"""Work: fires when a thread of libuv's pool has done a job.

While it is in flight the request, the event and with it the job belong to libuv: only the
completion gives them back, whatever has become of those who waited.
"""

import cython
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.trueasync._c.uv import (
    UV_ECANCELED,
    uv_cancel,
    uv_queue_work,
    uv_req_t,
)
from cython.cimports.trueasync.reactor.base import Job, ReactorEvent
from cython.cimports.trueasync.reactor.note import note_down
from cython.cimports.trueasync.reactor.reactor import UvReactor

from .failure import error_of


@cython.final
@cython.cclass
class Work(ReactorEvent):
    """One job, done once; made by `Reactor.work`."""

    @cython.ccall
    def arm(self):
        if not cython.cast(UvReactor, self.reactor).open:
            raise RuntimeError(f"{self.info()} cannot be started: its reactor is closed")
        ReactorEvent.arm(self)
        if self.done:
            self.fire_with(None, None)  # after those who waited had left
        elif self.request == cython.NULL:
            try:
                self.submit()
            except BaseException:
                ReactorEvent.disarm(self)
                raise

    @cython.ccall
    def disarm(self):
        ReactorEvent.disarm(self)
        if self.request != cython.NULL:
            # One that runs already cannot be stopped, and then this does nothing.
            uv_cancel(cython.cast(cython.pointer(uv_req_t), self.request))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def submit(self) -> cython.int:
        reactor: UvReactor = self.reactor
        request: cython.pointer(Request) = cython.cast(
            cython.pointer(Request), calloc(1, cython.sizeof(Request))
        )
        if request == cython.NULL:
            raise MemoryError(f"no memory for {self.info()}")
        request.work.data = request
        request.perform = self.job.perform
        request.data = self.job.data
        request.note.queue = cython.address(reactor.notes)
        request.note.tell = tell_work
        request.note.owner = cython.cast(cython.p_void, self)
        status: cython.int = uv_queue_work(
            cython.address(reactor.loop), cython.address(request.work), on_work, on_worked
        )
        if status < 0:
            free(request)
            raise error_of(status, f"no thread takes {self.info()}")
        self.request = request
        reactor.watching += 1
        Py_INCREF(self)  # OWNERSHIP: held by libuv until `complete`
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def complete(self, status: cython.int) -> cython.int:
        reactor: UvReactor = self.reactor
        free(self.request)
        self.request = cython.NULL
        reactor.watching -= 1
        Py_DECREF(self)  # OWNERSHIP: the caller holds one of its own
        if status == UV_ECANCELED and self.starts and reactor.open:
            return self.submit()  # dropped, but by now somebody waits for it again
        self.done = status != UV_ECANCELED
        try:
            self.job.ended()
        finally:
            if self.done and self.starts:
                self.fire_with(None, None)
        return 0

    @cython.ccall
    def info(self) -> str:
        return self.job.info()


@cython.cfunc
def new_work(reactor, job: Job) -> Work:
    if job.perform == cython.NULL:
        raise TypeError(f"{job!r} says not what it performs; make it by a subclass of Job")
    work: Work = Work.__new__(Work)
    work.reactor = reactor
    work.job = job
    return work


def tell_work(owner, status, events):
    work: Work = cython.cast(Work, owner)
    return work.complete(status)


def on_work(work):
    request: cython.pointer(Request) = cython.cast(cython.pointer(Request), work.data)
    request.perform(request.data)


def on_worked(work, status):
    request: cython.pointer(Request) = cython.cast(cython.pointer(Request), work.data)
    note_down(cython.address(request.note), status, 0)
