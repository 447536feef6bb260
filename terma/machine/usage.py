"""What a page's synopsis calls the operands of a program: `SOURCE... DIRECTORY`, `[--] <path>...`, `dev IFNAME`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from terma.machine.manual import plain

MAX_USAGES = 24  # usages of one page
_ITALIC = re.compile(r"\\f(?:I|\(CI)(.*?)(?=\\f|$)")
_MOUNT = {
    ".I": (True,),
    ".IR": (True, False),
    ".RI": (False, True),
    ".BI": (False, True),
    ".IB": (True, False),
}
_ENDS = (".br", ".sp", ".ti", ".PP", ".P", ".LP", ".HP", ".TP", ".SY", ".YS", ".nf", ".fi", ".EX", ".EE", ".")
_PRINTED, _FILLED = (".nf", ".EX"), (".fi", ".EE")
_WORD = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_PLACE = re.compile(r"⟨[^⟩]+⟩|<[\w /-]+>|[A-Z][A-Z0-9_-]+(?![a-z])")
_OPTIONAL = re.compile(r"\[\s*[⟨<]?(?:-[^\[\]]*|[\w-]*(?i:options?|flags?)\b[^\[\]]*)\]\s*(?:\.\.\.)?")
_DASHED = re.compile(r"(?<![\w-])--?[A-Za-z0-9][\w-]*")
_HAS_COMMANDS = re.compile(r"(?i)sub-?command|\bCOMMAND\b[}⟩>\]]*(?! *\[?⟨?ARG)")
_KEYWORD = re.compile(r"(?<![\w<⟨-])([a-z][a-z0-9_-]+) (?:\] |\[ )?⟨([A-Z][A-Z0-9_-]+)⟩")


@dataclass(frozen=True, slots=True)
class Usage:
    """`lines`: for each form, the names of its operands in order, a `*` in front of one that may be several. `behind`:
    what stands behind `--`. `keywords`: the name of the value behind each word that wants one. `others`: options that
    make a form of their own, whose operands are not read here. `commands`: whether it has some."""

    lines: tuple[tuple[str, ...], ...] = ()
    behind: str = ""
    keywords: Mapping[str, str] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    commands: bool = False

    def operand(self, at: int, of: int) -> str:
        """What operand number `at` of `of` is called; "" where no form has so many, or the forms do not agree. Forms
        with just so many go before those that take any number."""
        exact = [line for line in self.lines if len(line) == of and not any(name[0] == "*" for name in line)]
        fitting = {found for line in exact or self.lines if (found := _fit(line, at, of))}
        return fitting.pop() if len(fitting) == 1 else ""


NONE = Usage()


def read(source: str, words: tuple[str, ...]) -> Usage:
    """`words`: the program and its subcommand as the page writes them. `source` is roff. Never raises."""
    if not words:
        return NONE
    lines: list[tuple[str, ...]] = []
    others: set[str] = set()
    commands = False
    behind: list[str] = []
    keywords: dict[str, str] = {}
    for text in list(forms(source))[:MAX_USAGES]:
        for found in _KEYWORD.finditer(text):
            if text[: found.start()].split()[-1:] != [words[-1]] and found[1] not in words:
                keywords.setdefault(found[1], found[2])
        bare = re.sub(r"[⟨⟩]", "", text) if text.startswith("⟨") else text  # git's own name is in italics
        name = " ".join(words)
        start = text.find("⟩") + 1 if bare is not text and bare.startswith(name) else len(name)
        if not bare.startswith(name) or text[start : start + 1] not in ("", " "):
            continue
        before, dashes, rest = _OPTIONAL.sub(" ", re.sub(r"\[\s*--\s*\]", " -- ", text[start:])).partition(
            " -- "
        )
        commands = commands or bool(_HAS_COMMANDS.search(text))
        operands = _operands(before) or _operands(f"{before} {rest}")
        if operands is not None:
            lines.append(operands)
        else:
            others |= set(_DASHED.findall(before))
        behind += (_operands(rest) or ())[:1] if dashes else ()
    one = {name.removeprefix("*") for name in behind}
    return Usage(tuple(lines), one.pop() if len(one) == 1 else "", keywords, frozenset(others), commands)


def _operands(text: str) -> tuple[str, ...] | None:
    """None for a form with words or options of its own."""
    text = re.sub(r"\s+(?=\.\.\.)", "", text.replace("[", " ").replace("]", " "))
    found: list[str] = []
    for one in re.sub(r"<([\w /-]+)>", lambda name: f"<{name[1].replace(' ', '-')}>", text).split():
        either = one.split("|")  # FILE|DIRECTORY
        called = "-or-".join(name.strip("⟨⟩<>") for name in either)
        word = f"<{called}>" if len(either) > 1 and all(map(_PLACE.fullmatch, either)) else one
        name = _PLACE.match(word)
        if word in ("...", "…") and found:
            found[-1] = "*" + found[-1].lstrip("*")
        elif not name or "|" in word or "{" in word or word[:1] == "-":
            return None
        else:
            called = name[0].strip("⟨⟩<>")
            if called[:1] == "-":
                return None
            found.append(("*" if "..." in word else "") + called)
    return tuple(found)


def _fit(line: tuple[str, ...], at: int, of: int) -> str:
    """The operand in a form of so many; the one that may be several takes what is left."""
    many = [place for place, name in enumerate(line) if name[0] == "*"]
    if not many:
        return line[at] if of <= len(line) and at < len(line) else ""
    if len(many) > 1:
        return line[at].removeprefix("*") if at <= many[0] else ""
    place, after = many[0], len(line) - many[0] - 1
    if of <= after:
        return ""
    if at < place:
        return line[at]
    return line[place][1:] if at < of - after else line[at - of]


def forms(source: str) -> Iterator[str]:
    """Each form of the synopsis in one line, with ⟨…⟩ around what is in italics."""
    inside, printed, held = False, False, ""
    for line in source.splitlines():
        macro, _, rest = line.partition(" ") if line.startswith(".") else ("", "", line)
        if macro in (".SH", ".Sh"):
            inside = rest.strip(' "').upper().startswith(("SYNOPSIS", "SYNTAX"))
        elif inside:
            printed = macro in _PRINTED or (printed and macro not in _FILLED)  # each row as it stands
            begins = macro in _ENDS or not line.strip() or (printed and not macro and line[:1] not in " \t[<")
            if begins and held.strip():
                yield " ".join(held.split())
                held = ""
            if macro not in _ENDS:
                held += f" {_marked(macro, rest) if macro else _italics(line)}"
    if held.strip():
        yield " ".join(held.split())


def _marked(macro: str, rest: str) -> str:
    words = [_italics(quoted.replace('""', '"') or bare) for quoted, bare in _WORD.findall(rest)]
    kinds = _MOUNT.get(macro, (False,))
    told = [
        _italic(word) if kinds[at % len(kinds)] and word.strip(" []|{}.,") else word
        for at, word in enumerate(words)
    ]
    return ("" if len(kinds) > 1 or macro in (".BR", ".RB") else " ").join(told)


def _italics(text: str) -> str:
    return plain(_ITALIC.sub(lambda found: _italic(found[1]), text.replace("\\,", "").replace("\\/", "")))


def _italic(text: str) -> str:
    """Each word by itself, but a program's own name of two."""
    text = text.replace("\\-", "-")
    if re.match(r"git ", text):
        return f"⟨{text}⟩"
    return (
        re.sub(r"[\w][\w./:=-]*", lambda found: f"⟨{found[0]}⟩", text) if not text.startswith("-") else text
    )
