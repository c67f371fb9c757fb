"""Exception groups, on every Python: several errors as one."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

if sys.version_info < (3, 11) and TYPE_CHECKING:
    from exceptiongroup import BaseExceptionGroup

__all__ = ["group_of", "new_group"]


def new_group(text: str, errors: Sequence[BaseException]) -> BaseExceptionGroup[BaseException]:
    """An ExceptionGroup, or a BaseExceptionGroup if one of `errors` is no Exception."""
    if sys.version_info < (3, 11):
        from exceptiongroup import BaseExceptionGroup as Group
    else:
        Group = BaseExceptionGroup
    return Group(text, errors)


def group_of(errors: Sequence[BaseException]) -> BaseException | None:
    """All of them as one, or the only one, or None."""
    if len(errors) < 2:
        return errors[0] if errors else None
    return new_group("errors nobody took", errors)
