"""Semaphores and locks against a model: permits are conserved, whoever leaves and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import EXAMPLES, ORDERS, Program, run_in_order, steps

from trueasync import Lock, RLock, Semaphore, sleep, spawn, suspend

STEPS = steps("use", "try_use", "suspend", numbered=["cancel", "use_within"])


class Users(Program):
    """Never more inside than there are permits, and none of them idle while anybody waits."""

    def __init__(self, lock, permits):
        super().__init__()
        self.lock, self.permits = lock, permits
        self.inside = self.entered = 0

    def enter(self, *args):
        if self.lock.acquire(*args):
            try:
                self.inside += 1
                self.entered += 1
                assert self.inside <= self.permits
                suspend()
            finally:
                self.inside -= 1
                self.lock.release()

    def use(self, number):
        self.coroutines.append(spawn(self.enter))

    def try_use(self, number):
        self.coroutines.append(spawn(self.enter, False))

    def use_within(self, number):
        if number < 6:
            self.coroutines.append(spawn(self.enter, True, (number % 3 + 1) / 10))
        else:
            sleep(0.15)

    def end(self):
        self.join()  # nobody waits for ever
        assert self.inside == 0
        for _ in range(self.permits):
            assert self.lock.acquire(False), "a permit was lost"
        assert not spawn(self.lock.acquire, False).result(), "a permit too many"
        assert ", 0 waiting" in repr(self.lock), "left in a line"


@pytest.mark.parametrize("kind", [Semaphore, Lock, RLock])
def test_permits_are_conserved(kind):
    @EXAMPLES
    @given(program=STEPS, permits=st.integers(1, 3), order=ORDERS)
    def check(program, permits, order):
        def main():
            many = kind is Semaphore
            users = Users(Semaphore(permits), permits) if many else Users(kind(), 1)
            users.run(program)
            users.end()

        run_in_order(order, main)

    check()


@EXAMPLES
@given(program=steps("wait", "suspend", numbered=["release"]))
def test_first_come_is_first_served(program):
    def main():
        semaphore, waiters, served = Semaphore(0), [], []

        def wait(number):
            semaphore.acquire()
            served.append(number)

        for name, number in program:
            if name == "wait":
                waiters.append(spawn(wait, len(waiters)))
            elif name == "release":
                suspend()  # all who were spawned have come
                semaphore.release(number + 1)
                suspend()  # and who was given a permit has gone
            else:
                suspend()
        suspend()
        semaphore.release(len(waiters) + 1)
        for waiter in waiters:
            waiter.result()
        assert served == list(range(len(waiters)))

    run_in_order("fifo", main)
