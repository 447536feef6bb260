"""What the name of a program, a script or a target says: `ldapdelete`, `./drop-tables.sh`, `make destroy`."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules import verbs
from terma.risk.rules.code import INTERPRETERS
from terma.risk.rules.lexicon import LOOKS, OF_WEIGHT, SWEEPS, VERBS
from terma.risk.rules.table import operand_texts
from terma.risk.rules.verb_words import pieces_of
from terma.risk.wrapper_table import SHELLS

RUNNERS = frozenset("make gmake just task invoke rake ninja mage npm pnpm yarn bun nx".split())
_RUNS_SCRIPTS = {"run", "run-script"}  # of these alone a word behind `npm` is a target
_OF_PACKAGES = frozenset("npm pnpm yarn bun nx".split())
_TARGETS = re.compile(
    r"(?:[\w-]+[:_-])?(?:destroy|nuke|wipe|purge|drop|deploy|undeploy|teardown|rollback)(?:[:_-][\w:-]+)?"
)
_SCRIPT = re.compile(
    r"(?:.*/)?([\w.-]+)\.(?:sh|bash|zsh|py|pl|rb|lua|js|mjs|ts|php|sql|ps1|exs|groovy|tcl|fish)"
)
_BY_PATH = re.compile(r"(?:\.{1,2}|~|/?[\w.-]+)?/(?:[\w.-]+/)*([\w.-]+)")
_TRIES = (
    frozenset("test tests spec dry demo example sample simulate help grep search find parse count".split())
    | LOOKS
)
_READS_IT = {"-c", "-f", "--file", "--script", "--config", "--eval-file"}
_RUNS_IT = {"--eval", "--eval-file", "--script", "--script-file"}  # of whatever program


def findings(call: Call, known: bool) -> Findings:
    """What is said of the target or the script that `call` is given, or of its own name where that is a path. `known`:
    rows tell what the program does with a file."""
    if call.name in RUNNERS:
        if not call.flags() & {"-n"}:
            yield from _target(call)
    elif name := _script_of(call, known):
        yield from _said_by(name)


def program(call: Call) -> Findings:
    """`ldapdelete`, `frob-remove-user`: the verb in the name of the program."""
    verb = verbs.of_name(call.name)
    if verb is not None:
        swept = not SWEEPS.isdisjoint(call.flags())
        yield Finding(verb.weighty if swept else verb.alone, f"{verb.reason}, by its name", verb.kind)


def _script_of(call: Call, known: bool) -> str:
    """The name of the script that runs, without what stands around it; "" where none does."""
    if call.name in SHELLS | INTERPRETERS | {"source", "."}:
        given = next((word.text for word in call.operands("-c -e -m -W -X -o -O")), "")
        coded = any(re.fullmatch(r"-[a-z]*[cemn]", word.text) for word in call.args)
        found = None if coded else _SCRIPT.fullmatch(given)
    elif "/" in call.words[0].text:
        found = _SCRIPT.fullmatch(call.words[0].text) or _BY_PATH.fullmatch(call.words[0].text)
    else:
        read = _RUNS_IT if known else _READS_IT | _RUNS_IT
        given = next((word.text for word in call.values(*read)), "")
        found = _SCRIPT.fullmatch(given)
    return found[1] if found else ""


def _said_by(name: str) -> Findings:
    pieces = pieces_of(name)
    if _TRIES & {*pieces}:
        return
    for piece in pieces:
        verb = VERBS.get(piece)
        if (
            verb is not None
            and verb.alone != "low"
            and (verb.kind in ("deletes", "stops") or piece in _DEPLOYS)
        ):
            level = verb.weighty if OF_WEIGHT & {*pieces} else verb.alone
            yield Finding(level, f"{verb.reason}, by the name of the script", verb.kind)
            return


_DEPLOYS = {"deploy", "rollback"}


def _target(call: Call) -> Findings:
    """`make destroy`, `npm run deploy`: what a target is called."""
    given = operand_texts(call)[:3]
    words = [text for text in given if text not in _RUNS_SCRIPTS]
    for text in words[:1]:
        if _TARGETS.fullmatch(text):
            deploys = re.search(r"(?<!un)deploy|rollback", text)
            level, kind = ("medium", "changes") if deploys else ("high", "deletes")
            yield Finding(level, f"does what {text[:24]!r} says", kind)  # type: ignore[arg-type]
        elif call.name not in _OF_PACKAGES or _RUNS_SCRIPTS & {*given}:
            yield from _said_by(text)
