"""TimerHeap: timers by deadline.

Most timeouts never fire. So stopping one only marks its entry stale; stale entries leave
when they come to the top, or all at once when they are the majority.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_INCREF, Py_XDECREF
from cython.cimports.trueasync.reactor.timer import Timer

FIRST_CAPACITY = cython.declare(cython.Py_ssize_t, 64)


@cython.final
@cython.cclass
class TimerHeap:
    """A binary heap in one array; the earliest deadline is on top."""

    def __dealloc__(self):
        for index in range(self.count):
            Py_XDECREF(self.entries[index].item)
        PyMem_Free(self.entries)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, deadline: cython.double, item) -> cython.longlong:
        """The number by which `item` knows the entry that is its own."""
        if self.count == self.capacity:
            self.grow()
        self.numbers += 1
        entry: Entry
        entry.deadline = deadline
        entry.number = self.numbers
        entry.item = cython.cast(cython.pointer(PyObject), item)
        Py_INCREF(item)  # OWNERSHIP: held by the entry until it leaves the heap
        self.count += 1
        self.sift_up(self.count - 1, entry)
        return entry.number

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def next_deadline(self) -> cython.double:
        """The earliest deadline, or infinity."""
        while self.count and self.is_stale(0):
            self.pop()
        return self.entries[0].deadline if self.count else float("inf")

    @cython.cfunc
    def pop_due(self, now: cython.double):
        """The earliest timer, if its time has come; else None."""
        if self.next_deadline() > now:
            return None
        timer: Timer = self.pop()
        timer.number = 0
        return timer

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def mark_stale(self) -> cython.int:
        self.stale += 1
        if self.stale * 2 > self.count and self.count > FIRST_CAPACITY:
            self.sweep()
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_stale(self, index: cython.Py_ssize_t) -> cython.bint:
        timer: cython.pointer(PyObject) = self.entries[index].item
        return cython.cast(Timer, timer).number != self.entries[index].number

    @cython.cfunc
    def pop(self):
        top: Entry = self.entries[0]
        if self.is_stale(0):
            self.stale -= 1
        self.count -= 1
        if self.count:
            self.sift_down(0, self.entries[self.count])
        item = cython.cast(object, top.item)
        Py_XDECREF(top.item)  # OWNERSHIP: the caller holds it now
        return item

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def clear(self) -> cython.int:
        """Let go of every timer; none of them will fire."""
        while self.count:
            cython.cast(Timer, self.pop()).number = 0
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def sweep(self) -> cython.int:
        # References are dropped after the heap is whole again: a destructor may use it.
        dropped: list = []
        kept: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        for index in range(self.count):
            if self.is_stale(index):
                dropped.append(cython.cast(object, self.entries[index].item))
                Py_XDECREF(self.entries[index].item)  # OWNERSHIP: the list holds it now
            else:
                self.entries[kept] = self.entries[index]
                kept += 1
        self.count = kept
        self.stale = 0
        for index in range(kept // 2 - 1, -1, -1):
            self.sift_down(index, self.entries[index])
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self) -> cython.int:
        capacity: cython.Py_ssize_t = self.capacity * 2 or FIRST_CAPACITY
        size: cython.size_t = capacity * cython.sizeof(Entry)
        entries = cython.cast(cython.pointer(Entry), PyMem_Realloc(self.entries, size))
        if entries == cython.NULL:
            raise MemoryError("no memory for more timers")
        self.entries = entries
        self.capacity = capacity
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def sift_up(self, index: cython.Py_ssize_t, entry: Entry) -> cython.void:
        parent: cython.Py_ssize_t
        while index > 0:
            parent = (index - 1) // 2
            if not before(entry, self.entries[parent]):
                break
            self.entries[index] = self.entries[parent]
            index = parent
        self.entries[index] = entry

    @cython.cfunc
    @cython.exceptval(check=False)
    def sift_down(self, index: cython.Py_ssize_t, entry: Entry) -> cython.void:
        child: cython.Py_ssize_t = 2 * index + 1
        while child < self.count:
            if child + 1 < self.count and before(self.entries[child + 1], self.entries[child]):
                child += 1
            if not before(self.entries[child], entry):
                break
            self.entries[index] = self.entries[child]
            index = child
            child = 2 * index + 1
        self.entries[index] = entry


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def before(one: Entry, other: Entry) -> cython.bint:
    if one.deadline != other.deadline:
        return one.deadline < other.deadline
    return one.number < other.number
