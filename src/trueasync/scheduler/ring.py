"""Ring: a queue with two ends in one array, doubled when full.

Its references are invisible to the garbage collector on purpose: what is queued is alive.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.libc.string import memcpy

FIRST_CAPACITY = cython.declare(cython.Py_ssize_t, 128)


@cython.cclass
class Ring:
    """First in, first out, with a front door."""

    def __dealloc__(self):
        while self.count:
            self.pop()
        PyMem_Free(self.items)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def push(self, item) -> cython.int:
        if self.count == self.capacity:
            self.grow()
        slot: cython.Py_ssize_t = (self.head + self.count) & (self.capacity - 1)
        Py_INCREF(item)  # OWNERSHIP: held by the slot until pop
        self.items[slot] = cython.cast(cython.pointer(PyObject), item)
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def push_front(self, item) -> cython.int:
        if self.count == self.capacity:
            self.grow()
        self.head = (self.head - 1) & (self.capacity - 1)
        Py_INCREF(item)  # OWNERSHIP: held by the slot until pop
        self.items[self.head] = cython.cast(cython.pointer(PyObject), item)
        self.count += 1
        return 0

    @cython.cfunc
    @cython.inline
    def pop(self):
        if self.count == 0:
            return None
        item = cython.cast(object, self.items[self.head])
        self.head = (self.head + 1) & (self.capacity - 1)
        self.count -= 1
        Py_DECREF(item)  # OWNERSHIP: the caller holds it now
        return item

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self) -> cython.int:
        # Powers of two keep the wrap-around a mask. After doubling, what stood before
        # the head moves behind the old end, so the order stays.
        capacity: cython.Py_ssize_t = self.capacity * 2 or FIRST_CAPACITY
        size: cython.size_t = capacity * cython.sizeof(cython.pointer(PyObject))
        items = cython.cast(
            cython.pointer(cython.pointer(PyObject)), PyMem_Realloc(self.items, size)
        )
        if items == cython.NULL:
            raise MemoryError("no memory for a longer queue")
        if self.head > 0:
            wrapped: cython.size_t = self.head * cython.sizeof(cython.pointer(PyObject))
            memcpy(items + self.capacity, items, wrapped)
        self.items = items
        self.capacity = capacity
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def swap_with_head(self, index: cython.Py_ssize_t) -> cython.int:
        slot: cython.Py_ssize_t = (self.head + index) & (self.capacity - 1)
        self.items[slot], self.items[self.head] = self.items[self.head], self.items[slot]
        return 0

    def __len__(self):
        return self.count

    def __getitem__(self, index: cython.Py_ssize_t):
        if not 0 <= index < self.count:
            raise IndexError(index)
        return cython.cast(object, self.items[(self.head + index) & (self.capacity - 1)])
