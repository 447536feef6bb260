"""What programs do, as rows of text: which program, which first words, which options, and what that could cost.

A row is `programs | words | conditions | effect`. Of the rows that name a program, the first that fits speaks.

programs    blank-separated; `mkfs*` takes any ending
words       alternatives split by `,`; the first operands in order, two or more also behind others; `*` is a wildcard
conditions  `-x` `--long` `--long=glob` `+glob` (an operand): one of them is given; `&-x` is given too;
            `!-x` `!+glob` is not; `0` there is no operand, `1` there is one
effect      `low`, or `LEVEL KIND: reason`; `KIND+root` where it needs root as well
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import cast

from terma import regex as re
from terma.records import dataclass
from terma.risk.model import Call, Finding, Findings, Kind
from terma.types import RiskLevel

NEEDS_ROOT = Finding("medium", "needs root", "root")


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `groups`: of each, one alternative must hold. `without`: none of these may."""

    words: tuple[tuple[str, ...], ...]
    groups: tuple[tuple[str, ...], ...]
    without: tuple[str, ...]
    level: RiskLevel
    kind: Kind
    reason: str
    root: bool


# Options in front of a subcommand that take a value, which must not be taken for the subcommand.
_VALUE_OPTIONS = """
git            -C -c --git-dir --work-tree --namespace --exec-path
docker podman nerdctl  -H --host --context -c --config -l --log-level -f --file -p --project-name --profile
docker-compose -f --file -p --project-name --profile
kubectl oc     -n --namespace --context --kubeconfig --cluster --user -s --server -f -l -o --output --selector
helm           -n --namespace --kube-context --kubeconfig -f --values --version
aws            --profile --region --output --endpoint-url --query
gcloud gsutil  --project --account --format --zone --region -h -o
az             --subscription --output -o --query -g --resource-group -n --name
systemctl      -H -M -t --host --machine --type -s --signal --root
apt apt-get    -o -c -t
npm pnpm yarn  --prefix -C --registry --dir --cwd
redis-cli      -h -p -a -n -u -s --user --pass
ip             -n -netns -family -f
iptables ip6tables  -t --table -w
crontab        -u
gh             -R --repo
terraform tofu -chdir
nmcli          -f --fields -c --colors -w
virsh          -c --connect
salt           -t -C -G -E -b -L
rabbitmqctl    -n -p
etcdctl        --endpoints --cacert --cert --key
consul vault   -address -namespace
mysqladmin     -u -h -P
tmux           -L -S -f
wg             -i
restic         -r --repo -p --password-file
borg           --rsh --remote-path
zfs zpool      -o -O -t
flux argocd    --namespace -n --server
"""
VALUE_OPTIONS = {
    name: " ".join(word for word in row.split() if word[0] == "-")
    for row in _VALUE_OPTIONS.strip().splitlines()
    for name in row.split()
    if name[0] != "-"
}
_ASKS = {
    "--help", "--version", "--assumeno", "--dry-run", "--dryrun", "--just-print", "--simulate", "--no-act", "--what-if",
    "--whatif",
    "--usage", "--noop", "--print-commands", "--dry", "--nodeps-check",
}  # fmt: skip
_DRY = {"--dry-run=none", "--dry-run=false", "--dry-run=no"}


def rows(text: str) -> tuple[str, ...]:
    """The rows of `text`, one a line; empty lines and those that open with `#` are left out."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and line[0] != "#")


@lru_cache(maxsize=256)
def rule_of(line: str) -> Rule:
    """What a row spells. Of nine hundred the first command needs a handful."""
    _, words, conditions, effect = (part.strip() for part in line.split("|", 3))
    verdict, _, reason = effect.partition(": ")
    level, _, kind = verdict.partition(" ")
    kind, _, root = kind.partition("+")
    tokens = conditions.split()
    options = tuple(one for one in tokens if one[0] in "-+01")
    required = [(one[1:],) for one in tokens if one[0] == "&"]
    return Rule(
        words=tuple(tuple(one.split()) for one in words.split(",") if one.strip()),
        groups=tuple(group for group in (options, *required) if group),
        without=tuple(one[1:] for one in tokens if one[0] == "!"),
        level=cast(RiskLevel, level),
        kind=cast(Kind, kind or "changes"),
        reason=reason,
        root=root == "root",
    )


def operand_texts(call: Call) -> list[str]:
    """The operands as text, without the values of the tool's global options."""
    return [word.text for word in call.operands(VALUE_OPTIONS.get(call.name, ""))]


