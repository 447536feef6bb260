"""Whether what a line prints into a file is its own product, where nobody can look what lies there already."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.risk.model import Call, Word
from terma.risk.values import printed

_SAYS_WHAT_IT_IS_TOLD = {"echo", "printf", "print", "cat"}  # text by hand, and no result of work
_WRITES_NOTHING = {":", "true", "false", "#", "exec", ""}
# What is written down once. Settings, sources and scripts, which are kept by hand, have other endings or none.
_PAPERS = re.compile(r"[^.].*\.(?:txt|log|md|rst|csv|tsv|html?|out|tmp|list|adoc|tex|svg)", re.I)
_EXPANSION = re.compile(r"\$\{[^}]*\}|\$\w+")
_ENDING = re.compile(r".*\.[A-Za-z]\w{0,7}")


def is_product(word: Word, call: Call) -> bool:
    """Whether what `call` prints into the file `word` is a result with a name of its own: something is written, it was
    not read from that very file, and no text by hand goes where settings or sources lie."""
    if word.globs or word.programs or call.bulk or call.name in _WRITES_NOTHING or reads(word, call):
        return False
    if "many" in word.origins and "renamed" not in word.origins:
        return False  # each of a list itself
    if word.dynamic and not _ENDING.fullmatch(_EXPANSION.split(word.text)[-1]):
        return False  # a variable alone may name what it was read from
    if call.name not in _SAYS_WHAT_IT_IS_TOLD or (call.name == "cat" and call.operands()):
        return [one.text for one in call.args] != ["/dev/null"]
    text = call.feed.text if call.name == "cat" and call.feed is not None else printed(call)
    return bool(_PAPERS.fullmatch(word.text)) and text not in ("\n", "")


def reads(word: Word, call: Call) -> bool:
    """Whether `call`, or what feeds it, reads the file that `word` names: it would be empty before it is read."""
    return bool(word.text) and word.text in {one.text for one in _read_from(call)}


def _read_from(call: Call) -> Iterator[Word]:
    for one in (call, *(call.feed.calls if call.feed is not None else ())):
        yield from one.args
        yield from (redirect.target for redirect in one.redirects if redirect.operator == "<")
