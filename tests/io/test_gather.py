"""Gather: several buffers written as one, whatever their number, size and kind."""

import array
import itertools
import os

import pytest

import trueasync
from trueasync import HandleClosed, spawn, suspend
from trueasync.io.adopt import pipe, stream_pair


@pytest.fixture(params=[stream_pair, pipe])
def ends(request):
    """A function that makes two streams: what is written to the second comes to the first."""
    return request.param


@pytest.mark.parametrize(
    "sizes",
    [
        [],
        [0, 0],
        [1, 0, 2],
        [20_000, 0, 1],
        [1 << 20, 3, 1 << 20],
        [100] * 5_000,
        [0] * 5_000 + [30_000],
        [300_000, *[7] * 2_000, 300_000],
    ],
)
def test_all_of_them_arrive_in_order(ends, sizes):
    buffers = [os.urandom(size) for size in sizes]

    def main():
        reader, writer = ends()
        with reader, writer:
            writing = spawn(writer.write_buffers, iter(buffers))
            read = reader.read_exactly(sum(sizes))
            return writing.result(), read == b"".join(buffers)

    assert trueasync.run(main) == (sum(sizes), True)


def test_any_kind_of_buffer_will_do(ends):
    large = bytearray(b"x" * 30_000)

    def main():
        reader, writer = ends()
        with reader, writer:
            writing = spawn(
                writer.write_buffers, [memoryview(large)[1:], array.array("i", [1]), b""]
            )
            read = reader.read_exactly(30_003)
            writing.result()
            return read

    assert trueasync.run(main) == large[1:] + array.array("i", [1]).tobytes()
    large.clear()  # nobody holds it any more


@pytest.mark.parametrize("wrong", ["text", None, 5])
@pytest.mark.parametrize("size", [1, 100_000])
def test_what_is_no_buffer_is_refused_before_anything_is_written(ends, wrong, size):
    large = bytearray(size)

    def main():
        reader, writer = ends()
        with reader, writer:
            with pytest.raises(TypeError, match="bytes-like object is required"):
                writer.write_buffers([large, wrong])
            writer.write(b"nothing before")
            return reader.read()

    assert trueasync.run(main) == b"nothing before"
    large.clear()


def test_several_writers_do_not_mix(ends):
    def main():
        reader, writer = ends()
        with reader, writer:
            letters = [letter.encode() for letter in "abc"]
            writers = [spawn(writer.write_buffers, [letter * 50_000] * 4) for letter in letters]
            read = reader.read_exactly(600_000)
            for each in writers:
                each.result()
            return bytes(letter for letter, _ in itertools.groupby(read))

    assert trueasync.run(main) == b"abc"


def test_closing_wakes_it(ends):
    def main():
        reader, writer = ends()
        with reader:
            writing = spawn(writer.write_buffers, [bytes(1 << 24)] * 2)
            suspend()
            writer.close()
            with pytest.raises(HandleClosed):
                writing.result()

    trueasync.run(main)


def test_a_reader_that_goes_away_is_an_error(ends):
    def main():
        reader, writer = ends()
        with writer:
            writing = spawn(writer.write_buffers, [bytes(1 << 24)] * 2)
            suspend()
            reader.close()
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                writing.result()

    trueasync.run(main)
