"""What libuv reports as a negative number, as the exception Python has for it."""

from __future__ import annotations

import os


def error_of(status: int, tried: str) -> OSError:
    """The OSError subclass for a status of libuv, which is -errno; never raises or suspends."""
    return OSError(-status, f"{tried}: {os.strerror(-status)}")
