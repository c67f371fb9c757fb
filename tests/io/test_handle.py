"""Handle: what every kind promises; turns, closing, and what it says of itself."""

import errno

import pytest

from trueasync import Channel, HandleClosed, spawn, suspend
from trueasync.io.handle import Handle


def test_a_kind_that_cannot_read_or_write_says_so(run):
    def main():
        with pytest.raises(OSError, match="cannot read from handle: it can only be written"):
            Handle().read()
        with pytest.raises(OSError, match="cannot write to handle: it can only be read"):
            Handle().write(b"x")

    run(main)


def test_a_closed_one_refuses_everything(run, memory):
    def main():
        handle = memory(b"left")
        handle.close()

        for use in (handle.read, handle.read_all, handle.read_line, lambda: handle.write(b"x")):
            with pytest.raises(HandleClosed, match="memory: it was closed here") as failure:
                use()
            assert failure.value.errno == errno.EBADF

    run(main)


def test_closing_twice_releases_once(run, memory):
    def main():
        handle = memory()
        handle.close()
        handle.close()

        return handle.releases, handle.closed

    assert run(main) == (1, True)


def test_leaving_its_block_closes_it(run, memory):
    def main():
        with memory() as handle, pytest.raises(ZeroDivisionError):
            raise ZeroDivisionError

        return handle.closed

    assert run(main)


def test_it_says_what_it_is(memory):
    handle = memory()

    assert repr(handle) == "<Memory memory>"
    handle.close()
    assert repr(handle) == "<Memory memory, closed>"


def test_reading_nothing_gives_nothing_and_less_than_nothing_is_refused(run, memory):
    def main():
        handle = memory(b"abc")
        with pytest.raises(ValueError, match=r"cannot read -1 bytes; read_all\(\)"):
            handle.read(-1)
        return handle.read(0), handle.read(2)

    assert run(main) == (b"", b"ab")


def test_who_waits_for_its_turn_is_told_of_the_close(run, memory):
    def main():
        handle = memory(end=False)
        readers = [spawn(handle.read) for _ in range(3)]
        suspend()
        handle.close()

        for reader in readers:
            with pytest.raises(Exception, match="it was closed here"):
                reader.result()

    run(main)


def test_who_has_just_got_its_turn_does_not_use_a_closed_one(run, memory):
    def main():
        handle = memory(end=False)
        first, second = spawn(handle.read), spawn(handle.read)
        suspend()
        handle.arriving.send(b"x")  # wakes the first, which will hand its turn to the second
        suspend()
        handle.close()
        assert first.result() == b"x"
        with pytest.raises(Exception, match="it was closed here"):
            second.result()

    run(main)


def test_a_deadlock_report_says_whose_turn_is_waited_for(memory):
    from trueasync import DeadlockError
    from trueasync.testing import run

    def main():
        handle = memory(end=False)
        spawn(handle.read)
        handle.read()

    with pytest.raises(DeadlockError, match="for its turn to read from memory"):
        run(main)


def test_writes_of_several_are_never_torn_apart(seeds, run, memory):
    def main():
        handle = memory()
        handle.gate = Channel(1)
        words = [bytes([letter]) * 5 for letter in b"abcdef"]
        writers = [spawn(handle.write, word) for word in words]
        for _ in range(30):
            handle.gate.send(None)
        assert [writer.result() for writer in writers] == [5] * 6
        return bytes(handle.sent)

    for _ in seeds:
        written = run(main)
        assert sorted(written[at : at + 5] for at in range(0, 30, 5)) == [
            bytes([letter]) * 5 for letter in b"abcdef"
        ]


def test_readers_get_their_turns_in_the_order_they_came(run, memory):
    def main():
        handle = memory(end=False)
        got = []

        def read(number):
            got.append((number, handle.read_exactly(2)))

        readers = [spawn(read, number) for number in range(4)]
        suspend()
        for piece in (b"a", b"ab", b"bcc", b"dd"):
            handle.arriving.send(piece)
            suspend()
        for reader in readers:
            reader.result()
        return got

    assert run(main) == [(0, b"aa"), (1, b"bb"), (2, b"cc"), (3, b"dd")]


def test_a_cancelled_one_passes_its_turn_on_and_loses_nothing(seeds, run, memory):
    def main():
        handle = memory(end=False)
        got = []

        def read():
            got.append(handle.read_exactly(3))

        readers = [spawn(read) for _ in range(6)]
        suspend()
        for number, piece in enumerate((b"a", b"aab", b"b", b"bcc", b"c", b"ddd", b"", b"")):
            readers[number % 3 * 2].cancel()
            if piece:
                handle.arriving.send(piece)
            suspend()
        handle.arriving.close()
        for reader in readers:
            try:
                reader.result()
            except BaseException:
                assert reader.done()
        return b"".join(got) + handle.read_all()

    for _ in seeds:
        assert run(main) == b"aaabbbcccddd"
