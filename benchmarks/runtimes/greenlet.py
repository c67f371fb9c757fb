"""Bare greenlets: the price of the switch that trueasync and gevent are built on."""

from __future__ import annotations

from greenlet import getcurrent, greenlet

from benchmarks.meter import Meter
from benchmarks.ring import Ring


def run(workload, meter: Meter, **sizes) -> None:
    workload(meter, **sizes)


def yield_ring(meter: Meter, coroutines: int, turns: int) -> None:
    """Each greenlet switches to the next. There is no scheduler: nothing can be cheaper."""
    ring = Ring(meter, coroutines, turns)
    main = getcurrent()
    greenlets = [greenlet(take_turns) for _ in range(coroutines)]
    for place, started in enumerate(greenlets):
        following = greenlets[(place + 1) % coroutines]
        # Started from here, not from each other: nested starts would pile up on the C stack.
        started.switch(ring, ring.turns[place], main.switch, following.switch)
    for started in greenlets:
        started.switch()


def take_turns(ring, turns, park, switch_to_next) -> None:
    park()
    ring.begin()
    for _ in turns:
        switch_to_next()
    ring.end()
