from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar, overload

from .awaitable import Awaitable

_K = TypeVar("_K", bound=Hashable)
_T = TypeVar("_T")

def await_(thing: Awaitable[_T], *, token: Awaitable[Any] | None = None) -> _T: ...
@overload
def await_all(
    things: Mapping[_K, Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> tuple[dict[_K, _T], dict[_K, BaseException]]: ...
@overload
def await_all(
    things: Iterable[Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> tuple[dict[int, _T], dict[int, BaseException]]: ...
@overload
def await_all_or_fail(
    things: Mapping[_K, Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> dict[_K, _T]: ...
@overload
def await_all_or_fail(
    things: Iterable[Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> list[_T]: ...
@overload
def await_any(
    things: Mapping[_K, Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> tuple[dict[_K, _T], dict[_K, BaseException]]: ...
@overload
def await_any(
    things: Iterable[Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> tuple[dict[int, _T], dict[int, BaseException]]: ...
def await_any_or_fail(
    things: Mapping[Any, Awaitable[_T]] | Iterable[Awaitable[_T]],
    *,
    token: Awaitable[Any] | None = None,
) -> _T: ...
def await_first_success(
    things: Mapping[Any, Awaitable[_T]] | Iterable[Awaitable[_T]],
    *,
    token: Awaitable[Any] | None = None,
) -> _T: ...
@overload
def await_any_of(
    count: int, things: Mapping[_K, Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> tuple[dict[_K, _T], dict[_K, BaseException]]: ...
@overload
def await_any_of(
    count: int, things: Iterable[Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> tuple[dict[int, _T], dict[int, BaseException]]: ...
@overload
def await_any_of_or_fail(
    count: int, things: Mapping[_K, Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> dict[_K, _T]: ...
@overload
def await_any_of_or_fail(
    count: int, things: Iterable[Awaitable[_T]], *, token: Awaitable[Any] | None = None
) -> list[_T]: ...
def race(
    things: Mapping[Any, Awaitable[_T]] | Iterable[Awaitable[_T]],
    *,
    token: Awaitable[Any] | None = None,
) -> _T: ...
