from typing_extensions import disjoint_base

from .stream import Stream

@disjoint_base
class DescriptorStream(Stream):
    def fileno(self) -> int: ...
    def detach(self) -> int: ...
