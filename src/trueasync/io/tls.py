"""TlsStream: a stream whose bytes are encrypted on their way through another stream.

OpenSSL does the cryptography in memory (`ssl.MemoryBIO`); it never sees a descriptor. What
it wants sent is flushed to the inner stream, what it wants to see is fetched from there.

Rules of this file:
1. The engine is called between waits only, so reader and writer may call it in any order.
2. One fetches and one flushes at a time, on behalf of all: reading may have to send (in a
   renegotiation, or for new keys), and writing may have to receive.
3. Records go out in the order in which they were made. After half a one, none can follow.
"""

import errno

import cython
from cython.cimports.cpython.buffer import PyBUF_WRITE
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.cpython.memoryview import PyMemoryView_FromMemory
from cython.cimports.trueasync.io.errand import new_errand
from cython.cimports.trueasync.io.stream import Stream
from cython.cimports.trueasync.scheduler.current import coroutine_here

from ..errors import UsageError
from ..scope.timeout import move_on

# Fetched at once at most, and encrypted at most before it is flushed: memory stays bounded.
PIECE = cython.declare(cython.Py_ssize_t, 65536)
# What is decrypted stays here until it has become bytes: nobody else runs meanwhile.
shared = cython.declare(cython.char[65536])
shared_view = PyMemoryView_FromMemory(shared, PIECE, PyBUF_WRITE)
# How long close() tries to say goodbye: a peer that reads nothing must not hold us.
PATIENCE = 1.0
WANTS_MORE = cython.declare(cython.Py_ssize_t, -2)


