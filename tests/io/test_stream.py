"""Stream: exact reads, lines, everything, buffers; what is left after each, and after errors."""

import pytest

from trueasync import IncompleteRead, LimitExceeded, spawn, suspend


def test_a_read_gives_what_there_is_and_at_most_what_was_asked_for(run, memory):
    def main():
        stream = memory(b"abc", b"defg")
        return [stream.read(), stream.read(2), stream.read(100), stream.read(), stream.read()]

    assert run(main) == [b"abc", b"de", b"fg", b"", b""]


def test_exact_reads_join_and_split_what_comes(run, memory):
    def main():
        stream = memory(b"ab", b"cde", b"f", b"ghi")
        return [stream.read_exactly(size) for size in (1, 4, 0, 3)] + [stream.read()]

    assert run(main) == [b"a", b"bcde", b"", b"fgh", b"i"]


def test_an_exact_read_that_meets_the_end_gives_what_there_was(run, memory):
    def main():
        stream = memory(b"ab", b"c")
        with pytest.raises(IncompleteRead, match="memory ended after 3 bytes, where 10") as found:
            stream.read_exactly(10)
        assert isinstance(found.value, EOFError)
        return found.value.partial, found.value.expected, stream.read()

    assert run(main) == (b"abc", 10, b"")


def test_a_large_exact_read_takes_its_pieces_as_they_come(run, memory):
    whole = bytes(range(256)) * 20_000

    def main():
        stream = memory(*(whole[at : at + 100_001] for at in range(0, len(whole), 100_001)))
        return stream.read_exactly(len(whole) - 1) == whole[:-1], stream.read()

    assert run(main) == (True, whole[-1:])


def test_an_enormous_exact_read_takes_no_memory_before_it_comes(run, memory):
    def main():
        with pytest.raises(IncompleteRead) as found:
            memory(b"short").read_exactly(1 << 60)
        return found.value.partial

    assert run(main) == b"short"


def test_lines_are_found_wherever_the_pieces_end(run, memory):
    text = b"one\ntwo\n\nthree is longer\nno newline at the end"

    def main():
        for size in (1, 2, 3, 7, 100):
            stream = memory(*(text[at : at + size] for at in range(0, len(text), size)))
            assert list(stream) == text.splitlines(keepends=True)
            assert stream.read_line() == b""

    run(main)


def test_what_comes_after_a_line_is_there_for_any_other_read(run, memory):
    def main():
        stream = memory(b"line\nabcdefgh")
        buffer = bytearray(2)
        return [
            stream.read_line(),
            stream.read(1),
            stream.read_exactly(2),
            stream.read_into(buffer),
            bytes(buffer),
            stream.read_all(),
        ]

    assert run(main) == [b"line\n", b"a", b"bc", 2, b"de", b"fgh"]


def test_it_says_how_much_has_come_that_nobody_has_asked_for(run, memory):
    def main():
        stream = memory(b"one\ntwo")
        before = stream.read_ahead
        stream.read_line()
        ahead = stream.read_ahead
        return before, ahead, stream.read(ahead), stream.read_ahead

    assert run(main) == (0, 3, b"two", 0)


def test_a_separator_may_be_long_and_begin_in_vain(run, memory):
    text = b"--bo--bou--boundary--rest"

    def main():
        for size in (1, 2, 5, 100):
            stream = memory(*(text[at : at + size] for at in range(0, len(text), size)))
            assert stream.read_until(b"--boundary") == b"--bo--bou--boundary"
            assert stream.read_all() == b"--rest"

    run(main)


def test_a_separator_that_does_not_come_is_an_incomplete_read(run, memory):
    def main():
        with pytest.raises(IncompleteRead, match="where b'END' had to come") as found:
            memory(b"no such thing").read_until(b"END")
        return found.value.partial, found.value.expected

    assert run(main) == (b"no such thing", b"END")


def test_an_empty_separator_is_refused(run, memory):
    with pytest.raises(ValueError, match="the separator is empty"):
        run(lambda: memory(b"x").read_until(b""))


def test_a_line_over_the_limit_is_refused_and_can_still_be_read(run, memory):
    def main():
        stream = memory(b"0123456789\n", b"x")
        with pytest.raises(LimitExceeded, match="did not come within 10 bytes from memory"):
            stream.read_line(10)
        return stream.read_line(11), stream.read()

    assert run(main) == (b"0123456789\n", b"x")


def test_a_peer_that_never_ends_its_line_does_not_fill_the_memory(run, memory):
    def main():
        stream = memory(*[bytes(65536)] * 100)
        with pytest.raises(LimitExceeded):
            stream.read_line()
        return stream.arriving.buffered

    assert run(main) > 80


def test_everything_is_read_up_to_a_limit(run, memory):
    def main():
        stream = memory(b"abc", b"def")
        with pytest.raises(LimitExceeded, match="more than 5 bytes came from memory"):
            stream.read_all(5)
        return stream.read_all(6)

    assert run(main) == b"abcdef"


def test_a_buffer_is_filled_with_what_there_is(run, memory):
    def main():
        stream = memory(b"abcdef")
        buffer = bytearray(b"........")
        with memoryview(buffer) as view:
            counts = [stream.read_into(view[1:4]), stream.read_into(view[4:])]
        return counts, bytes(buffer), stream.read_into(buffer), stream.read_into(bytearray())

    assert run(main) == ([3, 3], b".abcdef.", 0, 0)


def test_what_is_no_writable_buffer_is_refused(run, memory):
    def main():
        stream = memory(b"abc")
        with pytest.raises(BufferError):
            stream.read_into(b"constant")
        with pytest.raises(TypeError):
            stream.read_into("text")
        return stream.read()

    assert run(main) == b"abc"


def test_several_buffers_are_written_as_one(run, memory):
    def main():
        stream = memory()
        written = stream.write_buffers([b"ab", bytearray(b"c"), memoryview(b"de"), b""])
        return written, bytes(stream.sent)

    assert run(main) == (5, b"abcde")


def test_who_is_cancelled_in_the_middle_of_a_line_leaves_what_came(seeds, run, memory):
    def main():
        stream = memory(end=False)
        reader = spawn(stream.read_line)
        suspend()
        stream.arriving.send(b"half a li")
        suspend()
        reader.cancel()
        suspend()
        stream.arriving.send(b"ne\n")
        try:
            return reader.result()
        except BaseException:
            return stream.read_line()

    for _ in seeds:
        assert run(main) == b"half a line\n"


def test_a_kind_that_gives_more_than_it_was_asked_for_is_found_out(run, memory):
    class Greedy(memory):
        def receive(self, size):
            return bytes(size + 1)

    with pytest.raises(RuntimeError, match="memory gave 9 bytes where 8 were asked for"):
        run(lambda: Greedy().read_into(bytearray(8)))


def test_a_kind_without_directions_cannot_shut_one_down(run, memory):
    with pytest.raises(OSError, match="memory has no direction to shut down; close it"):
        run(lambda: memory().shutdown())
