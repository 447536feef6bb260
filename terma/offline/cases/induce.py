"""From a sentence and its command to a case: which values of the one stand where in the other. Done when the memory is
compiled, never while somebody waits."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from terma.offline.cases.forms import forms
from terma.offline.lexicon import STOP
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.offline.trust.command import simples
from terma.offline.trust.facts import is_literal, read

_COLUMNS = frozenset(
    ("awk", "gawk", "mawk")
)  # in their scripts `$3` is a column, not what a shell puts there
_STEMS = ("b", "n")  # what is made of song.wav is song.mp3, beside it
OPEN, CLOSE = "\ue001", "\ue002"
_BEFORE = {
    "number": r"(?<![\w.$])|(?<=-[a-zA-Z])|(?<=[\ue002,:=x+])", "column": r"(?<![\w.])", "word": r"(?<![\w.@-])",
    "": r"(?<![\w.-])|(?<=-[a-zA-Z])|(?<=\.\.)(?<!/\.\.)", "ext": r"(?<![\w-])", "stem": r"(?<![\w./-])",
}  # fmt: skip
_AFTER = {
    "column": r"(?!\w)", "number": r"(?![\w])|(?=[kKMGsmhdwp%]\b)|(?=\ue001)", "word": r"(?![\w-])",
    "": r"(?![\w-])|(?=s\b)", "ext": r"(?![\w-])", "stem": r"(?=\.[a-z])|(?=[_-][a-z])",
}  # fmt: skip


def vocabulary(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Of each program the words that its commands have by themselves: they stand there where no sentence said them, not
    even inside of another word (`shop` in `shop.db`)."""
    own: Counter[tuple[str, str]] = Counter()
    said: Counter[tuple[str, str]] = Counter()
    for nl, command in pairs:
        low = nl.lower()
        words = {
            (simple.program, part)
            for simple in simples(command)
            for word in simple.words
            for part in re.findall(r"[A-Za-z][\w-]*", word)
        }
        for pair in words:
            (said if pair[1].lower() in low else own)[pair] += 1
    found: dict[str, set[str]] = defaultdict(set)
    for (program, word), count in own.items():
        if count >= 2 and count > 0.4 * said[program, word]:
            found[program].add(word)
    return {program: frozenset(words) for program, words in found.items()}


def induced(nl: str, command: str, fixed: Mapping[str, frozenset[str]]) -> tuple[str, list[str]] | None:
    """(template, items): a slot of the template is OPEN, number of the item, `:`, form, CLOSE; an item is a norm, or
    `{kind|example|role|left|right`. None where a literal of the sentence is nowhere in the command."""
    sentence = Sentence.parse(nl)
    facts = read(sentence)
    template = command
    parsed = simples(command)
    own = {word for simple in parsed for word in (simple.program, simple.sub, *simple.options)}
    columns = any(simple.program in _COLUMNS for simple in parsed)
    own = own.union(*(fixed.get(simple.program, ()) for simple in parsed))
    taken: set[int] = set()
    order = sorted(range(len(sentence.tokens)), key=lambda i: -len(sentence.tokens[i].text))
    for i in order:
        token = sentence.tokens[i]
        if not _may_be_value(token, own):
            continue
        for name, text in forms(token).items():
            changed = _replaced(template, text, f"{OPEN}{i}:{name}{CLOSE}", token.kind, columns)
            if changed != template:
                template = changed
                taken.add(i)
                if name in ("t", "v", "e", "p"):
                    break
    for i in order:
        for name in _STEMS if i in taken else ():
            text = forms(sentence.tokens[i]).get(name, "")
            template = _replaced(template, text, f"{OPEN}{i}:{name}{CLOSE}", "stem", columns)
    lost = [i for i in facts.literals if i not in taken and not _fixed_literal(sentence.tokens[i], command)]
    if lost:
        return None
    items = []
    for i, token in enumerate(sentence.tokens):
        left = sentence.tokens[i - 1].norm if i else ""
        right = sentence.tokens[i + 1].norm if i + 1 < len(sentence.tokens) else ""
        if i in taken:
            items.append(
                "{" + "|".join((token.kind, token.text.replace("|", ""), facts.roles.get(i, ""), left, right))
            )
        else:
            items.append(token.norm.replace(" ", "_") or "_")
    return template, items


def _may_be_value(token: Token, own: set[str]) -> bool:
    if is_literal(token):
        return not (token.kind == "number" and token.value in ("0", "1")) or token.text.isdigit()
    return (
        token.kind in ("word", "ident")
        and token.norm not in STOP
        and len(token.text) > 1
        and token.text not in own
    )


def _fixed_literal(token: Token, command: str) -> bool:
    """A literal that the command says in its own way, and always will: the case is of just this value."""
    return token.kind in (
        "number",
        "ordinal",
        "duration",
        "ext",
        "size",
        "time",
        "date",
        "perm",
        "ident",
        "file",
        "glob",
    )


def _replaced(template: str, text: str, slot: str, kind: str, columns: bool) -> str:
    if not text:
        return template
    group = (
        "ext"
        if kind == "ext"
        else ("column" if columns else "number")
        if re.fullmatch(r"[\d.]+", text)
        else kind
        if kind in ("word", "stem")
        else ""
    )
    pattern = re.compile(f"(?:{_BEFORE[group]}){re.escape(text)}(?:{_AFTER[group]})")
    parts = re.split(f"({OPEN}[^{CLOSE}]*{CLOSE})", template)
    return "".join(part if part.startswith(OPEN) else pattern.sub(lambda _: slot, part) for part in parts)
