"""Items: what a channel holds, first in, first out.

Unlike the ring of the scheduler it lets the garbage collector see what it holds: an item
may refer to the channel it lies in.
"""

import cython

FIRST_CAPACITY = cython.declare(cython.Py_ssize_t, 8)


@cython.final
@cython.cclass
class Items:
    """A ring in a list, doubled when full."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def push(self, item) -> cython.int:
        while self.slots is None or self.count == len(self.slots):
            self.grow()
        self.slots[(self.head + self.count) & (len(self.slots) - 1)] = item
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def push_front(self, item) -> cython.int:
        while self.slots is None or self.count == len(self.slots):
            self.grow()
        self.head = (self.head - 1) & (len(self.slots) - 1)
        self.slots[self.head] = item
        self.count += 1
        return 0

    @cython.cfunc
    def pop(self):
        """The oldest; there must be one."""
        item = self.slots[self.head]
        self.slots[self.head] = None
        self.head = (self.head + 1) & (len(self.slots) - 1)
        self.count -= 1
        return item

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self) -> cython.int:
        head: cython.Py_ssize_t = self.head
        count: cython.Py_ssize_t = self.count
        slots: list = self.slots
        longer: list = [] if slots is None else slots[head:] + slots[:head]
        longer.extend([None] * ((count * 2 or FIRST_CAPACITY) - count))
        # Making a list may run a finalizer, and that may push or pop: then once more.
        if self.slots is slots and self.head == head and self.count == count:
            self.slots = longer
            self.head = 0
        return 0

    def __len__(self):
        return self.count
