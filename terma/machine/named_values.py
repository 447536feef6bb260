"""What a page says of single values of an option: `A value of 0 means no limit`, `--prune=now prunes all`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MAX_VALUES = 8  # values of one option
_WORD = r"[\"'`]?(?P<token>[-+]?\d+|zero|[a-z][\w-]*)[\"'`]?(?=[\s,.;:)]|$)"
_NUMBER = r"[\"'`]?(?P<token>0|-1|zero)[\"'`]?(?=[\s,.;:)]|$)"
_SAYS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bspecial value (?:of )?{_WORD}",
        rf"\b(?:[Aa]|[Tt]he) (?:\w+ )?value (?:of )?{_NUMBER}",
        rf"\b(?:[Ii]f|[Ww]hen|[Ss]et(?:ting)?|[Uu]s(?:e|ing))\b[^.;]{{0,40}}?\b(?:is|to|value|equals) {_NUMBER}",
        rf"\b[Ss]pecify(?:ing)? {_NUMBER}",
        rf"(?:^|\s){_NUMBER} (?:means|disables|makes|turns|is for)\b",
    )
)
_NO_RULE = re.compile(r"(?i)\bexamples?\b|\be\.g|^by default|^see\b")
_ENDS = re.compile(r"(?<=[.;])\s+(?=[A-Z0-9\"'`(-])")


def values(body: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(value, the sentence about it) for what `body` says of single values of the option called `names`. The first
    sentence, which tells of the option itself, says nothing of one but where it writes it out."""
    any_name = "|".join(map(re.escape, names))
    own = re.compile(
        rf"^(?:(?:[Ww]hen|[Ii]f|[Uu]sing|[Ww]ith|[Tt]he|[Ss]etting) )?(?:{any_name})=[\"'`]?(?P<token>[a-z0-9][\w-]*)"
        r"(?=[\s\"'`,;:)]|\.?$)"
    )
    seen: set[str] = set()
    for number, said in enumerate(_ENDS.split(body)):
        if _NO_RULE.search(said):
            continue
        for pattern in (own, *(_SAYS if number else ())):
            found = pattern.search(said)
            if (
                found
                and (token := found["token"].replace("zero", "0")) not in seen
                and len(seen) < MAX_VALUES
            ):
                seen.add(token)
                yield token, said.strip().rstrip(".;")
