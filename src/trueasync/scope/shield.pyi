from types import TracebackType
from typing import final

from ..scheduler.block import Block

@final
class Shield(Block):
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None: ...

def shield() -> Shield: ...
