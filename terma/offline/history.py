"""Drafts from the person's own past commands, when the sentence names one. Commands with secrets are left out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from terma import regex as re
from terma.offline.draft import Context, Draft
from terma.offline.lemma import norm
from terma.offline.lexicon import STOP
from terma.offline.rank import installed
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token

MAX_LOOKED_AT = 1_500  # of the newest commands
MAX_OFFERED = 3
MAX_SENTENCE = 12  # content words: who says more describes a command, and does not name one

_SECRET = re.compile(
    r"(?i)(?:pass(?:word|wd|phrase)?|secret|token|api[-_]?key|access[-_]?key|auth|credential|bearer|cookie|private[-_]?key)"
    r"\w*[\"']?\s*[=:\s]\s*[\"']?[^\s-]|-u\s+\S+:\S|://[^/\s:@]+:[^/\s@]+@|\b(?:sk|pk|ghp|gho|ghs|glpat|xox[abp]|AKIA|eyJ)[-_]?"
    r"[A-Za-z0-9_-]{12,}|\bsshpass\b|\bmysql\b.*\s-p\S|\b[A-Fa-f0-9]{40,}\b|\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{32,}\b"
)
# What one says about a command, beside its words.
_ABOUT = frozenset(
    "run again last time command previous earlier recent newest history same old before ago yesterday start execute "
    "line do call repeat redo invoke that when ran recall".split()
)
_WORD = re.compile(r"[A-Za-z0-9_.+-]+")


def candidates(sentence: Sentence, context: Context) -> Iterator[Draft]:
    """Past commands that hold every content word of the sentence, their program or two telling words among them."""
    wanted = [token for token in sentence.tokens if not token.stop and token.norm not in _ABOUT]
    if not context.history or not wanted or len(wanted) > MAX_SENTENCE:
        return
    everything = frozenset(range(len(sentence.tokens)))
    about = any(token.norm in _ABOUT for token in sentence.tokens)
    offered: set[str] = set()
    programs = {token.value.lower() for token in wanted}
    value = next((token for token in wanted if token.kind not in ("word", "number")), None)
    if len(wanted) == 1 and not about:
        return
    text, lemma = (value.value.lower(), value.norm) if value else ("", "")
    first = sentence.tokens[0].value.lower()
    # A line that begins so was words as well, and no command; who says "again" means one, of a function, say.
    said = "" if about or installed(first, context.path) else first
    for command in reversed(context.history[-MAX_LOOKED_AT:]):
        program = command.split(maxsplit=1)[0].rpartition("/")[2].lower()
        named = program in programs or program.partition(".")[0] in programs
        if not named:  # most commands end here, before their words are taken apart
            if not value:
                continue
            lower = command.lower()
            if text not in lower and lemma not in lower:
                continue
        if (
            program == said
            or command in offered
            or not _named(wanted, command, named, about)
            or is_secret(command)
        ):
            continue
        offered.add(command)
        yield Draft(command, "history", everything, 1.0, tool=command.split()[0])
        if len(offered) == MAX_OFFERED:
            return


def is_secret(command: str) -> bool:
    """Whether the command looks like it carries a password, token or key."""
    return bool(_SECRET.search(command))


def _named(wanted: list[Token], command: str, named: bool, about: bool) -> bool:
    """Whether the command holds all that is `wanted`; `named`: its program is among it."""
    if len(wanted) == 1 and not (named and about):
        return False
    lower = command.lower()
    if command == " ".join(token.text for token in wanted):
        return False  # the sentence is that command already
    return all(_stands_in(token, command, lower) for token in wanted)


def _stands_in(token: Token, command: str, lower: str) -> bool:
    text = token.value.lower()
    if token.kind not in ("word", "number") and text in lower:
        return True
    words = _words(command)
    return text in words or token.norm in words


@lru_cache(maxsize=2048)
def _words(command: str) -> frozenset[str]:
    """Every word of the command in lower case with its norm."""
    found = [word.lower() for word in _WORD.findall(command)]
    parts = [part for word in found for part in re.split(r"[._+-]+", word) if len(part) > 2]
    return frozenset((*found, *parts, *(norm(word) for word in found if word.isalpha()))) - STOP
