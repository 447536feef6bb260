"""The form of a rule: which command, which first words, which options, and what that could do."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass

from terma.risk.model import Call, Finding, Findings
from terma.types import RiskLevel


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. Of the rows that name a command, the first that fits speaks.

    `names`: blank-separated, `mkfs*` takes any ending. `words`: alternatives split by `|`, each the first
    operands in order. `flags`: one of these is given. `unless`: none of these is. `anywhere`: one of these
    is an operand.
    `root`: it needs root. An empty reason: this form is harmless but for `root`.
    """

    names: str
    level: RiskLevel
    reason: str
    words: str = ""
    flags: str = ""
    unless: str = ""
    anywhere: str = ""
    root: bool = False


# Options in front of a subcommand that take a value, which must not be taken for the subcommand.
VALUE_OPTIONS = {
    "git": "-C -c --git-dir --work-tree --namespace --exec-path",
    "docker": "-H --host --context -c --config -l --log-level -f --file -p --project-name --profile",
    "docker-compose": "-f --file -p --project-name --profile",
    "podman": "--connection --url --log-level -f --file -p",
    "kubectl": "-n --namespace --context --kubeconfig --cluster --user -s --server -f -l",
    "oc": "-n --namespace --context --kubeconfig -f -l",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "aws": "--profile --region --output --endpoint-url --query",
    "gcloud": "--project --account --format",
    "az": "--subscription --output -o --query",
    "systemctl": "-H -M -t --host --machine --type -s --signal",
    "apt": "-o -c -t",
    "apt-get": "-o -c -t",
    "npm": "--prefix -C",
    "redis-cli": "-h -p -a -n -u -s --user --pass",
    "ip": "-n -netns -family -f",
    "iptables": "-t --table",
    "ip6tables": "-t --table",
    "crontab": "-u",
    "gh": "-R --repo",
}
_ASKS = {"--help", "--version", "--dry-run", "--just-print", "--simulate"}


def operand_texts(call: Call) -> list[str]:
    """The operands as text, without the values of the tool's global options."""
    return [word.text for word in call.operands(VALUE_OPTIONS.get(call.name, ""))]


class Table:
    """Rules found by command name."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._exact: dict[str, list[Rule]] = {}
        self._open: list[tuple[str, Rule]] = []
        for rule in rules:
            for name in rule.names.split():
                if "*" in name:
                    self._open.append((name, rule))
                else:
                    self._exact.setdefault(name, []).append(rule)

    def find(self, call: Call) -> Findings:
        """What the first fitting row of each kind says about `call`."""
        rules = self._exact.get(call.name, [])
        rules = rules + [rule for name, rule in self._open if fnmatch.fnmatchcase(call.name, name)]
        if not rules:
            return
        flags, operands = call.flags(), operand_texts(call)
        if flags & _ASKS:
            return
        for rule in rules:
            if _fits(rule, flags, operands):
                if rule.reason:
                    yield Finding(rule.level, rule.reason)
                if rule.root:
                    yield Finding("medium", "needs root")
                return


def _fits(rule: Rule, flags: frozenset[str], operands: list[str]) -> bool:
    if rule.flags and not flags & set(rule.flags.split()):
        return False
    if rule.unless and flags & set(rule.unless.split()):
        return False
    if rule.anywhere and not set(operands) & set(rule.anywhere.split()):
        return False
    if not rule.words:
        return True
    return any(operands[: len(want)] == want for want in map(str.split, rule.words.split("|")))
