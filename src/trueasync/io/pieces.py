"""Pieces: buffers that are written one after the other, as many as go in one job."""

import cython

# A cancelled write is not to go on for gigabytes.
LARGEST_WRITE = cython.declare(cython.Py_ssize_t, 1 << 23)
MOST_PIECES = cython.declare(cython.Py_ssize_t, 1024)  # IOV_MAX


@cython.cfunc
def first_of(views: list) -> list:
    """As many of the first ones as one job writes."""
    chosen: list = []
    room: cython.Py_ssize_t = LARGEST_WRITE
    for view in views[:MOST_PIECES]:
        part = view[:room]
        chosen.append(part)
        room -= len(part)
        if room == 0:
            break
    return chosen


@cython.cfunc
def rest_of(views: list, count: cython.longlong) -> list:
    """What is left of them after the first `count` bytes."""
    index: cython.Py_ssize_t = 0
    while index < len(views) and count >= len(views[index]):
        count -= len(views[index])
        index += 1
    rest: list = views[index:]
    if count:
        rest[0] = rest[0][count:]
    return rest
