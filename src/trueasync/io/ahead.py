"""ReadAhead: bytes that have come and that nobody has asked for yet.

Whoever reads a line does not know how long it is: the rest of what came with it waits here.
It costs no memory while it is empty, which it is while a stream only waits.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memchr, memcmp, memcpy, memmove

LEAST_ROOM = cython.declare(cython.Py_ssize_t, 512)


@cython.final
@cython.no_gc
@cython.cclass
class ReadAhead:
    """A growing piece of memory that is filled at its end and emptied from its start."""

    def __dealloc__(self):
        free(self.memory)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def make_room(self, size: cython.Py_ssize_t) -> cython.int:
        """See that `size` more bytes can be put at `tail`; then `added` says how many it were."""
        if self.start + self.count + size <= self.capacity:
            return 0
        if self.start:
            memmove(self.memory, self.memory + self.start, self.count)
            self.start = 0
        needed: cython.Py_ssize_t = self.count + size
        if needed <= self.capacity:
            return 0
        # At least doubled, or a long line that comes in small pieces would be copied for each.
        capacity: cython.Py_ssize_t = max(needed, 2 * self.capacity, LEAST_ROOM)
        memory = cython.cast(cython.p_char, realloc(self.memory, capacity))
        if memory == cython.NULL:
            raise MemoryError(f"no memory for {needed} bytes that are to be read")
        self.memory = memory
        self.capacity = capacity
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def tail(self) -> cython.p_char:
        return self.memory + self.start + self.count

    @cython.cfunc
    @cython.exceptval(check=False)
    def added(self, size: cython.Py_ssize_t) -> cython.void:
        self.count += size

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, data: cython.p_const_char, size: cython.Py_ssize_t) -> cython.int:
        self.make_room(size)
        memcpy(self.tail(), data, size)
        self.count += size
        return 0

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def find(self, what: bytes, begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where `what` is first, from `begin` on; -1 if nowhere."""
        size: cython.Py_ssize_t = len(what)
        wanted: cython.p_char = what
        at: cython.p_char = self.memory + self.start + begin
        # Where it may begin ends before the end of what is there.
        left: cython.Py_ssize_t = self.count - begin - size + 1
        while left > 0:
            found = cython.cast(cython.p_char, memchr(at, wanted[0], left))
            if found == cython.NULL:
                break
            if memcmp(found, wanted, size) == 0:
                return found - self.memory - self.start
            left -= found - at + 1
            at = found + 1
        return -1

    @cython.cfunc
    def take(self, size: cython.Py_ssize_t) -> bytes:
        """The first `size` bytes, of which there must be as many."""
        taken: bytes = PyBytes_FromStringAndSize(self.memory + self.start, size)
        self.drop(size)
        return taken

    @cython.cfunc
    @cython.exceptval(check=False)
    def take_into(self, target: cython.p_char, size: cython.Py_ssize_t) -> cython.void:
        memcpy(target, self.memory + self.start, size)
        self.drop(size)

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop(self, size: cython.Py_ssize_t) -> cython.void:
        self.start += size
        self.count -= size
        if self.count == 0:
            free(self.memory)
            self.memory = cython.NULL
            self.start = self.capacity = 0
