"""os.waitpid and its like, and os.system: inside a coroutine only that waits for a child.

The originals are called so that they cannot block; if one has nothing to say, the coroutine
waits until a child has changed, and asks it again. So they do all of the reaping, and what
they say and raise is what is said and raised here.
"""

import os
import sys

import cython
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.current import coroutine_here, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

original_wait = os.wait
original_wait3 = os.wait3
original_wait4 = os.wait4
original_waitid = getattr(os, "waitid", None)  # not on every system
original_waitpid = os.waitpid
original_system = os.system

WNOHANG = cython.declare(cython.int, os.WNOHANG)
# Changes that are no end.
STOPS = cython.declare(cython.int, os.WUNTRACED | os.WCONTINUED)


def wait():
    """As os.wait; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is None:
        return original_wait()
    return waitpid(-1, 0)


def waitpid(pid, options, /):
    """As os.waitpid; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is None:
        return original_waitpid(pid, options)
    answer = original_waitpid(pid, options | WNOHANG)
    while answer[0] == 0 and not options & WNOHANG:
        wait_for_child(pid, options)
        answer = original_waitpid(pid, options | WNOHANG)
    return answer


def wait3(options):
    """As os.wait3; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is None:
        return original_wait3(options)
    return wait4(-1, options)


def wait4(pid, options):
    """As os.wait4; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is None:
        return original_wait4(pid, options)
    answer = original_wait4(pid, options | WNOHANG)
    while answer[0] == 0 and not options & WNOHANG:
        wait_for_child(pid, options)
        answer = original_wait4(pid, options | WNOHANG)
    return answer


def waitid(idtype, id, options, /):
    """As os.waitid; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is None:
        return original_waitid(idtype, id, options)
    answer = original_waitid(idtype, id, options | WNOHANG)
    while answer is None and not options & WNOHANG:
        if idtype == os.P_PID and options & ~os.WNOWAIT == os.WEXITED:
            wait_for_end(id)
        else:
            wait_for_change(idtype, id, options & ~os.WNOWAIT)
        answer = original_waitid(idtype, id, options | WNOHANG)
    return answer


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for_child(pid, options) -> cython.int:
    """Wait until waitpid would not; `pid` may mean several, as it does there."""
    others = options & ~STOPS
    if pid > 0 and options == others:
        return wait_for_end(pid)
    wanted = os.WEXITED | others
    if options & os.WUNTRACED:
        wanted |= os.WSTOPPED
    if options & os.WCONTINUED:
        wanted |= os.WCONTINUED
    if pid > 0:
        return wait_for_change(os.P_PID, pid, wanted)
    if pid == -1:
        return wait_for_change(os.P_ALL, 0, wanted)
    return wait_for_change(os.P_PGID, -pid if pid else os.getpgrp(), wanted)


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for_end(pid) -> cython.int:
    scheduler: Scheduler = scheduler_here()
    end: Event = scheduler.reactor.process(pid, False)
    scheduler.wait(end)
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for_change(idtype, number, options) -> cython.int:
    scheduler: Scheduler = scheduler_here()
    change: Event = scheduler.reactor.child_change(idtype, number, options)
    scheduler.wait(change)
    return 0


def system(command):
    """As os.system; inside a coroutine only that waits, and its end ends the command.

    Suspends the coroutine.
    """
    if coroutine_here() is None:
        return original_system(command)
    from ..io.process import Process

    command = os.fsencode(command)
    sys.audit("os.system", command)
    # The C library lets the shell have what is not marked close-on-exec, and ignored signals.
    process = Process(command, shell=True, close_fds=False, restore_signals=False)
    try:
        code = process.wait()
    except BaseException:
        process.stop()
        raise
    if code is None:
        return -1
    return code << 8 if code >= 0 else -code


def replacements():
    """What is put where in `os`. Never suspends."""
    ours = {"wait": wait, "waitpid": waitpid, "wait3": wait3, "wait4": wait4, "system": system}
    if original_waitid is not None:
        ours["waitid"] = waitid
    return [(os, name, replacement) for name, replacement in ours.items()]
