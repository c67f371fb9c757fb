"""shield: code that is not cancelled from outside before it has ended."""

import cython
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.cancel import keep_off


@cython.final
@cython.cclass
class Shield(Block):
    """Made by `shield()`. Not for other threads than that of the run."""

    def __enter__(self):
        self.open("shield()")
        self.shields = True
        keep_off(self.coroutine)

    def __exit__(self, kind, error, traceback):
        if self.coroutine is not None:
            self.coroutine.extras.shields -= 1
        self.shields = False
        return self.close(error)


def shield() -> Shield:
    """In `with shield():`, no cancellation from outside is thrown; it comes at the next wait.

    For clean-ups that must not be interrupted. What is cancelled inside of it, by a timeout
    of its own, is cancelled as always. Shields nest. Only the hard end of a run, which comes
    when its grace is over, does not stop at one.
    Never suspends. Not for other threads.
    """
    return Shield()
