"""InTurn: calls one after another, where one that waits holds up nobody behind it.

The specification's way for destructors at the end of a program: the coroutine that calls has a
switch handler, and when it leaves in the middle of a call, another, of high priority, goes on
with the rest. Calls that never wait so cost one coroutine in all.
"""

from __future__ import annotations

from ..scheduler.calls import Options, current_coroutine, running_scheduler
from ..scheduler.moment import Moment, Priority

__all__ = ["InTurn"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ..scheduler.coroutine import Coroutine


class InTurn:
    """Takes calls from `calls` in order; what one raises goes to `failed`, and the rest go on."""

    def __init__(
        self,
        calls: Iterator[Callable[[], object]],
        failed: Callable[[BaseException], None],
        name: str,
    ) -> None:
        self.calls = calls
        self.failed = failed
        self.options = Options(name, Priority.HIGH)
        self.caller: Coroutine[Any] | None = None  # who goes on with the rest

    def work(self) -> None:
        """Call all that are left; returns early if it had to wait, and another went on.

        Suspends the coroutine.
        """
        self.scheduler = running_scheduler("work")
        me = self.caller = current_coroutine()
        me.add_switch_handler(self.on_switch)
        for call in self.calls:
            try:
                call()
            except (Exception, SystemExit) as error:
                self.failed(error)
            if self.caller is not me:
                return
        self.caller = None

    def on_switch(self, coroutine: Coroutine[Any], moment: Moment) -> bool:
        if moment is Moment.LEAVE and self.caller is coroutine and not self.scheduler.hard:
            self.caller = self.options.spawn(self.work)
        return False
