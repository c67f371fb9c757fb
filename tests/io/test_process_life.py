"""Process: starts, talks, waits and is stopped; and the end of a process known by number."""

import os
import signal
import subprocess

import pytest

import trueasync
from trueasync import Process

PIPE = subprocess.PIPE
# Says that it is ready, then does what it is told to on a signal.
READY = "echo ready >&3; while :; do sleep 0.01; done"


def started(script, **options):
    """A shell with `script`, when it has said that it is ready on descriptor 3."""
    reader, writer = os.pipe()
    if writer != 3:
        script = f"exec 3>/dev/fd/{writer}; {script}"
    process = Process(script, shell=True, pass_fds=[writer], **options)
    os.close(writer)
    with open(reader) as lines:
        assert lines.readline() == "ready\n"
    return process


@pytest.mark.parametrize(("script", "code"), [("exit 3", 3), ("kill -15 $$", -15)])
def test_wait_gives_the_exit_code(script, code):
    def main():
        process = Process(script, shell=True)
        return process.wait(), process.wait(timeout=0), process.returncode, process.running

    assert trueasync.run(main) == (code, code, code, False)


def test_it_runs_beside_us_until_it_ends():
    def main():
        process = Process(["cat"], stdin=PIPE)
        before = process.running, process.returncode
        process.communicate()
        return before, (process.running, process.returncode)

    assert trueasync.run(main) == ((True, None), (False, 0))


def test_several_coroutines_wait_for_it():
    def main():
        process = Process(["cat"], stdin=PIPE)
        waiters = [trueasync.spawn(process.wait) for _ in range(3)]
        trueasync.suspend()
        process.close_pipes()
        return [waiter.result() for waiter in waiters]

    assert trueasync.run(main) == [0, 0, 0]


def test_a_wait_that_takes_too_long_leaves_it_running():
    def main():
        with Process(["cat"], stdin=PIPE) as process:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=0.01)
            return process.running

    assert trueasync.run(main)


def test_a_cancelled_wait_leaves_it_running():
    def main():
        with Process(["cat"], stdin=PIPE) as process:
            waiter = trueasync.spawn(process.wait)
            trueasync.suspend()
            waiter.cancel()
            trueasync.suspend()
            return waiter.cancelled(), process.running

    assert trueasync.run(main) == (True, True)


