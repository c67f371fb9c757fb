from ..reactor.base import Reactor
from .scheduler import Scheduler

def go_on_alone(scheduler: Scheduler, reactor: Reactor) -> None: ...
