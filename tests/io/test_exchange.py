"""Exchange: no deadlock whatever the sizes, and over when the child ends, not the pipe."""

import os
import subprocess
import sys

import pytest

import trueasync

PIPE = 65536  # what a pipe holds
SIZES = [0, 1, PIPE - 1, PIPE, PIPE + 1, 5_000_000]
HOLD = "exec 3>&1; (read forever <&0; echo late >&3) <$FIFO & "

# Writes as much to both of its pipes as it is told, then copies its input to its output.
TALK = """
import sys
size = int(sys.argv[1])
sys.stderr.buffer.write(b"e" * size)
sys.stdout.buffer.write(b"o" * size)
sys.stdout.flush()
sys.stdout.buffer.write(sys.stdin.buffer.read())
"""


def run_process(*args, **options):
    return trueasync.run(lambda: trueasync.run_process(*args, **options))


@pytest.fixture
def fifo(tmp_path, monkeypatch):
    """A grandchild that reads it waits until the test is over."""
    path = str(tmp_path / "fifo")
    os.mkfifo(path)
    monkeypatch.setenv("FIFO", path)
    holder = os.open(path, os.O_RDWR)
    yield path
    os.close(holder)


@pytest.mark.parametrize("size", SIZES)
def test_what_goes_in_comes_out(size):
    data = os.urandom(size)

    done = run_process(["cat"], input=data, stdout=subprocess.PIPE)

    assert done.stdout == data


@pytest.mark.parametrize("size", SIZES)
def test_both_outputs_and_the_input_go_on_at_the_same_time(size):
    data = os.urandom(size)
    command = [sys.executable, "-S", "-c", TALK, str(size)]

    done = run_process(command, input=data, capture_output=True)

    assert done.stdout == b"o" * size + data
    assert done.stderr == b"e" * size


def test_a_child_that_does_not_read_its_input_is_no_error():
    done = run_process("exit 3", shell=True, input=bytes(5_000_000))

    assert done.returncode == 3


def test_a_child_that_closes_its_input_early_is_no_error():
    done = run_process(
        "exec <&-; echo goes on", shell=True, input=bytes(5_000_000), capture_output=True
    )

    assert done.stdout == b"goes on\n"


def test_a_child_may_close_its_output_long_before_it_ends():
    done = run_process("echo bye; exec >&- 2>&-; exit 4", shell=True, capture_output=True)

    assert (done.returncode, done.stdout) == (4, b"bye\n")


def test_a_grandchild_that_holds_the_pipe_holds_nobody_up(fifo):
    done = run_process(HOLD + "echo mine", shell=True, capture_output=True)

    assert done.stdout == b"mine\n"


@pytest.mark.parametrize("size", [1, 4096, PIPE])
def test_what_was_written_before_the_exit_is_complete_all_the_same(fifo, size):
    done = run_process(
        HOLD + f"head -c {size} /dev/zero; head -c {size} /dev/zero >&2",
        shell=True,
        capture_output=True,
    )

    assert (len(done.stdout), len(done.stderr)) == (size, size)


def test_a_grandchild_that_writes_for_ever_holds_nobody_up():
    done = run_process("yes & echo mine", shell=True, stdout=subprocess.PIPE)

    assert b"mine\n" in done.stdout


def test_input_that_nobody_will_read_any_more_holds_nobody_up(fifo):
    done = run_process("(read forever) <$FIFO 3<&0 & exit 0", shell=True, input=bytes(5_000_000))

    assert done.returncode == 0


def test_interrupted_it_goes_on_where_it_was(fifo):
    data = os.urandom(1_000_000)
    script = f"head -c {PIPE}; read line <$FIFO; cat"  # stops in the middle of its input

    def main():
        process = trueasync.Process(
            script, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with pytest.raises(subprocess.TimeoutExpired) as interruption:
            process.communicate(data, timeout=0.1)
        speaker = trueasync.spawn(process.communicate)
        trueasync.suspend()
        speaker.cancel()
        trueasync.suspend()
        with open(fifo, "w") as gate:
            gate.write("go on\n")
        return interruption.value.output, speaker.cancelled(), process.communicate()

    before, cancelled, (output, _) = trueasync.run(main)

    assert data.startswith(before)
    assert cancelled
    assert output == data


def test_others_run_meanwhile(fifo):
    """Each of the two can only end when the other has been started."""
    ends = []

    def reader():
        ends.append(
            trueasync.run_process(
                "read line <$FIFO; echo $line", shell=True, capture_output=True
            ).stdout
        )

    def writer():
        trueasync.run_process("echo hello >$FIFO", shell=True)

    def main():
        trueasync.spawn(reader)
        trueasync.spawn(writer)

    trueasync.run(main)

    assert ends == [b"hello\n"]
