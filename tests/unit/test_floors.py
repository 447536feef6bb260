"""The house stands as docs/architecture.md draws it: who may import whom, held by reading the imports."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import terma

PACKAGE = Path(terma.__file__).parent
# The lowest floor first. A room is a module or a package right under terma; names joined by + share a room.
FLOORS = (
    "errors types paths reading inherited installed text output redact risk marks starting quiet levels shell_syntax"
    " lookalikes printing surroundings registry+added records regex",
    "wire config chat dialogue backends machine picture dialect",
    "context offline providers models sessions tools suggest grounding conversation client+autostart recorder local"
    " routing pieces",
    "agent mcp repl vision",
    "__main__+cli+commands+shell_code+transcript+diagnosis",
)
ROOM = {name: room for floor in FLOORS for room in floor.split() for name in room.split("+")}
FLOOR = {room: number for number, floor in enumerate(FLOORS, 1) for room in floor.split()}
# A provider or a tool may wrap a room of its own floor: it is how that room is plugged in.
SEAMS = {("providers.offline", "offline"), ("tools.sessions", "sessions")}
NEIGHBOURS_MAY_MEET = {1, 2}  # small, general rooms; from the third floor on, what is needed is handed over


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_shell" not in path.parts)


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path, *, top_level: bool = False) -> Iterator[str]:
    """What a module imports from terma, without the leading `terma.`; relative imports are not used here."""
    tree = parsed(path)
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.removeprefix("terma.") for name in names if name.startswith("terma."))


def room_of(dotted: str) -> str | None:
    return ROOM.get(dotted.partition(".")[0])


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_room_imports_from_the_floors_below_it_alone(path: Path) -> None:
    own = name_of(path)
    if not own:
        assert list(imports(path)) == []
        return
    room = room_of(own)
    assert room, f"{own} stands on no floor: give it one here and in docs/architecture.md"
    for wanted in imports(path):
        other = room_of(wanted)
        if other is None or other == room or (own, other) in SEAMS:
            continue
        below = FLOOR[other] < FLOOR[room]
        beside = FLOOR[other] == FLOOR[room] and FLOOR[room] in NEIGHBOURS_MAY_MEET
        assert below or beside, f"{own} (floor {FLOOR[room]}) imports {wanted} (floor {FLOOR[other]})"


def test_no_module_is_part_of_a_circle() -> None:
    names = {name_of(path): path for path in modules() if name_of(path)}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        found = graph.setdefault(name, set())
        for wanted in imports(path, top_level=True):
            target = wanted if wanted in names else wanted.rpartition(".")[0]
            if target in names and target != name:
                found.add(target)
    assert list(TopologicalSorter(graph).static_order())  # raises CycleError with the circle


FORBIDDEN = "asyncio platformdirs pydantic httpx typing_extensions tomllib email http"


@pytest.mark.parametrize("module", ["terma.client", "terma.wire", "terma.cli", "terma.text", "terma.quiet"])
def test_what_stands_on_the_way_to_the_prompt_needs_the_standard_library_alone(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    # -I still reads .pth files, whose own imports are not terma's
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()} - {
        name.split(".")[0] for name in bare.stdout.split()
    }
    assert loaded & set(FORBIDDEN.split()) == set()
    assert {name for name in loaded if name not in sys.stdlib_module_names} <= {"terma"}


def test_help_imports_no_command() -> None:
    code = "import sys; from terma.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in done.stderr.split() if name.startswith("terma.commands.")]


def test_the_xontrib_stands_on_the_fourth_floor() -> None:
    wanted = {
        (path.name, name)
        for path in (PACKAGE.parent / "xontrib_terma").glob("*.py")
        for name in imports(path)
        if (path.name, name.split(".")[0]) != ("completer.py", "cli")  # at the first Tab: terma's own parsers
        and (path.name, name.split(".")[0]) != ("completer.py", "commands")
    }
    assert wanted
    assert {pair for pair in wanted if FLOOR[room_of(pair[1]) or ""] > 3} == set()


PAGE = (PACKAGE.parent / "docs/architecture.md").read_text(encoding="utf-8")
DRAWN = PAGE.partition("## Folders")[2].split("```")[1]


def test_the_page_draws_every_room_and_folder_there_is() -> None:
    rooms = {name.partition(".")[0] for name in map(name_of, modules()) if name} - {"__main__"}
    folders = {path.name for path in PACKAGE.rglob("*") if path.is_dir() and any(path.glob("*.py"))}
    wanted = rooms | {name.lstrip("_") for name in folders if "_shell" not in name}
    assert sorted(name for name in wanted if not re.search(rf"\b{name}\b", PAGE)) == []


def test_the_page_names_no_file_that_is_gone() -> None:
    """Names of two words are files' or functions', and what ends in a slash is a folder; others may be English."""
    tree = PACKAGE.parent
    there = {part.lstrip("_") for path in tree.glob("*/**/*") for part in (path.stem, path.name)} | {
        path.name for path in tree.iterdir()
    }
    there |= set(re.findall(r"^def (\w+)", "".join(path.read_text("utf-8") for path in modules()), re.M))
    named = re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[a-z_]+(?=/)", DRAWN)
    assert sorted({name for name in named if name not in there}) == []


def test_every_file_opens_with_the_sentence_that_says_why_it_exists() -> None:
    done = subprocess.run(
        [sys.executable, "tools/rooms"], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.count("\n") > 800


FIRST_ANSWER = """
import asyncio, os, sys
from terma.agent.handlers import Handlers

async def ask():
    handlers = Handlers(dict, lambda: None)
    handlers.preload()
    asked = {"buffer": "list all files", "cwd": "/", "path": os.defpath, "shell": "bash", "engine": "offline"}
    return [frame async for frame in handlers.answer("translate", asked)][-1]

print(*asyncio.run(ask())[:2], *sys.modules)
"""
NOT_YET = "terma.agent.modelled terma.suggest.prompted terma.redact terma.pieces terma.context.git terma.output tomllib"


def test_a_first_answer_does_not_wait_for_what_models_and_other_keys_need() -> None:
    command = [sys.executable, "-I", "-c", FIRST_ANSWER]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ended, kind, *loaded = done.stdout.split()
    assert (ended, kind) == ("done", "replace")
    assert set(loaded) & set(NOT_YET.split()) == set()


LISTED = """
import io, sys
from terma.mcp.protocol import Wire
from terma.mcp.server import Server

asked = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\\n'
Server(Wire(io.BytesIO(asked), sys.stdout.buffer), dict).serve()
from terma.mcp import listed
print(len(listed.listing()), *sys.modules)
"""
FIRST_SESSION = "import sys, terma.agent.server, terma.agent.sessions.requests; print(1, *sys.modules)"


@pytest.mark.parametrize("code", [LISTED, FIRST_SESSION])
def test_neither_a_list_of_tools_nor_a_first_session_waits_for_what_finds_secrets(code: str) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    number, *loaded = done.stdout.splitlines()[-1].split()
    assert int(number) > 0
    assert [name for name in loaded if name.startswith(("terma.redact", "terma.shell_syntax"))] == []
