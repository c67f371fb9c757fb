"""The programs of the scenario "processes": what is run, and what it must say."""

from __future__ import annotations

COMMAND = ("/bin/echo", "word")
SAYS = b"word\n"


class Programs:
    """Hands out the turns, one for each program, and checks what was said."""

    def __init__(self, programs: int) -> None:
        self.turns = iter(range(programs))
        self.ended: list[int] = []  # several threads may append

    def said(self, output: bytes | None, code: int | None) -> None:
        """Count a program that ended well."""
        if output != SAYS or code != 0:
            raise ValueError(f"a program has ended with {code} and said {output!r}")
        self.ended.append(code)

    @property
    def run(self) -> int:
        """How many have ended well."""
        return len(self.ended)
