"""Gate: a function that keeps its thread until a test lets it go."""

import threading


class Gate:
    """Blocks in a thread until the test opens it."""

    def __init__(self):
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.left = threading.Event()

    def __call__(self, value=None, error=None):
        self.entered.set()
        assert self.opened.wait(30)
        self.left.set()
        if error is not None:
            raise error
        return value
