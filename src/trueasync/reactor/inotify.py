"""Inotify: the system calls by which Linux tells of changes in directories.

One queue for each reactor, since a user may have no more than 128. We read it ourselves:
libuv's uv_fs_event_t drops the message that the queue has overflowed, and says of a create,
a delete and a rename the same (decision 13).
"""

import os

import cython
from cython.cimports.libc.errno import errno
from cython.cimports.posix.unistd import read
from cython.cimports.trueasync._c.inotify import (
    IN_ATTRIB,
    IN_CLOEXEC,
    IN_CREATE,
    IN_DELETE,
    IN_DELETE_SELF,
    IN_DONT_FOLLOW,
    IN_EXCL_UNLINK,
    IN_IGNORED,
    IN_ISDIR,
    IN_MASK_ADD,
    IN_MODIFY,
    IN_MOVE_SELF,
    IN_MOVED_FROM,
    IN_MOVED_TO,
    IN_NONBLOCK,
    IN_ONLYDIR,
    IN_Q_OVERFLOW,
    IN_UNMOUNT,
    inotify_add_watch,
    inotify_event,
    inotify_init1,
    inotify_rm_watch,
)

# The same directory may be watched for more than one reason: none takes from another.
COMMON = IN_ONLYDIR | IN_MASK_ADD

# What is told of a watched directory.
EVERYTHING = (
    IN_CREATE
    | IN_DELETE
    | IN_MODIFY
    | IN_ATTRIB
    | IN_MOVED_FROM
    | IN_MOVED_TO
    | IN_DELETE_SELF
    | IN_MOVE_SELF
    # What is written to a file that has no name any more is nobody's news.
    | IN_EXCL_UNLINK
    | COMMON
)
EVERYTHING_BUT_OF_A_LINK = EVERYTHING | IN_DONT_FOLLOW
ENDS = IN_DELETE | IN_MOVED_FROM | COMMON

# What is told, in words of plain Python.
CREATE = IN_CREATE
DELETE = IN_DELETE
CHANGE = IN_MODIFY | IN_ATTRIB
MOVED_FROM = IN_MOVED_FROM
MOVED_TO = IN_MOVED_TO
GONE = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT
IGNORED = IN_IGNORED
OVERFLOW = IN_Q_OVERFLOW
IS_DIRECTORY = IN_ISDIR


def open_queue() -> int:
    """The descriptor of a new queue; it does not wait, and no child gets it. Never suspends."""
    fd: cython.int = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)
    if fd < 0:
        raise OSError(errno, f"directories cannot be watched: {os.strerror(errno)}")
    return fd


def add_watch(fd: cython.int, path: str, mask: cython.uint) -> int:
    """Be told of a directory; the number of the watch. The same directory, the same number.

    Never suspends.
    """
    name: bytes = os.fsencode(path)
    watch: cython.int = inotify_add_watch(fd, name, mask)
    if watch < 0:
        raise OSError(errno, os.strerror(errno), path)
    return watch


def remove_watch(fd: cython.int, watch: cython.int) -> None:
    """Be told no more; of a directory that has gone this is no news. Never suspends."""
    inotify_rm_watch(fd, watch)


def read_queue(fd: cython.int) -> tuple:
    """What is there, as (watch, mask, cookie, name) each, and whether that was all.

    At most 64 KiB, so that nobody else waits for long. Never suspends.
    """
    told: list = []
    buffer: cython.char[65536]
    size: cython.Py_ssize_t = read(fd, buffer, 65536)
    place: cython.Py_ssize_t = 0
    event: cython.pointer(inotify_event)
    while place < size:
        event = cython.cast(cython.pointer(inotify_event), cython.address(buffer[place]))
        name = os.fsdecode(cython.cast(bytes, event.name)) if event.len else ""
        told.append((event.wd, event.mask, event.cookie, name))
        place += cython.sizeof(inotify_event) + event.len
    # Less than the longest name would have had room: nothing was left behind.
    return told, size < 65536 - 512
