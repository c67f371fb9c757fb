"""subprocess in coroutines: Popen stays the standard one, and only the coroutine waits."""

import os
import signal
import subprocess
import threading

import pytest

import trueasync

PIPE = subprocess.PIPE


@pytest.fixture(autouse=True)
def _patched():
    with trueasync.patched():
        yield


@pytest.fixture
def fifo(tmp_path):
    path = str(tmp_path / "fifo")
    os.mkfifo(path)
    return path


def with_a_writer(fifo, call):
    """The result of `call()`, which ends when a child has read what another coroutine writes."""

    def main():
        runner = trueasync.spawn(call)
        trueasync.suspend()
        assert subprocess.call(f"echo hello >{fifo}", shell=True) == 0
        return runner.result()

    return trueasync.run(main)


def test_popen_stays_the_standard_one():
    with trueasync.patched():
        inside = subprocess.Popen

    assert inside is subprocess.Popen
    assert type(subprocess.Popen) is type


CALLS = {
    "call": (lambda c: subprocess.call(c, shell=True), 3),
    "call in time": (lambda c: subprocess.call(c, shell=True, timeout=50), 3),
    "run": (lambda c: subprocess.run(c, shell=True).returncode, 3),
    "capture": (lambda c: subprocess.run(c, shell=True, capture_output=True).stdout, b"hello\n"),
    "capture one": (lambda c: subprocess.run(c, shell=True, stdout=PIPE).stdout, b"hello\n"),
    "text": (
        lambda c: subprocess.run(c, shell=True, capture_output=True, text=True).stdout,
        "hello\n",
    ),
    "capture in time": (
        lambda c: subprocess.run(c, shell=True, stdout=PIPE, timeout=50).stdout,
        b"hello\n",
    ),
    "getstatusoutput": (subprocess.getstatusoutput, (3, "hello")),
}


@pytest.mark.parametrize(("call", "result"), CALLS.values(), ids=CALLS.keys())
def test_only_the_coroutine_waits(fifo, call, result):
    script = f"cat {fifo}; exit 3"

    assert with_a_writer(fifo, lambda: call(script)) == result


def read_unbuffered(process):
    return process.stdout.read(100)


READS = {
    "read": (lambda p: p.stdout.read(), {}, b"hello\n"),
    "readline": (lambda p: p.stdout.readline(), {}, b"hello\n"),
    "read1": (lambda p: p.stdout.read1(), {}, b"hello\n"),
    "lines": (lambda p: list(p.stdout), {}, [b"hello\n"]),
    "text": (lambda p: p.stdout.read(), {"text": True}, "hello\n"),
    "text lines": (lambda p: next(p.stdout), {"encoding": "ascii"}, "hello\n"),
    "unbuffered": (lambda p: p.stdout.read(100), {"bufsize": 0}, b"hello\n"),
    "unbuffered to the end": (lambda p: p.stdout.read(), {"bufsize": 0}, b"hello\n"),
    "unbuffered line": (lambda p: p.stdout.readline(), {"bufsize": 0}, b"hello\n"),
}


@pytest.mark.parametrize(("read", "options", "result"), READS.values(), ids=READS.keys())
def test_a_read_from_a_pipe_waits_politely(fifo, read, options, result):
    def reader():
        with subprocess.Popen(["cat", fifo], stdout=PIPE, **options) as process:
            return read(process)

    assert with_a_writer(fifo, reader) == result


@pytest.mark.parametrize("bufsize", [-1, 0, 100, 1_000_000])
def test_a_write_to_a_pipe_waits_politely_and_is_complete(fifo, bufsize):
    data = os.urandom(1_000_000)

    def main():
        # It does not read before another coroutine has let it.
        script = f"read go <{fifo}; cat"
        with subprocess.Popen(
            script, shell=True, stdin=PIPE, stdout=PIPE, bufsize=bufsize
        ) as process:
            reader = trueasync.spawn(process.stdout.read)
            opener = trueasync.spawn(subprocess.call, f"echo go >{fifo}", shell=True)
            written = process.stdin.write(data)
            process.stdin.close()
            opener.result()
            return written, reader.result() == data

    assert trueasync.run(main) == (len(data), True)


