"""From what a sentence says about text to a pipe of the classic filters."""

from __future__ import annotations

from terma.offline.grammar.quoting import bre, ere, operand, quoted, word
from terma.offline.grammar.quoting import pattern as quoted_pattern
from terma.offline.grammar.text_phrases.frame import (
    CHANGE,
    COUNT,
    CUT,
    LIMIT,
    SELECT,
    SORT,
    UNIQUE,
    TextFrame,
)
from terma.offline.grammar.text_phrases.tests import keep_steps

_STDIN_ONLY = ("tr ",)


def render(frame: TextFrame) -> str:
    """The command, or '' when the parts do not make one."""
    if frame.whole:
        return frame.whole
    if not frame.sources:
        return ""
    if "pair" in frame.flags:
        return _sunk(frame, _pair(frame))
    if len(frame.sources) > 1 and frame.edits and not frame.steps and not frame.keeps:
        return ""
    steps = _steps(frame)
    if steps is None:
        return ""
    edit = _edit(frame, steps)
    if edit is not None:
        return edit
    if not steps:
        return ""
    return _sunk(frame, _pipe(frame, steps))


def _edit(frame: TextFrame, steps: list[str]) -> str | None:
    """`sed -i` when the sentence orders a change of the file and asks for no output."""
    if (
        not frame.edits
        or frame.sink
        or ("show" in frame.flags and "in place" not in frame.flags)
        or "literal" in frame.flags
    ):
        return None
    if len(steps) != len([1 for s in steps if s.startswith("sed ")]):
        return "" if "in place" in frame.flags else None
    script = "; ".join(_scripts(frame))
    return f"sed -i {quoted(script)} " + " ".join(operand(s) for s in frame.sources)


def _scripts(frame: TextFrame) -> list[str]:
    found = []
    for edit in frame.edits:
        if edit.startswith("s/") and edit.endswith("/") and "substitution" in frame.flags:
            every = "" if "first only" in frame.flags else "g"
            found.append(edit + every + ("I" if "ignore case" in frame.flags else ""))
        else:
            found.append(edit)
    return found


def _steps(frame: TextFrame) -> list[str] | None:
    """All filters in the order in which they run; None when the sentence contradicts itself."""
    ranked = list(frame.steps)
    ranked += [(SELECT, step) for step in keep_steps(frame)]
    if frame.edits:
        ranked.append((CHANGE, f"sed {quoted('; '.join(_scripts(frame)))}"))
    ranked += _column_steps(frame)
    if "by word" in frame.flags and not any("tr -s" in s for _, s in ranked):
        ranked.append((CUT, "tr -s '[:space:]' '\\n'"))
    if frame.sort or frame.flags & {"unique", "duplicates", "singles", "tally"}:
        ranked += _sort_steps(frame)
    if "numbers" in frame.flags and not any(step.startswith("grep") for _, step in ranked):
        ranked.append((SELECT - 5, "cat -n"))
    if "count" in frame.flags:
        if any(rank == COUNT and step.startswith("wc") for rank, step in ranked):
            return None
        ranked.append((COUNT, "wc -l"))
    ranked.sort(key=lambda item: item[0])
    return _merged([step for _, step in ranked])


def _column_steps(frame: TextFrame) -> list[tuple[int, str]]:
    flags = _separator(frame)
    cut = next((f for f in sorted(frame.flags) if f.startswith("cut ")), "")
    drop = next((f for f in sorted(frame.flags) if f.startswith("drop ")), "")
    condition = frame.condition + " " if frame.condition else ""
    if cut or drop:
        delimiter = (
            f" -d{quoted(frame.separator)}"
            if frame.separator not in ("", "\\t")
            else " -d' '"
            if not frame.separator and not _csv(frame)
            else " -d,"
            if _csv(frame)
            else ""
        )
        which = cut[4:] if cut else f"{drop[5:]} --complement"
        return [(CUT, f"cut{delimiter} -f{which}")]
    if frame.aggregate:
        return _aggregate(frame, flags, condition)
    if frame.columns:
        if (
            not frame.condition
            and (frame.separator or _csv(frame))
            and frame.columns == sorted(frame.columns)
            and "NF" not in frame.columns
        ):
            mark = frame.separator or ","
            delimiter = "" if mark == "\\t" else f" -d{mark}" if mark == "," else f" -d{quoted(mark)}"
            if len(mark.removeprefix("\\")) == 1:
                return [(CUT, f"cut{delimiter} -f{','.join(frame.columns)}")]
        shown = (' "' + frame.separator + '" ' if frame.separator else ", ").join(
            f"${c}" for c in frame.columns
        )
        return [(CUT, f"awk{flags} '{condition}{{print {shown}}}'")]
    if frame.condition:
        return [(CUT, f"awk{flags} '{frame.condition}'")]
    return []


def _csv(frame: TextFrame) -> bool:
    return any(source.endswith(".csv") for source in frame.sources)


def _separator(frame: TextFrame) -> str:
    mark = frame.separator or ("," if _csv(frame) else "")
    if not mark:
        return ""
    return f" -F{mark}" if mark in (",", ":") else f" -F{quoted(mark)}"


