"""Where in the user's code something happened: the line, and never one of our own."""

import os
import sys

import trueasync
from trueasync.scheduler.location import (
    PACKAGE,
    location_of_code,
    location_of_frame,
    user_frame,
)


def frame_in(filename, below=None):
    """A frame of code from `filename`, called by the frame of `below` or by this one."""
    code = compile("import sys\nframe = below() if below else sys._getframe()", filename, "exec")
    names = {"below": below}
    exec(code, names)
    return names["frame"]


def test_without_code_it_says_so():
    assert location_of_code(None, 0) == "(no Python code)"


def test_an_offset_outside_the_code_gives_its_first_line():
    code = frame_in.__code__

    assert location_of_code(code, 10**6) == f"{__file__}:{code.co_firstlineno}"


def test_without_a_frame_it_says_nothing():
    assert location_of_frame(None) == ""


def test_a_frame_of_the_user_is_named():
    frame = sys._getframe()

    assert location_of_frame(frame) == f"{__file__}:{frame.f_lineno}"


def test_our_own_frames_are_left_out():
    ours = os.path.join(PACKAGE, "io", "something.py")

    frame = frame_in("user.py", lambda: frame_in(ours))

    assert user_frame(frame_in(ours)).f_code.co_filename == __file__
    assert frame.f_code.co_filename == ours


def test_a_neighbour_whose_name_begins_like_ours_is_no_frame_of_ours():
    neighbour = PACKAGE.rstrip(os.sep) + "_contrib" + os.sep + "module.py"

    assert user_frame(frame_in(neighbour)).f_code.co_filename == neighbour


def test_a_call_over_several_lines_is_one_place():
    def main():
        coroutine = trueasync.spawn(
            trueasync.sleep,
            0,
        )
        return coroutine.spawn_location

    file, _, line = trueasync.testing.run(main).rpartition(":")
    first = main.__code__.co_firstlineno
    assert file == __file__
    assert first < int(line) <= first + 4


def test_what_a_generator_spawns_is_placed_in_the_generator():
    def spawner():
        yield trueasync.spawn(int)

    def main():
        return next(spawner()).spawn_location

    line = trueasync.testing.run(main)
    assert line == f"{__file__}:{spawner.__code__.co_firstlineno + 1}"
