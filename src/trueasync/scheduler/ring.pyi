from typing import Any

from typing_extensions import disjoint_base

@disjoint_base
class Ring:
    @property
    def count(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...
