from collections.abc import Callable
from types import TracebackType
from typing import Generic, TypeVar, final

from .breaker import CircuitBreaker
from .loan import Loan

_T = TypeVar("_T")

@final
class Pool(Generic[_T]):
    def __init__(
        self,
        factory: Callable[[], _T],
        *,
        destroy: Callable[[_T], object] | None = None,
        minimum: int = 0,
        maximum: int = 10,
        check: Callable[[_T], object] | None = None,
        check_every: float = 30.0,
        before_acquire: Callable[[_T], object] | None = None,
        before_release: Callable[[_T], object] | None = None,
        breaker: CircuitBreaker | None = None,
        on_error: Callable[[Exception], object] | None = None,
    ) -> None: ...
    @property
    def breaker(self) -> CircuitBreaker | None: ...
    @property
    def minimum(self) -> int: ...
    @property
    def maximum(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    @property
    def total(self) -> int: ...
    @property
    def idle(self) -> int: ...
    def acquire(self, timeout: float | None = None) -> Loan[_T]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Pool[_T]: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
