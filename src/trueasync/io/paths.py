"""Paths: what `os` and `shutil` do with folders and names, each call by a thread.

The table below is all there is: every call takes, returns and raises what the original does.
"""

from __future__ import annotations

import os
import shutil

from .offload import offload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")


def by_thread(function: Callable[P, T]) -> Callable[P, T]:
    """`function`, called in a thread. Never suspends; what it makes does."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return offload(function, *args, **kwargs)

    name = f"{function.__module__.replace('posix', 'os')}.{function.__name__}"
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"As `{name}`. Suspends the coroutine. Not for other threads."
    return call


def list_entries(path: str | os.PathLike[str] = ".") -> list[os.DirEntry[str]]:
    """What `os.scandir` finds, as a list. Blocks the thread."""
    with os.scandir(path) as found:
        return list(found)


# -- what there is
stat = by_thread(os.stat)
lstat = by_thread(os.lstat)
access = by_thread(os.access)
exists = by_thread(os.path.exists)
isfile = by_thread(os.path.isfile)
isdir = by_thread(os.path.isdir)
realpath = by_thread(os.path.realpath)
readlink = by_thread(os.readlink)
statvfs = by_thread(os.statvfs)

# -- folders
listdir = by_thread(os.listdir)
scandir = by_thread(list_entries)
mkdir = by_thread(os.mkdir)
makedirs = by_thread(os.makedirs)
rmdir = by_thread(os.rmdir)
rmtree = by_thread(shutil.rmtree)
copytree = by_thread(shutil.copytree)

# -- names
rename = by_thread(os.rename)
replace = by_thread(os.replace)
unlink = by_thread(os.unlink)
remove = by_thread(os.remove)
link = by_thread(os.link)
symlink = by_thread(os.symlink)
copyfile = by_thread(shutil.copyfile)
move = by_thread(shutil.move)

# -- what is known of them
chmod = by_thread(os.chmod)
chown = by_thread(os.chown)
utime = by_thread(os.utime)
truncate = by_thread(os.truncate)

__all__ = [
    "access",
    "chmod",
    "chown",
    "copyfile",
    "copytree",
    "exists",
    "isdir",
    "isfile",
    "link",
    "listdir",
    "lstat",
    "makedirs",
    "mkdir",
    "move",
    "readlink",
    "realpath",
    "remove",
    "rename",
    "replace",
    "rmdir",
    "rmtree",
    "scandir",
    "stat",
    "statvfs",
    "symlink",
    "truncate",
    "unlink",
    "utime",
]
