"""The words in which programs say what they do: verbs, what they are done to, options and nouns; no program's name.

A word that is missing here is missing for every program, so words are added by what they mean, never for one tool.
"""

from __future__ import annotations

from terma.records import dataclass
from terma.risk.model import Kind
from terma.types import RiskLevel

# Each row: kind, how bad it is alone, how bad for many or for what others depend on, what it does; then the verbs.
_ROWS = """
deletes   high   high   deletes, with no way back
    : destroy purge wipe erase nuke obliterate drop terminate deleteall removeall zap annihilate decommission shred
    : eradicate deprovision reinit reinitialize reinitialise wipeout factoryreset expurgate zeroize zeroise
deletes   medium high   deletes
    : delete remove rm del rmi rmdir uninstall unpublish prune truncate expunge reset teardown deltree discard trash rmr
    : unregister deregister undeploy dropdb deletetable forget evict unlink undo free revert downgrade detach revoke
    : unset yank uncommit abandon retire expire unassign unbind unclaim deactivate deauthorize delist eject strip
    : disassociate dissociate unenroll unenrol unsubscribe rewind gc transfer vacate invalidate unlabel unmap
deletes   medium high   empties
    : flush
deletes   low    high   deletes
    : clear empty
deletes   low    medium cleans up
    : clean cleanup sweep vacuum
stops     high   high   shuts down or restarts
    : shutdown poweroff halt reboot powerdown powercycle hardreset forceoff switchover takeover
stops     medium high   stops
    : stop kill restart suspend pause disable drain cordon cancel abort disconnect down quiesce failover
    : hibernate offline stopall killall fence unload dismount unmount ban kick block deny leave unjoin demote
    : stepdown seal quarantine evacuate interrupt bounce logoff deactivateall
grants    medium high   gives rights
    : grant invite authorize authorise impersonate elevate share allow permit addprincipal addmember addmembers
    : whitelist allowlist delegate unlock unseal enroll onboard
network   medium medium opens the way in for others
    : expose funnel unblock
leaks     medium medium publishes
    : publish unveil upload push
changes   medium medium changes what runs
    : deploy rollback restore rollout promote rebalance redeploy reconfigure repair replicate
"""
# What others depend on, or what holds much: losing one is losing more than a file.
OF_WEIGHT = set(
    "all everything database databases db dbs cluster clusters project projects namespace namespaces ns "
    "volume volumes vol bucket buckets server servers instance instances vm vms machine machines droplet "
    "droplets node nodes host hosts stack stacks app apps application applications environment environments "
    "site sites topic topics queue queues stream streams index indexes indices table tables schema schemas "
    "keyspace keyspaces collection collections org orgs organization tenant tenants workspace workspaces "
    "account accounts user users snapshot snapshots backup backups pool pools disk disks repo repos "
    "repository repositories zone zones domain domains network networks vpc subnet subnets service services "
    "deployment deployments dataset datasets store catalog router vlan vrf bgp ospf neighbor storage "
    "inventory ledger wallet region farm tablespace datastore vhost exchange shard shards replica replicas "
    "slot slots route routes gateway archive archives cert certs policies rules secret secrets function "
    "functions registry subscription subscriptions partition partitions device devices fleet vault model "
    "models group groups filesystem share shares key keys credentials certificate certificates mailbox d1 r2 "
    "kv prod production branch".split()
)
SWEEPS = set(
    "--all --recursive --force --purge --cascade --permanent --permanently --hard --auto-approve --no-prompt "
    "--no-prompts --skip-confirmation --yes --confirm --no-confirm --delete-all --everything --wipe --destroy "
    "--include-volumes --with-data --delete-data --delete-volumes -y -r -R".split()
)
# Verbs that look, make or ask: behind one of these a word is a name.
ENDS_THE_SEARCH = set(
    "list ls get show describe info help status view cat find search diff explain check test lint validate plan "
    "preview inspect read print query count stat stats top ps tail export can-i whoami create new init add make "
    "generate build run exec start open edit copy cp move mv rename set use switch select login logout pull fetch "
    "clone download install update upgrade completion doctor commit format fmt convert render translate lookup "
    "which locate man docs dry-run simulate ask chat say echo play serve compile bench verify scan audit save".split()
)
LOOKS = set(
    "list ls show describe info help status view explain check version stats stat top ps report log logs peers query "
    "print validate diff history".split()
)
FLAGS: dict[str, tuple[Kind, RiskLevel, str]] = {
    **dict.fromkeys(
        "--destroy --purge --wipe --erase --drop --nuke --delete-all --remove-all --destroy-all".split(),
        ("deletes", "high", "deletes, with no way back"),
    ),
    **dict.fromkeys(
        "--expunge --terminate --decommission "
        "--delete --remove --uninstall --unregister --prune --revoke --empty --reset --flush --factory-reset".split(),
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
RUNS_ALONE = {
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
SETS_UP = {"install", "add", "create", "enable", "register", "on", "set", "schedule"}
SECRET_NOUNS = set(
    "secret secrets token password passwords credential credentials passphrase apikey api-key private-key kubeconfig "
    "access-token identity-token refresh-token auth-token root-token seed mnemonic".split()
)
SHOWS = set("get read show view reveal print access export dump decrypt cat fetch print-access-token".split())


@dataclass(frozen=True, slots=True)
class Verb:
    """What a verb does, and how bad that is."""

    kind: Kind
    alone: RiskLevel
    weighty: RiskLevel
    reason: str


def _read() -> dict[str, Verb]:
    found: dict[str, Verb] = {}
    verb: Verb | None = None
    for line in _ROWS.strip().splitlines():
        if line.startswith(" ") and verb is not None:
            found.update(dict.fromkeys(line.split()[1:], verb))
        else:
            kind, alone, weighty, reason = line.split(maxsplit=3)
            verb = Verb(kind, alone, weighty, reason)  # type: ignore[arg-type]
    return found


VERBS = _read()