def asks(call: Call) -> bool:
    """Whether `call` only asks for help, its version, or what it would do."""
    texts = [word.text for word in call.args]
    for at, text in enumerate(texts):
        option, equals, _ = text.partition("=")
        if (
            option not in _ASKS
            or text in _DRY
            or (option == "--version" and (equals or _is_version(texts[at + 1 :])))
        ):
            continue
        return "--dry-run" not in texts or texts[texts.index("--dry-run") + 1 :][:1] != ["none"]
    if len(texts) == 1 and texts[0] in ("-h", "-V", "-version", "version", "help", "-?"):
        return call.name not in ("shutdown", "halt", "reboot")
    return (
        bool(texts)
        and (texts[-1] in ("-h", "help") or texts[0] == "help")
        and len(texts) <= 3
        and call.name != "shutdown"
    )


def _is_version(texts: list[str]) -> bool:
    """Whether the first of `texts` is a version, so that the option in front of it says which one."""
    return bool(texts) and re.match(r"[v^~<>=]*\d", texts[0]) is not None


class Table:
    """Rows found by command name, and read when a command of that name comes."""

    def __init__(self, rows: Iterable[str]) -> None:
        self._exact: dict[str, list[str]] = {}
        self._open: list[tuple[str, str]] = []
        for row in rows:
            for name in row.partition("|")[0].split():
                if "*" in name:
                    self._open.append((name, row))
                else:
                    self._exact.setdefault(name, []).append(row)
        self._prefixes = tuple({name.partition("*")[0] for name, _ in self._open})

    def rule(self, call: Call) -> Rule | None:
        """The first row that fits `call`."""
        name = call.name
        found = self._exact.get(name, [])
        if name.startswith(self._prefixes):
            found = [row for form, row in self._open if fnmatchcase(name, form)] + found
        if not found:
            return None
        flags, operands = call.flags(), operand_texts(call)
        return next((rule for rule in map(rule_of, found) if _fits(rule, call, flags, operands)), None)


def told(rule: Rule | None) -> Findings:
    """What the row that fits a command says of it."""
    if rule is None:
        return
    if rule.reason:
        yield Finding(rule.level, rule.reason, rule.kind)
    if rule.root:
        yield NEEDS_ROOT


def _fits(rule: Rule, call: Call, flags: frozenset[str], operands: list[str]) -> bool:
    if rule.words and not any(_begins(operands, want) for want in rule.words):
        return False
    if not all(any(_holds(one, call, flags, operands) for one in group) for group in rule.groups):
        return False
    return not any(_holds(one, call, flags, operands) for one in rule.without)


def _begins(operands: list[str], want: tuple[str, ...]) -> bool:
    if len(want) == 1:
        return bool(operands) and _alike(operands[0], want[0])
    starts: Iterator[int] = iter(range(max(0, min(len(operands) - len(want), 3) + 1)))
    return any(all(map(_alike, operands[at : at + len(want)], want)) for at in starts)


def _alike(text: str, form: str) -> bool:
    return text == form or (("*" in form or "[" in form) and fnmatchcase(text, form))


def _holds(condition: str, call: Call, flags: frozenset[str], operands: list[str]) -> bool:
    if condition in ("0", "1"):
        return bool(operands) == (condition == "1")
    if condition[0] == "+":
        return any(_alike(text, condition[1:]) for text in operands)
    option, equals, form = condition.partition("=")
    if not equals:
        return option in flags
    return any(fnmatchcase(word.text, form) for word in call.values(option))
