"""Containers, clusters and clouds: what deletes there, often for everyone and without a way back."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import Rule

_CONTAINERS = "docker podman nerdctl"
_VERBS_THAT_DELETE = "delete destroy terminate purge remove rm"

RULES = (
    Rule(
        _CONTAINERS,
        "high",
        "deletes containers, images or volumes that are not in use",
        "system prune|volume prune|image prune|container prune|network prune|builder prune|system reset",
    ),
    Rule(_CONTAINERS, "high", "deletes volumes and what they hold", "volume rm|volume remove"),
    Rule(
        _CONTAINERS + " docker-compose",
        "high",
        "deletes volumes and what they hold",
        "compose down|down",
        "-v --volumes",
    ),
    Rule(
        _CONTAINERS + " docker-compose",
        "medium",
        "stops and deletes containers",
        "compose down|compose rm|down",
    ),
    Rule(
        _CONTAINERS, "high", "deletes running containers", "rm|container rm|pod rm", "-f --force -v --volumes"
    ),
    Rule(_CONTAINERS, "medium", "deletes containers", "rm|container rm|pod rm"),
    Rule(_CONTAINERS, "high", "deletes images in use", "rmi|image rm", "-f --force"),
    Rule(_CONTAINERS, "medium", "deletes images", "rmi|image rm|image remove"),
    Rule(_CONTAINERS, "medium", "deletes networks", "network rm|context rm|secret rm|config rm"),
    Rule(_CONTAINERS, "high", "removes a service", "stack rm|service rm|swarm leave|node rm"),
    Rule(
        _CONTAINERS,
        "medium",
        "stops containers",
        "stop|kill|container stop|container kill|restart|compose stop",
    ),
    Rule(
        _CONTAINERS,
        "high",
        "gives a container full power over this machine",
        "run|container run",
        "--privileged",
    ),
    Rule("docker-compose", "medium", "deletes containers", "rm|stop|kill"),
    Rule("kubectl oc k9s", "high", "deletes on the cluster", "delete"),
    Rule("kubectl oc", "high", "replaces what runs on the cluster", "replace", "--force"),
    Rule("kubectl oc", "medium", "moves everything off a node", "drain|cordon|taint"),
    Rule(
        "kubectl oc",
        "medium",
        "changes what runs on the cluster",
        "scale|apply|patch|replace|edit|set|rollout restart|rollout undo",
    ),
    Rule("helm", "high", "deletes on the cluster", "uninstall|delete|del"),
    Rule("helm", "medium", "changes what runs on the cluster", "upgrade|rollback"),
    Rule(
        "minikube kind k3d vagrant",
        "high",
        "deletes a machine or cluster",
        "delete|delete cluster|cluster delete|destroy",
    ),
    Rule("terraform tofu terragrunt pulumi cdk", "high", "destroys infrastructure", "destroy"),
    Rule("terraform tofu terragrunt", "high", "destroys infrastructure", "apply", "-destroy"),
    Rule(
        "terraform tofu terragrunt pulumi",
        "high",
        "changes infrastructure without asking",
        "apply|up",
        "-auto-approve --yes -y",
    ),
    Rule("terraform tofu terragrunt pulumi cdk", "medium", "changes infrastructure", "apply|up|deploy"),
    Rule(
        "terraform tofu terragrunt",
        "high",
        "changes the record of infrastructure",
        "state rm|state push|taint|force-unlock|workspace delete",
    ),
    Rule("aws", "high", "deletes in the cloud", "s3 rm|s3 rb|s3api delete-object|s3api delete-bucket"),
    Rule("aws", "high", "deletes in the cloud", "s3 sync", "--delete"),
    Rule(
        "aws gcloud az gsutil doctl hcloud linode-cli flyctl fly heroku",
        "high",
        "deletes in the cloud",
        anywhere=_VERBS_THAT_DELETE,
    ),
    Rule("gsutil", "high", "deletes in the cloud", "rm|rb"),
    Rule("heroku", "high", "deletes in the cloud", "apps:destroy|pg:reset|addons:destroy|domains:remove"),
    Rule("rclone", "high", "deletes at the other end", "sync|delete|purge|move|rmdirs|cleanup|deletefile"),
    Rule("mc", "high", "deletes in the cloud", "rm|rb"),
)


def _cloud(call: Call) -> Findings:
    """Verbs that carry their object: `terminate-instances`, `delete-db-instance`."""
    if any(re.match(r"(delete|terminate|destroy|purge|deregister)-", word.text) for word in call.operands()):
        yield Finding("high", "deletes in the cloud")
    elif any(re.match(r"(stop|reboot|detach|revoke)-", word.text) for word in call.operands()):
        yield Finding("medium", "stops something in the cloud")


CHECKS = {"aws": _cloud, "doctl": _cloud}
