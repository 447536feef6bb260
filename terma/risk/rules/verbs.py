"""What a program that no row knows says of itself: the verb among its first words, and what that verb is done to.

`frobctl cluster delete west`, `frob db:drop`, `frob remove-user bob --force`: tools are more than a table can hold, but
their words are the language's. The first verb decides; one that looks or makes ends the search.
"""

from __future__ import annotations

from collections.abc import Iterable

from terma import regex as re
from terma.records import dataclass
from terma.risk.model import Call, Finding, Findings, Kind
from terma.risk.rules.verb_words import PIECES, WORD, first_words, of_options, pieces_of, verb_in
from terma.types import RiskLevel

# Each row: kind, how bad it is alone, how bad for many or for what others depend on, what it does; then the verbs.
_ROWS = """
deletes   high   high   deletes, with no way back
    : destroy purge wipe erase nuke obliterate drop terminate deleteall removeall zap annihilate decommission
deletes   medium high   deletes
    : delete remove rm del rmi rmdir uninstall unpublish prune truncate expunge reset teardown discard trash rmr
    : unregister deregister undeploy dropdb deletetable forget evict unlink undo revert downgrade detach revoke
deletes   low    high   deletes
    : flush clear empty
stops     high   high   shuts down or restarts
    : shutdown poweroff halt reboot powerdown powercycle hardreset forceoff
stops     medium high   stops
    : stop kill restart suspend pause disable drain cordon cancel abort disconnect down quiesce failover
    : hibernate offline stopall killall fence unload dismount unmount ban kick
grants    medium high   gives rights
    : grant invite authorize impersonate elevate share allow permit addprincipal
leaks     medium medium publishes
    : publish unveil
changes   medium medium changes what runs
    : deploy rollback restore rollout
"""
# What others depend on, or what holds much: losing one is losing more than a file.
_OF_WEIGHT = set(
    "all everything database databases db dbs cluster clusters project projects namespace namespaces ns volume "
    "volumes vol bucket buckets server servers instance instances vm vms machine machines droplet droplets node "
    "nodes host hosts stack stacks app apps application applications environment environments site sites topic "
    "topics queue queues stream streams index indexes indices table tables schema schemas keyspace keyspaces "
    "collection collections org orgs organization tenant tenants workspace workspaces account accounts user users "
    "snapshot snapshots backup backups pool pools disk disks repo repos repository repositories zone zones domain "
    "domains network networks vpc subnet subnets service services deployment deployments dataset datasets store "
    "catalog secret secrets function functions registry subscription subscriptions partition partitions device "
    "devices fleet vault model models group groups filesystem share shares key keys credentials certificate "
    "certificates mailbox d1 r2 kv prod production branch".split()
)
_SWEEPS = set(
    "--all --recursive --force --purge --cascade --permanent --permanently --hard --auto-approve --no-prompt "
    "--no-prompts --skip-confirmation --yes --confirm --no-confirm --delete-all --everything --wipe --destroy "
    "--include-volumes --with-data --delete-data --delete-volumes -y -r -R".split()
)
# Verbs that look, make or ask: behind one of these a word is a name.
_ENDS_THE_SEARCH = set(
    "list ls get show describe info help status view cat find search diff explain check test lint validate plan "
    "preview inspect read print query count stat stats top ps tail export can-i whoami create new init add make "
    "generate build run exec start open edit copy cp move mv rename set use switch select login logout pull fetch "
    "clone download install update upgrade completion doctor commit format fmt convert render translate lookup "
    "which locate man docs dry-run simulate ask chat say echo play serve compile bench verify scan audit save".split()
)
_LOOKS = set(
    "list ls show describe info help status view explain check version stats stat top ps report log logs peers query "
    "print validate diff history".split()
)
_FLAGS: dict[str, tuple[Kind, RiskLevel, str]] = {
    **dict.fromkeys(
        "--destroy --purge --wipe --erase --drop --nuke --delete-all --remove-all --destroy-all".split(),
        ("deletes", "high", "deletes, with no way back"),
    ),
    **dict.fromkeys(
        "--delete --remove --uninstall --unregister --prune --revoke --empty".split(),
        ("deletes", "medium", "deletes"),
    ),
    **dict.fromkeys(
        "--shutdown --poweroff --reboot --halt".split(), ("stops", "high", "shuts down or restarts")
    ),
    **dict.fromkeys("--stop --kill --disable".split(), ("stops", "medium", "stops")),
    **dict.fromkeys(
        "--make-public --public --anonymous --allow-anonymous --allow-unauthenticated".split(),
        ("grants", "high", "lets everybody in"),
    ),
    **dict.fromkeys(
        "--show-secrets --reveal --show-passwords --show-password --show-token --with-secrets "
        "--include-secrets --unmask --plaintext --plain-text --with-decryption --show-values".split(),
        ("leaks", "medium", "shows a key or a password"),
    ),
}
_RUNS_ALONE = {
    "service",
    "daemon",
    "agent",
    "autostart",
    "startup",
    "cron",
    "schedule",
    "timer",
    "boot",
    "login-item",
}
_SETS_UP = {"install", "add", "create", "enable", "register", "on", "set", "schedule"}
_SECRET_NOUNS = set(
    "secret secrets token password passwords credential credentials passphrase apikey api-key private-key kubeconfig "
    "access-token identity-token refresh-token auth-token root-token seed mnemonic".split()
)
_SHOWS = set(
    "get read show view reveal print access export dump decrypt cat fetch print-access-token".split()
)
_WEIGHTY_TOOL = re.compile(
    r".*ctl|.*(?:admin|kube|cloud|cluster|db|vm|registry|docker|azure|aws|s3|oci)(?!a).*"
)
_SECRET_NAME = re.compile(r"[/_.](?:password|passwd|secret|token|private-?key|api-?key)s?$", re.I)
_RIGHTS = {
    "token",
    "role",
    "roles",
    "policy",
    "acl",
    "permission",
    "permissions",
    "collaborator",
    "member",
    "members",
}
_RIGHTS |= {"admin", "privilege", "privileges", "access-key", "apikey", "api-key", "user", "principal", "scc"}
_GIVES = {"create", "add", "attach", "set", "assign", "bind", "bootstrap", "update", "put", "new"}
_ADDED = {"plugin", "plugins", "extension", "extensions", "addon", "addons", "tap", "krew"}
_TAKES_IN = {"install", "add", "tap"}
_POWER = {"off", "cycle", "reset", "soft", "down"}
_MIGHTY = re.compile(
    r"(?:[\w-]*[=:])?(?:\w*admin\w*|owner|root|superuser|all|everyone|allUsers|public|\*)", re.I
)
_MODES = {
    "offline",
    "down",
    "empty",
    "clear",
    "reset",
    "disable",
    "pause",
}  # alone they tell a mode of the tool itself
_ELSEWHERE = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?/\S+|\S+@sha\d+:\S+")  # a thing at a registry or a host
_DEEPEST = 4  # `tool noun noun verb`


