"""What a look at the data itself tells: keys of JSON, names in a schema, the text that a sed script means, an encoding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import sqlite_names
from terma.offline.explain.near import nearest
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.source import MAX_SOURCE

# Words of SQL that people give to tables.
_WORDS = frozenset(
    "order group index table check default references transaction values union limit select where from set desc".split()
)


def _document(case: Case) -> object:
    """The JSON of the first file that the command names, None when there is none."""
    for value in case.operands[1:]:
        text = case.read(value, MAX_SOURCE)
        if text:
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                return None
    return None


def _walk(document: object, path: list[str]) -> object:
    """What stands at the keys `path`, [] taking the first of a list; None when nothing does."""
    for step in path:
        if step == "[]":
            document = document[0] if isinstance(document, list) and document else None
        else:
            document = document.get(step) if isinstance(document, dict) else None
    return document


def _steps(filter_: str) -> list[str]:
    return [
        hit[1] or hit[2] or "[]" for hit in re.finditer(r"\.?\"([^\"]+)\"|\.([A-Za-z_]\w*)|\[\]", filter_)
    ]


def _other_key(case: Case) -> tuple[str, list[str]]:
    """The key of jq's filter that the data do not have, and those that would do in its place: what follows fits them."""
    filter_ = case.operands[0] if case.operands else ""
    if not re.fullmatch(r"(?:\.?(?:\[\]|[A-Za-z_]\w*))+(?:\s*\|.*)?", filter_):
        return "", []
    document, steps = _document(case), _steps(filter_.partition("|")[0])
    for index, step in enumerate(steps):
        at = _walk(document, steps[:index])
        if not isinstance(at, dict) or step in at:
            continue
        rest = steps[index + 1 :]
        fitting = [key for key in at if rest and _walk(at[key], rest) is not None]
        return step, nearest(step, at, 1) or (fitting if len(fitting) == 1 else [])
    return "", []


def _jq_text(case: Case, facts: Facts) -> str:
    missing, others = _other_key(case)
    if not missing:
        return ""
    there = f" It has {others[0]}." if others else ""
    return f"The data have no key {missing} there, so jq met null ({facts['why']}).{there}"


def _jq_fixes(case: Case, facts: Facts) -> list[str]:
    missing, others = _other_key(case)
    filter_ = case.operands[0]
    return [
        case.swap(filter_, re.sub(rf"\b{re.escape(missing)}\b", other, filter_, count=1)) for other in others
    ]


def _every(case: Case, facts: Facts) -> list[str]:
    """The filter with [] before a key that stands in the elements of a list, where all of them have it."""
    filter_ = case.operands[0] if case.operands else ""
    for hit in re.finditer(rf"((?:\.[A-Za-z_]\w*)*)\.{re.escape(facts['name'])}(?!\w)", filter_):
        listed = _walk(_document(case), _steps(hit[1]))
        if (
            isinstance(listed, list)
            and listed
            and all(isinstance(one, dict) and facts["name"] in one for one in listed)
        ):
            return [
                case.swap(filter_, f"{filter_[: hit.end(1)]}{'' if hit[1] else '.'}[]{filter_[hit.end(1) :]}")
            ]
    return []


def _holds(text: str, pattern: str) -> bool:
    """Whether `text` has what sed's `pattern` stands for, read plainly or as an expression."""
    try:
        return bool(pattern) and (pattern.replace("\\", "") in text or bool(re.search(pattern, text)))
    except re.error:
        return False


def _sed_script(case: Case) -> Iterator[str]:
    """The s command whose own text holds its delimiter, with another one: split where the file holds what is left."""
    for word in case.arguments:
        found = re.fullmatch(r"s/(.+)/([gIip\d]*)", word.value)
        if not found:
            continue
        files = [
            case.read(value, MAX_SOURCE)
            for value in case.operands
            if value != word.value and case.exists(value)
        ]
        body = found[1]
        every = [at for at, char in enumerate(body) if char == "/"]
        cuts = [
            at for at in every if not {at - 1, at + 1} & set(every)
        ]  # of two side by side either may be meant
        fits = [at for at in cuts if any(_holds(text, body[:at]) for text in files)]
        plain = [at for at in cuts if body[at - 1 : at] not in (":", "/") and body[at + 1 : at + 2] != "/"]
        at = max(fits, default=plain[0] if len(plain) == 1 else -1)
        mark = next((char for char in "|#,@" if char not in body), "")
        if at > 0 and mark:
            yield case.swap(word.value, f"s{mark}{body[:at]}{mark}{body[at + 1 :]}{mark}{found[2]}")


def _keyword_quoted(case: Case, facts: Facts) -> list[str]:
    """The statement with a table's or column's name quoted that is a word of SQL as well."""
    tables, columns = sqlite_names(case, next((v for v in case.operands if case.exists(v)), ""))
    name = facts["name"]
    statement = next((v for v in case.operands if re.search(rf"\b{re.escape(name)}\b", v) and " " in v), "")
    named = name.lower() in {one.lower() for one in (*tables, *columns)}
    as_table = re.search(
        rf"\b(?:from|into|update|join|table)\s+{re.escape(name)}\b", statement, re.IGNORECASE
    )
    if not statement or not (named or (as_table and name.lower() in _WORDS)):
        return []
    return [case.swap(statement, re.sub(rf"\b{re.escape(name)}\b", f'"{name}"', statement, count=1))]


def _escaped(case: Case, facts: Facts) -> list[str]:
    """The pattern with the bracket escaped at which the expression could not be read."""
    before = facts["before"].strip(" ")
    return (
        [case.command.replace(before, before[:-1] + "\\" + before[-1])]
        if before and case.command.count(before) == 1
        else []
    )


