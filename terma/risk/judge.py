"""From shell text to findings: every command in it, and every command that those start."""

from __future__ import annotations

import re
from dataclasses import replace

from terma.risk import overwrite
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules import findings
from terma.risk.rules.code import started
from terma.risk.syntax import read
from terma.risk.wrappers import SHELLS, inner_calls, scripts, split_words

_DEEPEST = 6  # scripts within scripts; deeper nesting is nobody's honest command
UNREADABLE = Finding("medium", "cannot be read in full")


def judge(source: str, cwd: str, depth: int = 0, *, bulk: bool = False, elsewhere: bool = False) -> Findings:
    """Every finding in `source`, in order, repetitions included."""
    if depth > _DEEPEST:
        yield UNREADABLE
        return
    calls, bombs, readable = read(source)
    for _ in bombs:
        yield Finding("high", "fork bomb: starts itself until the machine stops")
    if not readable:
        yield UNREADABLE
        calls = calls + _by_words(source)
    for call in calls:
        placed = replace(call, cwd=cwd, bulk=call.bulk or bulk, elsewhere=call.elsewhere or elsewhere)
        yield from _judge_call(placed, depth)


def _judge_call(call: Call, depth: int) -> Findings:
    yield from overwrite.redirects(call)
    if not call.words:
        return
    yield from findings(call)
    if call.words[0].dynamic and not call.words[0].text.startswith("$@"):
        yield from _unknown_program(call)
    for inner in inner_calls(call):
        yield from _judge_call(inner, depth)
    elsewhere = call.elsewhere or call.name in ("ssh", "su")
    for script in [*scripts(call), *started(call), *_fed_scripts(call)]:
        yield from judge(script, call.cwd, depth + 1, bulk=call.bulk, elsewhere=elsewhere)


def _unknown_program(call: Call) -> Findings:
    """`$(…)` or `$CMD` in the place of the program: nobody can say what runs."""
    if call.words[0].programs:
        yield Finding("medium", "runs what another command prints")


def _fed_scripts(call: Call) -> list[str]:
    """Text that reaches a shell's standard input and can be read here."""
    if call.feed is None or call.feed.text is None:
        return []
    takes = call.name in SHELLS | {"at", "batch", "parallel"} or (call.name == "xargs" and not call.args)
    has_script = any(not word.text.startswith("-") for word in call.args) and call.name in SHELLS
    return [call.feed.text] if takes and not has_script else []


def _by_words(source: str) -> list[Call]:
    """The commands of a text that no parser can read, cut at its operators: better too much than too little."""
    return [Call(split_words(part)) for part in re.split(r"[;&|\n(){}`]+", source) if part.strip()]
