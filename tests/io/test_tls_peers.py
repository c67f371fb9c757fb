"""TLS with others: the standard library in a thread, and openssl, which changes keys midway."""

import contextlib
import fcntl
import shutil
import socket
import ssl
import subprocess
import termios
import threading

import pytest
from tls_pairs import NAME, authority, client_context, server_context

import trueasync
from trueasync.io.start_tls import start_tls

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl program")


@pytest.fixture(params=VERSIONS, ids=["1.2", "1.3"])
def version(request):
    return request.param


@contextlib.contextmanager
def in_thread(function, *arguments):
    """`function` in a native thread, which has ended when this has."""
    thread = threading.Thread(target=function, args=arguments)
    thread.start()
    try:
        yield
    finally:
        thread.join()


# -- the standard library ----------------------------------------------------------------


def echo_as_server(plain, context):
    served = context.wrap_socket(plain, server_side=True)
    while data := served.recv(65536):
        served.sendall(data)
    served.unwrap().close()  # close() alone would say nothing


def echo_as_client(plain, context):
    served = context.wrap_socket(plain, server_hostname=NAME)
    while data := served.recv(65536):
        served.sendall(data)
    served.unwrap().close()


def talk(plain, size, **options):
    """Send to an echo and read at the same time; then end it."""
    with start_tls(trueasync.adopt(plain), **options) as tls:
        writer = trueasync.spawn(tls.write, b"x" * size)
        got = tls.read_exactly(size)
        writer.result()
        tls.shutdown()
        return len(got), tls.read_all()


@pytest.mark.parametrize("size", [1, 3_000_000])
def test_a_server_of_the_standard_library(version, size):
    one, other = socket.socketpair()
    with in_thread(echo_as_server, other, server_context(version=version)):
        options = {"context": client_context(version), "server_hostname": NAME}
        result = trueasync.run(talk, one, size, **options)

    assert result == (size, b"")


@pytest.mark.parametrize("size", [1, 3_000_000])
def test_a_client_of_the_standard_library(version, size):
    one, other = socket.socketpair()
    with in_thread(echo_as_client, other, client_context(version)):
        options = {"context": server_context(version=version), "server_side": True}
        result = trueasync.run(talk, one, size, **options)

    assert result == (size, b"")


def test_unwrapping_with_the_standard_library(version):
    def serve(plain, context):
        served = context.wrap_socket(plain, server_side=True)
        served.sendall(b"secret")
        with served.unwrap() as clear:
            clear.sendall(clear.recv(100))

    def main():
        options = {"context": client_context(version), "server_hostname": NAME}
        tls = start_tls(trueasync.adopt(one), **options)
        secret = tls.read_all()
        with tls.unwrap() as clear:
            clear.write(b"in the clear")
            return secret, clear.read_all()

    one, other = socket.socketpair()
    with in_thread(serve, other, server_context(version=version)):
        assert trueasync.run(main) == (b"secret", b"in the clear")


def test_a_connection_that_is_reset_is_an_error_of_the_connection(version):
    def reset(plain, context):
        served = context.wrap_socket(plain, server_side=True)
        served.recv(1)
        served.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        socket.socket.close(served)

    def main():
        options = {"context": client_context(version), "server_hostname": NAME}
        with start_tls(trueasync.adopt(one), **options) as tls:
            tls.write(b"x")
            with pytest.raises(ConnectionResetError):
                tls.read()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        other, _ = listener.accept()
        with in_thread(reset, other, server_context(version=version)):
            trueasync.run(main)


# -- openssl, which has commands for what others do rarely -------------------------------


@pytest.fixture
def files(tmp_path):
    """A certificate, its key, and who to trust, as files."""
    certificate = authority().issue_cert(NAME)
    certificate.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    certificate.private_key_pem.write_to_path(tmp_path / "key.pem")
    authority().cert_pem.write_to_path(tmp_path / "ca.pem")
    return tmp_path


@contextlib.contextmanager
def openssl(*arguments):
    """The program, with pipes; it has ended when this has."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(["openssl", *arguments], **pipes)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def say(process, text):
    """Write `text`, and wait until the program has read it: what it reads later is no part."""
    process.stdin.write(text)
    process.stdin.flush()
    left = bytearray(b"left")
    while any(left):
        trueasync.sleep(0.001)
        fcntl.ioctl(process.stdin, termios.FIONREAD, left)


def listen_for(process, text):
    """Read what it prints up to `text`."""
    seen = b""
    while text not in seen:
        more = process.stdout.readline() if b"\n" in text else process.stdout.read1(1)
        assert more, seen
        seen += more
    return seen


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


CHANGES = {"1.2": ("-tls1_2", b"r\n"), "1.3": ("-tls1_3", b"K\n")}


@needs_openssl
@pytest.mark.parametrize("name", CHANGES)
def test_a_server_asks_for_new_keys_while_both_sides_write(files, name):
    option, command = CHANGES[name]
    port = free_port()
    keys = ["-cert", str(files / "cert.pem"), "-key", str(files / "key.pem")]
    arguments = ["s_server", "-accept", f"127.0.0.1:{port}", option, *keys]

    def main(process):
        listen_for(process, b"ACCEPT\n")
        plain = socket.create_connection(("127.0.0.1", port))
        options = {"context": client_context(), "server_hostname": NAME}
        with start_tls(trueasync.adopt(plain), **options) as tls:
            for turn in range(5):
                reader = trueasync.spawn(tls.read_line)
                trueasync.suspend()
                say(process, command)
                say(process, b"line %d\n" % turn)
                assert reader.result() == b"line %d\n" % turn
                tls.write(b"answer %d\n" % turn)
                listen_for(process, b"answer %d\n" % turn)

    with openssl(*arguments) as process:
        trueasync.run(main, process)


@needs_openssl
def test_a_client_changes_its_keys_and_wants_ours_changed(files):
    def main(listener):
        port = listener.getsockname()[1]
        trust = ["-CAfile", str(files / "ca.pem"), "-servername", NAME]
        with openssl("s_client", "-connect", f"127.0.0.1:{port}", "-tls1_3", *trust) as process:
            plain, _ = listener.accept()
            context = server_context()
            with start_tls(trueasync.adopt(plain), context, server_side=True) as tls:
                for turn in range(5):
                    say(process, b"K\n")
                    say(process, b"line %d\n" % turn)
                    assert tls.read_line() == b"line %d\n" % turn
                    tls.write(b"answer %d\n" % turn)
                    listen_for(process, b"answer %d\n" % turn)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        trueasync.run(main, listener)