@dataclass(frozen=True, slots=True)
class _Verb:
    kind: Kind
    alone: RiskLevel
    weighty: RiskLevel
    reason: str


def _verbs() -> dict[str, _Verb]:
    found: dict[str, _Verb] = {}
    verb: _Verb | None = None
    for line in _ROWS.strip().splitlines():
        if line.startswith(" ") and verb is not None:
            found.update(dict.fromkeys(line.split()[1:], verb))
        else:
            kind, alone, weighty, reason = line.split(maxsplit=3)
            verb = _Verb(kind, alone, weighty, reason)  # type: ignore[arg-type]
    return found


_VERBS = _verbs()


def told(call: Call, operands: list[str], known: bool) -> Findings:
    """What `operands` (without the values of known options) and the options of `call` say that it does. `known`: rows
    tell what else the program does, and what it deploys is among them."""
    yield from _by_flags(call)
    words = first_words(call, operands)[:_DEEPEST]
    lowered = [text.lower() for text in words]
    yield from _pairs(lowered, call, known)
    if {"cache", "caches", "rewrite"} & {*lowered}:  # it fills again
        return
    for at, text in enumerate(words):
        named, thing = verb_in(text, _VERBS, _OF_WEIGHT)
        verb = _VERBS.get(named)
        if verb is not None and text.lower() in _MODES and len(operands) == 1 and not _SWEEPS & call.flags():
            return
        if verb is not None and (verb.kind != "changes" or not known):
            yield _weighed(verb, call, operands, [*lowered[:at], *pieces_of(text), thing], text)
            return
        if lowered[at] in _ENDS_THE_SEARCH:
            return


def _weighed(verb: _Verb, call: Call, operands: list[str], before: Iterable[str], said: str) -> Finding:
    after = operands[operands.index(said) + 1 :]
    weighty = bool(
        _OF_WEIGHT & {*before}
        or _OF_WEIGHT & {piece.lower() for text in after[:1] for piece in PIECES.split(text)}
        or "*" in after
        or _WEIGHTY_TOOL.fullmatch(call.name)
        or any("://" in text for text in after)
        or call.bulk
        or _SWEEPS & call.flags()
        or any(map(_ELSEWHERE.fullmatch, after))
        or any(word.programs or word.globs for word in call.args)
    )
    if verb.kind == "grants":
        weighty = weighty or any(_MIGHTY.fullmatch(word.text.lstrip("-")) for word in call.args)
    return Finding(verb.weighty if weighty else verb.alone, f"{verb.reason}, by its own words", verb.kind)


def _by_flags(call: Call) -> Findings:
    for flag in sorted(call.flags() & _FLAGS.keys()):
        kind, level, reason = _FLAGS[flag]
        yield Finding(level, reason, kind)
    yield from of_options([word.text for word in call.args], _OF_WEIGHT)


def only_looks(operands: list[str]) -> bool:
    """Whether the first verb among `operands` is one that looks: `frob status`, `frob device list`."""
    for text in operands[:_DEEPEST]:
        pieces = PIECES.split(text.lower())
        if pieces[0] in _LOOKS or pieces[-1] in _LOOKS:
            return True
        if not WORD.fullmatch(text) or pieces[0] in _ENDS_THE_SEARCH or verb_in(text, _VERBS, _OF_WEIGHT)[0]:
            return False
    return False


def _pairs(words: list[str], call: Call, known: bool) -> Findings:
    """Two words that mean something together: `service install`, `secrets get`, `role add`, `power off`."""
    here = {*words, *(piece for word in words for piece in PIECES.split(word))}
    if here & _RUNS_ALONE and here & _SETS_UP:
        yield Finding("medium", "starts a program by itself from now on", "persists")
    if (
        not known
        and here & _SHOWS
        and (here & _SECRET_NOUNS or any(_SECRET_NAME.search(word.text) for word in call.args))
    ):
        yield Finding("medium", "shows a key or a password", "leaks")
    if here & _ADDED and here & _TAKES_IN:
        yield Finding("medium", "takes code of others into the program", "runs-unknown-code")
    if here & _RIGHTS and here & _GIVES:
        mighty = any(_MIGHTY.fullmatch(word.text.lstrip("-")) for word in call.args)
        yield Finding("high" if mighty else "medium", "gives rights, by its own words", "grants")
    if here & {"power", "chassis"} and here & _POWER:
        yield Finding("high", "shuts down or restarts", "stops")
