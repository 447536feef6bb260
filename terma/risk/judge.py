"""From shell text to findings: every command in it, and every command that those start."""

from __future__ import annotations

import re
from dataclasses import replace

from terma.risk import overwrite
from terma.risk.carried import carried, loads_code
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules import findings
from terma.risk.rules.code import HONEST, run_after_download
from terma.risk.rules.languages import started
from terma.risk.syntax import read
from terma.risk.wrappers import SHELLS, WRAPPERS, inner_calls, scripts, split_words

_DEEPEST = 6  # scripts within scripts; deeper nesting is nobody's honest command
_HONEST_VARIABLES = {"EDITOR", "VISUAL", "PAGER", "SHELL", "BROWSER", "@", "0", "PYTHON", "CC"}
_LONGEST = 4000  # code points: the parser takes 80 s for 60 KiB of pipes, and holds the agent meanwhile
_MOST_PARTS = 500
UNREADABLE = Finding("medium", "cannot be read in full")


def judge(source: str, cwd: str, starter: Call | None = None, depth: int = 0) -> Findings:
    """Every finding in `source`, in order, repetitions included. `starter`: the command that starts it."""
    if depth > _DEEPEST:
        yield UNREADABLE
        return
    source, rest = source[:_LONGEST], source[_LONGEST:]
    calls, bombs, readable = read(source)
    for _ in bombs:
        yield Finding("high", "fork bomb: starts itself until the machine stops")
    if not readable or rest:
        yield UNREADABLE
        calls = calls + _by_words(source + rest)
    if starter is not None:  # what the starter is given, the first command inside may read
        first = next((at for at, call in enumerate(calls) if call.words), 0)
        calls = [
            replace(call, feed=call.feed or starter.feed) if at == first else call
            for at, call in enumerate(calls)
        ]
        bulk = starter.bulk or (starter.name in WRAPPERS and WRAPPERS[starter.name].bulk)
        far = starter.elsewhere or starter.name in ("ssh", "su", "vagrant", "adb", "ansible")
        calls = [replace(call, bulk=call.bulk or bulk, elsewhere=call.elsewhere or far) for call in calls]
    yield from run_after_download([*map(_unwrapped, calls)])
    for call in calls:
        yield from _judge_call(replace(call, cwd=cwd), depth)


def _unwrapped(call: Call) -> Call:
    """What stands behind sudo, env and the like, with the redirects of the whole."""
    inner = next(inner_calls(call), None) if call.name in WRAPPERS else None
    return call if inner is None else _unwrapped(replace(inner, redirects=call.redirects))


def _judge_call(call: Call, depth: int) -> Findings:
    yield from overwrite.redirects(call)
    if loads_code(call):
        yield Finding("medium", "loads code of its own into a program")
    for script in carried(call):
        yield from _judge_carried(script, call, depth)
    if not call.words:
        return
    yield from findings(call)
    yield from _unknown_program(call)
    for inner in inner_calls(call):
        yield from _judge_call(inner, depth)
    for script in [*scripts(call), *started(call)]:
        yield from judge(script, call.cwd, call, depth + 1)
    for script in _fed_scripts(call):
        yield from judge(script, call.cwd, replace(call, feed=None), depth + 1)


def _judge_carried(script: str, call: Call, depth: int) -> Findings:
    """A shell without a script that another program starts: what it is fed, nobody sees here."""
    words = split_words(script)
    if words and Call(words).name in SHELLS and all(word.text.startswith("-") for word in words[1:]):
        yield Finding("medium", "starts a shell inside a program")
    yield from judge(script, call.cwd, replace(call, feed=None, assigned=()), depth + 1)


def _unknown_program(call: Call) -> Findings:
    """`$(…)` or `$CMD` in the place of the program: nobody can say what runs."""
    program = call.words[0]
    if program.programs - HONEST:
        yield Finding("medium", "runs what another command prints")
    elif (variable := re.match(r"\$\{?(\w+|@)", program.text)) and variable[1] not in _HONEST_VARIABLES:
        yield Finding("medium", "runs whatever a variable holds")


def _fed_scripts(call: Call) -> list[str]:
    """Text that reaches a shell's standard input and can be read here."""
    if call.feed is None or call.feed.text is None:
        return []
    takes = call.name in SHELLS | {"at", "batch", "parallel"} or (call.name == "xargs" and not call.args)
    takes = takes or (call.name == "ssh" and next(iter(scripts(call)), "") == "")
    has_script = any(not word.text.startswith("-") for word in call.args) and call.name in SHELLS
    return [call.feed.text] if takes and not has_script else []


def _by_words(source: str) -> list[Call]:
    """The commands of a text that no parser can read, cut at its operators: too much beats too little."""
    parts = dict.fromkeys(part.strip() for part in re.split(r"[;&|\n(){}`]+", source))
    return [Call(split_words(part[:_LONGEST])) for part in [*parts][:_MOST_PARTS] if part]
