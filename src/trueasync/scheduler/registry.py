"""Registry: every coroutine that lives, in the order of spawning.

It owns a reference to each. Dropping the last reference to a suspended greenlet would
throw into it, wherever that happens to be.
What is in here is alive by definition, so the garbage collector need not look at it: with
100,000 coroutines waiting, looking was more than half of what a coroutine cost.
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.trueasync._c.python import PyObject_GC_Track, PyObject_GC_UnTrack
from cython.cimports.trueasync.scheduler.coroutine import Coroutine


@cython.final
@cython.cclass
class Registry:
    """A list linked through its members: adding and removing cost no memory."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, coroutine: Coroutine) -> cython.int:
        Py_INCREF(coroutine)  # OWNERSHIP: held by the registry until remove
        PyObject_GC_UnTrack(coroutine)
        link: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), coroutine)
        coroutine.previous = self.last
        coroutine.following = cython.NULL
        if self.last == cython.NULL:
            self.first = link
        else:
            cython.cast(Coroutine, self.last).following = link
        self.last = link
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def remove(self, coroutine: Coroutine) -> cython.int:
        if coroutine.previous == cython.NULL:
            self.first = coroutine.following
        else:
            cython.cast(Coroutine, coroutine.previous).following = coroutine.following
        if coroutine.following == cython.NULL:
            self.last = coroutine.previous
        else:
            cython.cast(Coroutine, coroutine.following).previous = coroutine.previous
        coroutine.previous = coroutine.following = cython.NULL
        self.count -= 1
        PyObject_GC_Track(coroutine)
        Py_DECREF(coroutine)  # OWNERSHIP: the caller holds one of its own
        return 0

    @cython.ccall
    def all(self) -> list:
        """A list of them, the oldest first. Never suspends."""
        found: list = []
        link: cython.pointer(PyObject) = self.first
        while link != cython.NULL:
            found.append(cython.cast(object, link))
            link = cython.cast(Coroutine, link).following
        return found
