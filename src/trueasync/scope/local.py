"""local: attributes that each coroutine has for itself, as `threading.local` for threads."""

import _thread
import weakref

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import coroutine_here

plain_init = object.__init__
plain_get = object.__getattribute__
MISSING = object()
READ_ONLY = "{!r} object attribute '__dict__' is read-only"


@cython.cclass
class local:
    """As `threading.local`, for coroutines, and for native threads where none runs.

    A subclass's `__init__` is called in each coroutine that uses it, with the same arguments.
    What a coroutine has put there goes when its function has ended.
    Never suspends. Safe from any thread.
    """

    def __cinit__(self, *arguments, **keywords):
        if (arguments or keywords) and type(self).__init__ is plain_init:
            raise TypeError("Initialization arguments are not supported")
        self.arguments = arguments
        self.keywords = keywords
        self.threads = _thread._local()
        self.put_names()  # here __init__ is called by who makes it

    @cython.cfunc
    def names(self) -> dict:
        """The attributes for who is here."""
        names: dict
        coroutine: Coroutine = coroutine_here()
        if coroutine is None:
            names = self.threads.__dict__.get("names")
        elif coroutine.extras is None or coroutine.extras.locals is None:
            names = None
        else:
            names = coroutine.extras.locals.get(self)
        if names is None:
            names = self.put_names()
            if type(self).__init__ is not plain_init:
                type(self).__init__(self, *self.arguments, **self.keywords)
        return names

    @cython.cfunc
    def put_names(self) -> dict:
        names: dict = {}
        coroutine: Coroutine = coroutine_here()
        if coroutine is None:
            self.threads.names = names
            return names
        if coroutine.need_extras().locals is None:
            coroutine.extras.locals = weakref.WeakKeyDictionary()
        coroutine.extras.locals[self] = names
        return names

    def __getattribute__(self, name):
        names: dict = self.names()
        if name in names:
            return names[name]
        return names if name == "__dict__" else plain_get(self, name)

    def __setattr__(self, name, value):
        names: dict = self.names()
        if name == "__dict__":
            raise AttributeError(READ_ONLY.format(type(self).__name__))
        descriptor = getattr(type(self), name, None)
        if hasattr(descriptor, "__set__"):
            descriptor.__set__(self, value)  # a property, or a slot
        else:
            names[name] = value

    def __delattr__(self, name):
        names: dict = self.names()
        if name == "__dict__":
            raise AttributeError(READ_ONLY.format(type(self).__name__))
        descriptor = getattr(type(self), name, None)
        if hasattr(descriptor, "__delete__"):
            descriptor.__delete__(self)
        elif names.pop(name, MISSING) is MISSING:
            raise AttributeError(name)
