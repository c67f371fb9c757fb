"""The rules that keep the folder tree true: who imports whom, who may name what, how long.

Python is read with ast, .pxd files with regular expressions; nothing is imported.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "trueasync"
COMPILED_FOLDERS = ("events", "scheduler", "reactor", "scope", "sync", "io", "stdlib")
SOURCES = sorted(SOURCE.rglob("*.py"))
HEADERS = sorted(SOURCE.rglob("*.pxd"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

# What each unit may import besides itself; a unit is a folder, or a module of its own rank.
CONTRACT = {"errors", "events", "_c"}
# Threads for what blocks know no libuv either.
THREADS = {"reactor.thread_call", "reactor.workers"}
CORE = CONTRACT | THREADS | {"reactor.base", "scheduler"}
WAITING = CORE | {"scope", "sync"}
OUTSIDE = WAITING | {"io"}
TOGETHER = OUTSIDE | {"exit_phase", "runtime", "reactor", "settings", "stdlib", "aio"}
MAY_IMPORT = {
    "_c": set(),
    "errors": set(),
    "settings": set(),
    "exit_phase": WAITING,
    "events": {"errors", "_c"},
    "reactor.base": CONTRACT,
    "reactor.thread_call": CONTRACT | {"reactor.base", "reactor.workers"},
    "reactor.workers": CONTRACT | {"reactor.thread_call"},
    "reactor": CONTRACT | THREADS | {"reactor.base"},
    "scheduler": CONTRACT | {"reactor.base"},
    "scope": WAITING,
    "sync": WAITING,
    "io": WAITING,
    "stdlib": OUTSIDE,
    "aio": OUTSIDE,
    "runtime": OUTSIDE | {"exit_phase", "reactor", "settings"},
    "testing": TOGETHER,
    "cli": TOGETHER | {""},
    "server": TOGETHER,
    "": TOGETHER,  # trueasync/__init__.py
}

CIMPORT = re.compile(r"^(?:from (\S+) cimport|cimport (\S+))", re.MULTILINE)

FILE_BUDGET = 400
FUNCTION_BUDGET = 40
LONGER = {  # path, or path:function, and the reason
    "tests/test_architecture.py": "its tables grow with the tree",
}
# path, or path:function, and the reason
LONGER = {"tests/test_architecture.py": "its tables grow with the tree"}

# Modules whose tests are named after a behaviour, where that says more.
TESTED_IN = {
    "scope/news": "scope/test_task_group.py",
    "scope/task": "scope/test_task_group.py",
    "__main__": "cli/test_program.py",
    "cli/main": "cli/test_program.py",
    "errors": "scheduler/test_errors.py",
    "events/change": "io/test_changes.py",
    "io/ahead": "io/test_stream.py",
    "io/attempt": "io/test_connect.py",
    "io/call": "io/test_thread_pool.py",
    "io/child_pipes": "io/test_process_life.py",
    "io/doors": "io/test_listener.py",
    "io/errand": "io/test_tls.py",
    "io/executors": "io/test_offload.py",
    "io/foreign": "io/test_futures.py",
    "io/multicast": "io/test_udp.py",
    "io/pinned": "io/test_file_close.py",
    "io/watch": "io/test_udp.py",
    "io/pieces": "io/test_file.py",
    "io/resolve": "io/test_connect.py",
    "io/room": "io/test_thread_pool.py",
    "io/start_tls": "io/test_tls.py",
    "io/transfer": "io/test_socket_stream.py",
    "io/turns": "io/test_handle.py",
    "reactor/base": "reactor/test_any_reactor.py",
    "reactor/directory": "reactor/test_filesystem.py",
    "reactor/dispositions": "reactor/test_signal.py",
    "reactor/failure": "reactor/test_poll.py",
    "reactor/heap": "reactor/test_timer.py",
    "reactor/inotify": "reactor/test_filesystem.py",
    "reactor/interrupts": "reactor/test_signals_interrupt.py",
    "reactor/lookup": "io/test_dns.py",
    "reactor/note": "reactor/test_poll.py",
    "reactor/rescan": "reactor/test_filesystem_limits.py",
    "reactor/run_handler": "reactor/test_signals_interrupt.py",
    "reactor/tree": "reactor/test_filesystem.py",
    "reactor/waiting_thread": "reactor/test_process.py",
    "stdlib/imports": "stdlib/test_patching.py",
    "stdlib/os": "stdlib/test_children.py",
    "stdlib/pipes": "stdlib/test_subprocess.py",
    "stdlib/time": "stdlib/test_patching.py",
    "stdlib/unbound": "stdlib/test_patching.py",
    "stdlib/watched": "stdlib/test_socket.py",
    "scheduler/birth": "scheduler/test_spawn.py",
    "scheduler/block": "scope/test_blocks.py",
    "reactor/watches": "reactor/test_filesystem.py",
    "scheduler/calls": "scheduler/test_spawn.py",
    "scheduler/cancel": "scope/test_blocks.py",
    "scheduler/children": "scope/test_scope.py",
    "scheduler/context": "scheduler/test_contexts.py",
    "scheduler/current": "scheduler/test_errors.py",
    "scheduler/elsewhere": "scheduler/test_as_future.py",
    "scheduler/extras": "scheduler/test_coroutine.py",
    "scheduler/grace": "scope/test_grace.py",
    "scheduler/groups": "scope/test_scope_errors.py",
    "scheduler/handlers": "scheduler/test_switch_handlers.py",
    "scheduler/home": "scheduler/test_tick.py",
    "scheduler/leave": "scope/test_scope_errors.py",
    "scheduler/location": "scheduler/test_coroutine.py",
    "scheduler/moment": "scheduler/test_switch_handlers.py",
    "scheduler/order": "testing/test_order.py",
    "scheduler/outside": "sync/test_outside.py",
    "scheduler/ready": "scheduler/test_spawn.py",
    "scheduler/registry": "scheduler/test_coroutine.py",
    "scheduler/ring": "scheduler/test_microtasks.py",
    "scheduler/scheduler": "scheduler/test_tick.py",
    "scheduler/status": "scheduler/test_terminate.py",
    "scheduler/waker": "scheduler/test_waiting.py",
    "scope/in_turn": "test_exit_phase.py",
    "settings": "test_options.py",
    "stdlib/selectors": "stdlib/test_select_patched.py",
    "stdlib/waiting": "stdlib/test_select_patched.py",
    "sync/arrivals": "io/test_signals_in_a_loop.py",
    "sync/gathering": "sync/test_awaiting.py",
    "sync/kinds": "sync/test_awaiting.py",
    "sync/awaitable": "sync/test_select.py",
    "sync/exchange": "sync/test_queue.py",
    "sync/items": "sync/test_channel.py",
    "sync/line": "sync/test_channel.py",
    "sync/loan": "sync/test_pool_lending.py",
    "sync/queue_errors": "sync/test_queue.py",
    "sync/queues": "sync/test_queue.py",
    "sync/simplequeue": "sync/test_queue.py",
    **dict.fromkeys(("scheduler/look", "scheduler/runs"), "scheduler/test_report.py"),
}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    """scheduler/pool.py -> "scheduler.pool"; a package's __init__ is the package."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def unit_of(module: str) -> str:
    if module == "__main__":
        return "cli"
    return module if module in MAY_IMPORT else module.partition(".")[0]


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports or cimports, with `trueasync.` for our own."""
    package = ("trueasync." + module_of(path)).split(".")
    if path.stem != "__init__":
        package.pop()
    if path.suffix == ".pxd":
        for line in CIMPORT.finditer(path.read_text()):
            yield line[1] or line[2]
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            full = ".".join([*base, *filter(None, [node.module])])
            # `from . import x` and `from .folder import module` name modules, too.
            for alias in node.names:
                inner = SOURCE.joinpath(*full.split(".")[1:], alias.name + ".py")
                yield f"{full}.{alias.name}" if inner.exists() else full


def our_imports(path: Path) -> Iterator[str]:
    for name in imports_of(path):
        name = name.removeprefix("cython.cimports.")
        if name == "trueasync" or name.startswith("trueasync."):
            yield name.removeprefix("trueasync").lstrip(".")


def code_of(path: Path) -> str:
    """The names and operators of a file: no comments, no strings."""
    if path.suffix != ".py":
        return re.sub(r"#.*", "", path.read_text())
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
    kept = [t.string for t in tokens if t.type in (tokenize.NAME, tokenize.OP)]
    return " ".join(kept)


def is_compiled(path: Path) -> bool:
    return path.parent.name in COMPILED_FOLDERS and path.with_suffix(".pxd").exists()


# -- who imports whom --------------------------------------------------------------------


def test_imports_go_down_the_layers_only():
    upward = [
        f"{relative(path)} imports {name or 'trueasync'}"
        for path in SOURCES + HEADERS
        for name in our_imports(path)
        if (unit := unit_of(module_of(path))) != unit_of(name)
        and unit_of(name) not in MAY_IMPORT[unit]
    ]

    assert upward == []


def test_only_compiled_modules_import_cython():
    importers = [path for path in SOURCES if any(x.startswith("cython") for x in imports_of(path))]

    assert [relative(path) for path in importers if not is_compiled(path)] == []


def test_only_the_contexts_name_greenlet():
    naming = [
        relative(path)
        for path in SOURCES + HEADERS
        if re.search(r"\bgreenlet\b|\bgr_\w+|\bPyGreenlet", code_of(path))
    ]

    assert naming == [
        "src/trueasync/scheduler/context.py",
        "src/trueasync/_c/greenlet.pxd",
        "src/trueasync/scheduler/context.pxd",
    ]


def test_only_the_reactor_names_libuv():
    naming = [
        relative(path)
        for path in SOURCES + HEADERS
        if re.search(r"\buv_\w+|\bUV_\w+|_c ?\. ?uv\b", code_of(path))
        and path.parent.name != "reactor"
    ]

    assert naming == ["src/trueasync/_c/uv.pxd"]


def test_each_file_of_c_declarations_has_one_user_where_it_says_so():
    for header in SOURCE.glob("_c/*.pxd"):
        only = re.search(r"Only (\S+?)\.py may cimport", header.read_text())
        if only:
            module = f"_c.{header.stem}"
            users = [path for path in SOURCES if module in our_imports(path)]

            assert [module_of(path) for path in users] == [only[1].replace("/", ".")]


# -- a .py and its .pxd ------------------------------------------------------------------


def classes_of_header(path: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """Class -> (base, member -> "field", "cdef" or "cpdef"), of the classes with a body."""
    classes: dict[str, tuple[str, dict[str, str]]] = {}
    members: dict[str, str] | None = None
    for line in path.read_text().splitlines():
        line = line.partition("#")[0].rstrip()
        if start := re.match(r"cdef class (\w+)(?:\((\w+)\))?:", line):
            members = {}
            classes[start[1]] = (start[2] or "", members)
        elif line and not line.startswith(" "):
            members = None
        elif members is not None and (
            member := re.match(r" +(cdef|cpdef) [^(]*?(\w+)(\(|$)", line)
        ):
            members[member[2]] = member[1] if member[3] else "field"
    return classes


HEADER_CLASSES = {path: classes_of_header(path) for path in HEADERS}


def c_methods(body: ast.ClassDef) -> dict[str, str]:
    kinds = {"cfunc": "cdef", "ccall": "cpdef"}
    return {
        function.name: kinds[decorator.attr]
        for function in body.body
        if isinstance(function, ast.FunctionDef)
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Attribute) and decorator.attr in kinds
    }


def assigned_fields(body: ast.ClassDef) -> set[str]:
    return {
        node.attr
        for node in ast.walk(body)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id == "self"
    }


def header_with(name: str, path: Path) -> Path:
    """The header that declares the class which the header `path` calls `name`."""
    if name in HEADER_CLASSES[path]:
        return path
    for line in re.finditer(r"^from trueasync\.(\S+) cimport (.+)", path.read_text(), re.MULTILINE):
        if name in line[2].split(", "):
            return SOURCE.joinpath(*line[1].split(".")).with_suffix(".pxd")
    raise AssertionError(f"{relative(path)} knows no class {name}")


def members_with_bases(name: str, path: Path) -> dict[str, str]:
    path = header_with(name, path)
    base, members = HEADER_CLASSES[path][name]
    return {**(members_with_bases(base, path) if base else {}), **members}


def test_every_header_stands_beside_its_source():
    alone = [path for path in HEADERS if path.parent.name != "_c"]

    assert [relative(path) for path in alone if not is_compiled(path.with_suffix(".py"))] == []


@pytest.mark.parametrize("path", [p for p in SOURCES if is_compiled(p)], ids=module_of)
def test_a_source_and_its_header_agree(path):
    header = HEADER_CLASSES[path.with_suffix(".pxd")]
    bodies = {n.name: n for n in ast.parse(path.read_text()).body if isinstance(n, ast.ClassDef)}

    assert header.keys() <= bodies.keys()
    for name, (_, members) in header.items():
        body = bodies[name]
        declared = {member: kind for member, kind in members.items() if kind != "field"}
        annotated = {n.target.id for n in body.body if isinstance(n, ast.AnnAssign)}
        inherited = members_with_bases(name, path.with_suffix(".pxd"))
        fields = {member for member, kind in inherited.items() if kind == "field"}

        # A cpdef method may be left to the base class, and overriding needs no declaration.
        overriding = inherited.keys() - members.keys()
        written = {m: k for m, k in c_methods(body).items() if m not in overriding}
        assert written == declared, f"methods of {name}"
        # With other types the .pxd would silently win.
        assert not annotated & fields, f"{name}: declared twice"
        assert assigned_fields(body) <= fields | annotated, f"{name}: fields missing in the .pxd"


def test_no_field_is_declared_and_never_used():
    used = set(re.findall(r"\.\s*(\w+)", " ".join(map(code_of, SOURCES))))

    unused = [
        f"{name}.{field}"
        for classes in HEADER_CLASSES.values()
        for name, (_, members) in classes.items()
        for field, kind in members.items()
        if kind == "field" and field not in used and field != "__weakref__"
    ]

    assert unused == []


def test_what_plain_python_imports_of_the_compiled_core_has_a_stub():
    compiled = {module_of(path): path for path in SOURCES if is_compiled(path)}
    wanted = {
        name
        for path in SOURCES
        if not is_compiled(path)
        for name in our_imports(path)
        if name in compiled
    }

    assert [
        name for name in sorted(wanted) if not compiled[name].with_suffix(".pyi").exists()
    ] == []


# -- how long, and what must not be there ------------------------------------------------


def test_files_keep_to_their_budget():
    lengths = {relative(p): len(p.read_text().splitlines()) for p in SOURCES + HEADERS + TESTS}

    assert {p: n for p, n in lengths.items() if n > FILE_BUDGET and p not in LONGER} == {}


def test_functions_keep_to_their_budget():
    lengths = {
        f"{relative(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }

    assert {f: n for f, n in lengths.items() if n > FUNCTION_BUDGET and f not in LONGER} == {}


def test_every_folder_names_its_files():
    unnamed = [
        relative(path)
        for path in SOURCES
        if path.name != "__init__.py" and path.parent != SOURCE
        if path.name not in (path.parent / "__init__.py").read_text()
    ]

    assert unnamed == []


def test_the_tests_mirror_the_sources():
    names = {path.relative_to(ROOT / "tests").as_posix() for path in TESTS}
    unmirrored = []
    for path in SOURCES:
        name = path.relative_to(SOURCE).with_suffix("").as_posix()
        # scheduler/pool.py -> scheduler/test_pool.py, or test_pool_<behaviour>.py
        wanted = TESTED_IN.get(name) or re.sub(r"(\w+)$", r"test_\1(_\\w+)?[.]py", name)
        if path.name != "__init__.py" and not any(re.fullmatch(wanted, x) for x in names):
            unmirrored.append(name)

    assert unmirrored == []


def tracked_files() -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / line for line in listed.stdout.splitlines()]
    return [path for path in paths if path.is_file() and path != Path(__file__).resolve()]


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a marker of unfinished work", r"\b(TODO|FIXME|XXX|HACK)\b"),
        ("a path of one machine", r"(?<![\w.])/(root|home|work|opt|Users)/\w"),
        ("a package index", r"(?i)\b(extra-)?index[-_]url|find-links|trusted-host|/simple/?\b"),
    ],
)
def test_no_tracked_file_has(what, pattern):
    found = []
    for path in tracked_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # a picture
        found += [f"{relative(path)}: {hit[0]}" for hit in re.finditer(pattern, text)]

    assert found == [], what
