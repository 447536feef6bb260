"""What a model says is data: this takes out everything a terminal would obey or a reader could not see.

Control sequences follow ECMA-48 and the parser of Paul Williams (vt100.net/emu/dec_ansi_parser). Dropped are
whole sequences with their payload, C0 but LF and TAB, DEL, C1, bidirectional controls (CVE-2021-42574), line
separators, zero-width and tag characters, and lone surrogates. Joiners (ZWJ, ZWNJ) and variation selectors
stay: emoji and several scripts need them.
"""

from __future__ import annotations

from terma import regex as re

_STRING_OPENERS = "\x90\x98\x9d\x9e\x9f"  # DCS SOS OSC PM APC as single characters
FORBIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
    "\u2028\u2029"
    "\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb"  # not seen, and no script needs them
    "\U000e0000-\U000e007f\ud800-\udfff"
)
_DIRTY = re.compile(f"[{FORBIDDEN}]")
FENCE = "~~~~"  # around data that a model is told
_TILDES = re.compile(f"{FENCE}+")

_TEXT, _ESCAPE, _ESCAPE_MORE, _CSI, _STRING = range(5)
_OPENS = {"\x1b": _ESCAPE, "\x9b": _CSI} | dict.fromkeys(_STRING_OPENERS, _STRING)
_AFTER_ESCAPE = {"[": _CSI} | dict.fromkeys("]PX^_", _STRING)
# A control string ends at BEL, ST, a cancel, or an ESC, which opens the next sequence (`ESC \` is ST).
_STRING_END = re.compile("[\x07\x18\x1a\x1b\x9c]")
_CSI_END = re.compile("[^\x20-\x3f]")


class StreamSanitizer:
    """`sanitize` over a stream: the pieces that `feed` returns join to `sanitize` of the joined input.

    Blanks and newlines that may turn out to be the last of the text are held back until more text follows.
    """

    def __init__(self) -> None:
        self._state = _TEXT
        self._held = ""

    def feed(self, chunk: str) -> str:
        """The clean text that is certain after `chunk`; may be empty."""
        clean = self._held + self._visible(chunk)
        cut = len(clean.rstrip(" \t\n"))
        self._held = clean[cut:]
        return clean[:cut]

    def close(self) -> str:
        """End the text: what was held back is dropped, since nothing follows it. Always empty."""
        self._state, self._held = _TEXT, ""
        return ""

    def _visible(self, chunk: str) -> str:
        pieces: list[str] = []
        at = 0
        while at < len(chunk):
            if self._state != _TEXT:
                at = self._skip(chunk, at)
                continue
            dirty = _DIRTY.search(chunk, at)
            pieces.append(chunk[at : dirty.start() if dirty else None])
            if dirty is None:
                break
            at = dirty.end()
            self._state = _OPENS.get(dirty[0], _TEXT)
        return "".join(pieces)

    def _skip(self, chunk: str, at: int) -> int:
        """Go through one step of the open sequence; the index of the first character not yet looked at."""
        char = chunk[at]
        if self._state == _STRING:
            end = _STRING_END.search(chunk, at)
            if end is None:
                return len(chunk)
            self._state = _ESCAPE if end[0] == "\x1b" else _TEXT
            return end.end()
        if self._state == _CSI:
            final = _CSI_END.search(chunk, at)
            if final is None:
                return len(chunk)
            self._state = _TEXT
            return final.end() if "@" <= final[0] <= "~" else final.start()
        if self._state == _ESCAPE and char in _AFTER_ESCAPE:
            self._state = _AFTER_ESCAPE[char]
            return at + 1
        if " " <= char <= "/":
            self._state = _ESCAPE_MORE
            return at + 1
        self._state = _TEXT
        return at + 1 if "0" <= char <= "~" else at


def sanitize(text: str) -> str:
    """`text` without what a terminal obeys or the eye cannot see, and without trailing blanks.

    CR LF becomes LF, a lone CR goes. A control string that is never closed takes the rest of the text along,
    as it would in a terminal."""
    return StreamSanitizer().feed(text)


def one_line(text: str, limit: int = 200) -> str:
    """`text` for a state line or an error: sanitised, blanks joined, at most `limit` code points."""
    line = " ".join(sanitize(text).split())
    return line if len(line) <= limit else line[: max(limit - 1, 0)].rstrip() + "…"


_ANSI = re.compile(
    "(?:\x1b\\[|\x9b)[\x20-\x3f]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x18\x1a\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]*[0-~]"
)


def strip_ansi(text: str) -> str:
    """`text` without escape sequences; every other character stays, control characters too."""
    return _ANSI.sub("", text)


def ago(seconds: float) -> str:
    """A length of time that is over, in words: "just now", "5 min ago", "3 h ago", "4 days ago"."""
    minutes = max(0, int(seconds / 60))
    if minutes < 1:
        return "just now"
    if minutes < 120:
        return f"{minutes} min ago"
    return f"{minutes // 60} h ago" if minutes < 48 * 60 else f"{minutes // 1440} days ago"


def without_fences(text: str) -> str:
    """`text` in which no run of tildes is a fence: each of a longer one is set apart, too."""
    return _TILDES.sub(lambda run: " ".join(run[0]), text)