@cython.final
@cython.cclass
class TlsStream(Stream):
    """A stream with TLS over another stream, of any kind. Made by `start_tls`.

    One coroutine may read while another writes. An end of the peer's bytes that the peer has
    not announced raises `ssl.SSLEOFError`: somebody may have cut them off.
    Not for other threads than that of the run it is used in.
    """

    def __init__(self, inner: Stream, context, server_side: bool, server_hostname, session):
        import ssl

        self.inner = inner
        self.wants_read = ssl.SSLWantReadError
        self.zero_return = ssl.SSLZeroReturnError
        self.tls_error = ssl.SSLError
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.engine = context.wrap_bio(
            self.incoming, self.outgoing, server_side, server_hostname, session
        )
        self.fetching = new_errand("what another coroutine reads from")
        self.flushing = new_errand("what another coroutine writes to")
        self.engine_read = self.engine.read
        self.engine_write = self.engine.write
        self.engine_pending = self.engine.pending

    # -- for users --------------------------------------------------------------------------

    def handshake(self) -> None:
        """Agree on keys with the peer, and look at its certificate; `start_tls` has done so.

        Suspends the coroutine. Not for other threads.
        """
        if self.closed:
            raise self.refusal("shake hands with")
        try:
            self.drive(self.engine.do_handshake)
        except self.tls_error:
            try:
                self.flush_records()  # tells the peer why
            except OSError:
                pass  # which has gone already; the first error says more
            raise
        self.flush_records()

    def shutdown(self, direction: str = "write") -> None:
        """Tell the peer that nothing more is written here; what it writes can still be read.

        Suspends the coroutine while that is sent. Not for other threads.
        """
        if direction != "write":
            raise OSError(errno.ENOTSUP, f'TLS can only end "write", not {direction!r}; close it')
        self.begin_writing()
        try:
            self.say_goodbye()
            self.flush_records()
        finally:
            self.end_writing()

    def unwrap(self) -> Stream:
        """End TLS in both directions, and give back the stream below, which stays open.

        What the peer has written must have been read, or this raises UsageError.
        Suspends the coroutine until the peer has ended TLS too. Not for other threads.
        """
        self.begin_writing()
        self.begin_reading()
        try:
            self.say_goodbye()
            self.flush_records()
            self.expect_the_end()
            inner: Stream = self.inner
            beyond: bytes = self.incoming.read()
            inner.ahead.add(PyBytes_AS_STRING(beyond), len(beyond))
            self.inner = None
        finally:
            self.end_reading()
            self.end_writing()
        self.close()
        return inner

    @property
    def version(self):
        """The version of TLS, such as "TLSv1.3"; None before the handshake."""
        return self.engine.version()

    @property
    def protocol(self):
        """The protocol that both want to speak (ALPN), such as "h2"; None if there is none."""
        return self.engine.selected_alpn_protocol()

    @property
    def cipher(self):
        """The cipher: its name, its version, its bits; None before the handshake."""
        return self.engine.cipher()

    def peer_certificate(self, binary: bool = False):
        """The peer's certificate, as `getpeercert` of the standard library has it.

        Never suspends.
        """
        return self.engine.getpeercert(binary)

    @cython.ccall
    def info(self) -> str:
        return "TLS that was unwrapped" if self.inner is None else f"TLS with {self.inner.info()}"

    # -- the kind ---------------------------------------------------------------------------

    @cython.ccall
    def receive(self, size: cython.Py_ssize_t) -> bytes:
        got: cython.Py_ssize_t = self.fill(shared_view, min(size, PIECE))
        return PyBytes_FromStringAndSize(shared, got)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def receive_into(self, target: cython.p_char, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        view = PyMemoryView_FromMemory(target, size, PyBUF_WRITE)
        return self.fill(view, size)

    @cython.ccall
    def transmit(self, data):
        size: cython.Py_ssize_t = self.encrypt(data)
        self.flush_records()
        return size

    @cython.ccall
    def release(self):
        if self.inner is None:
            return
        try:
            if coroutine_here() is not None and not (
                self.ended or self.flushing.under_way or self.broken
            ):
                self.part()
        finally:
            self.inner.close()

    # -- reading ----------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fill(self, view, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Decrypt what there is into `view`, and wait for the first of it; 0 at the end."""
        got: cython.Py_ssize_t
        self.answer()  # what an earlier read had to; now, when nothing is taken yet
        if not self.has_some():
            self.fetch_records()
        while True:
            got = self.decrypt(view, size)
            if got != WANTS_MORE:
                break
            # There was part of a record, or one that was not for us.
            self.answer()
            self.fetch_records()
        while 0 < got < size and self.has_some():
            more: cython.Py_ssize_t = self.decrypt_more(view[got:size])
            if more <= 0:
                break
            got += more
        return got

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def answer(self) -> cython.int:
        """Send what reading has made to be sent; who flushes just now does it anyway."""
        if (
            self.failure is None
            and self.outgoing.pending
            and not (self.flushing.under_way or self.broken)
        ):
            self.flush_records()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def decrypt(self, view, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """What is there of the peer's bytes; 0 at the end."""
        got: cython.Py_ssize_t
        if self.failure is not None:
            raise self.failure
        if self.peer_ended:
            return 0
        try:
            got = self.engine_read(size, view)
        except self.wants_read:
            return WANTS_MORE
        except self.zero_return:
            got = 0  # said in another way, where we have ended, too
        except self.tls_error as error:
            self.failure = self.explain(error)
            raise
        self.peer_ended = got == 0
        return got

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def decrypt_more(self, view) -> cython.Py_ssize_t:
        """As `decrypt`, after something was taken already: an error is for the next read."""
        try:
            return self.decrypt(view, len(view))
        except self.tls_error:
            return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def has_some(self) -> cython.bint:
        """Whether there is something to decrypt, or to say, without fetching anything."""
        if self.peer_ended or self.failure is not None:
            return True
        return self.incoming.pending or self.engine_pending() or self.incoming.eof

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fetch_records(self) -> cython.int:
        """Get some encrypted bytes from the peer, or wait until somebody else has."""
        if not self.fetching.begin(self):
            return 0
        try:
            data = self.inner.read(PIECE)
        except BaseException:
            if self.closed:
                raise self.refusal("read from") from None
            raise
        finally:
            self.fetching.end()
        if data:
            self.incoming.write(data)
        else:
            self.incoming.write_eof()
        return 0

    # -- writing ----------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def encrypt(self, data) -> cython.Py_ssize_t:
        """Make records of `data`, and flush them when they are many; how many bytes it has."""
        self.refuse_if_broken()
        if self.ended:
            raise BrokenPipeError(
                errno.EPIPE, f"cannot write to {self.info()}: it was shut down here"
            )
        left = memoryview(data).cast("B")
        size: cython.Py_ssize_t = len(left)
        while left:
            try:
                left = left[self.engine_write(left[:PIECE]) :]
            except self.wants_read:
                pass
            except self.tls_error as error:
                self.explain(error)
                raise
            else:
                if self.outgoing.pending >= PIECE:
                    self.flush_records()
                continue
            # A renegotiation: the peer has to say something first.
            self.flush_records()
            self.fetch_records()
        return size

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def flush_records(self) -> cython.int:
        """Send all records there are, or wait until somebody else has sent them."""
        while not self.flushing.begin(self):
            pass
        try:
            self.refuse_if_broken()
            while self.outgoing.pending:
                self.inner.write(self.outgoing.read())
        except BaseException:
            self.broken = True
            if self.closed:
                raise self.refusal("write to") from None
            raise
        finally:
            self.flushing.end()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def refuse_if_broken(self) -> cython.int:
        if self.broken:
            raise OSError(
                errno.EPIPE,
                f"cannot write to {self.info()}: an earlier write was cancelled or has failed "
                "in the middle, and the peer could make nothing of what follows; close it",
            )
        return 0

    # -- beginning and end ------------------------------------------------------------------

    @cython.cfunc
    def drive(self, call):
        """Call the engine, and do what it wants, until it is content."""
        while True:
            try:
                return call()
            except self.wants_read:
                pass
            except self.tls_error as error:
                self.explain(error)
                raise
            self.flush_records()
            self.fetch_records()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def say_goodbye(self) -> cython.int:
        """Make the record that says that nothing follows."""
        if self.ended:
            return 0
        self.ended = True
        try:
            self.engine.unwrap()
        except self.tls_error:
            pass  # made it is; the engine would like to see the peer's, too
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def expect_the_end(self) -> cython.int:
        """Wait for the peer's goodbye, and for nothing else."""
        if self.ahead.count == 0:
            got: cython.Py_ssize_t = self.fill(shared_view, PIECE)
            if got == 0:
                return 0
            self.ahead.add(shared, got)
        raise UsageError(
            f"{self.info()} cannot be unwrapped: the peer has written what was not read; read "
            "to the end, then unwrap"
        )

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def part(self) -> cython.int:
        """Say goodbye to a peer who still listens, but not for long."""
        self.say_goodbye()
        data = self.outgoing.read()
        if not data:
            return 0
        try:
            with move_on(PATIENCE):
                self.inner.write(data)
        except OSError:
            pass  # it has gone: there is nobody to say it to
        return 0

    @cython.cfunc
    def explain(self, error):
        """The same error, with who it is about in its words."""
        words = error.strerror or str(error)
        if self.info() not in words:
            error.strerror = f"{words} ({self.info()})"
        return error
