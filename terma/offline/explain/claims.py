"""The gate that every rule's explanation passes: what it says beyond the message must have grounds in the evidence.

A rule knows what its message mostly means. Here each sentence is held against this failure: a proposal is no other
name where it is the refused one, a cause in the command (a variable, a pattern) has to stand in the command or in the
script that ran, and what is said of a file of this machine needs a name that can be one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from terma.offline.explain.case import Case
from terma.offline.explain.source import lines_of

_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z\[-])")
_PROPOSES = re.compile(
    r"(?:There is|It has|Did you mean|It looks like) (?P<name>[^\s,]+?)(?: misspelt)?(?:, though)?[.?]$"
)
# What a program is said to have been given has to stand in what was written.
_GIVEN = re.compile(
    r"(?:\bgot|\bwas given|does not accept|does not know the option|knows no option|takes no such argument:) (?P<name>[^\s,:;]+)"
)
_PROPOSED = frozenset(("meant", "program", "command", "status"))  # facts that are no refused name
# What a sentence may blame in the command, and how that looks there.
_BLAMED: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        re.compile(
            r"(?i)\b(?:a|the|an unquoted) variable\b(?!'s).*(?:quote|unset|empty)|quote (?:it|the variable)\b.*\$|unquoted variable"
        ),
        re.compile(r"\$[\w{(?@*#]"),
    ),
    (re.compile(r"(?i)\bunquoted (?:pattern|glob)\b|\bthe shell expanded\b"), re.compile(r"[*?\[]")),
)


def grounded(case: Case, facts: Mapping[str, str], text: str) -> str:
    """`text` without the sentences that nothing here bears out; "" where that leaves none."""
    kept = [one for one in _SENTENCES.split(text) if _holds(case, facts, one)] if text else []
    return " ".join(kept)


def without_guess(text: str) -> str:
    """`text` where no command was proved: that a word looks misspelt is not said without the one that was meant."""
    return re.sub(r"[;,] (?:it|and it|the \w+ \w+) looks misspelt\.$", ".", text)


def _holds(case: Case, facts: Mapping[str, str], sentence: str) -> bool:
    proposal = _PROPOSES.search(sentence)
    refused = {value for key, value in facts.items() if key not in _PROPOSED}
    if proposal and proposal["name"] in refused:
        return False
    given = _GIVEN.search(sentence)
    if (
        given
        and given["name"].strip(".'\"") in facts.values()
        and not _was_given(case, given["name"].strip(".'\""))
    ):
        return False
    return all(
        not blames.search(sentence) or blames.search(case.output) or looks.search(written)
        for blames, looks in _BLAMED
        if (written := _written(case))
    )


def _was_given(case: Case, name: str) -> bool:
    """Whether `name` stands in the command, or where terma cannot read: in a function, a variable, another script."""
    written = _written(case)
    whole = rf"(?<![\w./]){re.escape(name.lstrip('-'))}(?![\w/]|\.\w)"
    return not written or bool(re.search(whole, written)) or "$" in written or not _is_known(case)


def _is_known(case: Case) -> bool:
    """Whether the program is a file of PATH or a word of the shell's own, and no function of the person's."""
    return bool(case.program_file) or case.installed(case.program)


def _written(case: Case) -> str:
    """The command, and the scripts that it names; "" where another script speaks, which cannot be read."""
    scripts = [word.value for word in case.words if case.is_file(word.value)]
    if not scripts and not re.match(rf"-?{re.escape(case.failure.shell)}: ", case.evidence.line):
        return ""
    return "\n".join([case.command, *(row for script in scripts for row in lines_of(case, script))])
