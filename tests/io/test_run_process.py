"""run_process: as subprocess.run, but that others go on, and that it ends what it started."""

import errno
import os
import resource
import signal
import subprocess
import threading

import pytest

import trueasync


def run_process(*args, **options):
    return trueasync.run(lambda: trueasync.run_process(*args, **options))


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    "options",
    [
        {"args": ["true"]},
        {"args": ["false"]},
        {"args": "echo out; echo err >&2; exit 3", "shell": True, "capture_output": True},
        {"args": "kill -9 $$", "shell": True},
        {"args": ["cat"], "input": b"a\r\nb", "capture_output": True},
        {"args": ["cat"], "input": "a\r\nb\r", "capture_output": True, "text": True},
        {"args": ["cat"], "input": "ä", "capture_output": True, "encoding": "utf-16"},
        {"args": ["printf", r"\377"], "stdout": -1, "encoding": "ascii", "errors": "replace"},
        {"args": ["cat"], "input": "ä", "stdout": subprocess.PIPE, "universal_newlines": True},
        {"args": ["echo", "x"], "stdout": subprocess.DEVNULL},
        {"args": "echo x >&2", "shell": True, "stdout": -1, "stderr": subprocess.STDOUT},
        {"args": ["cat"], "stdin": subprocess.PIPE, "stdout": subprocess.PIPE},
        {"args": ["pwd"], "cwd": "/", "stdout": subprocess.PIPE},
        {"args": ["env"], "env": {"ONLY": "this"}, "stdout": subprocess.PIPE},
    ],
)
def test_it_gives_what_subprocess_gives(options):
    ours, theirs = run_process(**options), subprocess.run(**options)

    assert vars(ours) == vars(theirs)


def test_with_check_a_failure_is_an_error_with_the_output():
    with pytest.raises(subprocess.CalledProcessError) as failure:
        run_process("echo so far; exit 3", shell=True, capture_output=True, check=True, text=True)

    assert (failure.value.returncode, failure.value.stdout) == (3, "so far\n")


# -- what cannot be started ----------------------------------------------------------------


def test_a_command_that_does_not_exist_says_so():
    with pytest.raises(FileNotFoundError, match="no-such-command"):
        run_process(["no-such-command"], capture_output=True, input=b"x")


def test_a_file_that_is_no_program_is_refused(tmp_path):
    with pytest.raises(PermissionError):
        run_process([tmp_path], capture_output=True)


def test_a_folder_to_run_in_that_does_not_exist_says_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        run_process(["true"], cwd=tmp_path / "nowhere")


def take_descriptors():
    taken = []
    try:
        while True:
            taken.append(os.dup(0))
    except OSError:
        return taken


@pytest.mark.parametrize("left", range(8))
def test_with_no_descriptor_left_it_says_so_and_leaves_nothing(left):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)

    def main():
        trueasync.run_process(["true"])  # imports what it needs
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, limits[1]))
        taken = take_descriptors()
        for _ in range(left):
            os.close(taken.pop())
        try:
            with pytest.raises(OSError, match="Too many open files") as failure:
                trueasync.run_process(["cat"], input=b"x", capture_output=True)
        finally:
            for fd in taken:
                os.close(fd)
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        return failure.value.errno

    assert trueasync.run(main) == errno.EMFILE


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"input": b"", "stdin": subprocess.PIPE}, "input makes stdin a pipe"),
        ({"capture_output": True, "stdout": subprocess.PIPE}, "makes stdout a pipe"),
        ({"capture_output": True, "stderr": subprocess.PIPE}, "makes stderr a pipe"),
    ],
)
def test_what_contradicts_itself_is_refused(options, why):
    with pytest.raises(ValueError, match=why):
        run_process(["true"], **options)


def test_input_must_fit_the_mode():
    with pytest.raises(TypeError, match="bytes-like"):
        run_process(["cat"], input="text")
    with pytest.raises(TypeError, match="a str, not bytes"):
        run_process(["cat"], input=b"bytes", text=True)


def test_outside_a_run_it_says_what_to_do():
    with pytest.raises(trueasync.UsageError, match=r"trueasync\.run\(main\)"):
        trueasync.run_process(["true"])


# -- how it ends ---------------------------------------------------------------------------

SAY_PID = "echo $$; exec sleep 60"


def test_a_timeout_ends_the_program_and_gives_what_it_wrote():
    with pytest.raises(subprocess.TimeoutExpired) as failure:
        run_process(SAY_PID, shell=True, capture_output=True, text=True, timeout=0.2)

    assert gone(int(failure.value.output))
    assert failure.value.timeout == 0.2


def test_a_program_that_ends_when_it_is_asked_to_is_heard_to_its_end():
    script = "trap 'head -c 300000 /dev/zero; exit 0' TERM; echo; while :; do sleep 0.01; done"

    with pytest.raises(subprocess.TimeoutExpired) as failure:
        run_process(script, shell=True, capture_output=True, timeout=0.2, grace=30)

    assert len(failure.value.output) == 300_001


