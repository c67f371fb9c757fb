"""What the tests of pools share: resources that are counted, and who borrows them."""

from trueasync import Cancelled, suspend


class Resources:
    """Makes numbered resources, and keeps book of them; its hooks wait as real ones do."""

    def __init__(self, wait=suspend):
        self.wait = wait
        self.made, self.destroyed, self.lent = [], [], set()

    def make(self):
        self.wait()
        number = len(self.made)
        self.made.append(number)
        return number

    def destroy(self, number):
        assert number not in self.destroyed, "destroyed twice"
        self.wait()
        self.destroyed.append(number)

    @property
    def alive(self):
        return len(self.made) - len(self.destroyed)


def counts(pool):
    """idle, in use, waiting"""
    return tuple(int(part.split()[0]) for part in repr(pool).rstrip(">").split(", ")[-3:])


def outcome(coroutine):
    try:
        return coroutine.result()
    except (Exception, Cancelled) as error:
        return type(error)


def borrow(pool, seen=None, timeout=None):
    with pool.acquire(timeout) as resource:
        if seen is not None:
            seen.append(resource)
        suspend()
        return resource
