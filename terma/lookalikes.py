"""Characters that a reader takes for others or does not see: in a command they make it another one than it looks.

Told by Unicode's own properties and names, not by a list of pairs: letters of several alphabets in one word, letters of
another alphabet in the name of a host or a program, what is invisible, and blanks that are no blank to a shell. A file
name in Chinese, Arabic or with accents is none of these.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator

from terma import regex as re
from terma.printing import spelled

REASON = "contains look-alike characters"
_SHOWN = 3  # characters that a reason names
# Alphabets whose letters are taken for each other's; the first word of a character's Unicode name.
_ALPHABETS = frozenset(
    "LATIN CYRILLIC GREEK ARMENIAN COPTIC CHEROKEE GEORGIAN LISU OLD DESERET OSAGE MATHEMATICAL FULLWIDTH MODIFIER "
    "DOUBLE-STRUCK SCRIPT BLACK-LETTER KELVIN OHM ANGSTROM ROMAN SMALL CIRCLED PARENTHESIZED SQUARED NEGATIVE REGIONAL"
    .split()
)  # fmt: skip
# Scripts in which the joiners change how a word is written.
_JOINING = frozenset(
    "ARABIC SYRIAC MONGOLIAN NKO DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA MALAYALAM SINHALA "
    "KHMER MYANMAR TIBETAN THAI LAO".split()
)
# Drawn as nothing, though Unicode calls them letters, marks or symbols (Default_Ignorable_Code_Point, and a blank one).
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef\U0001d173-\U0001d17a]"
)
_LABEL = re.compile(r"[^\W_]+")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^\s/?#\\@'\"]*@)?([^\s/?#\\'\"]+)")
_AT = re.compile(r"(?<![\w/])[\w.+-]+@([^\s/:'\"]+)")
_FIRST = re.compile(
    r"(?:^|[;&|(\n`]|\$\()\s*(?:\w+=\S*\s+|(?:sudo|doas|env|exec|nohup|time|command)\s+)*([^\s;&|()<>'\"]+)"
)
_NETWORK = re.compile(
    r"(?:^|[\s;&|(])(?:ssh|scp|sftp|rsync|curl|wget|ping|nc|ncat|telnet|dig|host|nslookup|ftp|mosh)\s([^;&|\n]*)"
)
_DASH = re.compile(r"(?:^|(?<=\s))-?[^\x00-\x7f\w\s](?=\w)")  # of what looks like an option
# What reads as a path to somebody who takes the sign for a slash.
_PATH = re.compile(r"[A-Za-z.~]([^\x00-\x7f])[A-Za-z.]|(?:^|(?<=\s))([^\x00-\x7f])[A-Za-z]")
_NAMED_SLASH = re.compile(r"\b(?:SOLIDUS|SLASH)$")
# What opens or ends quotes, what is escaped, a comment's sign, and what opens a word.
_QUOTING = re.compile(r"\\.|['\"]|(?:(?<=\s)|^)#|(?:(?<=[\s=(:,])|^)[^\x00-\x7f\w\s]")
_ACCENTS = frozenset({"ACUTE ACCENT", "PRIME", "DOUBLE PRIME", "FULLWIDTH APOSTROPHE"})
# The letter that another is but for its form: `LATIN SMALL LETTER DOTLESS I`.
_FORM = re.compile(r"LATIN (SMALL|CAPITAL)? ?LETTER (?:\w+ )*([A-Z])$")
_SCHEME = re.compile(r"\b[A-Za-z]{2,10}([^\x00-\x7f])//")
# Of the alphabet of sounds, which no name of a host has.
_PHONETIC = re.compile(r"LATIN (?:SMALL LETTER (?:SCRIPT|TURNED|OPEN|REVERSED)|LETTER SMALL CAPITAL)\b")
_WITH_LATIN = frozenset("LATIN CJK HIRAGANA KATAKANA HANGUL BOPOMOFO KATAKANA-HIRAGANA IDEOGRAPHIC".split())
# A full stop of any width parts the name of a host.
_HOST = re.compile(r"(?<![\w/.@-])[^\s/'\"-][^\s/'\"]*[.\u3002\uff0e\uff61][^\s/'\"]+")


def marked(command: str) -> tuple[str, ...]:
    """What of `command` looks like something else, each a phrase: `pаypal (а is Cyrillic U+0430)`; () for nothing."""
    if command.isascii():
        return ()
    found = [
        *_unseen(command), *_mixed(command), *_slashes(command), *_quotes(command), *_names(command)
    ]  # fmt: skip
    return tuple(dict.fromkeys(found))


def reason(command: str) -> str:
    """The phrases as one reason, "" where there is none."""
    found = marked(command)
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{REASON}: {spelled(', '.join(found[:_SHOWN]))}{more}" if found else ""


def invisible(char: str, before: str = "", after: str = "") -> bool:
    """Whether nobody sees `char`, or takes it for a blank, between these two."""
    if char.isascii():
        return False
    if _UNSEEN.match(char) or unicodedata.category(char) in ("Cf", "Cc", "Zl", "Zp", "Co", "Cn"):
        return not _belongs(char, before, after)
    return unicodedata.category(char) == "Zs"


def _belongs(char: str, before: str, after: str) -> bool:
    """A joiner or a variation where writing or an emoji needs it."""
    if char in "\u200c\u200d" and before and after:
        return (_script(before) in _JOINING and _script(after) in _JOINING) or (
            char == "\u200d" and _pictured(before) and _pictured(after)
        )
    if "\ufe00" <= char <= "\ufe0f" and before:
        return _pictured(before) or _script(before) in ("CJK", "MONGOLIAN", "MYANMAR")
    return "\U000e0100" <= char <= "\U000e01ef" and _script(before) == "CJK"


def _pictured(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk", "Mn") or char == "\ufe0f"


def _unseen(command: str) -> Iterator[str]:
    for at, char in enumerate(command):
        if char != "\n" and invisible(char, command[at - 1 : at] if at else "", command[at + 1 : at + 2]):
            yield f"U+{ord(char):04X} ({unicodedata.name(char, 'unnamed').lower()}) cannot be seen"
        elif not char.isascii() and unicodedata.normalize("NFC", char).isascii():
            yield f"{char} is no {unicodedata.normalize('NFC', char)} but U+{ord(char):04X}"
    for found in _DASH.finditer(command):
        char = found[0][-1]
        if unicodedata.category(char) == "Pd" or char == "\u2212":
            yield f"{char} is no - but U+{ord(char):04X}"


def _mixed(command: str) -> Iterator[str]:
    """Words with letters of two alphabets that are taken for each other."""
    for found in _LABEL.finditer(command):
        scripts = {script for char in found[0] if (script := _script(char)) in _ALPHABETS}
        if len(scripts) > 1:
            yield _spelled(found[0], "LATIN" if "LATIN" in scripts else min(scripts))
            continue
        odd = [char for char in found[0] if not char.isascii()]
        if len(odd) == 1 < len(found[0]) and _PHONETIC.match(unicodedata.name(odd[0], "")):
            yield _spelled(found[0], "LATIN")  # one letter of sounds in a word of ours: no transcription


def _slashes(command: str) -> Iterator[str]:
    """Signs that are taken for the slash of a path."""
    for found in _PATH.finditer(command):
        char = found[1] or found[2]
        if _NAMED_SLASH.search(unicodedata.name(char, "")):
            yield f"{char} is no / but U+{ord(char):04X}"


def _quotes(command: str) -> Iterator[str]:
    """Signs that are taken for the quotes of a shell and quote nothing: those that open a word outside its quotes.
    What a here-document holds is text."""
    line = command.partition("\n")[0] if "<<" in command else command
    within = ""
    for found in _QUOTING.finditer(line):
        text = found[0]
        if text in ("'", '"'):
            within = "" if within == text else within or text
        elif text == "#" and not within:
            return  # a comment
        elif not within and not text.isascii() and _quotes_to_the_eye(text):
            meant = "'" if _single(text) else '"'
            yield f"{text} is no {meant} but U+{ord(text):04X}"


def _quotes_to_the_eye(char: str) -> bool:
    name = unicodedata.name(char, "")
    return ("QUOTATION MARK" in name and "ANGLE" not in name) or name in _ACCENTS or name.endswith(" PRIME")


def _single(char: str) -> bool:
    name = unicodedata.name(char, "")
    return "SINGLE" in name or "APOSTROPHE" in name or name in _ACCENTS or name == "PRIME"


def _names(command: str) -> Iterator[str]:
    """Hosts and programs with letters of another alphabet. A host that is written in one alphabet to its end is one."""
    for found in _FIRST.finditer(command):
        if any(_script(char) in _ALPHABETS - {"LATIN"} for char in found[1]) or _dressed(found[1]):
            yield _spelled(found[1], "LATIN")
    for found in _SCHEME.finditer(command):
        yield f"{found[1]} is no : but U+{ord(found[1]):04X}"
    hosts = [found[1] for pattern in (_URL, _AT) for found in pattern.finditer(command)]
    for found in _NETWORK.finditer(command):
        hosts += _HOST.findall(found[1])
    for host in hosts:
        scripts = {script for char in host if (script := _script(char))}
        odd = [char for char in host if not char.isascii() and (not char.isalnum() or _folds(char))]
        foreign = scripts & (_ALPHABETS - {"LATIN"})
        phonetic = any(_PHONETIC.match(unicodedata.name(char, "")) for char in host if not char.isascii())
        if odd or phonetic or (foreign and len(scripts) > 1) or any(map(_mixes, host.split("."))):
            yield _spelled(host, "LATIN")


def _mixes(label: str) -> bool:
    """Whether a part of a host's name is written in Latin and in a script that nobody writes it with."""
    scripts = {script for char in label if (script := _script(char)) and unicodedata.category(char) != "Mn"}
    return "LATIN" in scripts and bool(scripts - _WITH_LATIN)