def test_communicate_gives_what_it_wrote():
    def main():
        process = Process("cat; echo no >&2", shell=True, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        return process.communicate(b"yes")

    assert trueasync.run(main) == (b"yes", b"no\n")


def test_input_without_a_pipe_to_write_it_to_is_refused():
    def main():
        with Process(["true"]) as process, pytest.raises(ValueError, match="stdin=PIPE"):
            process.communicate(b"x")

    trueasync.run(main)


def test_other_input_than_at_first_is_refused():
    def main():
        with Process(["cat"], stdin=PIPE, stdout=PIPE) as process:
            process.communicate(b"x")
            with pytest.raises(ValueError, match="input it had at first"):
                process.communicate(b"y")

    trueasync.run(main)


# -- its pipes as streams ----------------------------------------------------------------------


def test_a_conversation_goes_on_line_by_line():
    def main():
        with Process(["cat"], stdin=PIPE, stdout=PIPE) as process:
            heard = []
            for line in (b"one\n", b"two\n", b"three\n"):
                process.stdin.write(line)
                heard.append(process.stdout.read_line())
            process.stdin.close()
            return heard, process.stdout.read()

    assert trueasync.run(main) == ([b"one\n", b"two\n", b"three\n"], b"")


def test_others_run_while_a_stream_waits():
    def main():
        with Process(["cat"], stdin=PIPE, stdout=PIPE) as process:
            reader = trueasync.spawn(process.stdout.read_exactly, 5)
            trueasync.suspend()
            process.stdin.write(b"hello")
            return reader.result()

    assert trueasync.run(main) == b"hello"


def test_communicate_gives_what_came_ahead_of_a_line_too():
    def main():
        process = Process("echo first; echo second; cat", shell=True, stdin=PIPE, stdout=PIPE)
        first = process.stdout.read_line()
        return first, process.communicate(b"third")[0]

    assert trueasync.run(main) == (b"first\n", b"second\nthird")


def test_communicate_goes_without_streams_that_are_closed():
    def main():
        process = Process("cat; echo no >&2", shell=True, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        process.stdin.close()
        process.stdout.close()
        return process.communicate()

    assert trueasync.run(main) == (b"", b"no\n")


def test_the_end_of_the_block_wakes_who_reads_its_streams():
    def main():
        with Process(["cat"], stdin=PIPE, stdout=PIPE) as process:
            reader = trueasync.spawn(process.stdout.read)
            trueasync.suspend()
        with pytest.raises(trueasync.HandleClosed, match=f"the stdout of process {process.pid}"):
            reader.result()

    trueasync.run(main)


def test_a_pipe_may_hold_more():
    def main():
        with Process(["sleep", "60"], stdin=PIPE, pipesize=1 << 17) as process:
            process.stdin.write(bytes(1 << 17))  # nobody reads it
            process.kill()

    trueasync.run(main)


# -- signals and stopping ----------------------------------------------------------------------


def test_a_signal_reaches_it():
    def main():
        process = started(f"trap 'exit 5' USR1; {READY}")
        process.send_signal(signal.SIGUSR1)
        return process.wait()

    assert trueasync.run(main) == 5


def test_signals_to_one_that_has_ended_go_nowhere():
    def main():
        process = Process(["true"])
        process.wait()
        process.terminate()
        process.kill()
        return process.stop()

    assert trueasync.run(main) == 0


def test_stop_asks_first():
    def main():
        return started(f"trap 'exit 6' TERM; {READY}").stop()

    assert trueasync.run(main) == 6


def test_stop_kills_when_the_grace_is_over():
    def main():
        return started(f"trap '' TERM; {READY}").stop(grace=0.05)

    assert trueasync.run(main) == -signal.SIGKILL


def test_a_group_of_its_own_gets_the_signals_too():
    def main():
        script = f"sh -c '{READY}' & trap 'exit 0' TERM; wait"
        with started(script, start_new_session=True, stdout=PIPE) as process:
            process.terminate()
            # Both have the other end of this pipe: at its end, both are gone.
            return process.communicate(timeout=50)[0], process.stdout.closed

    assert trueasync.run(main) == (b"", True)


# -- as a context manager ----------------------------------------------------------------------


def test_the_end_of_the_block_waits_for_it():
    def main():
        with Process("read line; exit 7", shell=True, stdin=PIPE) as process:
            pass
        return process.running, process.returncode

    assert trueasync.run(main) == (False, 7)


def test_an_error_in_the_block_stops_it():
    found = []

    def main():
        with started(f"trap '' INT; {READY}") as process:
            found.append(process)
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        trueasync.run(main)

    assert found[0].returncode == -signal.SIGTERM


def test_a_cancellation_at_the_end_of_the_block_stops_it():
    def block(found):
        with started(READY) as process:
            found.append(process)

    def main():
        found = []
        runner = trueasync.spawn(block, found)
        while not found:
            trueasync.suspend()
        trueasync.suspend()
        runner.cancel()
        with pytest.raises(trueasync.Cancelled):
            runner.result()
        return found[0].returncode

    assert trueasync.run(main) == -signal.SIGTERM


def test_one_that_is_forgotten_while_it_runs_is_warned_of_and_reaped_later():
    def main():
        process = Process(["sleep", "60"])
        pid = process.pid
        with pytest.warns(ResourceWarning, match=f"subprocess {pid} is still running"):
            del process
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        trueasync.run_process(["true"])
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)

    trueasync.run(main)


def test_it_says_what_it_is():
    def main():
        process = Process(["cat"], stdin=PIPE)
        waiter = trueasync.spawn(process.wait)
        trueasync.suspend()
        said = waiter.waits_for
        process.close_pipes()
        process.wait()
        return said == [f"the end of process {process.pid}"], repr(process)

    says, text = trueasync.run(main)

    assert says
    assert text.endswith("['cat'], ended with 0>")


# -- known by number ---------------------------------------------------------------------------


def test_a_child_known_by_its_number_is_waited_for():
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 9"], os.environ)

    assert trueasync.run(trueasync.wait_for_process, pid) == 9


def test_waiting_for_a_number_has_a_timeout():
    def main():
        with Process(["cat"], stdin=PIPE) as process:
            with pytest.raises(TimeoutError, match=r"has not ended within 0\.01 s"):
                trueasync.wait_for_process(process.pid, timeout=0.01)
            return process.running

    assert trueasync.run(main)
