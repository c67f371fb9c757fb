"""Workers: native threads that call one function after another, and crews of them.

A crew is a bound: so many of its calls run at a time, and the others stand in its queue.
The threads belong to no crew. Whoever has nothing to do is idle for a while and may be
taken by any crew; then it ends.

Rules of this file:
1. What threads share changes in steps that the GIL makes one: between looking and changing
   nothing runs that could let go of it.
2. An idle worker waits at a lock of its own: to wake it is one release, and nobody else wakes.
3. Threads are daemons: they keep no program from ending.
"""

import os
from _thread import allocate_lock, start_new_thread
from collections import OrderedDict

import cython
from cython.cimports.trueasync.reactor.thread_call import CALLED, ThreadCall, tell_unraisable

IDLE_SECONDS = 10.0  # for tests to change
idle = []  # workers without a crew; the one used last stands at the end
generation = cython.declare(cython.int, 0)  # of processes: how often this one was forked
alive = cython.declare(cython.int, 0)  # threads
started = cython.declare(cython.int, 0)  # workers, for their names


@cython.final
@cython.cclass
class Crew:
    """At most `limit` calls at a time in native threads; the others wait in order.

    Safe from any thread.
    """

    def __init__(self, limit: cython.int):
        if limit < 1:
            raise ValueError(f"somebody must do the work: at least 1 thread, not {limit}")
        self.limit = limit
        self.queue = OrderedDict()
        self.generation = generation

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give(self, call: ThreadCall) -> cython.int:
        """Have it called when its turn comes."""
        if self.generation != generation:
            self.start_anew()
        self.queue[call] = None
        try:
            self.wake_one()
        except BaseException:
            del self.queue[call]
            raise
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wake_one(self) -> cython.int:
        """Wake a worker, if there is need of one.

        Not one for each call: who has been woken wakes the next when it has begun. Calls that
        do not block are done by the first, before the second has even come to run.
        """
        if self.waking or not self.queue or self.busy >= self.limit:
            return 0
        self.busy += 1
        self.waking = True
        try:
            put_to_work(self)
        except RuntimeError:  # the system gives no further thread
            self.busy -= 1
            self.waking = False
            if self.busy == 0:
                raise
            # Those that work will come to it.
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take_back(self, call: ThreadCall) -> cython.int:
        """It stands in the queue, and shall not."""
        del self.queue[call]
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def start_anew(self) -> cython.int:
        """In a child of fork: the workers, and what they did and had to do, are the parent's."""
        self.generation = generation
        self.busy = 0
        self.waking = False
        self.queue = OrderedDict()
        return 0

    @cython.cfunc
    def next_call(self) -> ThreadCall:
        """What a worker does next; None if there is nothing, and it leaves the crew."""
        if not self.queue:
            self.busy -= 1
            return None
        call: ThreadCall = self.queue.popitem(False)[0]
        call.stage = CALLED
        return call

    @property
    def queued(self) -> int:
        """How many wait for their turn."""
        return len(self.queue)


@cython.final
@cython.cclass
class Worker:
    """A thread, and the lock it waits at for a crew that needs it."""

    def work(self):
        """What the thread runs."""
        while self.crew is not None and self.work_for(self.crew):
            self.crew = None
            idle.append(self)
            if not self.lock.acquire(True, IDLE_SECONDS):
                if self in idle:
                    idle.remove(self)
                    return
                self.lock.acquire()  # somebody has taken it just now

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def work_for(self, crew: Crew) -> cython.bint:
        """Do what there is to do; False if this thread is at its end."""
        born: cython.int = generation
        call: ThreadCall = crew.next_call()
        crew.waking = False
        while call is not None:
            crew.wake_one()
            try:
                call.perform()
            except BaseException as error:
                tell_unraisable(error, call)
            if generation != born:
                return False  # the function has forked, and this is the child
            call = None  # its last reference may be this one: it goes before the next
            call = crew.next_call()
        return True


@cython.cfunc
@cython.exceptval(-1, check=False)
def put_to_work(crew: Crew) -> cython.int:
    worker: Worker
    if idle:
        worker = idle.pop()
        worker.crew = crew
        worker.lock.release()
    else:
        worker = new_worker()
        worker.crew = crew
        start_thread(worker.work, f"trueasync-worker-{started}")
    return 0


@cython.cfunc
def new_worker() -> Worker:
    global started
    started += 1
    worker: Worker = Worker.__new__(Worker)
    worker.lock = allocate_lock()
    worker.lock.acquire()
    return worker


@cython.ccall
def start_thread(function, name: str):
    """Start a daemon thread. Never suspends.

    threading.Thread.start() waits for the thread, with locks that may be made to suspend;
    so a thread of the barest kind does that. A Thread it shall be: with a name, and seen by
    debuggers and coverage.
    """
    global alive
    alive += 1
    try:
        start_new_thread(start_in_thread, ([function], name))
    except BaseException:
        alive -= 1
        raise


def start_in_thread(functions, name):
    from threading import Thread

    try:
        # Kept by the new thread alone: this one may end after it.
        Thread(target=run_only, args=(functions,), name=name, daemon=True).start()
    except RuntimeError:
        run_only(functions)  # the system gives no further thread: this one will do


def run_only(functions):
    global alive
    try:
        functions.pop()()
    finally:
        alive -= 1


def threads_alive() -> int:
    """How many threads were started here and have not ended. Never suspends."""
    return alive


def dismiss_idle() -> None:
    """Let the idle workers end now. Never suspends. Safe from any thread."""
    worker: Worker
    while idle:
        worker = idle.pop()
        worker.lock.release()


def workers_after_fork() -> None:
    """In a child of fork: there are no workers. Never suspends."""
    global generation, alive
    generation += 1
    alive = 0
    idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=workers_after_fork)


@cython.cfunc
@cython.exceptval(check=False)
def current_generation() -> cython.int:
    return generation