def test_a_program_that_ignores_that_is_killed_when_the_grace_is_over():
    script = f"trap '' TERM; {SAY_PID}"

    with pytest.raises(subprocess.TimeoutExpired) as failure:
        run_process(script, shell=True, capture_output=True, timeout=0.2, grace=0.05)

    assert gone(int(failure.value.output))


def wait_for_line(path):
    while not (path.exists() and path.read_text().endswith("\n")):
        trueasync.sleep(0.005)
    return int(path.read_text())


@pytest.mark.parametrize("trap", ["", "trap '' TERM;"])
def test_a_cancelled_coroutine_ends_its_program_first(tmp_path, trap):
    said = tmp_path / "pid"

    def main():
        script = f"{trap} echo $$ >{said}; exec sleep 60"
        runner = trueasync.spawn(trueasync.run_process, script, shell=True, grace=0.05)
        pid = wait_for_line(said)
        runner.cancel()
        with pytest.raises(trueasync.Cancelled):
            runner.result()
        return gone(pid), runner.cancelled()

    assert trueasync.run(main) == (True, True)


def test_one_that_was_cancelled_before_it_began_to_wait_ends_its_program_too():
    ends = []

    def runner():
        trueasync.current_coroutine().cancel()
        with pytest.raises(trueasync.Cancelled):
            trueasync.run_process(["sleep", "60"])
        ends.append(True)

    trueasync.run(runner)

    assert ends == [True]


def test_a_shutdown_ends_the_programs(tmp_path):
    said = tmp_path / "pid"

    def main():
        trueasync.spawn(trueasync.run_process, f"echo $$ >{said}; exec sleep 60", shell=True)
        wait_for_line(said)
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        trueasync.run(main)

    assert gone(int(said.read_text()))


def test_a_group_of_its_own_is_ended_as_a_whole(tmp_path):
    said = tmp_path / "pid"
    script = f"sh -c 'echo $$ >{said}; exec sleep 60' & wait"

    def main():
        options = {"shell": True, "start_new_session": True, "capture_output": True}
        runner = trueasync.spawn(trueasync.run_process, script, **options)
        grandchild = wait_for_line(said)
        runner.cancel()
        with pytest.raises(trueasync.Cancelled):
            runner.result()
        trueasync.wait_for_process(grandchild, timeout=50)

    trueasync.run(main)


# -- what the program gets -----------------------------------------------------------------


def test_no_descriptor_of_ours_is_left_to_it():
    done = run_process(["ls", "/proc/self/fd"], capture_output=True, input="", text=True)

    assert done.stdout.split() == ["0", "1", "2", "3"]  # 3 is its own, of the folder


def test_a_descriptor_it_shall_have_it_gets():
    reader, writer = os.pipe()
    os.write(writer, b"passed on")
    os.close(writer)

    done = run_process(
        f"cat <&{reader}",
        shell=True,
        executable="/bin/bash",
        pass_fds=[reader],
        stdout=subprocess.PIPE,
    )
    os.close(reader)

    assert done.stdout == b"passed on"


def test_its_pipes_block_as_programs_expect():
    script = "import os; print([os.get_blocking(fd) for fd in range(3)])"
    done = run_process(["python3", "-S", "-c", script], capture_output=True, input="", text=True)

    assert done.stdout == "[True, True, True]\n"


def test_a_lost_exit_code_is_none_and_no_success(python):
    done = python("""
import errno, signal, trueasync
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def main():
    print(trueasync.run_process("echo x; exit 3", shell=True, capture_output=True))
    try:
        trueasync.run_process("true", check=True)
    except ChildProcessError as error:
        print(error.errno == errno.ECHILD, error.strerror[:41])
trueasync.run(main)
""")

    assert done.stdout.splitlines() == [
        "CompletedProcess(args='echo x; exit 3', returncode=None, stdout=b'x\\n', stderr=b'')",
        "True nobody knows how 'true' has ended: somebo",
    ]
    assert done.stderr == ""


# -- many ------------------------------------------------------------------------------------


def test_hundreds_leave_no_zombie_and_no_descriptor():
    codes = []

    def one(number):
        code = number % 7
        done = trueasync.run_process(f"echo {number}; exit {code}", shell=True, capture_output=True)
        codes.append((int(done.stdout), done.returncode))

    trueasync.run(lambda: trueasync.iterate(range(300), one, concurrency=30))

    assert sorted(codes) == [(number, number % 7) for number in range(300)]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_in_any_order_of_coroutines(seeds):
    def main():
        runners = [
            trueasync.spawn(trueasync.run_process, ["cat"], input=b"%d" % n, capture_output=True)
            for n in range(3)
        ]
        assert [runner.result().stdout for runner in runners] == [b"0", b"1", b"2"]

    for _ in seeds:
        trueasync.run(main)


def test_two_threads_run_programs_at_the_same_time():
    outputs = []

    def work():
        outputs.append(run_process(["echo", "x"], capture_output=True).stdout)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert outputs == [b"x\n"] * 2


def test_it_installs_no_signal_handler():
    before = signal.getsignal(signal.SIGCHLD)
    run_process(["true"])

    assert signal.getsignal(signal.SIGCHLD) is before
