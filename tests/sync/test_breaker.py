"""CircuitBreaker: closed, open, half open with one trial at a time; and in a pool."""

import pytest
from natives import until, waiting

import trueasync
from trueasync import Cancelled, CircuitBreaker, CircuitOpen, Pool, sleep, spawn, suspend
from trueasync.testing import run


def outcome(coroutine):
    try:
        return coroutine.result()
    except (Exception, Cancelled) as error:
        return type(error)


# -- by itself --------------------------------------------------------------------------------


def test_so_many_failures_in_a_row_open_it():
    breaker = CircuitBreaker(failures=3)
    for result in (breaker.failed, breaker.failed, breaker.succeeded, breaker.failed):
        breaker.admit("x")
        result("x")
    states = [breaker.state]
    breaker.failed("x")
    states.append(breaker.state)
    breaker.failed("x")
    states.append(breaker.state)

    assert states == ["closed", "closed", "open"]
    with pytest.raises(CircuitOpen, match="may try in"):
        breaker.admit("x")


def test_after_the_pause_one_may_try_at_a_time():
    def main():
        breaker = CircuitBreaker(failures=1, pause=10)
        breaker.failed("first")
        sleep(9)
        with pytest.raises(CircuitOpen, match="may try in 1 s"):
            breaker.admit("early")
        sleep(1)
        assert breaker.state == "half-open"
        breaker.admit("trial")
        with pytest.raises(CircuitOpen, match="somebody tries already"):
            breaker.admit("second")
        breaker.succeeded("somebody of before")
        assert breaker.state == "half-open"
        breaker.succeeded("trial")
        breaker.admit("anybody")
        return breaker.state

    assert run(main) == "closed"


def test_a_trial_that_fails_opens_it_for_another_pause():
    def main():
        breaker = CircuitBreaker(failures=1, pause=10)
        breaker.failed("first")
        sleep(10)
        breaker.admit("trial")
        sleep(5)
        breaker.failed("somebody of before")
        assert breaker.state == "half-open"
        breaker.failed("trial")
        states = [breaker.state]
        sleep(9.9)
        states.append(breaker.state)
        sleep(0.1)
        return [*states, breaker.state]

    assert run(main) == ["open", "open", "half-open"]


def test_a_trial_that_was_cancelled_lets_the_next_one_try():
    def main():
        breaker = CircuitBreaker(failures=1, pause=0)
        breaker.failed("first")
        breaker.admit("trial")
        breaker.left_early("trial")
        breaker.admit("next")
        breaker.succeeded("next")
        return breaker.state

    assert run(main) == "closed"


def test_it_is_opened_and_closed_by_hand():
    breaker = CircuitBreaker()
    breaker.open()
    assert breaker.state == "open"
    assert repr(breaker) == "<CircuitBreaker open, 0 of 5 failures>"
    breaker.close()
    breaker.admit("anybody")
    assert breaker.state == "closed"


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="1 failure or more, not 0"):
        CircuitBreaker(failures=0)
    with pytest.raises(ValueError, match="0 seconds or more, not -1"):
        CircuitBreaker(pause=-1)


# -- in a pool --------------------------------------------------------------------------------


class Service:
    def __init__(self):
        self.up, self.attempts = True, 0

    def connect(self):
        self.attempts += 1
        suspend()
        if not self.up:
            raise OSError("down")
        return "connection"


def borrow(pool, wait=suspend):
    with pool.acquire() as resource:
        wait()
        return resource


def test_a_service_that_is_down_is_left_alone_and_tried_again(seeds):
    def main():
        service = Service()
        pool = Pool(service.connect, breaker=CircuitBreaker(failures=2, pause=30))
        service.up = False
        log = [outcome(spawn(borrow, pool)) for _ in range(4)]
        attempts = [service.attempts]
        sleep(30)
        log += [outcome(spawn(borrow, pool)), outcome(spawn(borrow, pool))]
        attempts.append(service.attempts)
        service.up = True
        sleep(30)
        tries = [spawn(borrow, pool) for _ in range(5)]
        trial = [outcome(coroutine) for coroutine in tries]
        log.append(pool.breaker.state)
        return log, attempts, sorted(map(str, trial)), pool.total

    expected_log = [OSError, OSError, CircuitOpen, CircuitOpen, OSError, CircuitOpen, "closed"]
    for schedule in seeds:
        log, attempts, trial, total = run(main)
        assert (log, attempts) == (expected_log, [2, 3]), schedule
        assert trial.count("connection") >= 1, schedule
        assert total >= 1, schedule


def test_who_waits_when_it_opens_is_told(seeds):
    def main():
        service = Service()
        breaker = CircuitBreaker(failures=1, pause=30)
        pool = Pool(service.connect, maximum=1, before_release=lambda it: False, breaker=breaker)
        loan = pool.acquire()
        waits = [spawn(borrow, pool) for _ in range(3)]
        until(waiting(pool, 3))
        loan.release()
        return [outcome(coroutine) for coroutine in waits], pool.total

    for _ in seeds:
        assert run(main) == ([CircuitOpen] * 3, 0)


def test_only_one_trial_is_under_way_however_many_come(seeds):
    def main():
        service, trying = Service(), []

        def connect():
            trying.append(1)
            assert len(trying) == 1, "two trials at a time"
            try:
                return service.connect()
            finally:
                trying.pop()

        breaker = CircuitBreaker(failures=1, pause=1)
        pool = Pool(connect, breaker=breaker)
        breaker.open()
        service.up = False
        for _ in range(3):
            sleep(1)
            ended = [outcome(c) for c in [spawn(borrow, pool) for _ in range(4)]]
            assert ended.count(OSError) == 1
            assert ended.count(CircuitOpen) == 3
        return service.attempts

    for _ in seeds:
        assert run(main) == 3


def test_a_trial_that_is_cancelled_does_not_keep_the_others_out(seeds):
    def main():
        service = Service()
        breaker = CircuitBreaker(failures=1, pause=1)
        pool = Pool(service.connect, breaker=breaker)
        breaker.open()
        sleep(1)
        trial = spawn(borrow, pool, lambda: sleep(60))
        sleep(0.1)
        trial.cancel()
        assert outcome(trial) is Cancelled
        return outcome(spawn(borrow, pool)), breaker.state, pool.total

    for _ in seeds:
        assert run(main) == ("connection", "closed", 1)


def test_a_trial_that_is_forgotten_does_not_keep_the_others_out():
    def main():
        breaker = CircuitBreaker(failures=1, pause=0)
        pool = Pool(object, breaker=breaker)
        breaker.open()
        with pytest.warns(ResourceWarning):
            pool.acquire()
        borrow(pool)
        return breaker.state, pool.total

    assert trueasync.testing.run(main) == ("closed", 1)