def _aggregate(frame: TextFrame, flags: str, condition: str) -> list[tuple[int, str]]:
    if len(frame.columns) > 1:
        return []
    column = "$" + (frame.columns[0] if frame.columns else "1")
    programs = {
        "sum": f"{condition}{{s += {column}}} END {{print s}}",
        "mean": f"{condition}{{s += {column}; n++}} END {{print s / n}}",
        "max": f"NR == 1 || {column} > m {{m = {column}}} END {{print m}}",
        "min": f"NR == 1 || {column} < m {{m = {column}}} END {{print m}}",
    }
    if frame.aggregate == "median":
        return []
    if frame.aggregate in ("max", "min") and not frame.columns and not condition:
        return [(SORT, f"sort -n | {'tail' if frame.aggregate == 'max' else 'head'} -n 1")]
    return [(SORT, f"awk{flags} '{programs[frame.aggregate]}'")]


def _sort_steps(frame: TextFrame) -> list[tuple[int, str]]:
    flags = "".join(
        letter
        for letter in "fnhr"
        if letter in frame.sort or (letter == "f" and "ignore case" in frame.flags)
    )
    if frame.flags & {"tally"}:
        steps = [(SORT, "sort"), (UNIQUE, "uniq -c")]
        if "by count" in frame.flags or frame.sort:
            steps.append(
                (
                    UNIQUE + 1,
                    "sort -n" if "by count" not in frame.flags and "r" not in frame.sort else "sort -rn",
                )
            )
        return steps
    if frame.flags & {"duplicates", "singles"}:
        return [(SORT, "sort"), (UNIQUE, "uniq -d" if "duplicates" in frame.flags else "uniq -u")]
    mark = frame.separator or ("," if _csv(frame) and frame.sort_column else "")
    parts = ["sort"]
    if mark and frame.sort_column:
        parts.append(f"-t{mark}" if mark == "," else f"-t{quoted(mark)}" if mark != "\\t" else "-t$'\\t'")
    if frame.sort_column:
        parts.append(f"-k{frame.sort_column},{frame.sort_column}{flags}")
    elif flags:
        parts.append("-" + flags)
    if "unique" in frame.flags:
        parts.append("-u")
    return [(SORT, " ".join(parts))]


def _merged(steps: list[str]) -> list[str]:
    """Neighbours that one command says: `grep X | wc -l` is `grep -c X`, but not for `grep -o`."""
    found: list[str] = []
    for step in steps:
        last = found[-1] if found else ""
        letters = last.split()[1] if last.startswith("grep -") else ""
        if step == "wc -l" and last.startswith("grep ") and "o" not in letters and "|" not in last:
            plain = letters and letters != "-e"
            found[-1] = "grep -c" + (last[6:] if plain else last[4:])
        else:
            found.append(step)
    return found


def _pipe(frame: TextFrame, steps: list[str]) -> str:
    first, *rest = steps
    files = " ".join(operand(s) for s in frame.sources)
    if "literal" in frame.flags:
        return " | ".join([f"echo {quoted(frame.sources[0])}", *steps])
    head, bar, tail = (
        first.partition(" | ")
        if first.startswith(("tail -n 2 |", "sort -n |", "awk '{print length, $0}' |"))
        else (first, "", "")
    )
    if head.startswith("paste ") and head.endswith(" -"):
        opened = f"{head[:-2]} {files}"
    elif head.startswith(_STDIN_ONLY) or (
        head in ("wc -l", "wc -w", "wc -c", "wc -m") and (len(frame.sources) > 1 or "*" in files)
    ):
        opened = f"cat {files} | {head}" if len(frame.sources) > 1 or "*" in files else f"{head} < {files}"
    else:
        opened = f"{head} {files}"
    if bar:
        opened += " | " + tail
    return " | ".join([opened, *rest])


def _sunk(frame: TextFrame, command: str) -> str:
    if not command or not frame.sink:
        return command
    if frame.sink in frame.sources:
        return ""
    return f"{command} {'>>' if frame.append else '>'} {word(frame.sink)}"


def _pair(frame: TextFrame) -> str:
    if len(frame.sources) != 2:
        return ""
    one, two = (operand(s) for s in frame.sources)
    flags = frame.flags
    extra = _after_pair(frame)
    if "common" in flags:
        return f"comm -12 <(sort {one}) <(sort {two}){extra}"
    if "only" in flags:
        return f"comm -23 <(sort {one}) <(sort {two}){extra}"
    if "beside files" in flags or ("beside" in flags and "diff" not in flags):
        mark = f" -d{quoted(frame.separator)}" if frame.separator else ""
        return f"paste{mark} {one} {two}"
    if "interleave" in flags:
        return f"paste -d '\\n' {one} {two}"
    if "join" in flags:
        return f"join <(sort {one}) <(sort {two})"
    if "cmp" in flags:
        return f"cmp {one} {two}"
    if "differing" in flags:
        unified = next((f for f in sorted(flags) if f.startswith("-U ")), "")
        if unified:
            return f"diff {unified} {one} {two} | grep -v '^@'" + (" | wc -l" if "count" in flags else "")
        return f"diff {one} {two} | grep '^[<>]'" + (" | wc -l" if "count" in flags else "")
    style = "-y " if "beside" in flags else "-u " if "-u" in flags else ""
    style = next((f + " " for f in sorted(flags) if f.startswith("-U ")), style)
    letters = ("-i " if "ignore case" in flags else "") + style
    return f"diff {letters}{one} {two}{extra}"


def _after_pair(frame: TextFrame) -> str:
    return " | wc -l" if "count" in frame.flags else ""


__all__ = ["LIMIT", "bre", "ere", "quoted_pattern", "render"]
