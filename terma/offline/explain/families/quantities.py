"""How much and how long: a time in two words, names that run out."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.rule import Facts, Rule

_SUFFIX = 2  # letters of the suffixes that split gives where nobody says


def _in_one_word(case: Case, facts: Facts) -> str:
    """The time and its unit as one word, "5m"; "" where no number stands before the unit."""
    values = list(case.args)
    at = values.index(facts["name"]) if facts["name"] in values else 0
    number = values[at - 1] if at else ""
    return f"{number}{facts['name'][0]}" if re.fullmatch(r"\d+(?:\.\d+)?", number) else ""


def _glued(case: Case, facts: Facts) -> list[str]:
    one, unit = _in_one_word(case, facts), facts["name"]
    if not one:
        return []
    return [re.sub(rf"(?<!\S){re.escape(one[:-1])}\s+{unit}(?!\S)", one, case.command, count=1)]


def _letters(case: Case) -> int:
    found = re.search(r"(?<!\S)(?:-a|--suffix-length)[ =]?(\d+)(?!\S)", case.command)
    return int(found[1]) if found else _SUFFIX


def _longer(case: Case, facts: Facts) -> list[str]:
    more = re.sub(
        r"(?<=\s)(-a|--suffix-length)([ =]?)\d+(?!\S)", rf"\g<1>\g<2>{_letters(case) + 1}", case.command
    )
    return [more if more != case.command else case.insert(f"-a {_letters(case) + 1}")]


RULES = (
    Rule("quantities.time", "failed to run command", r"failed to run command [‘'`\"](?P<name>seconds?|secs?|minutes?|mins?|hours?|days?)[’'`\"]",
         lambda c, f: f"timeout takes the time as one word, {_in_one_word(c, f)}, and took {f['name']} for the program to run: no such file." if _in_one_word(c, f) else "",
         _glued, program="timeout", rank=14, rewrites=True),
    Rule("quantities.suffixes", "suffixes exhausted", "", lambda c, f: f"split ran out of names: suffixes of {_letters(c)} letters do not do for so many pieces (output file suffixes exhausted). -a makes them longer.",
         _longer, program="split", rank=14, rewrites=True),
)  # fmt: skip
