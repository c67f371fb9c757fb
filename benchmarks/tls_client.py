"""The client of the TLS scenarios: `python -m benchmarks.tls_client PORT PID SIZES FILE`.

A process of its own, with blocking sockets. With messages, all connections send one, then
each reads its answer; without, each connection is made, used for one byte, and ended. The
CPU time of the server is looked at before and after what counts, and printed as JSON.
"""

from __future__ import annotations

import json
import socket
import ssl
import sys
from time import perf_counter

from benchmarks.echo_client import WARM_UP, cpu_time
from benchmarks.tls import NAME

FIRST_HANDSHAKES = 20  # that do not count


def main() -> None:
    port, server, sizes, certificate = (json.loads(argument) for argument in sys.argv[1:])
    context = ssl.create_default_context(cafile=certificate)
    if sizes["messages"]:
        count = sizes["messages"]
        connections = [connect(port, context) for _ in range(sizes["connections"])]
        exchange(connections, WARM_UP * len(connections), sizes["size"])
        before = cpu_time(server), perf_counter()
        exchange(connections, count, sizes["size"])
    else:
        count = sizes["connections"] - FIRST_HANDSHAKES
        shake_hands(port, context, FIRST_HANDSHAKES)
        before = cpu_time(server), perf_counter()
        shake_hands(port, context, count)
        connections = []
    after = cpu_time(server), perf_counter()
    for connection in connections:
        end(connection)
    figures = {"cpu": after[0] - before[0], "wall": after[1] - before[1]}
    print(json.dumps(figures | {"messages": count}))


def connect(port: int, context: ssl.SSLContext) -> ssl.SSLSocket:
    plain = socket.create_connection(("127.0.0.1", port))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(plain, server_hostname=NAME)


def exchange(connections: list[ssl.SSLSocket], messages: int, size: int) -> None:
    message = b"x" * size
    for _ in range(messages // len(connections)):
        for connection in connections:
            connection.sendall(message)
        for connection in connections:
            missing = size
            while missing:
                missing -= len(connection.recv(missing))


def shake_hands(port: int, context: ssl.SSLContext, count: int) -> None:
    for _ in range(count):
        connection = connect(port, context)
        exchange([connection], 1, 1)
        end(connection)


def end(connection: ssl.SSLSocket) -> None:
    """Say that nothing follows; not every server answers that."""
    try:
        connection.unwrap().close()
    except OSError:
        connection.close()


if __name__ == "__main__":
    main()
