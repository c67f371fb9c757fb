"""Settings: how a run is to be run; from `options(...)`, else from the environment."""

from __future__ import annotations

import math
import os
import signal

__all__ = ["GRACE", "Settings"]

GRACE = 10.0  # seconds


class Settings:
    """`grace` of a shutdown and limit of the watchdog in seconds, signal for reports, or None."""

    def __init__(
        self,
        grace: float | None = None,
        watchdog: float | None = None,
        report_on: int | None = None,
    ) -> None:
        self.grace = GRACE if grace is None else grace
        self.watchdog = seconds_from("TRUEASYNC_WATCHDOG") if watchdog is None else watchdog
        self.report_on = signal_from("TRUEASYNC_REPORT") if report_on is None else report_on
        self.at_exit = False  # it is the run of the exit phase
        self.asked_for_reports = report_on is not None  # and not by the environment
        if not self.grace >= 0:
            raise ValueError(f"the grace must be 0 or more seconds, not {self.grace}")
        if not 0 <= self.watchdog < math.inf:
            raise ValueError(f"the limit of a watchdog must be seconds, not {self.watchdog}")


def seconds_from(variable: str) -> float:
    """0 where it is not set."""
    text = os.environ.get(variable) or "0"
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{variable} must be a number of seconds, not {text!r}") from None


def signal_from(variable: str) -> int | None:
    """`SIGUSR1`, `USR1` or a number; None where it is not set."""
    text = os.environ.get(variable)
    if not text:
        return None
    name = text.upper() if text.upper().startswith("SIG") else f"SIG{text.upper()}"
    try:
        return int(text) if text.isdecimal() else signal.Signals[name]
    except KeyError:
        raise ValueError(f"{variable} must name a signal, as SIGUSR1 does, not {text!r}") from None
