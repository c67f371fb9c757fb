"""Terminal: a real one (a pty) is read, written, made raw and put back, and shared."""

import errno
import fcntl
import gc
import os
import pty
import subprocess
import sys
import termios

import pytest

import trueasync
from trueasync import Cancelled, HandleClosed
from trueasync.io.terminal import Terminal, open_terminal


@pytest.fixture
def screen():
    """The two ends of a terminal: (master, slave) as descriptors."""
    master, slave = pty.openpty()
    yield master, slave
    for fd in (master, slave):
        try:
            os.close(fd)
        except OSError:
            pass  # a test has closed it


def settle():
    for _ in range(5):
        trueasync.sleep(0.0001)


def raised_by(coroutine):
    try:
        coroutine.result()
    except BaseException as error:
        return type(error)
    return None


def flags(fd):
    return termios.tcgetattr(fd)[:4]


# -- to read and to write ----------------------------------------------------------------


def test_what_is_typed_is_read_by_lines(screen):
    master, slave = screen

    def main():
        with open_terminal(slave) as terminal:
            reader = trueasync.spawn(terminal.read_line)
            settle()
            os.write(master, b"hel")
            settle()
            early = reader.done()
            os.write(master, b"lo\n")
            return early, reader.result()

    assert trueasync.run(main) == (False, b"hello\n")


def test_what_is_written_is_shown(screen):
    master, slave = screen

    def main():
        with open_terminal(slave) as terminal, Terminal(os.dup(master)) as window:
            return terminal.write(b"hello\n"), window.read_line()

    assert trueasync.run(main) == (6, b"hello\r\n")


def test_end_of_file_is_typed(screen):
    master, slave = screen

    def main():
        with open_terminal(slave) as terminal:
            os.write(master, b"last\n\x04")
            return terminal.read_line(), terminal.read()

    assert trueasync.run(main) == (b"last\n", b"")


def test_a_writer_waits_while_the_screen_is_full(screen):
    master, slave = screen
    text = b"x" * 100_000

    def main():
        with open_terminal(slave) as terminal, Terminal(os.dup(master)) as window:
            writer = trueasync.spawn(terminal.write, text)
            settle()
            early = writer.done()
            return early, len(window.read_exactly(len(text))), writer.result()

    assert trueasync.run(main) == (False, len(text), len(text))


def test_the_master_types_and_sees(screen):
    master, slave = screen

    def main():
        with Terminal(master, "the window") as window:
            window.write(b"typed\n")
            line = os.read(slave, 100)
            os.write(slave, b"shown")
            return line, window.read_exactly(12), repr(window)

    assert trueasync.run(main) == (b"typed\n", b"typed\r\nshown", "<Terminal the window>")


def test_the_end_of_the_other_side_is_the_end(screen):
    master, slave = screen

    def main():
        with Terminal(master) as typing:
            reader = trueasync.spawn(typing.read)
            settle()
            os.close(slave)
            return reader.result(), typing.read()

    assert trueasync.run(main) == (b"", b"")


# -- it is shared ------------------------------------------------------------------------


def test_the_descriptor_that_others_have_goes_on_blocking(screen):
    _, slave = screen

    def main():
        before = fcntl.fcntl(slave, fcntl.F_GETFL)
        with open_terminal(slave) as terminal:
            reader = trueasync.spawn(terminal.read)
            settle()
            during = fcntl.fcntl(slave, fcntl.F_GETFL), os.get_blocking(slave)
            reader.cancel()
        return before == during[0], during[1], fcntl.fcntl(slave, fcntl.F_GETFL) == before

    assert trueasync.run(main) == (True, True, True)


def test_it_is_opened_by_number_path_and_file(screen):
    _, slave = screen

    def main():
        with open(os.dup(slave), "rb", buffering=0) as file:
            names = []
            for source in (slave, os.ttyname(slave), file):
                with open_terminal(source) as terminal:
                    names.append(terminal.info())
            return names, os.fstat(slave) is not None

    assert trueasync.run(main) == ([os.ttyname(screen[1])] * 3, True)


def test_what_is_no_terminal_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    reader, writer = os.pipe()
    for source in (reader, str(tmp_path / "file"), "/dev/null"):
        with pytest.raises(OSError, match="ioctl") as caught:
            open_terminal(source)
        assert caught.value.errno == errno.ENOTTY
    with pytest.raises(FileNotFoundError):
        open_terminal(tmp_path / "none")
    os.close(reader)
    os.close(writer)


# -- modes -------------------------------------------------------------------------------


def test_raw_keys_come_at_once_and_none_is_special(screen):
    master, slave = screen

    def main():
        before = flags(slave)
        with open_terminal(slave) as terminal:
            with terminal.raw():
                os.write(master, b"q\x03\x04")
                keys = terminal.read_exactly(3)
                echoed = bytes_waiting(master)
            return keys, echoed, flags(slave) == before

    assert trueasync.run(main) == (b"q\x03\x04", 0, True)


