"""Compiles the core; everything else about the package is in pyproject.toml.

Every ``*.py`` of the folders below that has a ``.pxd`` beside it becomes an
extension module with the same name. Three settings come from the environment:

TRUEASYNC_CFLAGS   flags for the C compiler, by default ``-O2 -g0``
TRUEASYNC_TRACE=1  compile in line tracing, for coverage and nothing else
TRUEASYNC_STRICT   1 or 0: are Cython's warnings errors? Yes in a git checkout
"""

import os
import shlex
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
PACKAGE = Path("src/trueasync")
COMPILED_FOLDERS = ("events", "scheduler", "reactor", "scope", "sync", "io", "stdlib")
LIBUV = "libuv >= 1.44"
LIBUV_FOLDER = "reactor"  # the only one that may know libuv

CFLAGS = shlex.split(os.environ.get("TRUEASYNC_CFLAGS", "-O2 -g0"))
TRACE = os.environ.get("TRUEASYNC_TRACE") == "1"
# A newer Cython may warn of new things; that must not stop someone who installs.
STRICT = os.environ.get("TRUEASYNC_STRICT", str(int((ROOT / ".git").exists()))) == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "binding": True,
    "auto_pickle": False,
    "embedsignature": True,
    "linetrace": TRACE,
}
# With sys.monitoring, 3.13 loses the frame when a greenlet switches under a tracer.
TRACE_MACROS = [
    ("CYTHON_TRACE", "1"),
    ("CYTHON_TRACE_NOGIL", "1"),
    ("CYTHON_USE_SYS_MONITORING", "0"),
]


class AskFirst(build):
    """Says that libuv is missing before anything else is said."""

    def run(self):
        ask_pkg_config("--exists", LIBUV)
        super().run()


class CompileCore(build_ext):
    """Runs Cython and asks for libuv only when something is really compiled.

    Reading the metadata or packing the sources needs neither.
    """

    def run(self):
        # An option is no part of a time stamp: a new one means everything again.
        stamp = Path("build/core-settings")
        settings = core_settings()
        if not stamp.exists() or stamp.read_text() != settings:
            self.force = True
        stamp.unlink(missing_ok=True)

        for extension in self.extensions:
            add_headers_and_libraries(extension)
        translate_to_c(self.extensions, force=self.force)
        super().run()

        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(settings)
        self.remove_orphans()

    def remove_orphans(self):
        """A module that is compiled no more would still win over its source."""
        wanted = {extension.name for extension in self.extensions}
        for path in Path("src").rglob("*.so"):
            if ".".join(path.with_name(path.name.partition(".")[0]).parts[1:]) not in wanted:
                path.unlink()


def core_extensions():
    """One extension for each compiled module, still with its Python source."""
    sources = [
        path
        for folder in COMPILED_FOLDERS
        for path in sorted((PACKAGE / folder).glob("*.py"))
        if path.with_suffix(".pxd").exists()
    ]
    return [
        Extension(
            f"trueasync.{path.parent.name}.{path.stem}",
            [path.as_posix()],
            depends=[header.as_posix() for header in sorted(PACKAGE.glob("_c/*.h"))],
            define_macros=list(TRACE_MACROS) if TRACE else [],
            # greenlet.h defines a pointer that not every module uses.
            extra_compile_args=["-Wno-unused-variable", *CFLAGS],
        )
        for path in sources
    ]


def add_headers_and_libraries(extension):
    import greenlet

    extension.include_dirs += [
        str(PACKAGE / "_c"),
        str(Path(greenlet.__file__).parent.parent),  # for "greenlet/greenlet.h"
    ]
    if extension.name.split(".")[1] == LIBUV_FOLDER:
        extension.extra_compile_args += ask_pkg_config("--cflags", LIBUV)
        extension.extra_link_args += ask_pkg_config("--libs", LIBUV)


def translate_to_c(extensions, force):
    """Give each extension its generated C file, written below build/."""
    from Cython.Build import cythonize
    from Cython.Compiler import Errors, Options

    Options.warning_errors = STRICT
    try:
        translated = cythonize(
            extensions,
            build_dir="build/cython",
            include_path=["src"],  # where `cython.cimports.trueasync` is searched
            compiler_directives=DIRECTIVES,
            force=force,
            # Not where a worker would run this file again, or can have no semaphore.
            nthreads=(os.cpu_count() or 1) if os.access("/dev/shm", os.W_OK) else 0,
        )
    except Errors.CompileError as error:  # the place and reason are printed already
        raise SystemExit(f"Cython did not accept {error}") from None
    c_files = {extension.name: extension.sources for extension in translated}
    for extension in extensions:
        extension.sources = c_files[extension.name]


def ask_pkg_config(*arguments):
    program = os.environ.get("PKG_CONFIG", "pkg-config")
    try:
        answer = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(
            f"trueasync is compiled against {LIBUV}, which pkg-config did "
            "not find; install both: `apt-get install libuv1-dev pkg-config` on Debian "
            "and Ubuntu, `dnf install libuv-devel pkgconf-pkg-config` on Fedora, "
            "`brew install libuv pkg-config` on macOS."
        ) from None
    return shlex.split(answer.stdout)


def core_settings():
    import Cython

    return repr((CFLAGS, TRACE, STRICT, sorted(DIRECTIVES.items()), Cython.__version__))


os.chdir(ROOT)
setup(
    ext_modules=core_extensions(),
    cmdclass={"build": AskFirst, "build_ext": CompileCore},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
