"""What the tool itself advises: a whole line to run, or an option to add. Trusted only where it fits the command."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote, words_of
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.shapes.advised import calls_unknown
from terma.offline.explain.subcommands import SUBCOMMANDS

_OPTION = re.compile(
    r"(?:run (?:\S+ |it )?(?:again )?with|enabl\w+ [^\n.]{0,60}with|including|by passing|pass|passing|by adding|re-?run with|try again with|retry with|[Uu]se)"
    r" (?:the )?[`'\"]?(?P<option>--?[A-Za-z][\w-]*)[`'\"]?(?P<why>[^\n]{0,80})"
)
_FORMS = 3  # as many lines with the program in front are still advice; git's longest has three
_TALK = frozenset(
    "--help -h --version -v --verbose --debug --trace --stacktrace --info --scan -vv --color --log-level".split()
)
_HARMLESS = re.compile(
    r"literal|enabl|classic|overwrite|recurs|director|instead|to (?:allow|continue|proceed|ignore|force|override)|option"
)


# What follows is the way to something else than what was wanted, and one that takes away.
_ANOTHER_WISH = re.compile(
    r"\bif you (?:would like|(?:really )?want|wish|mean) to (?:\w+ ){0,2}(?:destroy|delete|remove|discard|drop|wipe|erase|reset)",
    re.IGNORECASE,
)


# A program's bare name is what to run first where the output says so; else it only tells of that program.
_IS_FIRST = re.compile(
    r"\b(?:first|before|again|need to|have to|must|please)\b|to (?:create|generate|fix|install|configure|set ?up)"
)


def _is_usage(case: Case) -> bool:
    """Whether the output is a page of usage: it shows many forms of the command, and advises none of them."""
    rows = (row.strip().strip("`").removeprefix("$ ") for row in case.output.splitlines())
    begins = re.match(r"\s*usage\b", case.output, re.IGNORECASE)
    return bool(begins) or len({row for row in rows if row.startswith(case.program + " ")}) > _FORMS


def _line(case: Case) -> str:
    """A line of the output that is a whole command: the failed program and subcommand again, indented, with no gaps."""
    first = case.operands[0] if case.operands else ""
    for row in () if _is_usage(case) else case.output.splitlines():
        text = row.strip().strip("`")
        shown = row.startswith((" ", "\t")) and text.startswith(case.program + " ")
        if not shown or re.search(r"[<>\[\]|;&$()…]|\.\.\.", text):
            continue
        words = [word.value for word in words_of(text)]
        known = not first or words[1:2] == [first]
        if (
            known
            and not _TALK & set(words)
            and "help" not in words
            and len(words) > 1
            and text != case.command.strip()
        ):
            return text
    return ""


def _told(case: Case, facts: Facts) -> str:
    line = _line(case) if case.program and case.status != 0 else ""
    return (
        f"{case.program} refuses, and says itself what it would accept: {line}. {_reason(case)}"
        if line
        else ""
    )


def _reason(case: Case) -> str:
    lines = [line.strip() for line in case.output.splitlines() if line.strip()]
    said = next(
        (line for line in lines if re.match(r"(?i)(?:error|fatal|\w+: )", line)), lines[0] if lines else ""
    )
    return f"Its reason: {said[:160]}"


def _keep(case: Case, facts: Facts) -> list[str]:
    """The advised line in the place of the failed part; what stands before and after it is kept."""
    mine = [word for word in case.words if word.part == case.part and not word.after]
    start = next((w.start for w in mine if w.value.rpartition("/")[2] == case.program), 0)
    return [case.command[:start] + _line(case) + case.command[mine[-1].end :]] if mine else []


def _option(case: Case) -> re.Match[str] | None:
    for found in _OPTION.finditer(case.output):
        line = case.output[case.output.rfind("\n", 0, found.start()) + 1 : found.end()]
        sentence = re.split(
            r"(?<=[.!?])\s", " ".join(case.evidence.flat[: case.evidence.flat.find(found["option"])].split())
        )[-1]
        if _ANOTHER_WISH.search(sentence):
            continue
        if found["option"] not in _TALK and found["option"] not in case.args and _HARMLESS.search(line):
            return found
    return None


def _option_text(case: Case, facts: Facts) -> str:
    found = _option(case)
    page = re.search(r"(?im)^\s*usage:", case.output)  # a page of usage says what there is, not what to do
    if not found or page or calls_unknown(case):
        return ""
    return f"{case.program} advises the option {found['option']} itself. {_reason(case)}"


def _option_fixes(case: Case, facts: Facts) -> list[str]:
    found = _option(case)
    if not found:
        return []
    subs = (
        case.args[:1] if case.args[:1] and case.args[0] in SUBCOMMANDS.get(case.program, "").split() else ()
    )
    return [
        case.append(found["option"])
        if found["option"].startswith("--") and subs
        else case.insert(found["option"], *subs)
    ]


def _dashes(case: Case, facts: Facts) -> list[str]:
    wrong = next(
        (v for v in case.args if re.fullmatch(r"-[a-z]{2,}", v) and v.lstrip("-")[-3:] == facts["name"][-3:]),
        "",
    )
    return [case.swap(wrong, facts["name"])] if wrong else []


def _open(case: Case, facts: Facts) -> list[str]:
    word = next((v for v in case.operands if re.fullmatch(r"(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", v)), "")
    return [case.swap(word, f"http://{word}", raw=quote(word) == word)] if word else []


def _prepare(case: Case) -> str:
    """A whole command that the output says to run first: another one than the failed one, and not one that only tells."""
    typed = case.command.strip()
    for line in case.evidence.advised:
        words = line.split()
        same = words[:2] == [case.program, *case.operands[:1]][: len(words)]
        known = not _is_usage(case) if words[0] == case.program else words[0] in case.low
        if line != typed and not same and known and (len(words) > 1 or _IS_FIRST.search(case.low)):
            return line
    return ""


def _prepare_text(case: Case, facts: Facts) -> str:
    line = _prepare(case) if case.status and case.blamed else ""
    return f"{case.program} stopped, and says itself what has to be run first: {line}." if line else ""


def _standard(case: Case, facts: Facts) -> str:
    if not re.search(r"must be enabled|only allowed|requires? |use option|available with", case.low):
        return ""
    typed = next((value for value in case.args if value.startswith("-std=")), "")
    told = typed or "what this compiler takes by default"
    return f"The source needs a newer standard of C or C++ than {told}: {facts['name']} asks for it."


def _with_standard(case: Case, facts: Facts) -> list[str]:
    if case.program not in ("gcc", "g++", "cc", "c++", "clang", "clang++"):
        return []
    typed = next((value for value in case.args if value.startswith("-std=")), "")
    return [case.swap(typed, facts["name"]) if typed else case.append(facts["name"])]


def _fixable(case: Case, facts: Facts) -> list[str]:
    return [case.append(facts["option"])]


RULES = (
    Rule("advice.fixable", "fixable with", r"fixable with (?:the )?[`'‘]?(?P<option>--fix)", "{program} found what it objects to, and can mend a part of it itself with {option}.", _fixable, rank=62),
    Rule("advice.first", ("run", "use", "try", "start"), "", _prepare_text, lambda c, f: [f"{_prepare(c)} && {c.command}"], rank=64),
    Rule("advice.dashes", "with two dashes", r"did you mean [`'‘](?P<name>--[\w-]+)", "A long option takes two dashes: {name}. With one, each letter is an option of its own.", _dashes, rank=20),
    Rule("advice.cask", "no longer a `brew` command", "", "brew has no cask command any more: the option --cask took its place.", lambda c, f: [re.sub(r"\bcask (\S+)", r"\1 --cask", c.command)], program="brew", rank=18),
    Rule("advice.standard", "-std=", r"(?P<name>-std=(?:c\+\+|c|gnu\+\+|gnu)\w+)", _standard, _with_standard, rank=19),
    Rule("advice.open", ("does not exist", "no such file"), "", lambda c, f: f"{c.operands[0]} was taken for a file, and there is none of that name (does not exist). An address begins with http://." if _open(c, f) and not c.exists(c.operands[0]) else "", _open, program="open xdg-open gnome-open start", rank=19),
    Rule("advice.line", (":\n", "use\n", "run\n", "try\n"), "", _told, _keep, rank=63),
    Rule("advice.option", ("with -", "including -", "pass", "use -", "use the -", "use `-", "use '-", "with the -", "with `-", "the option -", "enabl"), "", _option_text, _option_fixes, rank=65),
)  # fmt: skip
