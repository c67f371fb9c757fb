"""UdpSocket: messages (datagrams) to and from others, each by itself, in no certain order."""

from __future__ import annotations

import errno

from .address import in_words
from .handle import Handle
from .multicast import membership, sending
from .resolve import resolve
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from typing import Any, NamedTuple

    from typing_extensions import Buffer

    class Datagram(NamedTuple):
        data: bytes
        address: Any
        truncated: bool

else:
    from collections import namedtuple

    Datagram = namedtuple("Datagram", ["data", "address", "truncated"])


__all__ = ["Datagram", "UdpSocket", "bind_udp", "connect_udp"]

Datagram.__doc__ = """A message that came: its `data`, the `address` of the sender, and whether it
was `truncated`: longer than what was asked for; the rest of it is lost."""

LARGEST = 65536  # no message is longer


def bind_udp(host: str = "0.0.0.0", port: int = 0, *, reuse_port: bool = False) -> UdpSocket:
    """A socket for what anybody sends to `port` of this machine; port 0 is a free one.

    The family is that of the host: "::" is for IPv6. With `reuse_port` others may use the
    port as well. Suspends the coroutine while a name is looked up. Not for other threads.
    """
    from _socket import SO_REUSEADDR, SO_REUSEPORT, SOL_SOCKET

    made = new_socket(host, port, True)
    try:
        if reuse_port:  # groups need the one, load balancing the other
            made.set("share the port", (SOL_SOCKET, SO_REUSEADDR, 1))
            made.set("share the port", (SOL_SOCKET, SO_REUSEPORT, 1))
        made.call("bind", made.socket.bind, made.target)
        made.target = made.address
    except BaseException:
        made.close()
        raise
    return made


def connect_udp(host: str, port: int, *, local_address: tuple[str, int] | None = None) -> UdpSocket:
    """A socket for messages to and from one other, with `read` and `write`.

    Only such a one hears that nobody receives its messages (ConnectionRefusedError).
    Suspends the coroutine while the name is looked up. Not for other threads.
    """
    made = new_socket(host, port, False)
    try:
        if local_address is not None:
            made.call("bind", made.socket.bind, made.numeric(local_address))
        made.call("connect", made.socket.connect, made.target)
        made.connected = True
    except BaseException:
        made.close()
        raise
    return made


def new_socket(host: str, port: int, passive: bool) -> UdpSocket:
    from socket import SOCK_DGRAM, socket

    address = resolve(host, port, passive)[0]
    made = socket(address.family, SOCK_DGRAM)
    made.setblocking(False)
    return UdpSocket(made, address.where)


class UdpSocket(Handle):
    """Sends messages to others and receives theirs. Made by `bind_udp` and `connect_udp`.

    A message arrives whole or not at all; several may arrive in any order, and twice.
    Not for other threads than that of the run it is used in.
    """

    def __init__(self, made: socket.socket, target: Any) -> None:
        self.socket = made
        self.family = made.family
        self.target = target  # where it is bound or connected to
        self.connected = False
        self.watch = Watch(made.fileno())

    def info(self) -> str:
        return f"UDP {'with' if self.connected else 'at'} {in_words(self.target)}"

    @property
    def address(self) -> Any:
        """Where it receives: (host, port), and more for IPv6."""
        return self.call("look at", self.socket.getsockname)

    @property
    def port(self) -> int:
        """The port where it receives."""
        port: int = self.address[1]
        return port

    def fileno(self) -> int:
        """Its descriptor; -1 when it is closed. Never suspends."""
        return self.socket.fileno()

    # -- messages ---------------------------------------------------------------------------

    def receive_from(self, size: int = LARGEST) -> Datagram:
        """The next message, of which at most `size` bytes are kept, and who has sent it.

        Suspends the coroutine until there is one. Not for other threads.
        """
        if size < 0:
            raise ValueError(f"cannot receive {size} bytes")
        self.begin_reading()
        try:
            data, _, flags, address = self.watch.read(self, self.socket.recvmsg, size)
        finally:
            self.end_reading()
        return Datagram(data, address, is_truncated(flags))

    def receive_into(self, buffer: Buffer) -> tuple[int, Any, bool]:
        """The next message, into a writable buffer: its size there, its sender, if truncated.

        Suspends the coroutine until there is one. Not for other threads.
        """
        self.begin_reading()
        try:
            size, _, flags, address = self.watch.read(self, self.socket.recvmsg_into, [buffer])
        finally:
            self.end_reading()
        return size, address, is_truncated(flags)

    def send_to(self, data: Buffer, address: Any) -> int:
        """Send one message to (host, port); its size. Whether it arrives nobody knows.

        Suspends the coroutine while the system takes no more, or looks up a name.
        Not for other threads.
        """
        where = self.numeric(address)
        self.begin_writing()
        try:
            sent: int = self.watch.write(self, self.socket.sendto, data, where)
            return sent
        finally:
            self.end_writing()

    def receive(self, size: int) -> bytes:
        data: bytes = self.watch.read(self, self.socket.recv, size)
        return data

    def transmit(self, data: Buffer) -> int:
        sent: int = self.watch.write(self, self.socket.send, data)
        return sent

    def release(self) -> None:
        try:
            self.watch.end(self)
        finally:
            self.socket.close()

    # -- options ----------------------------------------------------------------------------

    def set_broadcast(self, allowed: bool) -> None:
        """Allow or forbid messages to all in the network. Never suspends."""
        from _socket import SO_BROADCAST, SOL_SOCKET

        self.set("allow broadcasts", (SOL_SOCKET, SO_BROADCAST, int(allowed)))

    def join(self, group: str, interface: str | int | None = None) -> None:
        """Receive what is sent to `group`, a multicast address. Never suspends.

        `interface` is where: its name, its number, or for IPv4 an address that it has; the
        system chooses if there is none.
        """
        self.set(f"join {group}", membership(True, self.family, group, interface))

    def leave(self, group: str, interface: str | int | None = None) -> None:
        """Receive no more of what is sent to `group`. Never suspends."""
        self.set(f"leave {group}", membership(False, self.family, group, interface))

    def set_multicast(
        self,
        *,
        loop: bool | None = None,
        hops: int | None = None,
        interface: str | int | None = None,
    ) -> None:
        """How messages to groups are sent. Never suspends.

        `loop`: also to this machine, as at first. `hops`: through how many networks; 1 at
        first, which is this one. `interface`: by which, as for `join`.
        """
        for option in sending(self.family, loop, hops, interface):
            self.set("set up multicast", option)

    def set(self, what: str, option: tuple[int, int, int | bytes]) -> None:
        """Set an option of the socket: its level, name and value. Never suspends."""
        self.call(what, self.socket.setsockopt, *option)

    def call(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a method of the socket; its error names us. Never suspends."""
        if self.closed:
            raise self.refusal(f"{what} with")
        try:
            return function(*arguments)
        except OSError as error:
            raise self.watch.failure(self, f"{what} with", error) from None

    def numeric(self, address: Any) -> Any:
        """`address` with a number where it has a name. Suspends the coroutine for a name."""
        from _socket import inet_pton

        try:
            inet_pton(self.family, address[0])
            return address
        except OSError:
            found = [each for each in resolve(*address[:2]) if each.family == self.family]
        if not found:
            text = f"cannot send to {in_words(address)}: {self.info()} is of another family"
            raise OSError(errno.EAFNOSUPPORT, text)
        return found[0].where


def is_truncated(flags: int) -> bool:
    """Whether the system has cut the message. Never suspends."""
    from _socket import MSG_TRUNC

    return bool(flags & MSG_TRUNC)
