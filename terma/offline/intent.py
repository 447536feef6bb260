"""The verbs by which people ask for a change, and by which they ask for anything."""

from __future__ import annotations

from terma.offline.tokens import Token

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

# By these people ask to see things.
SEEING = frozenset("list show display print see view count enumerate".split())

# In their plain form these begin an order.
ORDERS = frozenset(
    "delete remove copy move rename create make compress extract sort count show print list find kill stop start "
    "restart run install update commit push pull restore mount unmount download upload send save write append replace "
    "convert zip unzip tar open close enable disable reload build test add set change touch chmod chown tag merge "
    "checkout switch fetch follow watch verify check compare rotate resize sync tail unpack clean email mail "
    "cd go reboot shut exit log apply deploy drop purge upgrade clear".split()
)


def orders_change(token: Token) -> bool:
    """Whether the word orders a change: what is "enabled" or "running" is told of a thing."""
    text = token.text.lower()
    return token.norm in CHANGE and (token.norm == text or not text.endswith(("ed", "ing")))