def _dressed(program: str) -> bool:
    """Whether the name of a program is that of another one but for marks and the form of its letters."""
    if program.isascii():
        return False
    bare = "".join(
        _plain(char) for char in unicodedata.normalize("NFKD", program) if not unicodedata.combining(char)
    )
    return bare.isascii() and shutil.which(bare) is not None


def _plain(char: str) -> str:
    """The ASCII letter that `char` is in another form, by its name; else `char`."""
    found = None if char.isascii() else _FORM.match(unicodedata.name(char, ""))
    return (found[2] if found[1] == "CAPITAL" else found[2].lower()) if found else char


def _folds(char: str) -> bool:
    """Whether it is an ASCII character in another dress: a host's name is read without it."""
    return unicodedata.normalize("NFKC", char).isascii()


def _script(char: str) -> str:
    """The script of a letter, "" for what is no letter."""
    if char.isascii():
        return "LATIN" if char.isalpha() else ""
    if not char.isalpha() and unicodedata.category(char) not in ("Nl", "So", "Mc", "Mn"):
        return ""
    return unicodedata.name(char, "").partition(" ")[0]


def _spelled(word: str, usual: str) -> str:
    """`pаypal (а is Cyrillic U+0430)`: each character of another alphabet, once."""
    strange = dict.fromkeys(char for char in word if not char.isascii())
    foreign = [char for char in strange if _script(char) != usual or not char.isalpha()]
    odd = foreign or strange
    told = [f"{char} is {(_script(char) or 'sign').title()} U+{ord(char):04X}" for char in list(odd)[:_SHOWN]]
    return f"{word} ({', '.join(told)})"
