"""ProcessEnd: exit codes and signals, whose child it is, who reaps it, and without pidfd."""

import errno
import os
import signal
import subprocess
import threading

import pytest

import trueasync
from trueasync.reactor import process as process_module
from trueasync.scheduler.calls import running_scheduler

SHELL = "/bin/sh"


@pytest.fixture(params=["pidfd", "thread"])
def way(request, monkeypatch):
    """Both ways to learn of the end, whatever this system has."""
    if request.param == "thread":
        monkeypatch.setattr(process_module, "pidfd_open", None)
    elif process_module.pidfd_open is None:
        pytest.skip("this system has no pidfd")
    return request.param


@pytest.fixture
def no_descriptor_left(monkeypatch):
    def refuse(pid):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(process_module, "pidfd_open", refuse)


@pytest.fixture
def children():
    """`children(script)` starts a child that has to be reaped by the test or here."""
    started = []

    def start(script, **options):
        pid = os.posix_spawn(SHELL, [SHELL, "-c", script], os.environ, **options)
        started.append(pid)
        return pid

    yield start
    for pid in started:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
    join_waiting_threads()


def join_waiting_threads():
    for thread in threading.enumerate():
        if thread.name.startswith("trueasync waits for process"):
            thread.join()


def wait(event, *others):
    return running_scheduler("test").wait(event, *others)


def end_of(pid, reap=True):
    return running_scheduler("test").reactor.process(pid, reap)


def poll_until(reactor, *events):
    while not all(event.fired for event in events):
        reactor.poll(True)


def end_without_reaping(pid):
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -TERM $$", -15), ("kill -9 $$", -9)],
)
def test_it_fires_with_what_subprocess_reports(way, children, script, code):
    pid = children(script)

    assert trueasync.run(lambda: wait(end_of(pid)).outcome()) == code
    assert subprocess.call([SHELL, "-c", script]) == code


def test_a_child_that_has_ended_before_costs_no_wait(way, children):
    pid = children("exit 5")
    end_without_reaping(pid)

    def main():
        polls = trueasync.stats()["polls"]
        code = wait(end_of(pid)).outcome()
        return code, trueasync.stats()["polls"] - polls

    assert trueasync.run(main) == (5, 0)


def test_it_reaps_the_child(way, children):
    pid = children("exit 0")

    trueasync.run(lambda: wait(end_of(pid)))

    with pytest.raises(ChildProcessError):
        os.waitpid(pid, 0)


def test_it_reaps_nothing_when_told_so(way, children):
    pid = children("exit 6")

    assert trueasync.run(lambda: wait(end_of(pid, reap=False)).outcome()) == 6
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 6


def test_other_children_are_left_alone(way, children):
    other = children("exit 7")
    end_without_reaping(other)

    trueasync.run(lambda: wait(end_of(children("exit 0"))))

    assert os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]) == 7


def test_no_handler_for_the_death_of_children_is_installed(way, children):
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
    trueasync.run(lambda: wait(end_of(children("exit 0"))))

    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL


def test_several_wait_for_the_same_end(way, children):
    reader, writer = os.pipe()
    pid = children("read line", file_actions=[(os.POSIX_SPAWN_DUP2, reader, 0)])
    codes = []

    def main():
        event = end_of(pid)
        for _ in range(3):
            trueasync.spawn(lambda: codes.append(wait(event).outcome()))
        trueasync.suspend()
        os.close(writer)

    trueasync.run(main)
    os.close(reader)

    assert codes == [1, 1, 1]


def test_who_asks_later_gets_the_same(way, children):
    def main():
        event = end_of(children("exit 9"))
        wait(event)
        return wait(event).outcome()

    assert trueasync.run(main) == 9


def test_all_events_for_one_process_get_its_code_in_the_order_of_coming(way, children):
    reader, writer = os.pipe()
    pid = children("read line; exit 8", file_actions=[(os.POSIX_SPAWN_DUP2, reader, 0)])
    codes = []

    def main():
        for name in "abc":
            trueasync.spawn(lambda name=name: codes.append((name, wait(end_of(pid)).outcome())))
        trueasync.suspend()
        os.close(writer)

    trueasync.run(main)
    os.close(reader)

    assert codes == [("a", 8), ("b", 8), ("c", 8)]


def test_what_watches_a_process_that_was_reaped_is_not_taken_for_the_next_of_its_number(
    reactor, children
):
    pid = children("exit 3")
    first = reactor.process(pid)
    shared = reactor.process(pid)
    os.waitpid(pid, 0)  # from now on the number is free

    second = reactor.process(pid)

    assert shared.watch is first.watch
    assert second.watch is not first.watch


def test_a_cancelled_wait_leaves_the_child_to_the_next(way, children):
    reader, writer = os.pipe()
    pid = children("read line", file_actions=[(os.POSIX_SPAWN_DUP2, reader, 0)])

    def main():
        event = end_of(pid)
        waiter = trueasync.spawn(wait, event)
        trueasync.suspend()
        waiter.cancel()
        trueasync.suspend()
        cancelled = waiter.cancelled()
        os.close(writer)
        return cancelled, wait(event).outcome()

    assert trueasync.run(main) == (True, 1)
    os.close(reader)


def test_a_child_that_somebody_else_reaps_ends_with_nothing_known(way, children):
    def main():
        event = end_of(children("exit 3"))
        event.start()
        if event.fired:
            return None  # it was that fast
        os.waitpid(event.watch.pid, 0)
        return wait(event).outcome()

    assert trueasync.run(main) is None


