"""The right form, read from the program's own usage lines in the output: what stands where, what is still wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.near import nearest
from terma.offline.explain.shapes.told import told

_FEW = re.compile(
    r"requires (?:exactly |at least )?(?:1|one) argument|missing (?:operand|argument)|too few|not enough"
    r"|no (?:path|directory) (?:given|specified)",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"too many|extra|unexpected|unrecogni[sz]ed argument|unknown (?:option|argument)", re.IGNORECASE
)
_LIST = 3  # forms that differ in one word make a list of these
_USAGE = re.compile(r"^\s*(?:usage|or)?:?\s*", re.IGNORECASE)


def wanted(case: Case) -> Iterator[Finding]:
    yield from _this_folder(case)
    yield from _file_behind_option(case)
    yield from _word_of_forms(case)


def _forms(case: Case) -> list[str]:
    """The usage lines of the output, each with the lines that go on with it."""
    forms: list[str] = []
    for line in case.output.splitlines():
        text = _USAGE.sub("", line)
        if text.startswith(f"{case.program} ") or text.startswith(f"{case.program}["):
            forms.append(text)
        elif forms and re.match(r"\s{8,}\S", line):
            forms[-1] += " " + line.strip()
    return forms


def _this_folder(case: Case) -> Iterator[Finding]:
    """The one operand that is missing is a folder: this one."""
    if not _FEW.search(told(case)):
        return
    for form in _forms(case):
        last = re.search(
            r"(?:<|\[)?(PATH|DIR|DIRECTORY|FOLDER|CONTEXT)(?:>|\])?(?: ?\|.*)?$", form.strip(), re.IGNORECASE
        )
        if last and not any(case.is_dir(word) for word in case.operands):
            yield Finding(f"{case.program} wants a folder at the end, as {form.strip()}.", case.append("."))


def _file_behind_option(case: Case) -> Iterator[Finding]:
    """A file that was given as an operand, where the usage has an option for it."""
    if not _MANY.search(case.output):
        return
    files = [word for word in case.arguments if not word.value.startswith("-") and case.exists(word.value)]
    flags = [word for word in case.args if re.fullmatch(r"-\w+", word)]
    for form in _forms(case):
        behind = re.search(r"\[?(-\w) (\w*_?(?:file|path)\w*)", form)
        mine = all(re.search(rf"(?<![\w-]){re.escape(flag)}(?!\w)", form) for flag in flags)
        if flags and mine and behind and behind[1] not in flags and len(files) == 1:
            at = files[0]
            yield Finding(
                f"{case.program} takes the file behind {behind[1]}: {form.strip()[:100]}",
                f"{case.command[: at.start]}{behind[1]} {quote(at.value)}{case.command[at.end :]}",
            )
            return


def _word_of_forms(case: Case) -> Iterator[Finding]:
    """The usage alone was printed: the word that stands where every form has another, nearly as in one of them."""
    plain = [words for form in _forms(case) if (words := _literal(form))]
    typed = [case.program, *case.operands]
    for at in range(1, min(len(typed), 3)):
        there = {words[at] for words in plain if words[:at] == typed[:at] and len(words) > at}
        names = sorted(name for name in there if re.fullmatch(r"[a-z][\w-]{2,}", name))
        if len(names) < _LIST or typed[at] in there:
            continue
        near = nearest(typed[at], names, 2)
        if len(near) == 1:
            yield Finding(
                f"The usage has {near[0]} there, and no {typed[at]}.", case.swap(typed[at], near[0])
            )
        return


def _literal(form: str) -> list[str]:
    """The words of a form without what may be left out."""
    before = ""
    while before != form:
        before, form = form, re.sub(r"\[[^\[\]]*\]", " ", form)
    return form.split()
