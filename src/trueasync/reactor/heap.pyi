from typing import final

@final
class TimerHeap: ...
