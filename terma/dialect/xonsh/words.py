"""One word of a shell command in xonsh's writing.

xonsh reads a quoted string as Python does, and only when it is the whole word: `--x='a b'` keeps its quotes, `'a\\n'`
becomes a newline, `'$HOME'` is expanded, `{}` and `!` are syntax. So a word that is more than plain is written anew as
one literal, from what it means. Found by running xonsh 0.19 and 0.25.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["bare", "quoted", "variable", "command"]
_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+=~^-]+\Z")
_GLOB = re.compile(r"[A-Za-z0-9_./:,@%+=~^*?\[\]-]+\Z")
_BRACES = re.compile(r"\{([^{}\s]*)\}")
_RANGE = re.compile(r"(-?\d{1,4})\.\.(-?\d{1,4})\Z")
_EXPANDED = re.compile(r"\$[A-Za-z_]|\$\{|\A~|\\")
_OPERATORS = {"and", "or"}
MAX_WORDS = 100  # that braces may stand for


class Unwritable(Exception):
    """xonsh has no way to say that in one word."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a word. `text` is what it means: the characters, a variable's name, the command within `$( )`.
    `quoted`: what a variable or command gives is not split into words."""

    kind: Kind
    text: str
    quoted: bool = False


Word = tuple[Part, ...]


def write(word: Word, inner: Callable[[str], str], loop: str = "") -> str:
    """The word for xonsh; several, with blanks between, where braces stand for several.

    `inner` writes the command of a substitution; `loop` is a variable that is Python's own. Raises Unwritable."""
    kinds = {part.kind for part in word}
    if "command" in kinds or any(part.kind == "variable" and part.text == loop for part in word):
        return _formatted(word, inner, loop)
    if "variable" in kinds:
        return _with_variables(word)
    if any(part.kind == "bare" and re.search(r"[*?\[]", part.text) for part in word):
        return _glob(word)
    if word[0].kind == "bare" and word[0].text.startswith("~"):
        return " ".join(map(_at_home, _braced(word)))
    return " ".join(map(_literal, _braced(word)))


def literal(text: str) -> str:
    """`text` as one word that nothing is expanded in. Raises Unwritable."""
    return _literal(text)


def _at_home(text: str) -> str:
    """A word that begins with `~`, which xonsh expands in any string but a raw one."""
    if _PLAIN.match(text):
        return text
    if set(text) & set("$\\\n"):
        raise Unwritable(text)
    return repr(text)


def _literal(text: str) -> str:
    if _PLAIN.match(text) and text not in _OPERATORS and not text.startswith("~"):
        return text
    if not _EXPANDED.search(text) and "\n" not in text:
        return repr(text)
    for quote in ("'", '"', "'''", '"""'):
        if (
            quote not in text
            and not text.endswith(("\\", quote[0]))
            and (len(quote) == 3 or "\n" not in text)
        ):
            return f"r{quote}{text}{quote}"
    raise Unwritable(text)


def _braced(word: Word) -> list[str]:
    """The texts that a word without expansions means: `~` and unquoted braces count."""
    if any(part.kind == "bare" and _BRACES.search(part.text) for part in word):
        whole = "".join(part.text for part in word)
        if len(word) > 1 and any(set(part.text) & set("{}") for part in word if part.kind == "quoted"):
            raise Unwritable("quoted braces among others")
        return _unfolded(whole)
    return ["".join(part.text for part in word)]


def _unfolded(text: str) -> list[str]:
    for found in _BRACES.finditer(text):
        body = found[1]
        count = _RANGE.match(body)
        if "," in body:
            middles = body.split(",")
        elif count:
            first, last = int(count[1]), int(count[2])
            width = len(count[1]) if count[1].startswith("0") else 0
            step = 1 if last >= first else -1
            middles = [f"{number:0{width}d}" for number in range(first, last + step, step)]
        else:
            continue  # {} and {name} mean themselves
        words = [text[: found.start()] + middle + text[found.end() :] for middle in middles]
        if len(words) > MAX_WORDS:
            raise Unwritable("braces that stand for many words")
        return [each for one in words for each in _unfolded(one)]
    return [text]


def _glob(word: Word) -> str:
    text = "".join(part.text for part in word)
    if all(part.kind == "bare" for part in word):
        words = _unfolded(text)
        if not all(map(_GLOB.match, words)):
            raise Unwritable(text)
        return " ".join(map(_pattern, words))
    if any(set(part.text) & set("*?[`\\") for part in word if part.kind == "quoted") or "`" in text:
        raise Unwritable(text)
    return _pattern(text)


def _pattern(text: str) -> str:
    """Where there is no `*`, xonsh takes `?` and `[ab]` for themselves, but in its own kind of literal."""
    if re.fullmatch(r"[^?\[\] ]*\*[^?\[\] ]*", text):
        return text
    if text.startswith("~"):
        raise Unwritable(text)
    return f"g`{text}`"


def _with_variables(word: Word) -> str:
    if word[0].kind == "bare" and word[0].text.startswith("~"):
        raise Unwritable("a tilde and a variable")
    pieces: list[str] = []
    for at, part in enumerate(word):
        after = word[at + 1].text[:1] if at + 1 < len(word) and word[at + 1].kind != "variable" else ""
        if part.kind == "variable":
            if after.isalnum() or after == "_":
                raise Unwritable("a name that runs on")
            pieces.append(f"${part.text}")
        elif set(part.text) & set("$\\*?[{}~\n"):
            raise Unwritable(part.text)
        else:
            pieces.append(part.text)
    text = "".join(pieces)
    if _PLAIN.match(text.replace("$", "")):
        return text
    for quote in ('"', "'"):
        if quote not in text:
            return f"{quote}{text}{quote}"
    raise Unwritable(text)


def _formatted(word: Word, inner: Callable[[str], str], loop: str) -> str:
    """`@$(…)` for an unquoted substitution, `$(…)` for a quoted one, an f-string for more than that."""
    if len(word) == 1:
        part = word[0]
        if part.kind == "variable":
            return f"@({part.text})"
        return f"{'' if part.quoted else '@'}$({inner(part.text)})"
    pieces: list[str] = []
    for part in word:
        if part.kind == "command":
            pieces.append(f"{{$({inner(part.text)})}}")
        elif part.kind == "variable":
            pieces.append(f"{{{part.text}}}" if part.text == loop else f"{{${part.text}}}")
        elif set(part.text) & set("*?[~\\\n"):
            raise Unwritable(part.text)
        else:
            pieces.append(part.text.replace("{", "{{").replace("}", "}}"))
    text = "".join(pieces)
    for quote in ('"', "'"):
        if quote not in text and "\\" not in text:
            return f"@(f{quote}{text}{quote})"
    raise Unwritable(text)
