"""ssl: the methods of SSLSocket that wait for the peer, whoever made its context and when.

OpenSSL waits inside C where the socket has a timeout or none; with a timeout of 0 it says
what it wants instead. So that is what the socket has while OpenSSL is at work, and no longer.
"""

from __future__ import annotations

from _socket import socket as Socket

from ..scheduler.calls import in_coroutine
from .socket import wait_until_ready
from .waiting import Timeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def polite(original: Callable[..., Any], what: str) -> Callable[..., Any]:
    """A method of SSLSocket that waits politely; `what` it does, for who waits in vain."""
    import ssl

    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        timeout = self.gettimeout() if in_coroutine() else 0
        if timeout == 0 or self._sslobj is None:
            return original(self, *arguments, **keywords)
        end = Timeout(timeout)
        while True:
            Socket.settimeout(self, 0)
            try:
                return original(self, *arguments, **keywords)
            except ssl.SSLWantReadError:
                reads = True
            except ssl.SSLWantWriteError:
                reads = False
            finally:
                if self.fileno() >= 0:
                    Socket.settimeout(self, timeout)
            if not wait_until_ready(self, reads, end.left()):
                raise TimeoutError(f"The {what} operation timed out")

    method.__name__ = original.__name__
    method.__qualname__ = original.__qualname__
    method.__doc__ = f"As SSLSocket.{original.__name__}. Suspends the coroutine."
    return method


def handshake(self: Any, block: bool = False) -> None:
    """The handshake itself; the original would set the timeout by `block`."""
    self._check_connected()
    self._sslobj.do_handshake()


def replacements() -> list[tuple[Any, str, Any]]:
    """What is put where in `ssl`. Never suspends."""
    from ssl import SSLSocket

    native_handshake = SSLSocket.do_handshake
    polite_handshake = polite(handshake, "handshake")

    def do_handshake(self: Any, block: bool = False) -> None:
        """As SSLSocket.do_handshake. Suspends the coroutine."""
        if in_coroutine() and (block or self.gettimeout() != 0):
            polite_handshake(self)
        else:
            native_handshake(self, block)

    return [
        (SSLSocket, "do_handshake", do_handshake),
        (SSLSocket, "read", polite(SSLSocket.read, "read")),
        (SSLSocket, "write", polite(SSLSocket.write, "write")),
        (SSLSocket, "send", polite(SSLSocket.send, "write")),
        (SSLSocket, "unwrap", polite(SSLSocket.unwrap, "read")),
    ]
