"""What a manual page says of each thing that it lists: tagged paragraphs of man, mdoc, and what generators write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from terma.machine.manual import plain

MAX_BODY = 600  # characters of a paragraph that are kept: its first sentence is what is wanted
MAX_ENTRIES = 4000
MAX_TAG = 160
_GLYPHS = {
    r"\(aq": "'", r"\(cq": "'", r"\(oq": "'", r"\(dq": '"', r"\(lq": '"', r"\(rq": '"', r"\*(lq": '"', r"\*(rq": '"',
    r"\(em": "-", r"\(en": "-", r"\(bu": "*", r"\(co": "(c)", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~",
    r"\(rs": "\\", r"\(bv": "|", r"\(->": "->", r"\(lB": "[", r"\(rB": "]", r"\*(C'": "'", r"\*(C`": "`",
    r"\*(--": "--", r"\(mi": "-", r"\(hy": "-", r"\(or": "|",
}  # fmt: skip
_GLYPH = re.compile("|".join(map(re.escape, sorted(_GLYPHS, key=len, reverse=True))))
_LINKS = re.compile(r"\\X'[^']*'|\\h'[^']*'|\\v'[^']*'|\\[zc]|\\u|\\d|\\/|\\,")
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
    its order. `text` is roff. Never raises."""
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
    elif macro in (".TP", ".TQ", ".HP"):
        _tagged(reading)
    elif macro in (".IP", ".It"):
        reading.end()
        tag = _clean(f".IP {rest}" if macro == ".IP" else line)
        reading.wants_tag = False
        if tag and tag not in ("*", "o", "-"):
            reading.tags.append(tag)
        elif not tag and reading.found:
            reading.tags = []
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
    if (
        reading.after_break and reading.filled and text.startswith("-") and not indented
    ):  # docbook's and cobra's way
        reading.end()
        reading.tags.append(text)
        return
    reading.after_break = False
    if reading.tags and text:
        reading.body.append(text)


def _clean(line: str) -> str:
    line = _LINKS.sub("", _GLYPH.sub(lambda found: _GLYPHS[found[0]], line))
    return " ".join(plain(line).split())


def sentence(text: str) -> str:
    """The first sentence of `text`; abbreviations and what stands in brackets do not end it."""
    text = re.sub(r"^(?:\([A-Z][\w ,/-]*\) ?)+", "", text)  # curl: which protocols it is for
    for found in re.finditer(r"[.;:](?=\s+[A-Z(\"'`])|(?<=\w)\.$", text):
        before = text[: found.start()]
        if before.count("(") <= before.count(")") and not re.search(
            r"\b(?:e\.g|i\.e|etc|vs|cf|resp)$", before
        ):
            return before.strip()
    return text.strip()


def names(tag: str) -> Iterator[tuple[str, str, bool]]:
    """(name, value, optional) of each option in a tag: `-f, --file=ARCHIVE` gives ("-f", "ARCHIVE", False), …"""
    value, optional = "", False
    found: list[str] = []
    for piece in re.split(r",\s*(?=-)|\s+\|\s*(?=-)|\s+or\s+(?=-)|\s(?=--?[A-Za-z])", tag.strip()):
        matched = re.match(r"(--?(?:\[no-?\])?[A-Za-z0-9#@?!%+][\w.+-]*)(\[?=?)\s*(.*)", piece)
        if not matched:
            if not found:
                return
            continue
        name, joint, rest = matched.groups()
        found.append(name.replace("[no-]", ""))
        told = rest.strip(" ,]")
        if told and told not in ("true", "false") and not value:
            value, optional = told.split()[0].strip("<>[]=\"'"), joint.startswith("[") or rest.startswith("[")
        elif told in ("true", "false"):
            optional = True
    for name in found:
        yield name, value, optional
