"""What a manual page says of each thing that it lists: tagged paragraphs of man, mdoc, and what generators write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from terma.machine.manual import plain

MAX_BODY = 600  # characters of a paragraph that are kept: its first sentence is what is wanted
MAX_ENTRIES = 4000
SECTION, HEADING = "§§ ", "§ "  # in front of a heading among the tags
MAX_TAG = 320
_GLYPHS = {
    r"\(aq": "'", r"\(cq": "'", r"\(oq": "'", r"\(dq": '"', r"\(lq": '"', r"\(rq": '"', r"\*(lq": '"', r"\*(rq": '"',
    r"\(em": "-", r"\(en": "-", r"\(bu": "*", r"\(co": "(c)", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~",
    r"\(rs": "\\", r"\(bv": "|", r"\(->": "->", r"\(lB": "[", r"\(rB": "]", r"\*(C'": "'", r"\*(C`": "`",
    r"\*(--": "--", r"\(mi": "-", r"\(hy": "-", r"\(or": "|", r"\*(Aq": "'", r'\*(L"': '"', r'\*(R"': '"',
    r"\*(``": '"', r"\*(''": '"', r"\[ci]": "*", r"\[bu]": "*", r"\[aq]": "'", r"\[dq]": '"', r"\[lq]": '"',
    r"\[rq]": '"', r"\[oq]": "'", r"\[cq]": "'", r"\[em]": "-", r"\[en]": "-", r"\[rs]": "\\", r"\[ti]": "~",
    r"\[ha]": "^", r"\[ga]": "`", r"\[->]": "->", r"\[or]": "|",
}  # fmt: skip
_GLYPH = re.compile("|".join(map(re.escape, sorted(_GLYPHS, key=len, reverse=True))))
_LINKS = re.compile(r"\\X'[^']*'|\\h'[^']*'|\\v'[^']*'|\\[zc]|\\u|\\d|\\/|\\,")
MOST_VALUES = 4
_NAME = re.compile(r"<[\w-]+>|[A-Za-z][\w-]*")
_MORE = re.compile(r"(?<=\w) \[")  # what may follow the values
_COUNT = re.compile(r"^-(?:<(?:n|num|number)>|NUM|number$)")
_SPACED = re.compile(r"<[\w -]+>")
_PROSE = frozenset("with without of to and or in by for is Em".split())  # Em: mdoc's mark of a long name
_OTHERWISE = re.compile(
    r"(?i)^(?:by default|usually|normally|ordinarily|without this)\b|\b(?:usually|normally)\b"
)
_DOES = re.compile(r"(?:Using|With|This|Setting)\b")
_BULLETS = ("*", "o", "-")
_BREAKS = (".PP", ".LP", ".P", ".sp", ".Pp")
_TEXT = (".B", ".I", ".BR", ".IR", ".RB", ".RI", ".BI", ".IB", ".SM", ".SB", ".R", ".Fl", ".Ar", ".Nm", ".Op", ".Cm",
         ".Xr", ".Ql", ".Dq", ".Sq", ".Pa", ".Ic", ".Li", ".Em", ".Sy", ".Dv", ".Ev",
         ".Nd", ".Pq", ".Va", ".Qq")  # fmt: skip


@dataclass(slots=True)
class _Reading:
    section: str = ""
    about: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    wants_tag: bool = False
    after_break: bool = False
    found: list[tuple[str, str]] = field(default_factory=list)
    filled: bool = True  # not in a block that is printed as it stands: a synopsis, an example, a summary

    def end(self) -> None:
        """What was read of an entry is whole."""
        tag = ", ".join(self.tags)
        if tag and self.body and len(self.found) < MAX_ENTRIES and len(tag) <= MAX_TAG:
            self.found.append((tag, " ".join(" ".join(self.body).split())[:MAX_BODY]))
        if self.body or not self.tags:
            self.tags = []
        self.body = []


def entries(text: str) -> tuple[str, list[tuple[str, str]]]:
    """What the page is about, and (`-x, --extract, --get`, "Extract files from an archive. …") for what it lists, in
    its order, with the headings between. `text` is roff. Never raises."""
    reading = _Reading()
    for line in text.splitlines():
        _line(reading, line)
    reading.end()
    about = " ".join(reading.about)
    return about.partition(" - ")[2].strip() or about.partition(" -- ")[2].strip(), reading.found


def _line(reading: _Reading, line: str) -> None:
    if line.startswith(('.\\"', "'\\\"", "'")):
        return
    macro, _, rest = line.partition(" ") if line.startswith(".") else ("", "", line)
    if macro in (".SH", ".SS", ".Sh", ".Ss"):
        reading.end()
        reading.tags, reading.wants_tag = [], False
        if macro in (".SH", ".Sh"):
            reading.section = rest.strip(' "').upper()
        mark = SECTION if macro in (".SH", ".Sh") else HEADING
        reading.found.append((mark + _clean(rest).strip('"'), ""))
    elif macro in (".TP", ".TQ", ".HP"):
        _tagged(reading)
    elif macro in (".IP", ".It"):
        told = bool(reading.body)
        reading.end()
        tag = _clean(f".IP {rest}" if macro == ".IP" else line)
        reading.wants_tag = False
        if tag and tag not in _BULLETS:
            reading.tags.append(tag)
        elif tag or (told and reading.found):
            reading.tags = []
        reading.after_break = reading.after_break or tag in _BULLETS  # what stands behind it may be the tag
    elif macro in _BREAKS:
        reading.after_break = True
        if reading.body:
            reading.end()
            reading.tags = []
    elif macro in (".RE", ".El"):
        reading.after_break = True
    elif macro == ".RS":
        reading.after_break = False
    elif macro in (".nf", ".fi", ".EX", ".EE"):
        reading.filled = macro in (".fi", ".EE")
    elif macro == "" or macro in _TEXT:
        _words(reading, _clean(line), line)


def _tagged(reading: _Reading) -> None:
    if reading.wants_tag:
        return
    reading.end()
    reading.wants_tag, reading.after_break = True, False


def _words(reading: _Reading, text: str, line: str) -> None:
    if reading.section == "NAME":
        reading.about.append(text.removesuffix(" ,") if ".Nd" not in line else f"- {text}")
        return
    if reading.wants_tag:
        if text:
            reading.tags.append(text)
            reading.wants_tag = False
        return
    indented = line.startswith(("\t", "    "))
    command = reading.section.endswith("COMMANDS") and re.match(r"\\fB[a-z]", line)
    if reading.after_break and reading.filled and not indented and (text.startswith("-") or command):
        reading.end()  # docbook's and cobra's way
        reading.tags.append(text)
        return
    reading.after_break = False
    if reading.tags and text:
        reading.body.append(text)


def _clean(line: str) -> str:
    line = _LINKS.sub("", _GLYPH.sub(lambda found: _GLYPHS[found[0]], line)).replace("\\.", ".")
    return " ".join(plain(line).split())


def sentence(text: str) -> str:
    """The sentence of `text` that says what the thing does: the first, or the second where the first only tells how it
    is without it. Abbreviations and what stands in brackets do not end one."""
    text = re.sub(r"^(?:\([A-Z][\w ,/-]*\) ?)+", "", text)  # curl: which protocols it is for
    first, rest = _first(text)
    if rest and _OTHERWISE.search(first):
        second, _ = _first(rest)
        if _DOES.match(second) or _OTHERWISE.match(first):
            return second
    return first


def _first(text: str) -> tuple[str, str]:
    """(the first sentence, what stands behind it)."""
    for found in re.finditer(r"[.;:](?=\s+(?:[A-Z(\"'`]|--\w))|(?<=\w)\.$", text):
        before = text[: found.start()]
        if before.count("(") <= before.count(")") and not re.search(
            r"\b(?:e\.g|i\.e|etc|vs|cf|resp)$", before
        ):
            return before.strip(), text[found.end() :].strip()
    return text.strip(), ""


def names(tag: str) -> Iterator[tuple[str, str, bool]]:
    """(name, value, optional) of each option in a tag: `-f, --file=ARCHIVE` gives ("-f", "ARCHIVE", False), … A value
    of several words, as `--arg NAME VALUE` has, keeps them all."""
    value, optional = "", False
    found: list[str] = []
    pieces = re.split(r",\s*(?=-)|\s*[|/]\s*(?=-)|\s+or\s+(?=-)|\s(?=--?[A-Za-z])", tag.strip().rstrip(":"))
    for piece in (_COUNT.sub("-NUM", one) for one in pieces):
        matched = re.match(r"(--?(?:\[no-?\])?[A-Za-z0-9#@?!%+][\w.+-]*)(\[?=?)\s*(.*)", piece)
        if not matched:
            if not found:
                return
            continue
        name, joint, rest = matched.groups()
        found.append(name.replace("[no-]", ""))
        told = rest.strip(" ,]")
        told = told or ("value" if joint == "=" else "")
        if told and told not in ("true", "false") and not value:
            value, optional = _value(told), joint.startswith("[") or rest.startswith("[")
        elif told in ("true", "false"):
            optional = True
    for name in found:
        yield name, value, optional


def _value(told: str) -> str:
    """The names of an option's values; the first alone where more stands there than names, "" for none."""
    told = _MORE.split(told, maxsplit=1)[0] or told
    words = _SPACED.sub(lambda found: found[0].replace(" ", "-"), told).split()
    if words[0] in _PROSE or not re.search(r"\w", words[0]):
        return ""
    several = 2 <= len(words) <= MOST_VALUES and all(map(_NAME.fullmatch, words)) and _PROSE.isdisjoint(words)
    return " ".join(word.strip("<>[]=\"'") for word in (words if several else words[:1]))
