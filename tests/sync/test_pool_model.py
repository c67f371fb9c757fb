"""Pool against a model: borrowers, hooks that fail or wait, cancels, a close at any moment."""

from hypothesis import given
from hypothesis import strategies as st
from models import EXAMPLES, ORDERS, Program, run_in_order, steps

from trueasync import CircuitBreaker, CircuitOpen, Pool, PoolClosed, sleep, spawn, suspend

STEPS = steps(
    *("borrow", "suspend", "discard", "break_next", "pass_time"),
    numbered=["cancel", "within", "close"],
)


class Borrowers(Program):
    """Attempts are done, failed or cancelled, and every resource is in one place."""

    def __init__(self, maximum, minimum, breaker):
        super().__init__()
        self.made, self.destroyed, self.lent = [], [], set()
        self.broken = 0  # how many of the next things shall fail
        self.ended = 0
        self.maximum = maximum
        self.pool = Pool(
            self.make,
            destroy=self.destroy,
            check=self.hook,
            check_every=5,
            before_acquire=self.hook,
            before_release=self.hook,
            minimum=minimum,
            maximum=maximum,
            breaker=breaker,
            on_error=lambda error: None,
        )

    def fails(self):
        suspend()
        self.broken -= self.broken > 0
        return self.broken > 0

    def make(self):
        if self.fails():
            raise OSError("no connection")
        self.made.append(len(self.made))
        assert len(self.made) - len(self.destroyed) <= self.maximum
        return self.made[-1]

    def destroy(self, resource):
        assert resource not in self.destroyed, "destroyed twice"
        assert resource not in self.lent, "destroyed while it is lent"
        self.destroyed.append(resource)
        if self.fails():
            raise OSError("cannot be closed")

    def hook(self, resource):
        assert resource not in self.lent
        assert resource not in self.destroyed
        if self.fails():
            raise OSError("broken")

    def borrowing(self, timeout=None, discard=False):
        try:
            loan = self.pool.acquire(timeout)
        except (OSError, PoolClosed, CircuitOpen):  # TimeoutError is an OSError
            return
        resource = loan.resource
        assert resource not in self.lent, "lent to two"
        assert resource not in self.destroyed, "lent though destroyed"
        self.lent.add(resource)
        try:
            suspend()
        finally:
            self.lent.remove(resource)
            if discard:
                loan.discard()
            else:
                loan.release()

    def spawn(self, *args):
        self.coroutines.append(spawn(self.counted, *args))

    def counted(self, *args):
        try:
            self.borrowing(*args)
        finally:
            self.ended += 1

    def borrow(self, number):
        self.spawn()

    def discard(self, number):
        self.spawn(None, True)

    def within(self, number):
        self.spawn(number / 4)

    def break_next(self, number):
        self.broken = 4

    def pass_time(self, number):
        sleep(3)

    def close(self, number):
        if number:
            return  # or most programs would end early
        try:
            self.pool.close()
        except Exception:  # one OSError, or a group of them
            assert self.pool.idle == 0  # all of them were tried

    def end(self):
        self.broken = 0
        self.join()  # nobody waits for ever
        alive = [resource for resource in self.made if resource not in self.destroyed]
        assert not self.lent
        assert len(alive) == self.pool.total == self.pool.idle, repr(self.pool)
        assert ", 0 waiting" in repr(self.pool)
        self.pool.close()
        assert self.pool.total == 0
        assert len(self.destroyed) == len(self.made)


@EXAMPLES
@given(
    program=STEPS,
    maximum=st.integers(1, 3),
    minimum=st.integers(0, 1),
    breaking=st.booleans(),
    order=ORDERS,
)
def test_resources_are_conserved(program, maximum, minimum, breaking, order):
    def main():
        breaker = CircuitBreaker(failures=2, pause=5) if breaking else None
        borrowers = Borrowers(maximum, minimum, breaker)
        borrowers.run(program)
        borrowers.end()

    run_in_order(order, main)
