"""What others see of the package: its version, its names, what comes with it and what it costs."""

import ast
import enum
import fnmatch
import importlib
import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import trueasync

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "trueasync"

# Each costs every program milliseconds at its start; whoever needs one imports it when needed.
TOO_EXPENSIVE = """
    argparse asyncio concurrent.futures ctypes dataclasses datetime email http importlib.metadata
    json logging multiprocessing pathlib pickle queue random select selectors shutil socket ssl
    subprocess tempfile threading unittest urllib uuid cython Cython setuptools
"""


# -- version, files, import --------------------------------------------------------------


def test_the_version_is_that_of_the_project_file():
    written = re.search(r'^version = "(.+?)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)

    assert trueasync.__version__ == written[1]


def test_the_version_is_that_of_the_installed_package():
    try:
        installed = importlib.metadata.version("trueasync")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("runs from a source tree that is not installed")

    assert trueasync.__version__ == installed


def test_type_information_and_headers_are_packaged():
    project = (ROOT / "pyproject.toml").read_text()
    patterns = (
        re.search(r"^\"\*\" = \[(.+)\]", project, re.MULTILINE)[1].replace('"', "").split(", ")
    )
    files = [p for p in SOURCE.rglob("*") if p.suffix in (".pyi", ".pxd", ".h", ".typed")]

    assert SOURCE / "py.typed" in files
    for path in files:
        assert any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns), path
        assert (path.parent / "__init__.py").exists(), f"{path.parent} would not be packaged"


def test_the_import_brings_in_no_module_that_costs_much():
    code = f"import sys, trueasync; print(*set({TOO_EXPENSIVE.split()}) & set(sys.modules))"

    # -S: without what the installed .pth files import.
    paths = [str(SOURCE.parent), *[p for p in sys.path if p.endswith("-packages")]]
    setup = f"import sys; sys.path += {paths}; "
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", setup + code], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == []


def test_what_is_imported_later_is_what_type_checkers_are_told():
    module = SOURCE / "__init__.py"
    block = next(node for node in ast.parse(module.read_text()).body if isinstance(node, ast.If))
    told = {alias.name: node.module for node in block.body for alias in node.names}

    assert told == trueasync.LATER
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        print(trueasync.nothing)


def test_the_import_prints_and_warns_of_nothing():
    command = [sys.executable, "-W", "error", "-c", "import trueasync"]

    ran = subprocess.run(command, capture_output=True, text=True)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


# -- what is public ----------------------------------------------------------------------

SUSPENDS = ("Suspends the coroutine", "Never suspends", "Blocks the thread")
THREADS = ("Safe from any thread", "Not for other threads", "any number of threads")


def public_callables() -> dict[str, tuple[str, str]]:
    """Name -> docstring, and that of its class, for functions and methods of classes."""
    texts = {}
    for package in ("trueasync", "trueasync.testing"):
        module = importlib.import_module(package)
        for name in module.__all__:
            item = getattr(module, name)
            if not isinstance(item, type):
                texts[f"{package}.{name}"] = (item.__doc__ or "", "")
            elif not issubclass(item, (BaseException, enum.Enum)):
                texts |= {f"{package}.{name}.{m}": t for m, t in methods_of(item)}
    return texts


def methods_of(cls: type) -> Iterator[tuple[str, tuple[str, str]]]:
    for name in dir(cls):
        if not name.startswith("_") and callable(getattr(cls, name)):
            # An override does what the method it overrides says.
            bases = [base for base in cls.__mro__ if name in vars(base)]
            if bases[0].__module__ == "builtins":
                continue  # what a tuple can do is said elsewhere
            own = " ".join(vars(base)[name].__doc__ or "" for base in bases)
            yield name, (own, " ".join(base.__doc__ or "" for base in cls.__mro__[:-1]))


def says_one_of(phrases: tuple[str, ...], *texts: str) -> bool:
    words = " ".join(" ".join(texts).split())
    return any(phrase in words for phrase in phrases)


def test_every_public_callable_says_whether_it_suspends():
    silent = [n for n, (own, _) in public_callables().items() if not says_one_of(SUSPENDS, own)]

    assert silent == []


def test_every_public_callable_says_who_may_call_it_or_its_class_does_for_all():
    silent = [n for n, texts in public_callables().items() if not says_one_of(THREADS, *texts)]

    assert silent == []


@pytest.mark.parametrize("package", ["trueasync", "trueasync.testing"])
def test_all_lists_exactly_what_a_package_imports_for_others(package):
    module = importlib.import_module(package)
    tree = ast.parse(Path(module.__file__).read_text())
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }

    assert sorted(imported) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
