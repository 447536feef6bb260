"""Text that can be known without running anything: what variables hold, what echo prints, what base64 gives back."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator

from terma import regex as re
from terma.risk.model import Call

_VARIABLE = re.compile(
    r"\$(\w+)|\$\{(\w+)(?::?[-=]([^{}]*)|:(\d+)(?::(\d+))?|//?([^/{}]+)/([^{}]*)|([,^]{1,2}))?\}"
)
_LONGEST = 4000  # code points of a value
_BASE64_DECODES = re.compile(r"-\w*[dD]\w*|--decode")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|(.))", re.S)
_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
}
_RANGE = re.compile(r"(.)-(.)|\\([0-7]{3})|\\(.)|(.)", re.S)


def expanded(text: str, known: Callable[[str], str | None]) -> str:
    """`text` with the variables that are known in their places; the others stay as they are written."""

    def one(found: re.Match[str]) -> str:
        plain, braced, default, start, length, old, new, case = found.groups()
        value = known(plain or braced)
        if value is None:
            return found[0] if default is None else default
        if start is not None:
            return value[int(start) :][: int(length) if length else None]
        if old is not None:
            return value.replace(old, new, -1 if "//" in found[0] else 1)
        if case is not None:
            return value.lower() if "," in case else value.upper()
        return value

    return _VARIABLE.sub(one, text)[:_LONGEST] if "$" in text else text


def substitutions(text: str) -> Iterator[tuple[int, int, str]]:
    """Each `$(…)`, `` `…` `` and `<(…)` of `text`: start, end, and the shell text inside."""
    at = 0
    while at < len(text):
        if text[at] == "`":
            end = text.find("`", at + 1)
            if end < 0:
                return
            yield at, end + 1, text[at + 1 : end]
            at = end + 1
        elif text[at] in "$<>=" and text[at + 1 : at + 2] == "(" and text[at + 2 : at + 3] != "(":
            end = _closing(text, at + 2)
            yield at, end, text[at + 2 : end - 1]
            at = end
        else:
            at += 1


def _closing(text: str, at: int) -> int:
    """Behind the parenthesis that closes what opened before `at`."""
    depth, quote = 1, ""
    while at < len(text) and depth:
        letter = text[at]
        if letter == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter == "(") - (letter == ")")
        at += 1
    return at


def escaped(text: str) -> str:
    r"""`text` with `\n`, `\x72`, `\162` and their like read."""

    def one(found: re.Match[str]) -> str:
        if found[1] or found[3]:
            return chr(int(found[1] or found[3], 16))
        return chr(int(found[2], 8) & 255) if found[2] else _LETTERS.get(found[4], found[0])

    return _ESCAPE.sub(one, text) if "\\" in text else text


def printed(call: Call) -> str | None:
    """What echo, printf and print write, as far as it stands on the line; None for every other program."""
    if call.name not in ("echo", "printf", "print"):
        return None
    texts = [word.text for word in call.args]
    if call.name != "printf":
        escapes = call.name == "print"
        while texts and re.fullmatch(r"-[neErl]+|--", texts[0]):
            escapes = "e" in texts.pop(0) or escapes
        return escaped(" ".join(texts)) if escapes else " ".join(texts)
    if texts[:1] == ["-v"]:
        return None
    texts = texts[1:] if texts[:1] == ["--"] else texts
    return _format(texts[0], texts[1:]) if texts else ""


def _format(form: str, values: list[str]) -> str:
    """printf's way: the form again and again until every value was used."""
    form, out, left = escaped(form), "", list(values)
    while len(out) < _LONGEST:
        before = len(left)

        def one(found: re.Match[str]) -> str:
            if found[0] == "%%":
                return "%"
            value = left.pop(0) if left else ""
            return escaped(value) if found[0].endswith("b") else value

        out += re.sub(r"%%|%[-\d.]*[bsdqxoc]", one, form)
        if not left or len(left) == before:
            break
    return out


def filtered(call: Call, text: str) -> str | None:
    """What `call` makes of `text` on its standard input, for the small filters in which commands are hidden."""
    flags = call.flags()
    try:
        match call.name:
            case "cat" | "tee" | "head" | "tail" | "sort" | "column":
                return text
            case "rev":
                return "\n".join(line[::-1] for line in text.split("\n"))
            case "base64" | "openssl" | "base32" | "basenc":
                if not any(_BASE64_DECODES.fullmatch(word.text) for word in call.args):
                    return None
                raw = "".join(text.split())
                if call.name == "base32":
                    return base64.b32decode(raw).decode()
                return base64.b64decode(raw + "=" * (-len(raw) % 4), validate=True).decode()
            case "xxd":
                return bytes.fromhex("".join(text.split())).decode() if "-r" in flags else None
            case "tr":
                return _translated(text, [word.text for word in call.operands()], flags)
    except (ValueError, binascii.Error):
        return None
    return None


def _translated(text: str, sets: list[str], flags: frozenset[str]) -> str | None:
    """tr, for plain letters, ranges and octal escapes."""
    if any("[:" in one for one in sets) or not sets or flags & {"-c", "-C", "-s"}:
        return None
    old = _letters(sets[0])
    if "-d" in flags:
        return "".join(letter for letter in text if letter not in old)
    if len(sets) < 2 or not (new := _letters(sets[1])):
        return None
    new += new[-1] * (len(old) - len(new))
    return text.translate({ord(letter): new[at] for at, letter in reversed([*enumerate(old)])})


def _letters(form: str) -> str:
    found = ""
    for first, last, octal, escape, plain in _RANGE.findall(form):
        if first and ord(first) <= ord(last):
            found += "".join(map(chr, range(ord(first), ord(last) + 1)))
        else:
            found += (
                chr(int(octal, 8)) if octal else _LETTERS.get(escape, escape) or plain or f"{first}-{last}"
            )
    return found


def puts_letters_for_letters(sets: list[str]) -> bool:
    """Whether tr with these sets reads a cipher: another letter for a letter, and not the same in capitals."""
    if len(sets) != 2 or any("[:" in one for one in sets):
        return False
    pairs = list(zip(*map(_letters, sets), strict=False))
    return any(old.isalpha() and new.isalpha() and old.lower() != new.lower() for old, new in pairs)
