"""The parts of sessions that need no program: rings, echoes, lines of python, files, the one definition."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.commands import session as command
from terma.errors import UsageError
from terma.sessions import operations, shells
from terma.sessions.echo import Echo
from terma.sessions.files import Files
from terma.sessions.matching import Pattern
from terma.sessions.python_lines import typed
from terma.sessions.ring import Ring

PIECES = st.lists(st.binary(max_size=70), max_size=40)


@given(PIECES, st.integers(1, 300), st.integers(0, 400), st.integers(0, 400))
def test_a_ring_holds_the_end_of_what_was_written(pieces, capacity, at, limit):
    ring, whole = Ring(capacity), b"".join(pieces)
    for piece in pieces:
        ring.write(piece)
    assert ring.end == len(whole)
    assert ring.end - ring.start <= capacity
    assert ring.read(at, limit) == whole[max(at, ring.start) :][:limit]


@given(PIECES, st.integers(0, 400), st.integers(0, 400))
def test_files_hold_the_same(tmp_path_factory, pieces, at, limit):
    store = Files(tmp_path_factory.mktemp("files") / "one", 160, mask=lambda line: line)
    whole = b"".join(pieces)
    for piece in pieces:
        store.write(piece)
    assert store.end == len(whole)
    assert store.read(at, limit) == whole[max(at, store.start) :][:limit]
    store.finish()
    assert store.read(0, len(whole)) == whole[store.start :]
    store.remove()


@pytest.mark.parametrize(
    ("sent", "pieces", "left"),
    [
        ("select 1;", [b"sel", b"ect 1;\r", b"\n1\r\n"], b"1\r\n"),
        ("select 1;", [b"\x1b[1mselect 1;\x1b[0m\r\n1\r\n"], b"1\r\n"),
        ("a long line", [b"a long \r", b"line\r\nout"], b"out"),
        ("x", [b"no echo here\r\n"], b"no echo here\r\n"),
        ("", [b"all"], b"all"),
        ("never", [b"nev"], b"nev"),
        (  # zsh's line editor draws a character, goes back and draws it anew
            "ls; pwd",
            [b"l", b"\bls", b"\b\b\x1b[32mls\x1b[39m; pwd\x1b[?2004l\r\r\nout\n"],
            b"out\n",
        ),
        ("ls", [b"\bls -a\b\b\b\r\nout\n"], b"out\n"),
    ],
)
def test_an_echo_is_dropped_and_nothing_else(sent, pieces, left):
    echo = Echo(sent)
    assert b"".join(map(echo.filter, pieces)) + echo.rest() == left


def test_an_echo_that_is_drawn_again_behind_a_prompt_is_dropped():
    # fish's line editor goes to the column behind the prompt, which is counted from the beginning of its row
    echo = Echo("echo on", b"far> ")
    pieces = [
        b"echo ",
        b"\r\x1b[10C",
        b"on\r\x1b[12C",
        b"\x1b[7D\x1b[34mecho\x1b[30m on\r\x1b[12C\r\n",
        b"on\r\n",
    ]
    assert b"".join(map(echo.filter, pieces)) == b"on\r\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1 + 1", "1 + 1"),
        ("def f():\n\n    return 1\nf()", "def f():\n    return 1\n\nf()"),
        ('s = """a\n\nb"""', 's = """a\n\nb"""'),
        ("if x:\n    y\nelse:\n    z", "if x:\n    y\nelse:\n    z\n"),
        ("@d\ndef f(): pass", "@d\ndef f(): pass\n"),
        ("def broken(:", "def broken(:"),
        ("def open():", "def open():"),
    ],
)
def test_python_gets_blank_lines_where_it_wants_them(text, lines):
    assert typed(text) == lines


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("bash", "bash"), ("/usr/bin/zsh -l", "zsh"), ("fish", "fish"), ("python3", "python"),
        ("python3.12 -q", "python"),
        ("dash", "sh"), ("sh -c x", "none"), ("python3 x.py", "none"), ("bash script", "none"), ("sqlite3", "none"),
        ("pythonista", "none"),
        ("bash --noprofile --norc", "sh"), ("fish -N", "sh"), ("zsh -fd", "sh"), ("dash -e", "sh"),
        ("bash -o vi", "sh"), ("bash --rcfile x", "sh"), ("fish -C true", "sh"), ("bash -xc true", "none"),
        ("bash -o vi script", "none"), ("fish --command=true", "none"),
        ("bash -- script", "none"), ("python3 -I x.py", "none"), ("psql -X", "none"),
    ],
)  # fmt: skip
def test_a_program_is_known_by_its_name_and_arguments(words, kind):
    assert shells.kind_of(words.split()).name == kind


@given(st.lists(st.text(alphabet="ab\n\x1b[31m", max_size=6), max_size=8))
def test_a_pattern_is_found_however_the_text_is_cut(pieces):
    pattern = Pattern("needle")
    assert all(not pattern.feed(piece.encode()) for piece in pieces)
    data = b"\nnee\x1b[1mdle\n"
    assert not pattern.feed(data[:4])
    assert pattern.feed(data[4:])


def test_the_command_line_and_the_schema_take_the_same():
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    actions = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for operation in operations.OPERATIONS:
        taken = {action.dest for action in actions.choices[operation.name]._actions} - {"help", "json"}
        assert taken == {one.name for one in operation.parameters if one.only != "mcp"}
        if operation.only != "cli":
            wanted = {one.name for one in operation.parameters if one.only != "cli"}
            assert set(operations.schema(operation)["properties"]) == wanted


@pytest.mark.parametrize("text", ["\x00", "a\x1bb", "\x7f", "x" * 60_000])
def test_what_a_line_editor_would_take_for_keys_is_refused(text):
    with pytest.raises(UsageError):
        shells.check(text)


def test_the_documentation_lists_what_there_is():
    text = (Path(__file__).parents[3] / "docs/sessions.md").read_text(encoding="utf-8")
    for operation in operations.OPERATIONS:
        assert f"| `{operation.name}` | {operation.summary} |" in text


@pytest.mark.parametrize(
    ("program", "names"),
    [("zsh", (".zshenv", "session.zsh")), ("bash", ("bashrc", "session.bash")), ("fish", ("session.fish",))],
)
def test_what_the_shells_load_is_well_formed(program, names):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    for name in names:
        said = subprocess.run(
            [program, "-n", str(shells.HOOKS / name)], capture_output=True, text=True, check=False
        )
        assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("exec", {"timeout": float("nan")}),
        ("exec", {"timeout": float("inf")}),
        ("exec", {"timeout": -1}),
        ("exec", {"timeout": "5"}),
        ("exec", {"settle": -5}),
        ("exec", {"settle": 1.5}),
        ("exec", {"input": ["ls"]}),
        ("create", {"tui": "false"}),
        ("create", {"command": [1]}),
        ("create", {"cols": True}),
        ("read", {"form": "gif"}),
        ("read", {"since": -5}),
        ("read", {"colour": "red"}),
        ("search", {}),
    ],
)
def test_an_argument_that_is_none_is_refused_before_anything_is_done(name, values):
    given = {"session": "work"} | ({"input": "ls"} if name == "exec" else {}) | values
    with pytest.raises(UsageError):
        operations.checked(operations.BY_NAME[name], given)


def test_one_text_is_a_list_of_one():
    assert operations.checked(
        operations.BY_NAME["create"], {"session": "a", "command": "cat", "cwd": None}
    ) == {
        "session": "a",
        "command": ["cat"],
    }


def test_what_is_no_text_is_typed_as_it_came_and_half_a_character_is_refused():
    shells.check("echo \udcff")
    assert shells.encode(shells.BASH, "echo \udcff") == [b"\x1b[200~echo \xff\x1b[201~\r"]
    assert shells.as_typed("\udcff\n", paste=False) == b"\xff\r"
    with pytest.raises(UsageError):
        shells.check("echo \ud83d")


@pytest.mark.parametrize(
    ("name", "command", "known"),
    [
        ("bash", "/usr/bin/bash --norc", shells.BASH),
        ("bash", "ssh host", shells.SH),
        ("zsh", "docker exec -it box zsh", shells.SH),
        ("fish", "fish", shells.FISH),
        ("fish", "ssh host", shells.FAR_FISH),
        ("python", "/opt/bin/python3.12", shells.PYTHON),
        ("python", "ssh host python3", shells.FAR_PYTHON),
        ("sh", "dash", shells.SH),
        ("none", "bash", shells.NONE),
    ],
)
def test_a_kind_that_is_named_is_behind_a_program_of_another_name(name, command, known):
    kind = shells.named(name, command.split())
    assert kind is known
    assert shells.again(kind.name, far=kind.far, asks=False) == kind
