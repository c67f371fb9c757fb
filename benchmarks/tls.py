"""What the TLS scenarios share: a certificate, the context of the server, and the client."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import tempfile

from benchmarks.echo import Load
from benchmarks.meter import Meter

NAME = "localhost"


class TlsLoad(Load):
    """As `Load`, for a server that has to use `context`."""

    def __init__(self, meter: Meter, **sizes: float) -> None:
        super().__init__(meter, **sizes)
        folder = tempfile.mkdtemp(prefix="trueasync-bench-")
        self.certificate = os.path.join(folder, "certificate.pem")
        make_certificate(self.certificate)
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(self.certificate)

    def start(self) -> None:
        """Start the client; the server has to accept from now on."""
        values = self.port, os.getpid(), self.sizes, self.certificate
        arguments = [json.dumps(each) for each in values]
        self.client = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.tls_client", *arguments], stdout=subprocess.PIPE
        )


def make_certificate(path: str) -> None:
    """A certificate of its own authority, and its key, in one file."""
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "1", "-subj", f"/CN={NAME}"),
            *("-addext", f"subjectAltName=DNS:{NAME}", "-keyout", path, "-out", path + ".crt"),
        ],
        check=True,
        capture_output=True,
    )
    with open(path, "a") as both, open(path + ".crt") as certificate:
        both.write(certificate.read())
