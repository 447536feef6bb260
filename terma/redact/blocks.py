"""Private keys: the one secret that takes many lines, found whole, cut short, in the dress of whatever printed it, or
folded into a string."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from typing import NamedTuple

Span = tuple[int, int]
_KIND = r"(?:[A-Z0-9]{1,12} ){0,3}"
BEGIN = re.compile(
    rf"-----BEGIN (?:{_KIND}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----|PuTTY-User-Key-File-\d: ",
    re.ASCII,
)
END = re.compile(
    rf"-----END (?:{_KIND}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----|Private-MAC: \w{{1,80}}",
    re.ASCII,
)
PUBLIC = re.compile(
    rf"-?---- ?BEGIN {_KIND}(?:CERTIFICATE(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|CRL|X509 CRL|PKCS7|CMS|PARAMETERS|"
    r"SIGNATURE|MESSAGE|SIGNED MESSAGE|SSH2 PUBLIC KEY) ?----",
    re.ASCII,
)
LIMIT = 64_000  # characters; a longer block is no key
WIDTHS = (64, 70, 76)  # columns of PEM, of OpenSSH, of MIME
BODY_BACKWARDS = re.compile(r"={0,2}[A-Za-z0-9+/]{0,200}", re.ASCII)
BEHIND = " \t\r;,\\"  # of a line of a string of a program
SUM = re.compile(r"(?i)sha0[-:= ]+[\"']?\Z")  # the dress of a checksum
_BESIDE_BEGIN = re.compile(rf"[^A-Za-z0-9+/\n]{{1,12}}[A-Za-z0-9+/]{{{WIDTHS[0]},{WIDTHS[-1]}}}")
_CELL = r"[A-Za-z0-9+/]{4,200}={0,2}"
_COLUMN = re.compile(
    rf"[ \t]{{0,8}}(?P<run>(?=[A-Za-z0-9+/]{{16}}){_CELL}(?:[ \t]{{1,200}}{_CELL})*)[ \t]{{1,200}}\Z"
)
_BELOW_END = re.compile(
    rf"\n[ \t]{{0,8}}(?P<run>{_CELL}(?:[ \t]{{1,200}}{_CELL})*)[ \t]{{0,200}}(?:\r?\n|\Z)"
)
HEADER = re.compile(r"[A-Za-z-]{3,30}: [^\n]{0,200}\Z|Comment: ", re.ASCII)
# The dress of a line that says nothing of what it holds: `12 `, `web-1 | `, `app.log:12:`, `kernel[7]: `, `+`.
ALONE = re.compile(
    r"(?:.*(?:[|>]|\d[:-]|\]:|\dZ)|(?:[A-Z][a-z]{2} )?\d ?\d:.*:)? ?(?:\d+ )?[-+: ]?\Z|[ +-]{0,2}[\"']\Z"
)
_LAST_BREAK = re.compile(r"\\n(?=[\"'])")  # of a string of a program: the line ends anyway
_NUMBER, _BLANKS, _MARK = re.compile(r"\d+"), re.compile(r"\s+"), re.compile(r"[-:](?=$|[-:0-9 ])")
_WIDE = bytes(
    120 if byte in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" else 32
    for byte in range(256)
)
_FULL = b"x" * min(WIDTHS)
_SMALL, _CAPITALS, _DIGITS = map(frozenset, (string.ascii_lowercase, string.ascii_uppercase, string.digits))


class Line(NamedTuple):
    """One line, from `start` to `end` of its text without the break; `body` is the base64 that ends it, from `at`."""

    start: int
    end: int
    at: int
    body: str
    dress: str  # what stands before, with its numbers and blanks made alike

    @property
    def full(self) -> bool:
        """Whether it may be one of the middle of a key."""
        return len(self.body) in WIDTHS and mixed(self.body) and not SUM.search(self.dress)

    @property
    def alone(self) -> bool:
        """Whether nothing stands before it but what `cat -n`, grep, compose or a journal put there: no name of it."""
        return ALONE.match(self.dress) is not None


def spans(text: str) -> Iterator[Span]:
    """Start and end of each private key, and of each part of one. Colours must be gone from `text`."""
    flat = unfolded(text)
    if "-----" in text or "PuTTY-" in text:
        yield from _opened(flat)
    if "-----END " in text or "Private-MAC: " in text:
        yield from _closed(flat)
    if next(wide_places(flat), -1) >= 0:
        yield from _middles(flat)


def without_middles(text: str, found: Iterable[Span]) -> str:
    """`text` with all but the first and the last line of each of `found` struck out, and as long: what is hidden in any
    case need not be read again."""
    pieces: list[str] = []
    last = 0
    for start, end in sorted(found):
        first, stop = text.find("\n", max(start, last), end) + 1, text.rfind("\n", start, end)
        if 0 < first < stop:
            pieces += [text[last:first], (_STRUCK * ((stop - first) // len(_STRUCK) + 1))[: stop - first]]
            last = stop
    return "".join([*pieces, text[last:]]) if pieces else text


_STRUCK = "~" * 75 + "\n"


def wide_places(text: str, least: int = min(WIDTHS)) -> Iterator[int]:
    """Where runs of base64 begin that are as long as a line of a key, or longer."""
    map_, run = text.encode("ascii", "replace").translate(_WIDE), b"x" * least
    at = map_.find(run)
    while at >= 0:
        yield at
        end = map_.find(b" ", at)
        at = map_.find(run, end) if end >= 0 else -1


def unfolded(text: str) -> str:
    """`text` with the breaks that a string spells (`\\n`) as real ones, and of the same length."""
    if "\\n" not in text:
        return text
    return _LAST_BREAK.sub("  ", text.replace("\\r\\n", "  \\n")).replace("\\n", " \n")


def mixed(body: str) -> bool:
    """Whether base64 of this length is of random bytes, and no hex, path, or word."""
    chars = set(body)
    return (
        len(chars) >= min(18, len(body) // 3)
        and not chars.isdisjoint(_SMALL)
        and not chars.isdisjoint(_CAPITALS)
        and not chars.isdisjoint(_DIGITS)
    )


def wide(line: str) -> bool:
    """Whether `line` may be one of the middle of a key."""
    return next(_wide_lines(unfolded(line)), None) is not None


def open_at(text: str) -> int:
    """Where a block begins that does not end in `text`; -1 when there is none."""
    last = -1
    for begin in _all(BEGIN, ("-----BEGIN ", "PuTTY-User-Key-File-"), text):
        last = begin.start()
    if last < 0 or len(text) - last > LIMIT or END.search(text, last):
        return -1
    return last


def _opened(text: str) -> Iterator[Span]:
    """From BEGIN to END, whatever stands between; without an END as far as the lines look like a key."""
    opened = list(_all(BEGIN, ("-----BEGIN ", "PuTTY-User-Key-File-"), text))
    for number, begin in enumerate(opened):
        following = opened[number + 1].start() if number + 1 < len(opened) else len(text)
        limit = min(begin.end() + LIMIT, following)
        if limit - begin.end() < 16:
            continue
        end = END.search(text, begin.end(), limit)
        stop = end.end() if end else _as_far_as_it_looks_so(text, begin, limit)
        if end and (below := _BELOW_END.match(text, text.find("\n", stop))):
            line = text.rfind("\n", 0, end.start()) + 1
            if _COLUMN.match(
                text, line, end.start()
            ):  # the end of one column; the one before it is longer by a line
                stop = max(stop, below.end("run"))
        if beside := _BESIDE_BEGIN.match(text, begin.end(), limit):
            stop = max(stop, beside.end())
        if stop > begin.end() and re.search(r"[A-Za-z0-9+/]{16}", text[begin.end() : stop]):
            yield begin.start(), stop


def _all(pattern: re.Pattern[str], heads: tuple[str, ...], text: str) -> Iterator[re.Match[str]]:
    """What `pattern.finditer` gives; it opens with one of `heads`, and those are found far sooner."""
    last = 0
    for at in sorted(found for head in heads for found in _places(head, text)):
        match = pattern.match(text, at) if at >= last else None
        if match:
            yield match
            last = match.end()


def _places(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _as_far_as_it_looks_so(text: str, begin: re.Match[str], limit: int) -> int:
    """The end of the last line behind `begin` that is dressed as its line is and holds base64, a header or nothing."""
    first = text.rfind("\n", max(0, begin.start() - 300), begin.start()) + 1
    dress = _dress(text[first : begin.start()])
    stop = begin.end()
    at = text.find("\n", begin.end(), limit) + 1 or limit
    while at < limit:
        end = text.find("\n", at, limit)
        line = _line(text, at, limit if end < 0 else end)
        bare = text[at : line.end].strip()
        if line.body and line.dress in (dress, ""):
            stop = line.at + len(line.body)
        elif bare and not HEADER.search(bare) and _dress(bare) != dress.strip():
            break
        at = line.end + 1
    return stop


def _closed(text: str) -> Iterator[Span]:
    """Of blocks whose BEGIN was cut off: the lines before an END as long as they look like a key."""
    for end in _all(END, ("-----END ", "Private-MAC: "), text):
        start = text.rfind("\n", max(0, end.start() - 300), end.start()) + 1
        column = _COLUMN.match(text, start, end.start())
        first, width = (column.start("run") if column else end.start()), 0
        while start > 0 and end.start() - start < LIMIT:
            start = text.rfind("\n", max(0, start - 500), start - 1) + 1
            line = _line(text, start, text.find("\n", start))
            if len(line.body) in WIDTHS and width in (0, len(line.body)):
                width = len(line.body)
            elif width or first < end.start() or not line.body or not _may_be_last(line.body):
                break
            first = line.at
        if first < end.start():
            yield first, end.end()


def _may_be_last(body: str) -> bool:
    """The last line of a block is as long as what is left."""
    return len(body) % 4 == 0 and (body.endswith("=") or len(set(body)) >= min(8, len(body)))


def _middles(text: str) -> Iterator[Span]:
    """Two full lines or more in the same dress, with the shorter one behind them; no part of what is public."""
    run: list[Line] = []
    for line in _wide_lines(text):
        last = run[-1] if run else None
        if last and (last.end + 1, len(last.body), last.dress) != (line.start, len(line.body), line.dress):
            yield from _of_run(text, run)
            run = []
        run.append(line)
    yield from _of_run(text, run)


def _wide_lines(text: str) -> Iterator[Line]:
    """The full lines of `text`, found by their runs of base64: a tenth of a millisecond for a megabyte of others."""
    map_ = text.encode("ascii", "replace").translate(_WIDE)
    at = map_.find(_FULL)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if end - at < 300:
            if end - at in WIDTHS and text[at - 1 : at] in ("\n", "") and map_.find(b" ", at, end) < 0:
                line = Line(at, end, at, text[at:end], "")  # nothing but base64, as most of them are
            else:
                line = _line(text, text.rfind("\n", max(0, at - 500), at) + 1 or max(0, at - 500), end)
            if line.full:
                yield line
        at = map_.find(_FULL, end)


def _of_run(text: str, run: list[Line]) -> Iterator[Span]:
    if not run or (len(run) == 1 and not run[0].alone) or is_public(text, run[0].start):
        return
    last = run[-1]
    if last.end + 1 < len(text):
        end = text.find("\n", last.end + 1, last.end + 500)
        behind = _line(text, last.end + 1, end if end >= 0 else min(len(text), last.end + 500))
        if behind.body and behind.dress == last.dress and _may_be_last(behind.body):
            last = behind
    yield run[0].at, last.at + len(last.body)


def is_public(text: str, at: int) -> bool:
    """Whether the block that is open at `at` is a certificate, a public key or a message."""
    low = max(0, at - LIMIT)
    head = text.rfind("BEGIN ", low, at)
    return head > text.rfind("-----END ", low, at) and bool(PUBLIC.match(text, max(head - 5, 0)))


def _line(text: str, start: int, end: int) -> Line:
    tail = max(start, end - 300)
    piece = text[tail:end].rstrip(BEHIND)
    for quote in ('" +', "' +", '"', "'", "`"):
        piece = piece.removesuffix(quote)
    piece = piece.rstrip(BEHIND)
    found = BODY_BACKWARDS.match(piece[::-1])
    length = len(found[0]) if found else 0
    if length % 4 == 1 and piece[-length] == "+" and length > 1:  # a diff's mark
        length -= 1
    body, at = piece[len(piece) - length :], tail + len(piece) - length
    return Line(start, end, at, body, _dress(text[max(start, at - 300) : at]) if body else "")


def _dress(before: str) -> str:
    """`before` with its numbers and blanks made alike: the next line of the same output begins like this."""
    return _MARK.sub(":", _BLANKS.sub(" ", _NUMBER.sub("0", before)))