def test_one_that_was_reaped_before_ends_with_nothing_known(way, children):
    pid = children("exit 3")
    os.waitpid(pid, 0)

    assert trueasync.run(lambda: wait(end_of(pid)).outcome()) is None


def test_ignored_children_end_with_nothing_known(way, python):
    script = f"""
import os, signal, trueasync
from trueasync.reactor import process
from trueasync.scheduler.calls import running_scheduler
if {way == "thread"}:
    process.pidfd_open = None
signal.signal(signal.SIGCHLD, signal.SIG_IGN)

def main():
    pid = os.posix_spawn("/bin/sh", ["/bin/sh", "-c", "sleep 0.05; exit 3"], os.environ)
    scheduler = running_scheduler("test")
    return scheduler.wait(scheduler.reactor.process(pid)).outcome()

print(trueasync.run(main))
"""
    done = python(script)

    assert (done.stdout, done.stderr) == ("None\n", "")


def grandchild(children):
    """A process that is not our child; it ends when the descriptor is closed."""
    number, said = os.pipe()
    held, hold = os.pipe()
    files = [(os.POSIX_SPAWN_DUP2, held, 3), (os.POSIX_SPAWN_DUP2, said, 4)]
    os.waitpid(children("read line <&3 & echo $! >&4", file_actions=files), 0)
    os.close(said)
    os.close(held)
    with open(number) as reader:
        return int(reader.readline()), hold


@pytest.mark.skipif(process_module.pidfd_open is None, reason="needs pidfd")
def test_the_end_of_a_strangers_child_is_seen_but_not_its_code(children):
    pid, hold = grandchild(children)

    def main():
        event = end_of(pid)
        waiter = trueasync.spawn(wait, event)
        trueasync.suspend()
        early = event.fired
        os.close(hold)
        waiter.result()
        return early, event.outcome()

    assert trueasync.run(main) == (False, None)


def test_without_a_pidfd_strangers_are_refused(monkeypatch, children):
    monkeypatch.setattr(process_module, "pidfd_open", None)
    pid, hold = grandchild(children)

    with pytest.raises(ChildProcessError, match="no child of this one"):
        trueasync.run(lambda: wait(end_of(pid)))
    os.close(hold)


def test_with_no_descriptor_left_a_thread_waits(no_descriptor_left, children):
    assert trueasync.run(lambda: wait(end_of(children("exit 4"))).outcome()) == 4


@pytest.mark.parametrize("pid", [0, -1])
def test_groups_of_children_are_refused(reactor, pid):
    with pytest.raises(ValueError, match="1 or more"):
        reactor.process(pid)


def test_it_is_counted_while_started_unless_hidden(way, reactor, children):
    hold, writer = os.pipe()
    pid = children("read line", file_actions=[(os.POSIX_SPAWN_DUP2, hold, 0)])
    event, hidden = reactor.process(pid), reactor.process(pid, reap=False)
    hidden.hide()
    counts = []
    for step in (hidden.start, event.start, event.start, event.stop, event.stop, event.stop):
        step()
        counts.append(reactor.active)
    os.close(writer)
    poll_until(reactor, hidden)
    os.close(hold)

    assert counts == [0, 1, 1, 1, 0, 0]


def test_it_says_what_it_waits_for(reactor):
    assert reactor.process(os.getpid()).info() == f"the end of process {os.getpid()}"


def test_a_reactor_that_is_closed_wakes_who_waits_with_an_error(reactor_class, children):
    reactor = reactor_class()
    event = reactor.process(children("exec sleep 60"))
    event.start()

    reactor.close()

    with pytest.raises(OSError, match="cannot be waited for") as failure:
        event.outcome()
    assert failure.value.errno == errno.EBADF


def test_one_whose_descriptor_is_closed_by_someone_else_wakes_who_waits(reactor, children):
    event = reactor.process(children("exec sleep 60"))
    event.start()
    fd = event.watch.fd
    os.close(fd)
    taken = os.open(os.devnull, os.O_RDONLY)  # gets the same number, and keeps it

    poll_until(reactor, event)

    with pytest.raises(OSError, match="closed by someone else"):
        event.outcome()
    assert taken == fd
    os.close(taken)


def test_one_that_is_never_waited_for_gives_its_descriptor_back(reactor, children):
    for _ in range(3):
        reactor.process(children("exit 0"))  # the look after the test finds what is left


def test_a_thousand_children_leave_no_zombie(children):
    pids = []

    def one():
        pids.append(os.posix_spawn("/bin/true", ["true"], os.environ))
        wait(end_of(pids[-1]))

    trueasync.run(lambda: trueasync.iterate(range(1000), lambda _: one(), concurrency=50))

    assert len(pids) == 1000
    for pid in pids:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def test_a_forked_child_can_wait_for_children_of_its_own(python):
    done = python("""
import os, sys, trueasync
from trueasync.scheduler.calls import running_scheduler

def one():
    pid = os.posix_spawn("/bin/sh", ["/bin/sh", "-c", "exit 3"], os.environ)
    scheduler = running_scheduler("test")
    return scheduler.wait(scheduler.reactor.process(pid)).outcome()

trueasync.run(one)
pid = os.fork()
if pid == 0:
    os._exit(trueasync.run(one))
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""")

    assert (done.stdout, done.stderr) == ("3\n", "")


def test_in_virtual_time_a_process_ends_when_the_test_says_so():
    world = trueasync.testing.VirtualReactor()
    codes = []

    def main():
        for _ in range(2):
            trueasync.spawn(lambda: codes.append(wait(world.process(5)).outcome()))
        trueasync.suspend()
        assert world.happen("process", 5, -15) == 2

    trueasync.runtime.run_on(world, main)

    assert codes == [-15, -15]
