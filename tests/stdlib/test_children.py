"""os.waitpid and its like, os.system and os.popen: polite in coroutines, plain elsewhere."""

import os
import signal
import threading

import pytest

import trueasync

SHELL = "/bin/sh"


@pytest.fixture(autouse=True)
def _patched():
    with trueasync.patched():
        yield
    for thread in threading.enumerate():
        if thread.name.startswith("trueasync waits for process"):
            thread.join()


def start(script, **options):
    return os.posix_spawn(SHELL, [SHELL, "-c", script], os.environ, **options)


@pytest.fixture
def gate():
    """A child started with `file_actions=gate.take` reads it to its end; `gate.open()` is that."""

    class Gate:
        def __init__(self):
            self.reader, self.writer = os.pipe()
            self.take = [(os.POSIX_SPAWN_DUP2, self.reader, 0)]

        def open(self):
            if self.writer >= 0:
                os.close(self.writer)
                self.writer = -1

    made = Gate()
    yield made
    made.open()
    os.close(made.reader)


def meanwhile(gate, call, *args):
    """The result of `call(*args)`, which can only end when another coroutine has run."""

    def main():
        opener = trueasync.spawn(gate.open)
        assert not opener.done()
        return call(*args)

    return trueasync.run(main)


CALLS = {
    "wait": lambda pid: os.wait(),
    "waitpid": lambda pid: os.waitpid(pid, 0),
    "waitpid any": lambda pid: os.waitpid(-1, 0),
    "waitpid stopped too": lambda pid: os.waitpid(pid, os.WUNTRACED),
    "wait3": lambda pid: os.wait3(0)[:2],
    "wait4": lambda pid: os.wait4(pid=pid, options=0)[:2],
    "waitid": lambda pid: ended(os.waitid(os.P_PID, pid, os.WEXITED)),
    "waitid any": lambda pid: ended(os.waitid(os.P_ALL, 0, os.WEXITED)),
}


def ended(found):
    return found.si_pid, found.si_status << 8


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_only_the_coroutine_waits(gate, call):
    pid = start("cat; exit 5", file_actions=gate.take)

    assert meanwhile(gate, call, pid) == (pid, 5 << 8)
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, 0)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_one_that_has_ended_needs_no_wait(call):
    pid = start("exit 6")
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    assert trueasync.run(call, pid) == (pid, 6 << 8)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_without_children_it_fails_as_it_always_does(call):
    with pytest.raises(ChildProcessError):
        trueasync.run(call, 1 << 22)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_outside_coroutines_the_original_waits(call):
    pid = start("exit 7")

    assert call(pid) == (pid, 7 << 8)


def test_looking_does_not_wait(gate):
    pid = start("cat", file_actions=gate.take)

    def main():
        return os.waitpid(pid, os.WNOHANG), os.wait4(pid, os.WNOHANG)[:2]

    assert trueasync.run(main) == ((0, 0), (0, 0))
    gate.open()
    os.waitpid(pid, 0)


def test_a_group_of_children_is_waited_for(gate):
    pid = start("cat; exit 8", file_actions=gate.take, setpgroup=0)

    assert meanwhile(gate, os.waitpid, -pid, 0) == (pid, 8 << 8)


def test_a_child_that_stops_is_seen():
    pid = start("kill -STOP $$; exit 9")

    def main():
        _, status = os.waitpid(pid, os.WUNTRACED)
        os.kill(pid, signal.SIGCONT)
        return os.WIFSTOPPED(status), os.waitpid(pid, 0)

    assert trueasync.run(main) == (True, (pid, 9 << 8))


def test_waitid_may_leave_the_child_to_others(gate):
    pid = start("cat; exit 10", file_actions=gate.take)

    found = meanwhile(gate, os.waitid, os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    assert found.si_status == 10
    assert os.waitpid(pid, 0) == (pid, 10 << 8)


def test_each_of_several_gets_a_child_of_its_own():
    pids = {start("exit 0") for _ in range(20)}

    def main():
        waiters = [trueasync.spawn(os.wait) for _ in pids]
        return {waiter.result()[0] for waiter in waiters}

    assert trueasync.run(main) == pids


@pytest.mark.parametrize("call", [CALLS["waitpid"], CALLS["wait"]], ids=["waitpid", "wait"])
def test_a_cancelled_wait_leaves_the_child_alone(gate, call):
    pid = start("cat; exit 3", file_actions=gate.take)

    def main():
        waiter = trueasync.spawn(call, pid)
        trueasync.suspend()
        waiter.cancel()
        trueasync.suspend()
        gate.open()
        return waiter.cancelled(), os.waitpid(pid, 0)

    assert trueasync.run(main) == (True, (pid, 3 << 8))


def test_spawnl_waits_politely(tmp_path):
    fifo = str(tmp_path / "fifo")
    os.mkfifo(fifo)

    def main():
        writer = trueasync.spawn(os.spawnl, os.P_WAIT, SHELL, "sh", "-c", f"echo >{fifo}")
        reader = trueasync.spawn(os.spawnl, os.P_WAIT, SHELL, "sh", "-c", f"read x <{fifo}")
        return writer.result(), reader.result()

    assert trueasync.run(main) == (0, 0)


# -- os.system and os.popen ------------------------------------------------------------------


@pytest.mark.parametrize("command", ["exit 0", "exit 3", "kill -TERM $$", b"exit 4", "no-such"])
def test_system_says_what_it_always_says(command, capfd):
    plain = os.system(command)

    assert trueasync.run(os.system, command) == plain


def test_only_the_coroutine_waits_for_a_system_command(tmp_path):
    fifo = str(tmp_path / "fifo")
    os.mkfifo(fifo)

    def main():
        both = [trueasync.spawn(os.system, f"{end} {fifo}") for end in ("read x <", "echo >")]
        return [each.result() for each in both]

    assert trueasync.run(main) == [0, 0]


def test_system_lets_the_command_have_what_is_inheritable():
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)

    assert trueasync.run(os.system, f"echo hello >/dev/fd/{writer}") == 0

    assert os.read(reader, 100) == b"hello\n"
    os.close(reader)
    os.close(writer)


def test_a_cancelled_system_ends_its_command(tmp_path):
    said = tmp_path / "pid"

    def main():
        runner = trueasync.spawn(os.system, f"echo $$ >{said}; exec sleep 60")
        while not (said.exists() and said.read_text().endswith("\n")):
            trueasync.sleep(0.005)
        runner.cancel()
        with pytest.raises(trueasync.Cancelled):
            runner.result()
        os.kill(int(said.read_text()), 0)

    with pytest.raises(ProcessLookupError):
        trueasync.run(main)


def test_popen_waits_politely_for_output_and_end(tmp_path):
    fifo = str(tmp_path / "fifo")
    os.mkfifo(fifo)

    def main():
        with os.popen(f"cat {fifo}; exit 3") as output:
            reader = trueasync.spawn(output.read)
            trueasync.suspend()
            os.system(f"echo hello >{fifo}")
            text = reader.result()
            return text, output.close()

    assert trueasync.run(main) == ("hello\n", 3 << 8)


def test_popen_writes_politely():
    def main():
        with os.popen("wc -c >/dev/null", "w") as stream:
            stream.write("x" * 500_000)

    trueasync.run(main)
