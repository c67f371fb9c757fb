from typing import final

from .descriptor_stream import DescriptorStream

@final
class PipeStream(DescriptorStream):
    def __init__(self, fd: int, name: str = "a pipe") -> None: ...
