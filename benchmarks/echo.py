"""What the echo scenarios share: the listening socket, and the client in another process."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys

from benchmarks.meter import Meter

BACKLOG = 4096


class Load:
    """A listening socket, and a client for it that ends when all is done."""

    def __init__(self, meter: Meter, **sizes: float) -> None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.meter = meter
        self.connections = sizes["connections"]
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        # Accepted connections inherit it; asyncio and uvloop set it for each.
        self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.port = self.listener.getsockname()[1]
        self.sizes = sizes

    def start(self) -> None:
        """Start the client; the server has to accept from now on."""
        arguments = [json.dumps(each) for each in (self.port, os.getpid(), self.sizes)]
        self.client = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.echo_client", *arguments], stdout=subprocess.PIPE
        )

    def report(self) -> None:
        """To be called when every connection has ended: hand the figures to the meter."""
        output, _ = self.client.communicate()
        figures = json.loads(output)
        self.meter.cpu += figures["cpu"]
        self.meter.wall += figures["wall"]
        self.meter.count(figures["messages"])
