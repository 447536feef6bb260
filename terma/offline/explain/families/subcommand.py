"""A subcommand that a tool does not have: its own hint lines first, then what is known of the tool."""

from __future__ import annotations

import json
import re

from terma.offline.explain.case import Case
from terma.offline.explain.near import distance, limit_for, meant, nearest
from terma.offline.explain.proposed import candidates, listed, takes_files
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.subcommands import SUBCOMMANDS


def _doubled(case: Case, facts: Facts) -> str:
    if len(case.args) < 2 or case.program not in case.args[:2]:
        return ""
    if case.args[0] != case.program and case.args[:1] != case.args[2:3]:
        return ""
    if case.args[0] != case.program:
        return f"{case.program} {case.args[0]} is written twice, so the second one was taken for arguments: too many, or unknown ones."
    return f"{case.program} is written twice, so it took its own name for a command that it does not know."


def _once(case: Case, facts: Facts) -> list[str]:
    if case.args[0] == case.program:
        word = case.arguments[0]
        return [case.command[: word.start] + case.command[word.end :].lstrip()]
    return [case.command[: case.arguments[0].start] + case.command[case.arguments[2].start :]]


def _replace(case: Case, word: str, name: str) -> str:
    if (
        name.startswith(case.program + " ")
        and name.count(" ") > 1
        and distance(word, name.rsplit(maxsplit=1)[-1], limit_for(word)) <= limit_for(word)
    ):
        return case.swap(
            word, name.rsplit(maxsplit=1)[-1]
        )  # the whole path of words, of which the last was wrong
    if name.startswith(case.program + " ") and not word.startswith(case.program):
        name = name[len(case.program) + 1 :]
    return case.swap(word, name, raw=bool(re.fullmatch(r"[\w:./ =-]+", name)))


def _word(case: Case, facts: Facts) -> str:
    told = facts.get("word", "").strip("'\"`").split()
    for word in reversed(told):
        if word in case.args:
            return word
    first = case.operands[0] if case.operands else ""
    said = not told or re.search(rf"(?<![\w-]){re.escape(first)}(?![\w-])", case.output)
    return first if said else ""  # the output calls another word unknown, which was not typed as one


def fixes(case: Case, facts: Facts) -> list[str]:
    word = _word(case, facts)
    return [_replace(case, word, name) for name in candidates(case, word)] if word else []


def text(case: Case, facts: Facts) -> str:
    word = _word(case, facts)
    if not word:
        return ""
    names = candidates(case, word)
    if option := re.search(rf"argument (-\S+): invalid choice: '{re.escape(word)}'", case.output):
        hint = f" Did you mean {names[0]}?" if names else ""
        return f"{word} is no value that {option[1]} of {case.speaker} takes: invalid choice.{hint}"
    who = case.speaker
    article = "an" if who[:1] in "aeiou" else "a"
    said = f"{word} is not {article} {who} command: unknown, and likely misspelt." if names else ""
    if names:
        return f"{said} Did you mean {names[0] if ' ' not in names[0] else _replace(case, word, names[0])}?"
    return f"{word} is not {article} {who} command: unknown command. {who} --help lists the ones there are."


def _leading(case: Case) -> list[str]:
    """The words that may be a misspelt subcommand: the first, and the second where the output names it."""
    return [
        word
        for at, word in enumerate(case.operands[:2])
        if not at or re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", case.output)
    ]


def _usage(case: Case, facts: Facts) -> str:
    """A usage message alone: only when a word of the command is nearly one of the listed ones."""
    word = case.operands[0] if case.operands else ""
    for word in () if takes_files(case) else _leading(case):
        if case.exists(word):
            continue
        if word in listed(case) or word in SUBCOMMANDS.get(case.program, "").split():
            continue
        if nearest(word, [*listed(case), *SUBCOMMANDS.get(case.program, "").split()]):
            return text(case, {"word": word})
    return ""


def _usage_fixes(case: Case, facts: Facts) -> list[str]:
    known = [*listed(case), *SUBCOMMANDS.get(case.program, "").split()]
    wrong = [w for w in _leading(case) if w not in known and not case.exists(w) and nearest(w, known)]
    return [_replace(case, wrong[0], name) for name in meant(wrong[0], known)] if wrong else []


def scripts(case: Case) -> list[str]:
    """The scripts of package.json here."""
    try:
        found = json.loads(case.read("package.json")).get("scripts", {})
    except (ValueError, AttributeError):
        return []
    return [name for name in found if isinstance(name, str)] if isinstance(found, dict) else []


def _dash(case: Case, facts: Facts) -> list[str]:
    word = facts["name"].lstrip("-")
    return [case.swap(word, facts["name"])]


def _unknown(
    name: str,
    sign: str | tuple[str, ...],
    pattern: str,
    program: str = "",
    rank: int = 40,
    says: bool = False,
) -> Rule:
    """`says`: the word must be one of the command's, and the line that holds it about the command."""
    return Rule(
        f"subcommand.{name}", sign, pattern, _said_text if says else text, fixes, program=program, rank=rank
    )


def _said_text(case: Case, facts: Facts) -> str:
    return (
        text(case, facts)
        if facts["word"] in case.operands[:2] and facts["word"] in case.about_command
        else ""
    )


