"""The exit status of a process that a signal has ended, after its clean-ups.

Whoever waits for the process (a shell, systemd, a parent) sees that the signal has ended it,
as without us. It is what CPython does for Ctrl-C: unwind first, and die of the signal last.
"""

import cython
from cython.cimports.trueasync._c.exit import trueasync_exit_as_after


def exit_as_after(number: cython.int, whatever_the_status: cython.bint = False) -> int:
    """The status to exit with: the process then dies of signal `number`, at its very end.

    It is 128 + `number`, which is also what a shell calls it; where the C library cannot do
    more, it stays that. Another status means that the program wants something else, except
    when that is settled already. Never suspends. Safe from any thread.
    """
    trueasync_exit_as_after(number, whatever_the_status)
    return 128 + number
