"""What Linux says about this process."""

from __future__ import annotations

import os

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident_bytes() -> int:
    """The resident set size (RSS) of this process."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * PAGE


def count_mappings() -> int:
    """How many memory mappings this process has; Linux allows 65,530 by default."""
    with open("/proc/self/maps") as maps:
        return sum(1 for _ in maps)
