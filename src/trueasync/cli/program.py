"""Running a program as `python` does, but as the main coroutine of a run.

What the program can see is as under `python`: sys.argv, sys.path[0], `__main__` and what
stands in it, exit status, tracebacks. Our own frames are left out of those.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import os
import pkgutil
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType, TracebackType

__all__ = ["Program", "from_module", "from_path", "from_text"]


class Program:
    """Compiled code, and the `__main__` it runs in."""

    def __init__(self, code: CodeType, file: str | None = None, spec: ModuleSpec | None = None):
        self.code = code
        self.module = new_main(file, spec)

    def execute(self) -> None:
        """Run it here and now. Suspends the coroutine where the program waits."""
        exec(self.code, vars(self.module))

    def run(self, run: Callable[[Callable[[], None]], None]) -> None:
        """Execute it with `run`; what it raises leaves here, and is shown without our frames.

        Blocks the thread.
        """
        replaced = sys.modules["__main__"]  # kept: who is on the stack stands in it
        sys.modules["__main__"] = self.module
        try:
            run(self.execute)
        except BaseException:
            show_with(self.trimmed)
            raise
        finally:
            del replaced

    def trimmed(self, trace: TracebackType | None) -> TracebackType | None:
        """The traceback from the program's own first frame on; all of it if it has none."""
        found = trace
        while found is not None and found.tb_frame.f_code is not self.code:
            found = found.tb_next
        return found or trace


def show_with(trimmed: Callable[[TracebackType | None], TracebackType | None]) -> None:
    """From now on, let the hook for errors nobody took see only a part of the traceback."""
    show = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        ours = trimmed(trace)
        show(kind, error.with_traceback(ours), ours)  # the default looks at the error itself

    sys.excepthook = hook


def compiled(source: bytes | str, file: str) -> CodeType:
    try:
        return compile(source, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        show_with(lambda trace: None)
        raise


def from_path(path: str, arguments: list[str]) -> Program:
    """A script, or a folder or archive with a `__main__.py`. Never suspends."""
    sys.argv = [path, *arguments]
    if holds_modules(path):
        sys.path[0] = os.path.abspath(path)
        return main_of(importlib.machinery.PathFinder.find_spec("__main__", [path]), path)
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    file = os.path.abspath(path)
    try:
        with io.open_code(file) as opened:
            source = opened.read()
    except OSError as error:
        sys.exit(f"trueasync: can't open file {path!r}: [Errno {error.errno}] {error.strerror}")
    return Program(compiled(source, file), file)


def from_module(name: str, arguments: list[str]) -> Program:
    """A module, or the `__main__` of a package, as `python -m`. Never suspends."""
    sys.path[0] = os.getcwd()
    sys.argv = ["-m", *arguments]
    spec = find(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = find(f"{name}.__main__")
    program = main_of(spec, name)
    sys.argv[0] = vars(program.module)["__file__"] or name
    return program


def from_text(text: str, arguments: list[str]) -> Program:
    """A text, as `python -c`. Never suspends."""
    sys.path[0] = ""
    sys.argv = ["-c", *arguments]
    return Program(compiled(text, "<string>"))


def holds_modules(path: str) -> bool:
    importer = pkgutil.get_importer(path)
    return importer is not None and (os.path.isdir(path) or not path.endswith((".py", ".pyw")))


def find(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        sys.exit(f"trueasync: error while finding the module {name!r}: {error}")


def main_of(spec: ModuleSpec | None, what: str) -> Program:
    """The program that a spec stands for."""
    loader = spec and spec.loader
    code = loader.get_code(spec.name) if spec and hasattr(loader, "get_code") else None  # type: ignore[union-attr]
    if spec is None or code is None:
        sys.exit(f"trueasync: no module to run was found for {what!r}")
    return Program(code, spec.origin, spec)


def new_main(file: str | None, spec: ModuleSpec | None) -> ModuleType:
    """A fresh `__main__`, with what `python` puts into it."""
    module = type(sys)("__main__")
    names = vars(module)
    names["__builtins__"] = sys.modules["builtins"]
    names["__annotations__"] = {}
    if file is not None:
        names["__file__"] = file
        names["__cached__"] = spec.cached if spec else None
    names["__spec__"] = spec
    names["__loader__"] = spec.loader if spec else None
    names["__package__"] = spec.parent if spec else None
    return module
