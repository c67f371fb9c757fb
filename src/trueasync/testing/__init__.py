"""For tests of programs that wait: no wall clock, any schedule.

virtual.py   a reactor whose clock jumps, and run() on it
scripted.py  what else happens outside, when a test says so
"""

from __future__ import annotations

from .virtual import VirtualReactor, run

__all__ = ["VirtualReactor", "run"]
