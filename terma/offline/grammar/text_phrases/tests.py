"""Tests of lines as filters: one grep where it can be, awk where tests are of several kinds."""

from __future__ import annotations

from terma.offline.grammar.quoting import bre, ere, pattern
from terma.offline.grammar.text_phrases.frame import TextFrame


def keep_steps(frame: TextFrame) -> list[str]:
    """The filters for all tests of lines, in the order in which they were said."""
    keeps = frame.keeps
    if not keeps:
        return []
    kinds = {kind for kind, _ in keeps}
    if "either" in frame.flags and len(keeps) > 1 and kinds <= {"has", "start", "end"}:
        return [
            f"grep{_flags(frame, 'E')} '"
            + "|".join(_as_ere(k, t) for k, t in keeps).replace("'", "'\"'\"'")
            + "'"
        ]
    if "either" in frame.flags and kinds == {"not"}:
        return [
            f"grep{_flags(frame, 'vE')} '" + "|".join(ere(t) for _, t in keeps).replace("'", "'\"'\"'") + "'"
        ]
    steps = []
    for index, (kind, text) in enumerate(keeps):
        steps.append(_one(frame, kind, text, last=index == len(keeps) - 1))
    return steps


def _as_ere(kind: str, text: str) -> str:
    return {"has": "", "start": "^", "end": ""}[kind] + ere(text) + ("$" if kind == "end" else "")


def _flags(frame: TextFrame, letters: str = "", last: bool = True) -> str:
    found = letters
    if "ignore case" in frame.flags:
        found += "i"
    if "word" in frame.flags:
        found += "w"
    if "-o" in frame.flags and "v" not in letters:
        found += "o"
    if "numbers" in frame.flags:
        found += "n"
    context = (
        "".join(f" {flag}" for flag in sorted(frame.flags) if flag[:3] in ("-A ", "-B ", "-C "))
        if last
        else ""
    )
    return (f" -{found}" if found else "") + context


def _one(frame: TextFrame, kind: str, text: str, last: bool) -> str:
    if kind == "length":
        return f"awk 'length {text}'"
    if kind in ("blank", "nonblank"):
        if text == "white":
            return f"grep{_flags(frame, 'v' if kind == 'nonblank' else '', last)} '^[[:space:]]*$'"
        return (
            f"grep{_flags(frame, '', last)} ."
            if kind == "nonblank"
            else f"grep{_flags(frame, '', last)} '^$'"
        )
    negative = kind.startswith("not")
    base = kind.removeprefix("not ").removeprefix("not") or "has"
    letters = "v" if negative else ""
    if base == "regex":
        return f"grep{_flags(frame, letters, last)} '{text}'"
    if base == "start":
        return f"grep{_flags(frame, letters, last)} {pattern('^' + bre(text))}"
    if base == "end":
        return f"grep{_flags(frame, letters, last)} {pattern(bre(text) + '$')}"
    dash = "-e " if text.startswith("-") else ""
    return f"grep{_flags(frame, letters, last)} {dash}{pattern(bre(text))}"
