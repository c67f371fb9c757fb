"""os.fork in a coroutine: the child has a fresh loop and none of the parent's coroutines."""

import os

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

BEGIN = """
import os, socket, sys, trueasync
from trueasync import sleep, spawn

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def fork(child):
    pid = os.fork()
    if pid == 0:
        try:
            child()
        except BaseException as error:
            say("child failed:", repr(error))
        os._exit(7)
    return trueasync.wait_for_process(pid)
"""


def script(text):
    return BEGIN + text


def lines(done):
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_child_goes_on_alone_and_the_parent_as_before(python):
    done = python(
        script("""
def stay():
    try:
        sleep(0.3)
        say("slept in", "parent" if os.getpid() == parent else "child")
    finally:
        say("cleaned up in", "parent" if os.getpid() == parent else "child")

def child():
    say("alone:", trueasync.get_coroutines() == [trueasync.current_coroutine()])
    one, other = socket.socketpair()
    with trueasync.adopt(one) as a, trueasync.adopt(other) as b:
        reading = spawn(a.read, 10)
        sleep(0.01)
        b.write(b"news")
        say("read", reading.result())

def main():
    staying = spawn(stay)
    never = spawn(sleep, 0.3)
    trueasync.suspend()
    say("code", fork(child))
    staying.result()

parent = os.getpid()
trueasync.run(main)
""")
    )

    assert lines(done) == [
        "alone: True",
        "read b'news'",
        "code 7",
        "slept in parent",
        "cleaned up in parent",
    ]


def test_what_the_parent_watches_is_left_alone(python):
    done = python(
        script("""
def child():
    sleep(0.01)

def main():
    one, other = socket.socketpair()
    with trueasync.adopt(one) as a, trueasync.adopt(other) as b:
        reading = spawn(a.read, 10)
        trueasync.suspend()
        sleep(0)
        say("code", fork(child))
        b.write(b"news")
        say("read", reading.result())
        reading = spawn(a.read, 10)
        trueasync.suspend()
        b.write(b"more")
        say("read", reading.result())

trueasync.run(main)
""")
    )

    assert lines(done) == ["code 7", "read b'news'", "read b'more'"]


def test_the_run_of_the_child_ends_with_the_one_that_forked(python):
    done = python(
        script("""
def other():
    sleep(0.05)
    say("other ended in", "parent" if os.getpid() == parent else "child")

def fork_here():
    if os.fork() == 0:
        sleep(0.01)
        return "child"
    os.wait()
    return "parent"

def main():
    spawn(other)
    return spawn(fork_here).result()

parent = os.getpid()
say(trueasync.run(main))
""")
    )

    assert lines(done) == ["child", "other ended in parent", "parent"]


def test_a_scope_in_the_child_does_not_wait_for_the_parents_coroutines(python):
    done = python(
        script("""
def child():
    pass

def main():
    pid = None
    with trueasync.scope() as s:
        s.spawn(sleep, 0.05)
        trueasync.suspend()
        pid = os.fork()
    say("left", "child" if pid == 0 else "parent")
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)

trueasync.run(main)
""")
    )

    assert sorted(lines(done)) == ["left child", "left parent"]


def test_who_asks_for_one_that_stayed_in_the_parent_is_told_so(python):
    done = python(
        script("""
def main():
    staying = spawn(sleep, 0.05)
    trueasync.suspend()
    def child():
        try:
            staying.result()
        except trueasync.Cancelled as error:
            say(error)
    fork(child)

trueasync.run(main)
""")
    )

    assert lines(done) == ["sleep was cancelled"]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing_works_in_a_coroutine(tmp_path, python, method):
    program = tmp_path / "program.py"
    program.write_text(
        BEGIN
        + f"""
import multiprocessing

def work(queue):
    trueasync.run(lambda: queue.put((sleep(0.01), "done")[1]))

def main():
    context = multiprocessing.get_context({method!r})
    queue = context.SimpleQueue()
    process = context.Process(target=work, args=(queue,))
    process.start()
    say(queue.get())
    process.join()
    say(process.exitcode)

if __name__ == "__main__":
    trueasync.run(main)
"""
    )
    done = python(f"import runpy; runpy.run_path({str(program)!r}, run_name='__main__')")
    if method == "spawn":  # it imports the program by its file
        done = python(
            f"import sys, runpy; sys.argv = [{str(program)!r}]\n"
            f"import subprocess; sys.exit(subprocess.call([sys.executable, {str(program)!r}]))"
        )

    assert lines(done) == ["done", "0"]


def test_a_fork_of_another_thread_leaves_the_run_alone(python):
    done = python(
        script("""
import threading

def beside():
    pid = os.fork()
    if pid == 0:
        trueasync.run(lambda: (sleep(0.01), say("child ran")))
        os._exit(0)
    os.waitpid(pid, 0)

def main():
    thread = threading.Thread(target=beside)
    thread.start()
    while thread.is_alive():
        sleep(0.005)
    say("parent ran")

trueasync.run(main)
""")
    )

    assert lines(done) == ["child ran", "parent ran"]


def test_a_program_may_fork_again_and_again(python):
    done = python(
        script("""
def main():
    for number in range(20):
        assert fork(lambda: (sleep(0.001), os._exit(number))) == number
    say("all")

trueasync.run(main)
""")
    )

    assert lines(done) == ["all"]
