"""Ordinary words taken for values: "how much does this directory take" names no directory `take`. Which words are
ordinary is learned: those that people say, and that hardly a command repeats."""

from __future__ import annotations

from collections.abc import Container, Iterator

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.lexicon import JUDGEMENT
from terma.offline.trust.association import Association
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts
from terma.offline.trust.words import STRONG

_NAMES = re.compile(r"[\w.*?/@:+~-]+")  # a value that is a name, and no script or text of several words
_AROUND = "*.?~"
# Behind these a word is a name or a text, whatever else it means.
_CALLED = frozenset("called named saying reads titled labelled labeled tagged entitled".split())
# Behind these stands a text to look for or to write; before a name of things ("files with errors") nothing is named.
_TEXT = frozenset(
    "containing contains contain mention mentions mentioning matching with without for say says replace replacing "
    "by to grep search not except like into as".split()
)
_SEEKS = frozenset(
    "grep rg ag egrep fgrep sed awk perl tr journalctl dmesg ack zgrep echo printf git".split()
)
# Which thing it is, is said by these: no name follows the noun behind them ("this folder takes").
_POINTING = frozenset("this that these those which what every each current my our any whole same all".split())


def value_parts(simple: Simple, whole: Container[str] = ()) -> Iterator[str]:
    """The names in the values of one command: `srv` and `site` of `/srv/site/*`, `log` of `*.log`. Not those of values
    that were said as a `whole`."""
    for word in (*simple.operands, *simple.writes):
        if word not in whole and _NAMES.fullmatch(word):
            yield from (part.strip(_AROUND) for part in word.split("/"))


def misread(
    facts: Facts, command: str, context: Context, table: Association, heard: frozenset[int] = frozenset()
) -> bool:
    """Whether a value of the command is an ordinary word of the sentence that nothing introduces as a name, and that
    is the name of nothing here. `heard`: words that the command has by itself, whatever sentence it answers."""
    tokens = facts.sentence.tokens
    parsed = simples(command)
    seeks = any(simple.program in _SEEKS for simple in parsed)
    values = {
        part
        for simple in parsed
        for part in value_parts(simple)
        if part.lower() in JUDGEMENT
        or (part.lower() in table.ordinary and f"{simple.program}\t{part}" not in table.own)
    }
    others = [token for token in tokens if token.kind != "word"]
    for i, token in enumerate(tokens):
        if token.kind != "word" or token.text not in values or i in heard:
            continue
        if any(token.text in other.text for other in others) or context.names().get(token.text) is not None:
            continue
        if not _introduced(facts, i, seeks):
            return True
    return False


def _introduced(facts: Facts, i: int, seeks: bool) -> bool:
    tokens = facts.sentence.tokens
    if i and tokens[i].text[0].isupper():
        return True  # nobody writes a verb so in mid-sentence
    before = tokens[i - 1].text.lower() if i else ""
    if before in _CALLED or (seeks and before in _TEXT):
        return True
    pointed = i > 1 and tokens[i - 2].text.lower() in _POINTING
    if {before, tokens[i - 1].norm if i else ""} & STRONG and not pointed:
        return True
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    return (
        after is not None
        and bool({after.text.lower(), after.norm} & STRONG)
        and before in ("the", "my", "our")
    )
