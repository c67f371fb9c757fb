"""Unbound: like a function of C, of which a class that holds it makes no method."""

import functools

import cython


@cython.final
@cython.cclass
class Unbound:
    """`class Program: wait = time.sleep` works with the original; so it does with ours."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *arguments, **keywords):
        """Call the function. Suspends the coroutine where that does. Safe from any thread."""
        return self.function(*arguments, **keywords)
