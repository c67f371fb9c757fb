from typing import final

@final
class SignalWakeup: ...
