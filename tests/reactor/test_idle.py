"""An idle program costs nothing: no system call, no processor time, whatever it waits for."""

import shutil
import subprocess
import sys

import pytest

# Everything is done once before the first mark, so that what is lazy is there.
IDLE = """
import os, signal, socket, sys, tempfile, time, trueasync
from trueasync.scheduler.calls import running_scheduler

def readable(connection):
    scheduler = running_scheduler("readable")
    scheduler.wait(scheduler.reactor.readable(connection.fileno()))

def idle(seconds):
    before = time.process_time()
    os.write(2, b"idle from here")
    trueasync.sleep(seconds)
    os.write(2, b"idle to here")
    return time.process_time() - before

def nothing_else(seconds):
    trueasync.spawn(trueasync.sleep, seconds + 0.5)
    trueasync.sleep(0.1)
    return idle(seconds)

def everything_else(seconds):
    one, other = socket.socketpair()
    with tempfile.TemporaryDirectory() as folder, one, other:
        watched = os.path.join(folder, "watched")  # others may be busy beside `folder`
        os.mkdir(watched)
        sources = [
            (next, trueasync.signal(signal.SIGHUP, signal.SIGINT)),
            (next, trueasync.FileSystemWatcher(watched)),
            (readable, one),
            (trueasync.Trigger.wait, trueasync.Trigger()),
        ]
        waiting = [trueasync.spawn(wait, source) for wait, source in sources]
        trueasync.sleep(1.2)  # closed descriptors are looked for a while after something ran
        used = idle(seconds)
        for waiter in waiting:
            waiter.cancel()
        trueasync.sleep(0)
        running_scheduler("main").reactor.descriptor(one.fileno()).close(None)
        return used

print(trueasync.run(globals()[sys.argv[1]], float(sys.argv[2])))
"""


@pytest.mark.parametrize("seconds", [2, pytest.param(10, marks=pytest.mark.stress)])
@pytest.mark.parametrize("program", ["nothing_else", "everything_else"])
def test_an_idle_program_makes_no_system_call_and_uses_no_processor_time(
    tmp_path, program, seconds
):
    log = tmp_path / "calls"
    strace = ["strace", "-f", "-o", log] if shutil.which("strace") else []
    command = [*strace, sys.executable, "-c", IDLE, program, str(seconds)]

    ended = subprocess.run(command, capture_output=True, text=True, timeout=50)

    if strace and not (log.exists() and "idle to here" in log.read_text()):
        pytest.skip(f"strace may not trace here: {ended.stderr[-200:]}")
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout) < 0.01
    if not strace:
        pytest.skip("strace is not installed: only the processor time was looked at")
    _, _, rest = log.read_text().partition('"idle from here"')
    calls = rest.partition('"idle to here"')[0].splitlines()[1:-1]
    # One wait for all the seconds, and what starting the timer may take.
    assert sum("epoll_" in line for line in calls) >= 1
    assert len(calls) <= 4, "\n".join(calls)