def bytes_waiting(fd):
    count = bytearray(4)
    fcntl.ioctl(fd, termios.FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)


def test_modes_nest_and_an_error_puts_them_back(screen):
    _, slave = screen

    def main():
        before = flags(slave)
        with open_terminal(slave) as terminal:
            with terminal.cbreak():
                outer = flags(slave)
                with pytest.raises(LookupError), terminal.raw():
                    raise LookupError
                between = flags(slave)
            return before != outer, between == outer, flags(slave) == before

    assert trueasync.run(main) == (True, True, True)


@pytest.mark.parametrize("end", ["closed", "forgotten", "cancelled"])
def test_the_mode_is_put_back_when_the_terminal_is(screen, end):
    _, slave = screen

    def use():
        terminal = open_terminal(slave)
        terminal.raw()
        if end == "cancelled":
            with terminal:
                trueasync.sleep(1000)
        if end == "closed":
            terminal.close()

    def main():
        before = flags(slave)
        using = trueasync.spawn(use)
        settle()
        if end == "cancelled":
            using.cancel()
            assert raised_by(using) is Cancelled
        gc.collect()
        return flags(slave) == before

    if end == "forgotten":
        with pytest.warns(ResourceWarning, match="never closed"):
            assert trueasync.run(main)
    else:
        assert trueasync.run(main)


@pytest.mark.parametrize("ending", ["pass", "raise LookupError", "import sys; sys.exit(3)"])
def test_the_mode_is_put_back_at_the_exit(screen, python, ending):
    _, slave = screen
    before = flags(slave)
    script = f"""
import trueasync
from trueasync.io.terminal import open_terminal

def main():
    global terminal
    terminal = open_terminal({os.ttyname(slave)!r})
    terminal.raw()
    import termios
    print(termios.tcgetattr(terminal.fileno())[3] & termios.ECHO)
    {ending}

trueasync.run(main)
"""
    result = python(script)

    assert result.stdout == "0\n", result.stderr
    assert flags(slave) == before


# -- its size ----------------------------------------------------------------------------


def test_its_size_is_known_and_changes(screen):
    master, slave = screen

    def main():
        with open_terminal(slave) as terminal, Terminal(os.dup(master)) as window:
            window.set_size(100, 30)
            first = terminal.size
            window.set_size(columns=80, lines=24)
            return first, terminal.size, window.size

    assert trueasync.run(main) == ((100, 30), (80, 24), (80, 24))


def test_a_program_in_it_hears_of_a_new_size():
    script = """
import signal, sys, trueasync
from trueasync.io.terminal import open_terminal

def main():
    with open_terminal() as terminal, trueasync.signal(signal.SIGWINCH) as changes:
        terminal.write(b"ready %d %d\\n" % terminal.size)
        for _ in changes:
            terminal.write(b"now %d %d\\n" % terminal.size)
            return

trueasync.run(main)
"""
    master, slave = pty.openpty()

    def of_its_own():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def main():
        with Terminal(master) as window:
            window.set_size(100, 30)
            source = os.path.dirname(os.path.dirname(trueasync.__file__))
            child = subprocess.Popen(
                [sys.executable, "-c", script],
                stdin=slave,
                stdout=slave,
                stderr=slave,
                env={**os.environ, "PYTHONPATH": source},
                preexec_fn=of_its_own,
            )
            os.close(slave)
            lines = [window.read_line()]
            window.set_size(80, 24)
            lines.append(window.read_line())
            return lines, child.wait()

    assert trueasync.run(main) == ([b"ready 100 30\r\n", b"now 80 24\r\n"], 0)


# -- cancelled, closed -------------------------------------------------------------------


def test_a_cancelled_reader_takes_nothing(screen, seeds):
    master, slave = screen

    def main():
        with open_terminal(slave) as terminal:
            reader = trueasync.spawn(terminal.read)
            trueasync.suspend()
            reader.cancel()
            os.write(master, b"kept\n")
            assert raised_by(reader) is Cancelled
            return terminal.read()

    for _ in seeds:
        assert trueasync.run(main) == b"kept\n"


def test_closing_wakes_who_reads(screen):
    def main():
        terminal = open_terminal(screen[1])
        readers = [trueasync.spawn(terminal.read) for _ in range(2)]
        settle()
        terminal.close()
        return [raised_by(reader) for reader in readers]

    assert trueasync.run(main) == [HandleClosed] * 2


@pytest.mark.parametrize("call", ["read", "raw", "cbreak", "size", "set_size", "write"])
def test_nothing_can_be_done_with_a_closed_one(screen, call):
    arguments = {"set_size": (1, 1), "write": (b"x",)}.get(call, ())

    def main():
        terminal = open_terminal(screen[1])
        terminal.close()
        terminal.close()
        with pytest.raises(HandleClosed):
            getattr(terminal, call)(*arguments)

    trueasync.run(main)
