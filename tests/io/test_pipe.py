"""PipeStream: both ends, their directions, and what becomes of one when the other goes."""

import os

import pytest

import trueasync
from trueasync import spawn, suspend
from trueasync.io.adopt import pipe


def test_what_goes_in_comes_out():
    def main():
        reader, writer = pipe()
        with reader:
            with writer:
                writer.write(b"one\ntwo")
                writer.write_buffers([b"\n", b"three"])
            return list(reader)

    assert trueasync.run(main) == [b"one\n", b"two\n", b"three"]


def test_a_read_waits_for_the_writer_and_its_end():
    def main():
        reader, writer = pipe()
        with reader:
            reading = [spawn(reader.read), spawn(reader.read_all)]
            suspend()
            writer.write(b"x")
            suspend()
            writer.close()
            return [each.result() for each in reading]

    assert trueasync.run(main) == [b"x", b""]


def test_a_full_pipe_makes_the_writer_wait():
    data = os.urandom(1 << 20)

    def main():
        reader, writer = pipe()
        with reader, writer:
            writing = spawn(writer.write, data)
            suspend()
            early = writing.done()
            return early, reader.read_exactly(len(data)) == data, writing.result()

    assert trueasync.run(main) == (False, True, len(data))


def test_a_reader_that_goes_away_breaks_the_pipe_for_who_waits():
    def main():
        reader, writer = pipe()
        with writer:
            writing = spawn(writer.write, bytes(1 << 20))
            suspend()
            reader.close()
            with pytest.raises(BrokenPipeError, match="cannot write to the writing end of a pipe"):
                writing.result()

    trueasync.run(main)


def test_the_wrong_end_is_an_error_that_names_it():
    def main():
        reader, writer = pipe()
        with reader, writer:
            with pytest.raises(OSError, match="cannot write to the reading end of a pipe: Bad"):
                reader.write(b"x")
            with pytest.raises(OSError, match="cannot read from the writing end of a pipe: Bad"):
                writer.read()

    trueasync.run(main)


def test_a_pipe_has_no_directions_to_shut_down():
    reader, writer = pipe()

    with reader, writer, pytest.raises(OSError, match="no direction to shut down; close it"):
        writer.shutdown()


def test_its_descriptors_are_not_inherited_by_programs():
    reader, writer = pipe()

    with reader, writer:
        assert not os.get_inheritable(reader.fileno())
        assert not os.get_inheritable(writer.fileno())
