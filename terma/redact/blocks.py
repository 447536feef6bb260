"""Private keys: the one secret that takes many lines, found whole, cut short, in the dress of whatever printed it, or
folded into a string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from terma.redact.key_lines import (
    BEHIND,
    WIDTHS,
    Line,
    dress_of,
    dressed,
    line_of,
    unfolded,
    wide_lines,
    wide_places,
)

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
_BESIDE_BEGIN = re.compile(
    rf"[^A-Za-z0-9+/\n]{{1,12}}[A-Za-z0-9+/]{{{WIDTHS[0]},{WIDTHS[-1]}}}|[A-Za-z0-9+/]{{{WIDTHS[0]},8000}}={{0,2}}"
)
_BESIDE_END = re.compile(
    rf"(?:[^A-Za-z0-9+/\n]{{1,12}}|={{0,2}})[A-Za-z0-9+/]{{{WIDTHS[0]},8000}}"
)  # from its end
_CELL = r"[A-Za-z0-9+/]{4,200}={0,2}"
_COLUMN = re.compile(
    rf"[ \t]{{0,8}}(?P<run>(?=[A-Za-z0-9+/]{{16}}){_CELL}(?:[ \t]{{1,200}}{_CELL})*)[ \t]{{1,200}}\Z"
)
_BELOW_END = re.compile(
    rf"\n[ \t]{{0,8}}(?P<run>{_CELL}(?:[ \t]{{1,200}}{_CELL})*)[ \t]{{0,200}}(?:\r?\n|\Z)"
)
HEADER = re.compile(r"[A-Za-z-]{3,30}: [^\n]{0,200}\Z|Comment: ", re.ASCII)


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
    dress = dress_of(text[first : begin.start()])
    stop = begin.end()
    at = text.find("\n", begin.end(), limit) + 1 or limit
    behind = dress_of(text[stop : min(at - 1, stop + 300)].rstrip(BEHIND + "\"'`+"))
    while at < limit:
        end = text.find("\n", at, limit)
        end = limit if end < 0 else end
        line = dressed(text, at, end, dress, behind) or dressed(text, at, end, "", "")
        bare = text[at:end].strip()
        if line:
            stop = line.at + len(line.body)
        elif bare and not HEADER.search(bare) and dress_of(bare) != f"{dress}{behind}".strip():
            break
        at = end + 1
    return stop


def _closed(text: str) -> Iterator[Span]:
    """Of blocks whose BEGIN was cut off: the lines before an END as long as they look like a key."""
    for end in _all(END, ("-----END ", "Private-MAC: "), text):
        start = text.rfind("\n", max(0, end.start() - 300), end.start()) + 1
        column = _COLUMN.match(text, start, end.start())
        first, width = (column.start("run") if column else end.start()), 0
        if beside := _BESIDE_END.match(text[max(0, end.start() - 8_000) : end.start()][::-1]):
            first = min(first, end.start() - len(beside[0]))
        while start > 0 and end.start() - start < LIMIT:
            start = text.rfind("\n", max(0, start - 500), start - 1) + 1
            line = line_of(text, start, text.find("\n", start))
            if len(line.body) in WIDTHS and width in (0, len(line.body)):
                width = len(line.body)
            elif not text[start : line.end].strip(" \t\r\\0123456789"):
                continue  # the number of the line alone, or the mark of one that goes on
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
    for line in wide_lines(text):
        last = run[-1] if run else None
        if last and not (line.goes_with(last, text) and len(line.body) == len(last.body)):
            yield from _of_run(text, run)
            run = []
        run.append(line)
    yield from _of_run(text, run)


def _of_run(text: str, run: list[Line]) -> Iterator[Span]:
    if not run or (len(run) == 1 and not run[0].alone) or is_public(text, run[0].start):
        return
    last = run[-1]
    if last.end + 1 < len(text):
        end = text.find("\n", last.end + 1, last.end + 500)
        behind = dressed(
            text, last.end + 1, end if end >= 0 else min(len(text), last.end + 500), last.dress, last.behind
        )
        if behind and _may_be_last(behind.body):
            last = behind
    yield run[0].at, last.at + len(last.body)


def is_public(text: str, at: int) -> bool:
    """Whether the block that is open at `at` is a certificate, a public key or a message."""
    low = max(0, at - LIMIT)
    head = text.rfind("BEGIN ", low, at)
    return head > text.rfind("-----END ", low, at) and bool(PUBLIC.match(text, max(head - 5, 0)))
