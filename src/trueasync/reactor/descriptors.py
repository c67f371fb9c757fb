"""Descriptors: everything the loop watches, and a watch for those that someone else closes.

The system reports nothing when a descriptor is closed: who waits for it would wait for ever,
or for another file that got the same number; and libuv aborts the process if it has to arm
one. So a descriptor is looked at right before it is armed, and once a second while the
program does something. A program that does nothing closes nothing, and is left in peace.
"""

import errno

import cython
from cython.cimports.trueasync.reactor.poll import UvDescriptor, names_the_same, new_descriptor
from cython.cimports.trueasync.reactor.reactor import UvReactor

SECONDS_PER_SWEEP = cython.declare(cython.double, 1.0)
INFINITY = cython.declare(cython.double, float("inf"))


@cython.final
@cython.cclass
class Descriptors:
    """The watched descriptors of one reactor, by number. Not for other threads."""

    def __init__(self):
        self.by_number = {}
        self.fresh = []

    @cython.cfunc
    def get(self, reactor: UvReactor, fd: cython.int) -> UvDescriptor:
        known: UvDescriptor = self.by_number.get(fd)
        if known is not None:
            if names_the_same(known):
                return known
            known.close(closed_elsewhere(known))
        descriptor: UvDescriptor = new_descriptor(reactor, fd)
        self.by_number[fd] = descriptor
        return descriptor

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def forget(self, descriptor: UvDescriptor) -> cython.int:
        if self.by_number.get(descriptor.fd) is descriptor:
            del self.by_number[descriptor.fd]
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def check_fresh(self) -> cython.int:
        """Close those that libuv could not arm any more; how many those were."""
        closed: cython.int = 0
        descriptor: UvDescriptor
        fresh: list = self.fresh
        self.fresh = []
        for descriptor in fresh:
            if not descriptor.closed and not names_the_same(descriptor):
                descriptor.close(closed_elsewhere(descriptor))
                closed += 1
        return closed

    @cython.cfunc
    @cython.exceptval(check=False)
    def sweep_deadline(self, now: cython.double) -> cython.double:
        """When to sweep; never, while nothing runs or nothing is watched."""
        if not self.unswept or not self.by_number:
            return INFINITY
        if self.next_sweep == 0.0:
            self.next_sweep = now + SECONDS_PER_SWEEP
        return self.next_sweep

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def sweep(self) -> cython.int:
        descriptor: UvDescriptor
        self.unswept = False
        self.next_sweep = 0.0
        for descriptor in list(self.by_number.values()):
            if not names_the_same(descriptor):
                descriptor.close(closed_elsewhere(descriptor))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def leave_behind(self) -> cython.int:
        """In the child of a fork: watch none of them, and tell neither libuv nor who waits."""
        descriptor: UvDescriptor
        for descriptor in self.by_number.values():
            descriptor.closed = True
            descriptor.watch.note.owner = cython.NULL
            descriptor.watch = cython.NULL  # libuv's, in a loop that never turns again
        self.by_number.clear()
        self.fresh.clear()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def close(self) -> cython.int:
        descriptor: UvDescriptor
        for descriptor in list(self.by_number.values()):
            descriptor.close(None)
        self.fresh.clear()
        return 0


@cython.cfunc
def closed_elsewhere(descriptor: UvDescriptor):
    return OSError(
        errno.EBADF,
        f"descriptor {descriptor.fd} was closed by someone else while trueasync watched it; "
        "close a stream with its own close(), which wakes who waits",
    )
