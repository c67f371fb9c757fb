EVERYTHING: int
EVERYTHING_BUT_OF_A_LINK: int
ENDS: int
CREATE: int
DELETE: int
CHANGE: int
MOVED_FROM: int
MOVED_TO: int
GONE: int
IGNORED: int
OVERFLOW: int
IS_DIRECTORY: int

def open_queue() -> int: ...
def add_watch(fd: int, path: str, mask: int) -> int: ...
def remove_watch(fd: int, watch: int) -> None: ...
def read_queue(fd: int) -> tuple[list[tuple[int, int, int, str]], bool]: ...
