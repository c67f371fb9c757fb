"""For tests of programs that wait: no wall clock, any schedule.

virtual.py   a reactor whose clock jumps, and run() on it
scripted.py  what else happens outside, when a test says so
peer.py      a TCP server that treats its clients badly
"""

from __future__ import annotations

from .peer import FaultyPeer, drip, half_close, receive, reset, send, stall
from .virtual import VirtualReactor, run

__all__ = [
    "FaultyPeer",
    "VirtualReactor",
    "drip",
    "half_close",
    "receive",
    "reset",
    "run",
    "send",
    "stall",
]