@pytest.mark.parametrize("timeout", [None, 50])
def test_communicate_has_no_deadlock(timeout):
    data = os.urandom(1_000_000)

    def main():
        with subprocess.Popen(["cat"], stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
            return process.communicate(data, timeout=timeout)

    assert trueasync.run(main) == (data, b"")


def test_a_child_that_never_stops_to_talk_lets_the_others_run():
    def main():
        process = subprocess.Popen(["yes"], stdout=PIPE, stderr=PIPE)
        speaker = trueasync.spawn(process.communicate)
        for _ in range(5):
            trueasync.sleep(0.001)
        process.kill()
        return len(speaker.result()[0]) > 0, process.returncode

    assert trueasync.run(main) == (True, -signal.SIGKILL)


@pytest.mark.parametrize("wait", ["wait", "communicate"])
def test_a_timeout_is_that_of_subprocess(wait):
    def main():
        with subprocess.Popen(["sleep", "60"], stdout=PIPE, stderr=PIPE) as process:
            with pytest.raises(subprocess.TimeoutExpired) as failure:
                getattr(process, wait)(timeout=0.01)
            process.kill()
            return failure.value.timeout

    assert trueasync.run(main) == 0.01


def test_a_timeout_of_run_kills_the_child():
    def main():
        with pytest.raises(subprocess.TimeoutExpired) as failure:
            subprocess.run("echo so far; exec sleep 60", shell=True, stdout=PIPE, timeout=0.2)
        return failure.value.output

    assert trueasync.run(main) == b"so far\n"


def test_several_coroutines_wait_for_one_child(fifo):
    def main():
        process = subprocess.Popen(["cat", fifo], stdout=subprocess.DEVNULL)
        waiters = [trueasync.spawn(process.wait) for _ in range(3)]
        trueasync.suspend()
        looked = process.poll()
        with open(fifo, "w"):
            pass
        return looked, [waiter.result() for waiter in waiters]

    assert trueasync.run(main) == (None, [0, 0, 0])


def test_a_coroutine_and_native_threads_wait_for_one_child(fifo):
    codes = []

    def main():
        process = subprocess.Popen(["cat", fifo], stdout=subprocess.DEVNULL)
        threads = [threading.Thread(target=lambda: codes.append(process.wait())) for _ in range(3)]
        for thread in threads:
            thread.start()
        waiter = trueasync.spawn(process.wait)
        trueasync.suspend()
        with open(fifo, "w"):
            pass
        codes.append(waiter.result())
        for thread in threads:
            thread.join()

    trueasync.run(main)

    assert codes == [0] * 4


def test_a_cancelled_run_kills_its_child(tmp_path):
    said = tmp_path / "pid"

    def main():
        runner = trueasync.spawn(
            subprocess.run, f"echo $$ >{said}; exec sleep 60", shell=True, capture_output=True
        )
        while not (said.exists() and said.read_text().endswith("\n")):
            trueasync.sleep(0.005)
        runner.cancel()
        with pytest.raises(trueasync.Cancelled):
            runner.result()
        os.kill(int(said.read_text()), 0)

    with pytest.raises(ProcessLookupError):
        trueasync.run(main)


def test_a_child_that_is_reaped_elsewhere_has_ended_well_as_ever():
    def main():
        process = subprocess.Popen(["true"])
        os.waitpid(process.pid, 0)
        return process.wait()

    assert trueasync.run(main) == 0


def test_the_pipes_block_for_native_threads_after_a_coroutine_has_waited():
    lines = []

    def main():
        with subprocess.Popen(["cat"], stdin=PIPE, stdout=PIPE, bufsize=0) as process:
            reader = trueasync.spawn(process.stdout.readline)
            trueasync.suspend()
            process.stdin.write(b"one\n")
            lines.append(reader.result())
            thread = threading.Thread(target=lambda: lines.append(process.stdout.read(100)))
            thread.start()
            process.stdin.write(b"two\n")
            thread.join()
            process.stdin.close()

    trueasync.run(main)

    assert lines == [b"one\n", b"two\n"]


def test_a_pipe_that_the_program_made_non_blocking_stays_so():
    def main():
        with subprocess.Popen(["cat"], stdin=PIPE, stdout=PIPE, bufsize=0) as process:
            os.set_blocking(process.stdout.fileno(), False)
            found = process.stdout.read(10), process.stdout.read()
            process.stdin.close()
            return found

    assert trueasync.run(main) == (None, None)


def test_closing_a_pipe_wakes_who_reads_from_it():
    def main():
        with subprocess.Popen(["cat"], stdin=PIPE, stdout=PIPE, bufsize=0) as process:
            reader = trueasync.spawn(process.stdout.read)
            trueasync.suspend()
            process.stdout.close()
            with pytest.raises(OSError, match="was closed"):
                reader.result()
            process.kill()

    trueasync.run(main)


def test_closing_a_pipe_in_another_thread_wakes_who_reads_from_it():
    def main():
        with subprocess.Popen(["cat"], stdin=PIPE, stdout=PIPE, bufsize=0) as process:
            reader = trueasync.spawn(process.stdout.read)
            trueasync.sleep(0.001)
            closer = threading.Thread(target=process.stdout.close)
            closer.start()
            closer.join()
            with pytest.raises(OSError, match=r"descriptor \d+ was closed$"):
                reader.result()
            process.kill()

    trueasync.run(main)


def test_a_pipe_made_outside_a_run_is_read_inside():
    with subprocess.Popen(["echo", "early"], stdout=PIPE) as process:
        assert trueasync.run(process.stdout.read) == b"early\n"


def test_pipes_of_many_children_in_a_row_are_told_apart():
    def main():
        return [
            subprocess.check_output(f"sleep 0.00{number % 3}; echo {number}", shell=True)
            for number in range(30)
        ]

    assert trueasync.run(main) == [b"%d\n" % number for number in range(30)]


def test_outside_coroutines_all_is_as_ever():
    done = subprocess.run(["cat"], input=b"x" * 300_000, capture_output=True, timeout=50)

    assert done.stdout == b"x" * 300_000


def test_line_buffering_of_bytes_is_warned_of_as_ever():
    with pytest.warns(RuntimeWarning, match="line buffering"):
        subprocess.run(["true"], stdout=PIPE, bufsize=1)


def test_in_any_order_of_coroutines(seeds):
    def main():
        runners = [
            trueasync.spawn(subprocess.run, ["cat"], input=b"%d" % n, stdout=PIPE) for n in range(3)
        ]
        assert [runner.result().stdout for runner in runners] == [b"0", b"1", b"2"]

    for _ in seeds:
        trueasync.run(main)
