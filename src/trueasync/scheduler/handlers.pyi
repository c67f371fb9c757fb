from .moment import Moment

MOMENTS: tuple[Moment, ...]
