"""start_tls: TLS over a stream, as client or as server, with the standard `ssl` contexts."""

from __future__ import annotations

from .tls import TlsStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ssl import SSLContext, SSLSession

    from .stream import Stream

__all__ = ["start_tls"]

# Reading the certificates of all authorities takes some ten milliseconds: once is enough.
default_contexts: list[SSLContext] = []


def start_tls(
    stream: Stream,
    context: SSLContext | None = None,
    *,
    server_side: bool = False,
    server_hostname: str | None = None,
    session: SSLSession | None = None,
) -> TlsStream:
    """Shake hands with the peer of `stream`; the stream that is read and written from now on.

    A client names the server, whose certificate must say the same; without a context it
    trusts whom the system trusts. A server gives a context with its certificate.
    If this raises, `stream` is closed. Suspends the coroutine until the peer has agreed.
    Not for other threads.
    """
    try:
        if context is None:
            if server_side:
                raise ValueError(
                    "a TLS server needs a context with its certificate: "
                    "ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), load_cert_chain()"
                )
            context = default_context()
        if context.check_hostname and not server_side and not server_hostname:
            raise ValueError("a TLS client names whom it wants to talk to: server_hostname=...")
        tls = TlsStream(stream, context, server_side, server_hostname, session)
        tls.handshake()
    except BaseException:
        stream.close()  # neither side could make anything of what is under way in it
        raise
    return tls


def default_context() -> SSLContext:
    """A client's context that trusts whom the system trusts. Never suspends."""
    import ssl

    if not default_contexts:
        default_contexts.append(ssl.create_default_context())
    return default_contexts[0]
