"""The client of the echo scenarios: `python -m benchmarks.echo_client PORT PID SIZES`.

A process of its own, in plain epoll: what it costs is nobody's. Each connection sends a
message, reads it back whole, and sends the next. After a few rounds to warm up it looks at
the CPU time of the server before and after the messages that count, and prints that as JSON.
"""

from __future__ import annotations

import json
import os
import select
import socket
import sys
from time import perf_counter

WARM_UP = 3  # messages per connection that do not count


def main() -> None:
    port, server, sizes = (json.loads(argument) for argument in sys.argv[1:])
    connections = connect_all(port, sizes["connections"])
    exchange(connections, WARM_UP * len(connections), sizes["size"])
    before = cpu_time(server), perf_counter()
    exchange(connections, sizes["messages"], sizes["size"])
    after = cpu_time(server), perf_counter()
    figures = {"cpu": after[0] - before[0], "wall": after[1] - before[1]}
    print(json.dumps(figures | {"messages": sizes["messages"]}))


def connect_all(port: int, count: int) -> dict[int, socket.socket]:
    connections = {}
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connections[connection.fileno()] = connection
    return connections


def exchange(connections: dict[int, socket.socket], messages: int, size: int) -> None:
    """Send `messages` messages of `size` bytes over all connections, and read them back."""
    message = b"x" * size
    to_send = messages - len(connections)
    missing = dict.fromkeys(connections, size)
    epoll = select.epoll()
    for fd, connection in connections.items():
        epoll.register(fd, select.EPOLLIN)
        connection.sendall(message)
    open_messages = messages
    read = os.read
    while open_messages:
        for fd, _ in epoll.poll():
            missing[fd] -= len(read(fd, 262144))
            if missing[fd] <= 0:
                open_messages -= 1
                if to_send > 0:
                    to_send -= 1
                    missing[fd] = size
                    connections[fd].sendall(message)
    epoll.close()


def cpu_time(process: int) -> float:
    """Seconds of CPU time of all threads of a process."""
    nanoseconds = 0
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/schedstat") as file:
            nanoseconds += int(file.read().split()[0])
    return nanoseconds * 1e-9


if __name__ == "__main__":
    main()
