from types import TracebackType
from typing import Generic, TypeVar, final

from .line import Turn

_T = TypeVar("_T")

@final
class Loan(Generic[_T]):
    @property
    def resource(self) -> _T: ...
    def release(self) -> None: ...
    def discard(self) -> None: ...
    def __enter__(self) -> _T: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

@final
class Wanting(Turn): ...
