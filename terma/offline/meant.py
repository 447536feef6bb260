"""What a command can have been meant to be: judgements, talk and essays are no values, marks are no words."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from terma.offline.sentence import Sentence, Token

# What only a person can judge: no such word is a value, however well the rest fits.
_JUDGED = frozenset(
    "interesting important relevant useful useless best better good bad nice cheap cheapest cheaper faster slower "
    "safer annoying annoys likes like loves hates beautiful"
    " ugly funny boring favorite favourite happy sad smart clever stupid "
    "unimportant worth needs looks seems feels wants mood lovely great terrible awful perfect right wrong cool".split()
)
_TALK = re.compile(
    r"\b(?:how|what|who|where|why) (?:are|do|did|were|have) you\b|\byou(?:'re| are| look| seem)\b|\bare you\b"
    r"|\bgood (?:morning|evening|night|afternoon)\b|\bi(?:'m| am| feel| love| hate) (?!in\b|on\b|logged|using|getting)"
)
_AUTHORED = frozenset("write make create do compose draft prepare design build".split())
_TEXT_NOUNS = frozenset("text line word words string message lines letter character phrase value".split())
_ECHO = re.compile(r"(?:echo|printf|logger|wall|say)\s")
_BARE_RESULT = re.compile(r">\s*([a-z]+)\s*$")


def _judged(tokens: tuple[Token, ...], command: str) -> bool:
    said = set(re.findall(r"[a-z]+", command)) if any(t.text.lower() in _JUDGED for t in tokens) else set()
    return not any(
        token.kind in ("word", "ident") and token.text.lower() in _JUDGED & said and "bisect" not in said
        for token in tokens
    )


def _own_words(tokens: tuple[Token, ...], command: str) -> bool:
    """Text that is to be written stands in quotes, or is called so: "write an essay" asks for an author."""
    if not _ECHO.match(command) or tokens[0].text.lower() not in _AUTHORED:
        return True
    texts = [token.text.lower() for token in tokens]
    if any(token.kind not in ("word", "ident", "file", "path") for token in tokens) or _TEXT_NOUNS & set(
        texts
    ):
        return True
    return ">" in command and texts[1] not in ("a", "an", "the", "some") and "for" not in texts


_MARKS = frozenset("comma semicolon colon hyphen underscore newline apostrophe asterisk ampersand".split())


def _marks_meant(tokens: tuple[Token, ...], command: str) -> bool:
    """`put a comma after each line` means the mark, not its name; and the verb `grep` is no pattern."""
    said = [token.text.lower() for token in tokens if token.kind in ("word", "ident")]
    if said.count("grep") == 1 and re.match(r"grep (?:-\S+ )*grep\b", command):
        return False
    return not any(word in _MARKS and re.search(rf"(?<![:\w]){word}(?![:\w])", command) for word in said)


def _goes_there(tokens: tuple[Token, ...], command: str) -> bool:
    """`into out`: behind such a word even a function word is a name."""
    if len(tokens) < 3 or tokens[-2].text.lower() != "into" or tokens[-1].kind != "word":
        return True
    return (
        not tokens[-1].stop
        or tokens[-1].text.lower() in ("it", "this", "that", "them", "there")
        or bool(re.search(rf"\b{re.escape(tokens[-1].text)}\b", command))
    )


_FOLDER = frozenset(("directory", "folder", "subdirectory"))
_ONE_RENAMED = re.compile(r"for \w+ in [\w./-]+; do mv ")
_BY_WORD = re.compile(r"\btr\b|grep -\w*o|awk|xargs|fmt")
_FOLDERS = frozenset(("directories", "folders", "subdirectories", "subfolders"))
_OF_FOLDERS = re.compile(
    r"-type d|\*/|\s-\w*d|\btree\b|\bdu\b|\bdirs\b|\bmkdir\b|\brmdir\b|\brm\b|\bcp\b|\bmv\b|\bchmod\b|-R\b|-r\b"
)
_PER_EACH = re.compile(r"-exec|\bfor\b|while|uniq -c|\bdu\b|xargs|\*/|awk|tree|-printf")


def _level(tokens: tuple[Token, ...], command: str) -> bool:
    """What the words say of depth and kind: `all directories`, `under X`, `each directory`, `only the file names`."""
    texts = [token.text.lower() for token in tokens]
    plain_list = command.startswith("ls ") and not re.search(r"\s-\w*R", command)
    if plain_list and {"under", "below", "beneath"} & set(texts):
        return False
    pairs = list(pairwise(texts))
    lists = command.startswith(("ls", "find")) and not _OF_FOLDERS.search(command)
    if lists and any(one == "all" and other in _FOLDERS for one, other in pairs):
        return False
    each = any(one in ("each", "every") and other in _FOLDER for one, other in pairs)
    if each and not _PER_EACH.search(command) and not re.search(r"\s-\w*[rR]", command):
        return False
    if command.startswith("find / /") or _ONE_RENAMED.match(command):
        return False  # "anywhere under X" is X; the words in one file are not its name
    if "words" in texts and "uniq -c" in command and not _BY_WORD.search(command):
        return False
    names = "only" in texts and ("filenames" in texts or ("file", "names") in pairs)
    return not (names and command.startswith("grep ") and not re.search(r"\s-\w*[lL]|--files", command))


def _result_named(tokens: tuple[Token, ...], command: str) -> bool:
    """`written in french` names no file to write to."""
    match = _BARE_RESULT.search(command)
    return match is None or not any(
        after.text == match[1] and here.text.lower() == "in" for here, after in pairwise(tokens)
    )


def _state_of_self(tokens: tuple[Token, ...], command: str) -> bool:
    """`which folder am i in` asks about the shell, not for a search."""
    texts = [token.text.lower() for token in tokens]
    asked = any(pair in (("am", "i"), ("are", "we")) for pair in pairwise(texts))
    return not asked or not re.match(r"(?:find|grep|ls|cat|locate)\b", command)


def is_talk(sentence: Sentence) -> bool:
    """Whether somebody is spoken to, rather than a shell."""
    return bool(_TALK.search(sentence.raw.lower().replace("’", "'")))


MEANT: tuple[Callable[[tuple[Token, ...], str], bool], ...] = (
    _judged, _own_words, _result_named, _state_of_self, _marks_meant, _goes_there, _level,
)  # fmt: skip
