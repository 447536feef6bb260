"""Words that exclude each other: who says "unpack" is not answered with a command that packs."""

from __future__ import annotations

from collections.abc import Mapping

from terma.offline.assign import Filled
from terma.offline.index import Entry
from terma.offline.lemma import norm
from terma.offline.sentence import Sentence

_PAIRS = """
extract/compress extract/pack extract/archive extract/zip unzip/zip extract/create unzip/compress ungzip/gzip
gunzip/gzip expand/compress mount/unmount mount/umount enable/disable encrypt/decrypt encode/decode
install/uninstall install/delete install/purge add/delete add/remove add/drop start/stop start/kill start/end
restart/stop run/stop run/kill stop/continue pause/resume pause/unpause suspend/resume stop/resume lock/unlock
allow/deny allow/block allow/reject unblock/block grant/revoke open/close
push/pull push/fetch upload/download send/download send/receive connect/disconnect attach/detach load/unload
import/export stage/unstage track/untrack comment/uncomment mute/unmute hide/show follow/unfollow
create/delete create/drop drop/apply drop/pop create/destroy clone/delete set/unset apply/revert merge/split
join/split encrypt/unlock
lowercase/uppercase older/newer before/after larger/smaller largest/smallest newest/oldest first/last
longest/shortest maximum/minimum max/min highest/lowest most/least append/prepend ascending/reverse
public/private incoming/outgoing on/off up/down head/tail increase/decrease raise/lower left/right
backup/restore save/discard keep/discard protect/unprotect sign/verify indent/unindent up/shutdown
symlink/unlink
master/slave mask/unmask deactivate/activate activate/disable deactivate/enable commit/revert
""".split()
_BETWEEN = frozenset(
    ("from", "to", "into", "onto", "in", "for", "before", "after", "with", "not", "until", "since")
)
_LIMITS = frozenset(
    ("since", "until", "before", "after", "from", "than")
)  # of a number: they say what it bounds
_CUES = {"from": frozenset(("to", "into", "onto")), "to": frozenset(("from",)), "into": frozenset(("from",)),
         "onto": frozenset(("from",)), "before": frozenset(("after", "since")), "after": frozenset(("before", "until")),
         "since": frozenset(("until", "before")), "until": frozenset(("since", "after"))}  # fmt: skip


def _table() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS:
        one, other = (norm(word) for word in pair.split("/"))
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _table()


_FORBIDS = frozenset(("don't", "dont", "without", "never"))
_NEGATES = frozenset("not without no never but except keep".split())


def does_forbidden(sentence: Sentence, words: frozenset[str]) -> bool:
    """Whether a phrasing of these words does what the sentence says not to do."""
    return not _NEGATES & words and not words.isdisjoint(_forbidden(sentence))


def _forbidden(sentence: Sentence) -> frozenset[str]:
    """The verbs that are not to be done: "but don't remove duplicates"."""
    tokens = sentence.tokens
    texts = [token.text.lower().replace("’", "'") for token in tokens]
    return frozenset(
        tokens[i + 1].norm
        for i, text in enumerate(texts[:-1])
        if text in _FORBIDS or (text == "not" and texts[max(0, i - 1)] == "do")
    )


def opposed(entry: Entry, phrase: frozenset[str], sentence: Sentence, filled: Mapping[str, Filled]) -> bool:
    """Whether the entry's phrasing says the opposite of the sentence, in a verb or in what stands before a value."""
    if does_forbidden(sentence, phrase):
        return True
    values = {i for slot in filled.values() for i in slot.tokens}
    said = {token.norm for i, token in enumerate(sentence.tokens) if i not in values}
    if said.isdisjoint(OPPOSITES):
        return any(_wrong_way(entry, name, slot, sentence) for name, slot in filled.items())
    order = next((token.norm for token in sentence.tokens if not token.stop), "")
    verbs = {items[0] for items in entry.phrases}
    for word in said:
        against = OPPOSITES.get(word)
        if not against or not against.isdisjoint(said):
            continue
        if any(word in text for texts in entry.modifiers.values() for text in texts):
            continue
        if word not in phrase and not against.isdisjoint(phrase):
            return True
        if word not in entry.words and not against.isdisjoint(entry.words):
            return True
        if word == order and word not in verbs and not against.isdisjoint(verbs):
            return True
    return any(_wrong_way(entry, name, slot, sentence) for name, slot in filled.items())


def _wrong_way(entry: Entry, name: str, slot: Filled, sentence: Sentence) -> bool:
    """`from web1` is no place to copy to; `in 10 minutes` is not for that long."""
    i = slot.tokens[0] - 1 if slot.tokens else -1
    if i < 0:
        return False
    cue, wanted = sentence.tokens[i].norm, entry.before.get(name, frozenset())
    if cue in wanted or not wanted:
        return False
    if sentence.tokens[slot.tokens[0]].kind in ("number", "ordinal") and cue in _LIMITS:
        return True
    if sentence.tokens[slot.tokens[0]].kind == "duration" and cue in ("in", "for"):
        return ("for" if cue == "in" else "in") in wanted
    against = _CUES.get(cue)
    return bool(against and wanted & against) and wanted <= _BETWEEN | {"{}"}
