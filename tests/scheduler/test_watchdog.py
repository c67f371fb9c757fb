"""The watchdog names who does not let go of the thread, while it does not, and nobody else."""

import contextlib
import os
import threading

import trueasync
from trueasync.events.event import Event, Listener
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.scheduler.look import heartbeat
from trueasync.scheduler.microtasks import Microtask
from trueasync.scheduler.watchdog import Watchdog
from trueasync.settings import Settings
from trueasync.testing import VirtualReactor
from trueasync.testing import run as run_virtual

LIMIT = 0.02


@contextlib.contextmanager
def stderr():
    """Gives a function that holds on to the thread until the watchdog has written: that text.

    Not a fixture: pytest gives each phase of a test a stderr of its own.
    """
    reader, writer = os.pipe()
    before = os.dup(2)
    os.dup2(writer, 2)
    try:
        yield lambda: os.read(reader, 65536).decode()
    finally:
        os.dup2(before, 2)
        for descriptor in (reader, writer, before):
            os.close(descriptor)


def watched(main):
    """What `main(told)` returns, in a run with a watchdog."""
    settings = Settings(watchdog=LIMIT)
    with stderr() as told:
        return run_on(VirtualReactor(), main, (told,), settings=settings)


def test_who_does_not_let_go_of_the_thread_is_named_while_it_does_not():
    def holds_on(told):
        return told()

    def main(told):
        for _ in range(3):
            trueasync.spawn(trueasync.suspend)
        return trueasync.options(name="the busy one", priority=255).spawn(holds_on, told).result()

    lines = watched(main).splitlines()
    assert lines[0].startswith(f"trueasync: the busy one (spawned at {__file__}:")
    assert " has not let go of the thread for 0." in lines[0]
    assert lines[0].endswith("; 3 ready to run")
    assert lines[1].startswith(f'  File "{__file__}", line ')
    assert lines[1].endswith(", in holds_on")
    assert lines[2].strip() == "return told()"
    assert lines[-1] == "Give such work to a thread: trueasync.offload(function, ...)"


def test_one_that_computes_is_named_too():
    def computes(held):
        while not held:
            pass

    def main(told):
        held = []
        thread = threading.Thread(target=lambda: held.append(told()))
        thread.start()
        computes(held)
        thread.join()
        return held[0]

    assert ", in computes\n" in watched(main)


def test_something_else_that_the_scheduler_calls_is_named_by_its_place():
    texts = []

    def main(told):
        def in_a_microtask():
            texts.append(told())

        running_scheduler("test").add_microtask(Microtask(in_a_microtask))
        trueasync.suspend()

    watched(main)
    assert texts[0].startswith("trueasync: something the scheduler calls (a microtask, an event")
    assert ", in in_a_microtask\n" in texts[0]


def test_the_same_place_is_told_ever_more_rarely():
    def main():
        dog = Watchdog(running_scheduler("test"), LIMIT)
        for _ in range(8):
            dog.tell(heartbeat(dog.scheduler), 1.0)
        return told()

    with stderr() as told:
        text = run_virtual(main)
    assert text.count("has not let go of the thread for 1 s") == 4  # 1st, 2nd, 4th, 8th
    assert "(here for the 8th time)" in text


def test_a_run_that_waits_for_the_outside_world_holds_on_to_nothing():
    answers = []

    class OnFire(Listener):
        def __init__(self, done):
            self.done = done

        def notify(self, event):
            self.done.set()
            return True

    def main():
        scheduler = running_scheduler("test")
        dog = Watchdog(scheduler, LIMIT)
        at_home, done = threading.Event(), threading.Event()

        def look():
            at_home.wait()
            while scheduler.current is not None:  # it is about to wait
                pass
            answers.append(dog.tell(heartbeat(scheduler), 1.0))
            scheduler.reactor.post(event.fire)

        event = Event()
        event.add_listener(OnFire(done))
        thread = threading.Thread(target=look)
        thread.start()
        at_home.set()
        scheduler.wait(event, scheduler.reactor.timer(3600))
        thread.join()

    trueasync.run(main)
    assert answers == [False]


def test_one_that_has_let_go_meanwhile_is_not_named():
    def main():
        dog = Watchdog(running_scheduler("test"), LIMIT)
        beat = heartbeat(dog.scheduler)
        trueasync.suspend()
        return dog.tell(beat, 1.0)

    assert run_virtual(main) is False


def test_the_heart_beats_with_each_letting_go(run):
    def main():
        scheduler = running_scheduler("test")
        beats = [heartbeat(scheduler)]

        def beat(*_):
            beats.append(heartbeat(scheduler))

        trueasync.suspend()  # alone: no switch at all
        beat()
        trueasync.spawn(beat)  # begins where another has ended
        trueasync.spawn(beat)
        trueasync.suspend()
        beat()
        trueasync.sleep(0.001)
        beat()
        for _ in range(200):
            trueasync.suspend()
            beat()
        return beats

    beats = run(main)
    assert len(set(beats)) == len(beats) == 206


def test_it_ends_with_its_run():
    before = threading.active_count()

    assert watched(lambda told: threading.active_count()) == before + 1
    assert threading.active_count() == before


def test_without_being_asked_for_there_is_none():
    before = threading.active_count()

    assert run_virtual(threading.active_count) == before


def test_the_environment_asks_for_it(python):
    ended = python(
        "import os, trueasync\n"
        "real = os.dup(2)\n"
        "reader, writer = os.pipe()\n"
        "os.dup2(writer, 2)\n"
        "text = trueasync.run(os.read, reader, 65536)\n"
        "os.write(real, text)\n",
        TRUEASYNC_WATCHDOG="0.02",
    )

    assert "trueasync: read (spawned at " in ended.stderr


def test_a_program_that_never_lets_go_can_still_be_ended(python):
    """The watchdog is no reason for a process to stay."""
    ended = python(
        "import os, signal, threading, trueasync\n"
        "def main():\n"
        "    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    while True:\n"
        "        pass\n"
        "trueasync.options(watchdog=0.02).run(main)\n"
    )

    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")
    assert "main (spawned at <string>:6) has not let go of the thread" in ended.stderr
