"""Terminal: the screen and keyboard of a user, as a stream.

A terminal is shared: with the shell that started us, and with every child. What we set on
its *description*, such as not to block, they would all have. So it is opened once more, and
only that opening does not block. The *mode* (raw or not) belongs to the terminal itself: it
is put back when the terminal is closed, when its block is left, and at the exit.
"""

from __future__ import annotations

import errno
import os
import termios
import warnings
import weakref

from .stream import Stream
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Buffer

__all__ = ["Mode", "Terminal", "open_terminal"]

LARGEST_READ = 65536
OWN = "/dev/tty"  # that of this process, whatever its standard streams are


def open_terminal(source: str | int | Any = OWN) -> Terminal:
    """A terminal: that of this process, the one at a path, or that of a file such as sys.stdin.

    It is opened anew: `source` stays as it is, open or closed, blocking or not.
    Never suspends. Not for other threads.
    """
    if isinstance(source, (str, bytes, os.PathLike)):
        path: Any = source
    else:
        fd = source if isinstance(source, int) else source.fileno()
        path = os.ttyname(fd)  # OSError with ENOTTY if it is none
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not os.isatty(fd):
        os.close(fd)
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY), path)
    return Terminal(fd, os.fsdecode(path))


class Terminal(Stream):
    """A stream to and from a user. Made by `open_terminal`, or over the master of a pty.

    Not for other threads than that of the run it is used in.
    """

    def __init__(self, fd: int, name: str = "a terminal") -> None:
        os.set_blocking(fd, False)
        self.fd = fd
        self.name = name
        self.watch = Watch(fd)
        self.modes: list[Mode] = []

    def __del__(self) -> None:
        if getattr(self, "fd", -1) >= 0:
            warnings.warn(f"{self!r} was never closed", ResourceWarning, 2, self)
            self.restore()
            fd, self.fd = self.fd, -1
            self.watch.abandon(lambda: os.close(fd))

    def info(self) -> str:
        return self.name

    def fileno(self) -> int:
        """Its descriptor; -1 when it is closed. Never suspends."""
        return self.fd

    # -- the screen -------------------------------------------------------------------------

    @property
    def size(self) -> os.terminal_size:
        """Its columns and lines. SIGWINCH says that they have changed."""
        if self.closed:
            raise self.refusal("look at")
        return os.get_terminal_size(self.fd)

    def set_size(self, columns: int, lines: int) -> None:
        """Say how large it is, to who looks and by SIGWINCH; for the master of a pty.

        Never suspends. Not for other threads.
        """
        import fcntl
        import struct

        if self.closed:
            raise self.refusal("set the size of")
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("4H", lines, columns, 0, 0))

    # -- the keyboard -----------------------------------------------------------------------

    def raw(self) -> Mode:
        """Each key as it is typed, none of them special, no echo. `with` puts it back.

        Never suspends. Not for other threads.
        """
        import tty

        return Mode(self, tty.setraw)

    def cbreak(self) -> Mode:
        """As `raw`, with Ctrl-C and its like as always: each key as it is typed. Never suspends."""
        import tty

        return Mode(self, tty.setcbreak)

    # -- the kind ---------------------------------------------------------------------------

    def receive(self, size: int) -> bytes:
        try:
            data: bytes = self.watch.read(self, os.read, self.fd, min(size, LARGEST_READ))
        except OSError as error:
            if error.errno != errno.EIO or self.closed:
                raise
            return b""  # so the system says that the other side has gone
        return data

    def transmit(self, data: Buffer) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        while left:
            left = left[self.watch.write(self, os.write, self.fd, left) :]
        return size

    def release(self) -> None:
        self.restore()
        fd, self.fd = self.fd, -1
        try:
            self.watch.end(self)
        finally:
            os.close(fd)

    def restore(self) -> None:
        """Put back all modes that were set. Never suspends."""
        while self.modes:
            self.modes[-1].restore()


class Mode:
    """What a terminal is set to until `restore`, the end of a `with`, a close, or the exit."""

    def __init__(self, terminal: Terminal, change: Any) -> None:
        if terminal.closed:
            raise terminal.refusal("set the mode of")
        self.terminal = terminal
        try:
            self.before = termios.tcgetattr(terminal.fd)
            change(terminal.fd, termios.TCSANOW)  # not when all output is shown, as by default
        except termios.error as error:
            raise OSError(error.args[0], f"cannot set the mode of {terminal.name}") from None
        terminal.modes.append(self)
        put_back_at_the_exit(terminal)

    def __enter__(self) -> Mode:
        return self

    def __exit__(self, *error: object) -> None:
        self.restore()

    def restore(self) -> None:
        """Put the mode back that was there before; twice is once. Never suspends."""
        if self not in self.terminal.modes:
            return
        self.terminal.modes.remove(self)
        try:
            termios.tcsetattr(self.terminal.fd, termios.TCSANOW, self.before)
        except termios.error:
            pass  # it has been hung up: there is nothing to put back


changed: weakref.WeakSet[Terminal] = weakref.WeakSet()


def put_back_at_the_exit(terminal: Terminal) -> None:
    if not changed:
        import atexit

        atexit.unregister(restore_all)  # it may have been registered before
        atexit.register(restore_all)
    changed.add(terminal)


def restore_all() -> None:
    """At the exit: whoever has not closed his terminal has it as it was. Never suspends."""
    for terminal in changed:
        terminal.restore()