def _order(case: Case, facts: Facts) -> str:
    """`systemctl nginx restart`: the unit and the operation the wrong way round."""
    words, known = case.operands, SUBCOMMANDS["systemctl"].split()
    if len(words) != 2 or words[0] in known or words[1] not in known:
        return ""
    return f"systemctl wants the operation first and the unit after it: {words[1]} {words[0]}; it took {words[0]} for an unknown operation."


def _ordered(case: Case, facts: Facts) -> list[str]:
    first, second = (next(w for w in case.arguments if w.value == value) for value in case.operands)
    line = case.command
    return [
        line[: first.start] + second.value + line[first.end : second.start] + first.value + line[second.end :]
    ]


RULES = (
    Rule("subcommand.doubled", ("is not a", "unknown", "no such", "invalid", "not found", "unrecognized", "too many arguments", "usage:"), "", _doubled, _once, rank=13),
    Rule("subcommand.dash", "begins with a dash", r"Did you mean (?P<name>-\w+)\?",
         lambda c, f: f"Unknown command: this one begins with a dash, {f['name']}.", _dash, rank=20),
    _unknown("git", "is not a git command", r"git: '(?P<word>[^']+)' is not a git command", "git"),
    _unknown("is_not_a", ("is not a ", "is not an "), r"'?(?P<word>[\w:.-]+)'? is not an? (?:\w+ )?(?:sub)?command"),
    _unknown("group", "command group", r"'(?P<word>[^']+)' is (?:not in the|misspelled or not recognized)"),
    _unknown("unknown", ("unknown command", "unknown subcommand", "unknown sub-command", "unknown sub command"),
             r"unknown (?:sub-?\s?)?command:?,?(?: verb)? *[\"'`]?(?P<word>[^\"'`\n]*)"),
    _unknown("verb", "unknown command verb", r"Unknown command verb '?(?P<word>[\w-]+)"),
    _unknown("operation", ("unknown operation", "invalid operation", "invalid command", "unknown action"),
             r"(?:unknown|invalid) (?:operation|command|action)(?! name):? *[\"'`]?(?P<word>[\w:-]*)"),
    _unknown("named", ("command named", "command not found"), r"(?:command named [\"'`]?|[Cc]ommand not found:? [\"'`]?)(?P<word>[\w:-]+)"),
    _unknown("unexpected", "subcommand wasn't specified", r"unexpected token '(?P<word>[^']+)'", rank=20),
    _unknown("build_task", "don't know how to build task", r"build task '(?P<word>[^']+)'"),
    _unknown("syntax", "unknown syntax", r"^\*\*\* Unknown syntax: (?P<word>\S+)"),
    Rule("subcommand.order", ("unknown operation", "unknown command", "unrecognized service"), "", _order, _ordered, program="systemctl service", rank=16),
    Rule("subcommand.ambiguous", "ambiguous command", r"ambiguous command: (?P<word>[\w-]+), could be: (?P<names>[^\n]+)", "{word} is ambiguous: it may be {names}.",
         lambda c, f: [c.swap(f["word"], n) for n in sorted(f["names"].split(", "), key=lambda n: n not in ("list-sessions", "list-windows", "attach-session", "new-session", "kill-session"))], rank=30),
    Rule("subcommand.dotnet", "misspelled a built-in dotnet command", "", lambda c, f: text(c, {"word": c.operands[0] if c.operands else ""}), lambda c, f: fixes(c, {"word": c.operands[0]}), program="dotnet", rank=30),
    _unknown("no_command", "no command", r"no command [\"'`](?P<word>[^\"'`]+)"),
    _unknown("no_such_command", ("no such command", "no such subcommand"),
             r"no such (?:sub)?command:? *[\"'`]?(?P<word>[\w:-]*)"),
    _unknown("unrecognized", ("unrecognized command", "unrecognised command", "unrecognized subcommand",
                              "command not recognized"), r"[\"'`](?P<word>[^\"'`\n]+)[\"'`]"),
    _unknown("no_such_choice", "invalid choice", r"invalid choice: '(?P<word>[^']+)'"),
    _unknown("not_defined", "is not defined", r"Command \"(?P<word>[^\"]+)\" is not defined"),
    _unknown("object", ("is unknown, try", "object \""), r"Object \"(?P<word>[^\"]+)\" is unknown"),
    _unknown("undefined", ("command not defined", "not a valid command", "is not a known command", "isn't a known command"),
             r"[\"'`]?(?P<word>[\w:-]+)[\"'`]? (?:is |isn't )?(?:not )?(?:a )?(?:valid|known|defined)"),
    _unknown("task", ("task \"", "task '"), r"Task [\"'](?P<word>[^\"']+)[\"'] (?:not found|never defined|is not in)"),
    _unknown("phase", "unknown lifecycle phase", r"Unknown lifecycle phase \"(?P<word>[^\"]+)"),
    _unknown("hint", ("did you mean", "perhaps you meant", "maybe you meant"),
             r"[\"'`](?P<word>[\w:-]+)[\"'`]", rank=66, says=True),
    Rule("subcommand.usage", "usage", r"^\s*usage", _usage, _usage_fixes, rank=68),
    Rule("subcommand.help_only", "", "", _usage, _usage_fixes, program="adb ip nmcli hg lein tsuru virsh", rank=88),
)  # fmt: skip
