"""Whether a sentence asks to look or to change something: a question must never be answered by a deletion."""

from __future__ import annotations

import re

from terma.offline.sentence import Sentence

_LOOK = frozenset(
    "show list find count compute check compare what which who where how when why difference sort read inspect "
    "verify test watch follow monitor measure describe explain is are does do display usage summarize".split()
)
_DELETE = frozenset(
    "delete clear clean cleanup purge wipe prune discard rid empty shred free tidy drop uninstall reclaim erase "
    "move destroy unlink strip truncate reset".split()
)
_KILL = frozenset(
    "kill stop end close restart signal send free quit force reload pause suspend resume continue freeze hang unfreeze "
    "shut abort cancel hup terminate interrupt".split()
)
CHANGE = (
    _DELETE
    | _KILL
    | frozenset(
        "replace change rename copy create add append insert write save set put install update upgrade "
        "compress extract "
        "archive convert edit fix make turn swap substitute give allow deny grant revoke mark lock unlock own "
        "switch split "
        "merge join commit push pull stage unstage stash revert undo mount unmount format enable disable "
        "start run download "
        "upload sync transfer backup back restore assign touch link resize crop rotate encrypt decrypt "
        "lowercase uppercase "
        "remember hide open reload number move bump resume trim strip squeeze duplicate clone wipe round shrink "
        "comment uncomment symlink hardlink prefix suffix prepend indent unindent chmod chown chgrp mkdir "
        "sync mirror tar "
        "zip unzip gzip gunzip untar pack unpack transpose encode decode export let put keep alias apply".split()
    )
)
ACTIONS = (CHANGE - {"empty"}) | frozenset(
    "sort count compare open watch follow search monitor compute check kill".split()
)
_START = r"(?:^|[|;&(`]\s*|\$\(\s*|\b(?:sudo|exec|do|then|xargs(?:\s+-\S+)*(?:\s+\d+)?)\s+)"
_DELETES = re.compile(
    _START + r"(?:rm|rmdir|shred|wipefs|truncate)\b|\s-delete\b|\bprune\b|\bgit clean\b|--hard\b"
    r"|\bdocker(?: \w+)? (?:rm|rmi)\b|\b(?:kubectl|helm) (?:delete|uninstall)\b"
)
_MAKES = frozenset(("make", "create", "add", "new"))
_SHOWS = re.compile(r"(?:find|ls|grep|tree|cat|du|stat|wc|head|tail)\b(?!.*(?:-exec|[|>]))")
_KILLS = re.compile(_START + r"(?:kill|pkill|killall|fuser -k)\b")
_CHANGES = re.compile(
    _START
    + r"(?:mv|cp|chmod|chown|chgrp|touch|mkdir|ln|dd|mkfs\S*|truncate|useradd|userdel|usermod|install|rsync|patch)\b"
    r"|\b(?:sed|perl)\s+(?:-\S+\s+)*-\w*i\b|\bgit (?:add|commit|push|reset|checkout --|restore|rebase|merge)\b"
    r"|\s>>?\s*[\w{]|\bchmod\b|\bsystemctl (?:start|stop|restart|enable|disable|mask)\b"
    r"|\bapt(?:-get)? \w*(?:install|remove)"
)
_COMPARISON = re.compile(r"(?<=awk )(?:-\S+ )*'[^']*'")  # awk's `>` compares


def is_destructive(command: str) -> bool:
    """Whether the command deletes or kills, as far as its words say. The agent's risk check looks closer."""
    return bool(
        _DELETES.search(command)
        or _KILLS.search(command)
        or re.search(r"\b(?:dd|mkfs\S*|--force)\b", command)
    )


def agreement(sentence: Sentence, command: str) -> float:
    """A factor: 0 when the command deletes or kills and nobody asked for it, less than 1 when a question would
    change something, else 1."""
    norms = {token.norm for token in sentence.tokens if token.kind in ("word", "ident")}
    if _DELETES.search(command) and not norms & (
        _DELETE if not _only_looks(sentence) else frozenset(("delete",))
    ):
        return 0.0
    if _KILLS.search(command) and not norms & _KILL:
        return 0.0
    if sentence.tokens[0].text.lower() in _MAKES and _SHOWS.match(command):
        return 0.8
    if _CHANGES.search(_COMPARISON.sub(" ", command)) and _only_looks(sentence):
        return 0.5
    return 1.0


def _orders_later(sentence: Sentence, at: int) -> bool:
    """`count … and change …`: a verb of change in its plain form right behind `and` or `then` is an order."""
    tokens = sentence.tokens
    return any(
        tokens[i].text.lower() == tokens[i].norm
        and tokens[i].norm in ("change", "replace", "delete", "move", "copy", "set")
        for i in range(at + 1, len(tokens))
        if tokens[i - 1].norm in ("and", "then")
    )


def _only_looks(sentence: Sentence) -> bool:
    """The first verb asks to look, and no later one asks for a change."""
    for i, token in enumerate(sentence.tokens):
        if token.norm in _LOOK:
            if _orders_later(sentence, i):
                return False
            rest = {other.norm for other in sentence.tokens[i + 1 :] if other.kind == "word"}
            return not rest & (CHANGE - {"empty", "change", "free", "number", "link", "open", "back", "run", "archive",
                                          "stage", "commit", "own", "lock", "stash", "merge", "mount", "start",
                                          "install", "hide", "end", "update", "backup", "upgrade", "duplicate",
                                          "force"})  # fmt: skip
        if token.norm in CHANGE:
            return False
    return True
