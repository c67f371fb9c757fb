"""Streams for the tests of TLS: in memory, with certificates that are made on the fly."""

import functools
import ssl

import trustme

import trueasync
from trueasync import Channel, ChannelClosed
from trueasync.io.start_tls import start_tls
from trueasync.io.stream import Stream

NAME = "server.example"


class Wire(Stream):
    """One end of a connection in memory; it holds 8 pieces of 4 KB on their way, no more."""

    def __init__(self, name, outward, inward):
        self.name = name
        self.outward = outward
        self.inward = inward
        self.leftover = b""
        self.cut = False  # a cut wire ends without a word

    def info(self):
        return self.name

    def receive(self, size):
        if not self.leftover:
            try:
                self.leftover = self.inward.receive()
            except ChannelClosed:
                if self.closed:
                    raise self.refusal("read from") from None
                return b""
        piece, self.leftover = self.leftover[:size], self.leftover[size:]
        return piece

    def transmit(self, data):
        data = bytes(data)
        for start in range(0, len(data), 4096):
            try:
                self.outward.send(data[start : start + 4096])
            except ChannelClosed:
                raise BrokenPipeError(32, f"{self.name} is cut") from None
        return len(data)

    def release(self):
        self.outward.close()
        self.inward.close()


def wires(one="wire 1", other="wire 2"):
    """Two ends of a connection."""
    there, back = Channel(8), Channel(8)
    return Wire(one, there, back), Wire(other, back, there)


@functools.cache
def authority():
    return trustme.CA()


def server_context(*names, version=None, client_certificates=False):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert(*(names or (NAME,))).configure_cert(context)
    if client_certificates:
        authority().configure_trust(context)
        context.verify_mode = ssl.CERT_REQUIRED
    return of_version(context, version)


def client_context(version=None, certificate=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority().configure_trust(context)
    if certificate is not None:
        authority().issue_cert(certificate).configure_cert(context)
    return of_version(context, version)


def of_version(context, version):
    if version is not None:
        context.minimum_version = context.maximum_version = version
    return context


def shake_hands(client=None, server=None, name=NAME, ends=None):
    """The two ends of a TLS connection, after the handshake."""
    one, other = ends or wires()
    answering = trueasync.spawn(start_tls, other, server or server_context(), server_side=True)
    asking = trueasync.spawn(start_tls, one, client or client_context(), server_hostname=name)
    return asking.result(), answering.result()
