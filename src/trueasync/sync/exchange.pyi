from typing import final

from typing_extensions import disjoint_base

from .line import Turn

@disjoint_base
class Exchange(Turn): ...

@final
class Getting(Exchange): ...

@final
class Putting(Exchange): ...

@final
class Joining(Turn): ...
