from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from .coroutine import Coroutine
from .moment import Moment
from .scheduler import Scheduler

_T = TypeVar("_T")

def run_main(
    scheduler: Scheduler,
    function: Callable[..., _T],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    handlers: Iterable[Callable[[Coroutine[Any], Moment], object]] = (),
) -> _T: ...
