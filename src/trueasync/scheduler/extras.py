"""Extras: what few coroutines have, kept apart so that all others stay small."""

import cython


@cython.final
@cython.cclass
class Extras:
    """Made with the first of these that a coroutine gets. Not for other threads."""
