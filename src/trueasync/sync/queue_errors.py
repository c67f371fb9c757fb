"""What queues raise: the exceptions of `queue`, and `ShutDown` for Pythons that have none."""

from __future__ import annotations

import queue

__all__ = ["Empty", "Full", "ShutDown"]

Empty = queue.Empty
Full = queue.Full

if hasattr(queue, "ShutDown"):  # since 3.13
    ShutDown: type[Exception] = queue.ShutDown
else:

    class ShutDown(Exception):  # type: ignore[no-redef]
        """Raised by put and get of a queue that has been shut down."""

        __module__ = "trueasync"
