#!/usr/bin/env python3
"""Sets up what is missing, then works: python3 dev.py COMMAND [ARGUMENTS]

  demo    show what trueasync does
  test    run the tests (arguments go to pytest)
  check   lint, types, stubs, architecture
  bench   compare with the peers (arguments go to the benchmarks)
  conformance  run CPython's own tests under the patches (arguments: modules)
  stress  run the long tests (arguments go to pytest)
  wheel   make dist/: the sdist, and a wheel that brings its own libuv
  build   set up and compile, nothing else
  clean   remove what the commands above made, except results of benchmarks

Needs Python 3.10 or newer with pip. What else the build needs comes from apt
where that works without asking; elsewhere you are told what to install.
TRUEASYNC_VENV names another folder than .venv, to keep several Pythons set up.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
VENV = ROOT / os.environ.get("TRUEASYNC_VENV", ".venv")
PYTHON = str(VENV / "bin" / "python")
PATH = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
ENVIRONMENT = {**os.environ, "VIRTUAL_ENV": str(VENV), "PATH": PATH}

SYSTEM_PACKAGES = """
  Debian, Ubuntu   apt-get install gcc libc6-dev pkg-config libuv1-dev python3-dev
  Fedora           dnf install gcc pkgconf-pkg-config libuv-devel python3-devel
  macOS            brew install pkg-config libuv"""

# Run in an empty venv: the wheel must work with nothing of this machine's libuv.
PROVE_WHEEL = """
import pathlib, trueasync
trueasync.run(trueasync.sleep, 0.01)
maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
used = {line.split()[-1] for line in maps if "libuv" in line}
assert used and all("/trueasync.libs/" in path for path in used), used
print("dev.py: the wheel works, with", *used)
"""


def main(command: str = "--help", *arguments: str) -> None:
    if sys.version_info < (3, 10):  # noqa: UP036 - whoever has an older one starts this too
        sys.exit(f"dev.py: needs Python 3.10 or newer, this is {sys.version.split()[0]}")
    os.chdir(ROOT)
    try:
        if command in PROGRAMS:
            group, program = PROGRAMS[command]
            set_up(group)
            # In our place, so that signals and the exit status are the program's own.
            os.execve(PYTHON, [PYTHON, *program, *arguments], ENVIRONMENT)
        elif command in TASKS:
            TASKS[command]()
        else:
            sys.exit(f"{__doc__}\ndev.py: there is no command {command!r}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"dev.py: this failed, its reason is above: {' '.join(error.cmd[:5])} ...")
    except KeyboardInterrupt:
        sys.exit(130)


def check() -> None:
    """Run every check, also after one has failed."""
    set_up("check")
    compiled = [Path(name.partition(".")[0]) for name in compiled_modules()]
    stubs = [".".join(x.parts[1:]) for x in compiled if x.with_suffix(".pyi").exists()]
    steps = [
        ["ruff", "check"],
        ["ruff", "format", "--check"],
        ["cython-lint", *map(str, sorted(Path("src").rglob("*.pxd")))],
        ["mypy", *(f"--exclude={path}[.]py$" for path in compiled)],
        ["pytest", "-q", "tests/test_architecture.py"],
    ]
    if stubs:  # they may leave out what Cython adds, but say nothing that is not so
        options = ["--ignore-missing-stub", "--mypy-config-file", "pyproject.toml"]
        steps.append(["stubtest", *options, *stubs])

    failed = []
    for step in steps:
        say(" ".join(step)[:70])
        if subprocess.run(step, env=ENVIRONMENT).returncode:
            failed.append(step[0])
    if failed:
        sys.exit(f"dev.py: check failed: {', '.join(failed)}")


def wheel() -> None:
    """Build from the sdist alone, bundle libuv (Linux only), try the result elsewhere."""
    set_up("wheel")
    shutil.rmtree("dist", ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        run(PYTHON, "-m", "build", "--outdir", folder)
        (sdist,), (built,) = Path(folder).glob("*.gz"), Path(folder).glob("*.whl")
        Path("dist").mkdir()
        shutil.copy(sdist, "dist")
        run(PYTHON, "-m", "auditwheel", "repair", "--wheel-dir", "dist", str(built))
        (repaired,) = Path("dist").resolve().glob("*.whl")

        venv.create(Path(folder, "empty"), symlinks=True)
        empty = str(Path(folder, "empty", "bin", "python"))
        pip(str(repaired), python=empty)
        run(empty, "-I", "-c", PROVE_WHEEL, cwd=folder)


PROGRAMS = {  # command: its dependency group, what the venv's Python runs
    "demo": ("build", ["examples/demo.py"]),
    "test": ("test", ["-m", "pytest"]),
    "stress": ("test", ["-m", "pytest", "-m", "stress"]),
    "bench": ("build", ["-m", "benchmarks"]),
    "conformance": ("test", ["-m", "conformance"]),
}
TASKS: dict[str, Callable[[], None]] = {
    "build": lambda: set_up("build"),
    "check": check,
    "wheel": wheel,
    "--help": lambda: print(__doc__),
    "clean": lambda: run("git", "clean", "-fdqX", ".", ":!benchmarks"),  # ignored files only
}


def set_up(group: str) -> None:
    """Make VENV able to run trueasync, and the tools of the dependency group.

    Each step is done again only when its reason has changed.
    """
    Path("build").mkdir(exist_ok=True)
    with open("build/dev-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another command may be setting up too
        made_for = [sys.version, sys.base_prefix, str(ROOT)]
        memory = VENV / "dev-state.json"
        state = json.loads(memory.read_text()) if memory.exists() else {}
        if state.get("made for") != made_for or not succeeds(PYTHON, "-c", "import pip"):
            make_venv()
            state = {"made for": made_for}

        # Read before compiling: what is edited meanwhile must count as changed.
        options = [os.environ.get(f"TRUEASYNC_{x}", "") for x in ("CFLAGS", "TRACE", "STRICT")]
        sources = fingerprint("setup.py", "src/**/*.py", "src/**/*.pxd", "src/**/*.h")
        project = fingerprint("pyproject.toml")
        steps: list[tuple[str, object, Callable[[], None]]] = [
            (f"{group} tools", project, lambda: pip("--group", "build", "--group", group)),
            ("compiled core", [sources, *options], compile_core),
            ("installed package", project, lambda: pip("--no-build-isolation", "--editable", ".")),
        ]
        if state.get("modules") != compiled_modules():
            state["compiled core"] = None
        for what, reason, act in steps:
            if state.get(what) != reason:
                say(f"{what} ...")
                act()
                state |= {what: reason, "modules": compiled_modules()}
                memory.write_text(json.dumps(state))


def make_venv() -> None:
    require_system_packages()
    say(f"making {VENV.name} with Python {sys.version.split()[0]}")
    venv.create(VENV, clear=True, symlinks=True)
    # We need a pip that knows dependency groups. Debian's does not, may not install
    # into the system, and cannot go into a venv; but to a folder it may install.
    (packages,) = VENV.glob("lib/python*/site-packages")
    base = getattr(sys, "_base_executable", sys.executable)
    run(base, "-m", "pip", "install", "-qq", "--target", str(packages), "pip>=25.1")


def compile_core() -> None:
    require_system_packages()
    run(PYTHON, "setup.py", "-q", "build_ext", "--inplace")


def require_system_packages() -> None:
    """Install with apt what is missing, or else stop and say how to."""
    if missing_packages():
        install_with_apt(missing_packages())
    if missing := " ".join(missing_packages()):
        sys.exit(f"dev.py: {missing} (Debian's names) must be installed first:{SYSTEM_PACKAGES}")


def missing_packages() -> list[str]:
    """What the build needs and does not find, by Debian's names."""
    headers = Path(sysconfig.get_path("include"))
    there = {
        "gcc libc6-dev": shutil.which("cc") or shutil.which("gcc"),
        f"python3.{sys.version_info[1]}-dev": (headers / "Python.h").exists(),
        "python3-pip": importlib.util.find_spec("pip"),
        "pkg-config": shutil.which("pkg-config"),
        "libuv1-dev": succeeds("pkg-config", "--exists", "libuv >= 1.44"),
    }
    return " ".join(packages for packages, found in there.items() if not found).split()


def install_with_apt(packages: list[str]) -> None:
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or not succeeds(*sudo, "true"):
        return
    say(f"installing {' '.join(packages)}")
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install = [*apt, "install", "--no-install-recommends", *packages]
    if not succeeds(*install):  # perhaps its lists are old, or not there yet
        succeeds(*apt, "update")
        if not succeeds(*install):
            run(*install)  # to let it say why


def fingerprint(*patterns: str) -> str:
    content = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in Path().glob(pattern)):
        content.update(f"{path} {path.stat().st_size}\n".encode() + path.read_bytes())
    return content.hexdigest()


def compiled_modules() -> list[str]:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return sorted(str(path) for path in Path("src").rglob(f"*{suffix}"))


def pip(*packages: str, python: str = PYTHON) -> None:
    quiet = ("-qq", "--disable-pip-version-check")
    run(PYTHON, "-m", "pip", "--python", python, "install", *quiet, *packages)


def run(*command: str, **options: Any) -> None:
    subprocess.run(command, check=True, env=ENVIRONMENT, **options)


def succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def say(message: str) -> None:
    print(f"dev.py: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
