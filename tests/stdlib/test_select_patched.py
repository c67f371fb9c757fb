"""select, poll, epoll and selectors: inside a coroutine only that waits."""

import select
import selectors
import socket

import pytest

import trueasync
from trueasync import spawn
from trueasync.scheduler.calls import running_scheduler

native_epoll = select.epoll


@pytest.fixture(autouse=True)
def _patched():
    with trueasync.patched():
        yield


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def by_select(one, seconds):
    return select.select([one], [], [], seconds)[0] == [one]


def by_poll(one, seconds):
    poll = select.poll()
    poll.register(one, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1000))


def by_epoll(one, seconds):
    with select.epoll() as epoll:
        epoll.register(one, select.EPOLLIN)
        return bool(epoll.poll(seconds))


def by_selector(kind):
    def wait(one, seconds):
        with kind() as selector:
            selector.register(one, selectors.EVENT_READ)
            return bool(selector.select(seconds))

    return wait


WAYS = {
    "select": by_select,
    "poll": by_poll,
    "epoll": by_epoll,
    "SelectSelector": by_selector(selectors.SelectSelector),
    "PollSelector": by_selector(selectors.PollSelector),
    "EpollSelector": by_selector(selectors.EpollSelector),
    "DefaultSelector": by_selector(selectors.DefaultSelector),
}


@pytest.fixture(params=WAYS)
def wait(request):
    return WAYS[request.param]


def test_only_the_coroutine_waits(pair, wait):
    def main():
        order = []
        waiting = spawn(lambda: order.append(("ready", wait(pair[0], None))))
        trueasync.suspend()
        order.append("others")
        pair[1].send(b"x")
        waiting.result()
        return order

    assert trueasync.run(main) == ["others", ("ready", True)]


def test_a_timeout_ends_the_wait_and_not_too_early(pair, wait):
    def main():
        now = running_scheduler("test").reactor.now
        begun = now()
        return wait(pair[0], 0.02), now() - begun

    ready, took = trueasync.run(main)
    assert not ready
    assert took >= 0.02


def test_a_timeout_of_zero_does_not_wait(pair, wait):
    def main():
        before = trueasync.stats()["switches"]
        first = wait(pair[0], 0)
        pair[1].send(b"x")
        return first, wait(pair[0], 0), trueasync.stats()["switches"] - before

    assert trueasync.run(main) == (False, True, 0)


def test_many_wait_for_the_same_thing(pair, wait):
    def main():
        waiting = [spawn(wait, pair[0], None) for _ in range(10)]
        trueasync.suspend()
        pair[1].send(b"x")
        return [each.result() for each in waiting]

    assert trueasync.run(main) == [True] * 10


def test_a_wait_can_be_cancelled(pair, wait):
    def main():
        waiting = spawn(wait, pair[0], None)
        trueasync.suspend()
        waiting.cancel()
        with pytest.raises(trueasync.Cancelled):
            waiting.result()

    trueasync.run(main)


def test_outside_a_coroutine_the_original_waits(pair, wait):
    pair[1].send(b"x")

    assert wait(pair[0], None)


def test_a_selector_made_before_is_patched_too(pair):
    trueasync.unpatch()
    selector = selectors.DefaultSelector()
    selector.register(pair[0], selectors.EVENT_READ)
    trueasync.patch()

    def main():
        waiting = spawn(selector.select)
        trueasync.suspend()
        pair[1].send(b"x")
        return len(waiting.result())

    with selector:
        assert trueasync.run(main) == 1


def test_one_selector_may_be_waited_at_by_several(pair):
    def main():
        with selectors.DefaultSelector() as selector:
            selector.register(pair[0], selectors.EVENT_READ)
            waiting = [spawn(selector.select) for _ in range(3)]
            trueasync.suspend()
            pair[1].send(b"x")
            return [len(each.result()) for each in waiting]

    assert trueasync.run(main) == [1, 1, 1]


def test_epoll_is_still_there_and_adopts_a_descriptor():
    with native_epoll() as made:
        same = select.epoll.fromfd(made.fileno())

        assert same.fileno() == made.fileno()
        assert not same.closed


@pytest.mark.parametrize(
    "arguments", [([], [], [], -1), ([], [], [], "a"), (1, [], []), ([-1], [], [])]
)
def test_wrong_arguments_are_refused_as_by_the_original(arguments):
    def attempt():
        with pytest.raises((TypeError, ValueError)) as raised:
            select.select(*arguments)
        return raised.type

    ours = trueasync.run(attempt)
    trueasync.unpatch()
    assert ours is attempt()
