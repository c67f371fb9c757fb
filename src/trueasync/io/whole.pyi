from typing import final

from typing_extensions import Buffer

from .jobs import OpenJob, WriteJob, _Path

@final
class LoadJob(OpenJob):
    def __init__(self, path: _Path, flags: int) -> None: ...

@final
class StoreJob(WriteJob):
    def __init__(self, path: _Path, flags: int, mode: int, piece: Buffer) -> None: ...
    def take(self) -> int: ...
