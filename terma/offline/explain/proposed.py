"""What a subcommand was meant to be: a name that the output proposes or lists, else one that is known of the tool."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.near import begins, distance, limit_for, meant, nearest
from terma.offline.explain.subcommands import DEEPER, DEEPER_SYNONYMS, SUBCOMMANDS, SYNONYMS

_HINT = re.compile(
    r"(?:did you mean|most similar (?:command|choice)|perhaps you meant|maybe you meant|similar (?:sub)?commands?"
    r"|possible alternatives?|a similar \w+ exists|do you mean"
    r"|the closest)(?P<rest>[^\n]*(?:\n[ \t]*[^\s\n][^\n]*|\n(?=\s*\n?[ \t]*\S))*)",
    re.IGNORECASE,
)
_HINT_ENDS = re.compile(r"\n\s*(?:Run|See|Usage|For (?:more|help)|To (?:see|search)|Use|Try|Type|If you)\b")
_QUOTED = re.compile(r"[`'‘\"“]([^`'’\"”\n]+)[`'’\"”]")
_LISTED = re.compile(
    r"(?:where <command> is one of|(?:available |valid "
    r"|supported )?(?:sub-?)?commands?(?: are)?|invalid choice[^\n]*choose from"
    r"|available lifecycle phases are|one of|possible values|valid (?:choices"
    r"|values)(?: are)?)\s*:?\s*\(?(?P<list>[\s\S]{3,4000})",
    re.IGNORECASE,
)
# Verbs that programs have for one thing.
_SENSES = tuple(
    frozenset(verbs.split())
    for verbs in (
        "show info view describe inspect details cat",
        "remove rm delete del uninstall erase",
        "list ls dir",
        "add install i",
        "create new init make",
        "start up run launch",
        "stop down halt",
        "update upgrade refresh",
        "search find lookup query",
        "rename mv move",
        "copy cp",
        "status state st",
        "log logs history",
        "exec execute sh shell",
        "check lint validate verify test",
    )
)
_BULLET = re.compile(r"^[-*•] +")
_WORD = re.compile(r"[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*", re.IGNORECASE)


def hinted(case: Case, word: str) -> list[str]:
    """The names that the tool itself proposes, in its own order."""
    found = _HINT.search(case.output)
    if not found:
        return []
    same = re.match(r"[ \t]*(?:one of )?([\w:.-]+)\?", found["rest"])
    if same and same[1] not in ("this", "one", "it", word):
        return [same[1]]
    rest = _HINT_ENDS.split(found["rest"])[0]
    rest = re.sub(
        r"^(?![ \t]*[:?])[^\n'\"`‘“]*\n|^[^\n]*:[ \t]*\n", "\n", rest
    )  # a heading: names stand below
    quoted = [q for q in _QUOTED.findall(rest) if q != word]
    if quoted:
        return quoted[:5]
    lines = [
        re.sub(r"\? *[\[(][yYnN/]+[\])].*", "", line).strip(" \t?.*-:")
        if not line.strip().startswith("-")
        else _BULLET.sub("", line.strip())
        for line in rest.split("\n")
    ]
    names = [line for line in lines if line and line not in ("this", "one of these", word)]
    names = [
        name.split("  ")[0] for name in names if len(name.split()) <= 4 and not name.lower().startswith("is")
    ]
    return [name for name in names if not re.match(r"(?i)(this|is|are|s? ?is|one of)\b", name)][:8]


def takes_files(case: Case) -> bool:
    """Whether the usage in the output asks for files, and for no command: no operand is a word of a list then."""
    row = re.search(r"(?im)^\s*usage\b[^\n]*", case.output)
    return row is not None and bool(re.search(r"(?i)\bfiles?\b", row[0])) and "command" not in row[0].lower()


def listed(case: Case) -> list[str]:
    """The words of the list of subcommands that the output holds, if it holds one."""
    found = _LISTED.search(case.output)
    bars = re.search(r"[\[({<]([a-z-]+(?:\|[a-z-]+)+)[\])}>]", case.output)
    if bars:
        return bars[1].split("|")
    if not found:
        return []
    rest = found["list"]
    return _WORD.findall(rest.partition(")")[0] if "choose from" in found.group()[:200] else rest)


def candidates(case: Case, word: str) -> list[str]:
    """What `word` was meant to be, best first."""
    program = case.program
    hints = hinted(case, word)
    if hints:
        near = sorted(dict.fromkeys(hints), key=lambda name: _apart(case, word, name))
        return near if is_meant(case, word, near) else []
    known = SUBCOMMANDS.get(program, "").split()
    if case.operands[1:2] == (word,) and f"{program} {case.operands[0]}" in DEEPER:
        deeper = DEEPER[f"{program} {case.operands[0]}"].split()
        return (
            meant(word, deeper)
            if word not in DEEPER_SYNONYMS
            else [DEEPER_SYNONYMS[word]]
            if DEEPER_SYNONYMS[word] in deeper
            else []
        )
    other = SYNONYMS.get(program, {}).get(word)
    if other:
        return [other]
    if same := _same_sense(word, known or listed(case)):
        return [same]
    close = [*nearest(word, known), *nearest(word, listed(case), liked=known)]
    close.sort(key=lambda name: (distance(word, name, limit_for(word)), name not in known))
    return list(dict.fromkeys([*close, *begins(word, known), *begins(word, listed(case))]))[:3]


def _apart(case: Case, word: str, name: str) -> float:
    """How far a proposed name is from `word`: the tool's own order counts among those that are no slip at all. Of a
    whole command the word in the place of the wrong one is held against it, and the others are those typed."""
    words = name.split()
    if len(words) > 1:
        typed = [case.program, *case.operands] if words[0] == case.program else list(case.operands)
        at = typed.index(word) if word in typed else len(words)
        if len(words) <= at or words[:at] != typed[:at]:
            return float("inf")
        apart = distance(word, words[-1], limit_for(word))
        return min(apart, distance(word, words[at], limit_for(word)))
    return distance(word, name, limit_for(word))


def is_meant(case: Case, word: str, names: list[str]) -> bool:
    """Whether the first of a tool's proposals is what `word` was to be: a slip of it, its beginning, or the same in
    other words. Else the person has to choose, also of one alone: tools name what is nearest of all they have, and a
    plug-in that is not there is near to nothing."""
    first = names[0].split()[-1]
    return (
        _apart(case, word, names[0]) < float("inf")
        or first.startswith(word)
        or bool(_same_sense(word, names))
    )


def _same_sense(word: str, known: list[str]) -> str:
    """The one verb of `known` that means the same as `word`, which is another program's; "" where it is not one."""
    group = next((verbs for verbs in _SENSES if word in verbs), frozenset())
    found = [name for name in known if name in group]
    return found[0] if len(found) == 1 and word not in known else ""
