"""How to wait for timeouts and for the ends of threads."""

from __future__ import annotations

from ..events.event import Event, Listener
from ..reactor.base import Reactor, ReactorEvent
from ..scheduler.calls import running_scheduler
from .awaitable import register

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading

    from ..scope.timeout import Timeout

__all__ = ["Expired", "ThreadEnded"]


class ThreadEnded(ReactorEvent):
    """A `threading.Thread` has ended; that has no result."""

    def __init__(self, reactor: Reactor, thread: threading.Thread) -> None:
        super().__init__(reactor)
        self.home = reactor
        self.thread = thread
        self.asked = False

    def arm(self) -> None:
        if self.thread.ident is None:
            raise RuntimeError(f"{self.thread!r} has not been started; its end would never come")
        super().arm()
        if not self.thread.is_alive():
            self.fire()
        elif not self.asked:
            self.asked = True
            import threading

            # The end of a thread tells nobody: another one has to wait for it.
            name = f"trueasync waits for {self.thread.name}"
            threading.Thread(target=self.join, name=name, daemon=True).start()

    def join(self) -> None:
        self.thread.join()
        self.home.post(self.fire)

    def info(self) -> str:
        return f"the end of thread {self.thread.name}"


class Expired(Event):
    """The time of a `timeout(...)` or `deadline(...)` is over; fires with TimeoutError."""

    def __init__(self, limit: Timeout) -> None:
        self.deadline = limit.begin()
        self.timer: Event | None = None

    def arm(self) -> None:
        reactor = running_scheduler("await_").reactor
        remaining = self.deadline - reactor.now()
        if remaining <= 0:
            self.expire()
        elif self.deadline != float("inf"):
            self.timer = reactor.timer(remaining)
            self.timer.add_listener(Bell(self))
            self.timer.start()

    def disarm(self) -> None:
        if self.timer is not None:
            self.timer.stop()

    def expire(self) -> None:
        self.fire(error=TimeoutError("the time was over"))

    def info(self) -> str:
        return "the end of a timeout"


class Bell(Listener):
    """Told by the timer."""

    def __init__(self, expired: Expired) -> None:
        self.expired = expired

    def notify(self, event: Event) -> bool:
        self.expired.expire()
        return True


register("trueasync.scope.timeout.Timeout", Expired)
register(
    "threading.Thread", lambda thread: ThreadEnded(running_scheduler("await_").reactor, thread)
)
