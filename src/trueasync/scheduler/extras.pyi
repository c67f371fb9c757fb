from typing import final

@final
class Extras: ...
