"""The xontrib with xonsh's own fixtures: what it registers, what it makes of a line, and its way back."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.shells.hostile_questions import HOSTILE

pytest.importorskip("xonsh", reason="xonsh is in requirements-dev.lock")

import xontrib_terma
from xontrib_terma import dispatch, keys


@pytest.fixture
def xsh(mock_xonsh_session: Callable[..., Any]) -> Iterator[Any]:
    """A session with real aliases and events, in which terma is loaded."""
    session = mock_xonsh_session("aliases")
    session.env.update({"XONSH_INTERACTIVE": True, "TERM": "xterm", "TERMA_BIN": "/opt/terma"})
    xontrib_terma._load_xontrib_(session)
    yield session
    xontrib_terma._unload_xontrib_(session)


def test_it_registers_its_aliases_events_and_settings(xsh: Any) -> None:
    assert {"terma", "_terma_say", "_terma_why"} <= set(xsh.aliases)
    assert xsh.env.get_docs("TERMA_KEY").doc.startswith("The key that turns words into a command")
    assert len(xsh.builtins.events.on_precommand) == len(xsh.builtins.events.on_postcommand) == 1


def test_unloaded_nothing_of_it_is_left(mock_xonsh_session: Callable[..., Any]) -> None:
    session = mock_xonsh_session("aliases")
    session.env.update({"XONSH_INTERACTIVE": True, "TERM": "xterm"})
    before = (dict(session.aliases._raw), set(session.env._vars))
    for _ in range(2):
        xontrib_terma._load_xontrib_(session)
        xontrib_terma._load_xontrib_(session)
        xontrib_terma._unload_xontrib_(session)
    assert (dict(session.aliases._raw), set(session.env._vars)) == before
    assert not [name for name, event in vars(session.builtins.events).items() if len(event)]


@pytest.mark.parametrize("line", HOSTILE)
def test_a_question_becomes_a_call_with_one_literal_and_no_more(
    xsh: Any, xonsh_execer_parse: Callable[[str], ast.AST], line: str
) -> None:
    """xonsh compiles that and nothing else; asked again about the answer, it stays."""
    from xonsh.shells.base_shell import transform_command

    made = transform_command(line + "\n", show_diff=False)
    assert transform_command(made, show_diff=False) == made
    name, _, literal = made.rstrip("\n").partition(" @(")
    assert (name, ast.literal_eval(literal[:-1])) == ("_terma_why", line.strip())
    assert xonsh_execer_parse(made)


@pytest.mark.parametrize("line", ["ls ?why", "echo '?why'", "# ?why", "why", "x = '?why'", "ls file?why"])
def test_what_is_no_question_is_left_alone(xsh: Any, line: str) -> None:
    from xonsh.shells.base_shell import transform_command

    assert transform_command(line + "\n", show_diff=False) == line + "\n"


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        (["why"], ["_terma_say"]),
        (["why", "that"], ["_terma_say"]),
        (["last"], ["_terma_say"]),
        (["what is that"], ["_terma_say"]),
        ([], ["/opt/terma"]),
        (["doctor"], ["/opt/terma", "doctor"]),
        (["why", "--json"], ["/opt/terma", "why", "--json"]),
        (["suggest", "list files"], ["/opt/terma", "suggest", "list files"]),
    ],
)
def test_the_alias_answers_here_or_runs_the_program(xsh: Any, words: list[str], runs: list[str]) -> None:
    xontrib_terma._session.memory._note("nosuchcommand", 1, 0, "/")
    made = dispatch.route(xontrib_terma._session, words)
    if runs == ["_terma_say"]:
        (name, token) = made
        assert (name, xontrib_terma._session.said[token]) == ("_terma_say", words)
    else:
        assert made == runs


def test_without_a_failure_a_question_begins_a_conversation(xsh: Any) -> None:
    words = ["what is that"]
    assert dispatch.route(xontrib_terma._session, words) == ["/opt/terma", *words]


def test_words_that_were_looked_up_and_never_ran_do_not_pile_up(xsh: Any) -> None:
    for number in range(100):
        dispatch.route(xontrib_terma._session, ["why", str(number)])
    assert len(xontrib_terma._session.said) <= dispatch.MAX_KEPT


def test_its_completer_offers_commands_words_and_options(
    xsh: Any, check_completer: Callable[..., set[str]]
) -> None:
    from xontrib_terma import completer

    completer.add(xontrib_terma._session)
    complete = xsh.completers["terma"]
    assert "version" in check_completer("terma", "vers", complete_fn=complete)
    assert "status" in check_completer("terma agent", "st", complete_fn=complete)
    assert "--json" in check_completer("terma why", "--", complete_fn=complete)


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ("c-t", ["c-t"]),
        ("C-x C-t", ["c-x", "c-t"]),
        ("^X^T", ["c-x", "c-t"]),
        ("^[h", ["escape", "h"]),
        ("f5", ["f5"]),
        ("^", ["^"]),
        ("", []),
    ],
)
def test_a_key_is_read_as_xonsh_or_zsh_writes_it(told: str, names: list[str]) -> None:
    assert keys.key_names(told) == names


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("scripted · script", 40, "scripted · script"),
        ("⚠ high: deletes files · offline", 16, "⚠ high: deletes\nfiles · offline"),
        ("⚠ high: deletes files · offline · 1/2", 16, "⚠ high: deletes\nfiles · offline\n· 1/2"),
        ("a b c d e f", 2, "a\nb\nc\nd\ne…"),
        ("删除 所有 的 文件", 9, "删除 所有\n的 文件"),
        ("删除所有的文件", 9, "删除所有…"),
    ],
)
def test_the_state_fits_the_terminal_by_cells(text: str, width: int, shown: str) -> None:
    from xontrib_terma.stateline import fitted

    assert fitted(text, width) == shown


def test_a_list_lies_on_the_ground_of_the_terminal_and_its_chosen_row_alone_is_turned_around():
    """A toolbar is turned around: what is chosen among turned rows, and red on a turned ground, cannot be told."""
    from prompt_toolkit.styles import default_ui_style
    from prompt_toolkit.utils import Event

    from xontrib_terma.stateline import StateLine

    size = SimpleNamespace(get_size=lambda: SimpleNamespace(columns=20))
    app = SimpleNamespace(
        renderer=SimpleNamespace(height_is_known=True), output=size, invalidate=lambda: None
    )
    prompter = SimpleNamespace(
        app=app, bottom_toolbar=None, default_buffer=SimpleNamespace(on_text_changed=Event(None))
    )
    StateLine(prompter, lambda: True).show_rows(
        [
            ("reverse", "> 1 ls"),
            ("", "\n"),
            ("bold ansired", "  2 "),
            ("", "你好"),
            ("", "\n"),
            ("", "number"),
        ],
        "",
        "",
    )
    shown = prompter.bottom_toolbar()
    styles = [
        (text, default_ui_style().get_attrs_for_style_str(f"class:bottom-toolbar {style}").reverse)
        for style, text in shown
    ]
    assert [text.strip() for text, turned in styles if turned and text != "\n"] == ["> 1 ls"]
    assert "".join(text for text, _ in styles) == f"> 1 ls{'':14}\n  2 你好{'':12}\nnumber{'':14}"