def _fixed_text(case: Case, facts: Facts) -> list[str]:
    """grep -E whose pattern means one bracket as itself: taken as plain text."""
    pattern = case.operands[0] if case.operands else ""
    flag = next((v for v in case.args if re.fullmatch(r"-[a-zA-Z]*[EP]", v)), "")
    plain = not re.search(r"[|.*+?^$\[\]{}\\]", pattern) and pattern.count("(") != pattern.count(")")
    return [case.swap(flag, flag[:-1] + "F")] if flag and plain else []


def _foreign_file(case: Case) -> tuple[str, str]:
    """The file of the command whose text is not UTF-8, and the encoding that it may have."""
    for value in case.operands:
        data = case.bytes_of(value, MAX_SOURCE)
        if not data or b"\0" in data:
            continue
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return value, "WINDOWS-1252" if any(0x80 <= byte < 0xA0 for byte in data) else "ISO-8859-1"
    return "", ""


def _encoding_text(case: Case, facts: Facts) -> str:
    path, name = _foreign_file(case)
    place = f" (line {case.evidence.place.line} of {case.evidence.place.file})" if case.evidence.place else ""
    return (
        f"{path} is not UTF-8: byte {facts['byte']} at position {facts['at']} cannot be decoded{place}: UnicodeDecodeError. Its bytes read as {name}."
        if path
        else ""
    )


def _recoded(case: Case, facts: Facts) -> list[str]:
    path, name = _foreign_file(case)
    stem, dot, ending = path.rpartition(".")
    new = f"{stem}.utf8{dot}{ending}" if stem else f"{path}.utf8"
    return (
        [f"iconv -f {name} -t UTF-8 {quote(path)} > {quote(new)} && {case.swap(path, new)}"]
        if not case.exists(new)
        else []
    )


def _split_names(case: Case) -> bool:
    """Whether xargs took a name with a blank apart: two names that are missing are one that is there."""
    missing = re.findall(
        r"(?:cannot \w+(?: \w+)?|cannot stat|cannot access|stat) '?([^':\n]+)'?: No such file", case.output
    )
    missing += re.findall(r"^\w+: ([^:'\n]+): No such file", case.output, re.MULTILINE)
    return any(case.exists(f"{a} {b}") for a, b in pairwise(missing))


def _by_nul(case: Case, facts: Facts) -> list[str]:
    """xargs with names that end at a NUL, as find writes them, or at the end of their line."""
    line = re.sub(r"(\bfind\b[^|]*?)\s*\|\s*xargs\b", r"\1 -print0 | xargs -0", case.command, count=1)
    line = (
        line
        if line != case.command
        else re.sub(r"((?:^|\|)\s*)xargs\b", r"\1xargs -d '\\n'", case.command, count=1)
    )
    if re.search(r"\s-[d0]|--null|--delimiter", case.command):
        return []
    return [line] if line != case.command and "-0" not in case.command.split() else []


RULES = (
    Rule("data.jq_key", "cannot iterate over null", r"(?P<why>Cannot iterate over null[^\n]*)", _jq_text, _jq_fixes, program="jq", rank=11, rewrites=True),
    Rule("data.jq_list", "cannot index array with", r"Cannot index array with (?:string )?\"(?P<name>\w+)\"", lambda c, f: f"What has {f['name']} is not the list but each of its elements: Cannot index array with \"{f['name']}\". [] takes them one by one." if _every(c, f) else "", _every, program="jq", rank=11, rewrites=True),
    Rule("data.xargs_quote", ("unmatched single quote", "unmatched double quote"), "", "A name that xargs read holds a quote, and xargs takes quotes for its own (unmatched quote). Names that end at a NUL, or with -d at the end of their line, may hold any.", _by_nul, program="xargs", rank=10, rewrites=True),
    Rule("data.sed_delimiter", ("unknown option to", "unterminated", "extra characters"), "", lambda c, f: "The text of sed's s command holds a / itself, so the command ends early. Another delimiter is needed, as in s|old|new|." if any(_sed_script(c)) else "",
         lambda c, f: list(_sed_script(c))[:1], program="sed", rank=14, rewrites=True),
    Rule("data.sql_keyword", "syntax error", r"near \"(?P<name>\w+)\": syntax error", lambda c, f: f"{f['name']} is a word of SQL, so as a name it must be quoted: SQLite met a syntax error near it." if _keyword_quoted(c, f) else "",
         _keyword_quoted, program="sqlite3", rank=11, rewrites=True),
    Rule("data.regex_here", "<-- here", r"(?P<why>Unmatched [(\[)]|Quantifier follows nothing|Missing right \w+) in regex; marked by <-- HERE in m/(?P<before>.*?) <-- HERE", "The pattern is no valid regular expression: {why}. A bracket that is meant as itself needs a backslash.",
         _escaped, program="perl", rank=14, rewrites=True),
    Rule("data.grep_plain", "unmatched ( or", "", lambda c, f: "The pattern opens a group with ( and never closes it: unmatched ( in a regular expression. -F takes the pattern as plain text." if _fixed_text(c, f) else "", _fixed_text, program="grep egrep", rank=15, rewrites=True),
    Rule("data.encoding", "unicodedecodeerror", r"decode byte (?P<byte>0x\w\w) in position (?P<at>\d+)", _encoding_text, _recoded, program="python python3", rank=18, rewrites=True),
    Rule("data.xargs_blank", "no such file", "", lambda c, f: "xargs takes blanks for the end of a name, and a name here holds one: it was taken apart, and no such files exist. Names must be parted by NUL." if "xargs" in {w.value for w in c.words} and _split_names(c) else "", _by_nul, rewrites=True, rank=20),
)  # fmt: skip
