"""Containers of images that others publish: whoever starts one runs what they put in it."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Finding, Findings, Word

RULES = ()

# Options of `run` and `create` that stand alone; every other one takes a value.
_ALONE = frozenset(
    "-d --detach -i --interactive -t --tty -P --publish-all -q --quiet --init --rm --read-only --privileged "
    "--no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --no-hosts --replace --tls-verify "
    "--use-api-socket --help".split()
)
_CLUSTER = re.compile(r"-[ditPq]+")
_OPTIONS = frozenset("-c --context -H --host -l --log-level --config --namespace -n --address -a".split())
# Registries of this machine, and those to which only its owner publishes what everybody builds on.
_REGISTRY = re.compile(
    r"(?:docker\.io|index\.docker\.io|registry-1\.docker\.io)/(?:library/)?(?=[^/]+$)|library/"
    r"|(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)(?::\d+)?/"
    r"|mcr\.microsoft\.com/|registry\.k8s\.io/|gcr\.io/distroless/|public\.ecr\.aws/docker/library/|docker\.elastic\.co/"
    r"|nvcr\.io/nvidia/|registry\.access\.redhat\.com/|registry\.fedoraproject\.org/|ghcr\.io/astral-sh/"
)
# Names on Docker's hub that belong to the makers of the program.
_MAKERS = frozenset(
    "amazon apache bitnami clickhouse cockroachdb confluentinc curlimages denoland docker envoyproxy fluent gitea "
    "gitlab golangci grafana hashicorp jaegertracing jenkins keycloak koalaman mailhog mariadb memcached minio "
    "mongodb nginxinc nvidia oracle otel portainer postgis prom pytorch qdrant rancher redis selenium sonatype "
    "tensorflow timescale traefik valkey".split()
)
_STRANGE = Finding("medium", "runs an image of somebody else's", "runs-unknown-code")


def image(call: Call) -> Word | None:
    """What `docker run` and its like start a container of; None where they start none."""
    words = iter(call.args)
    verbs = []
    for word in words:
        text = word.text
        if text in _OPTIONS:
            next(words, None)
        elif not text.startswith("-"):
            verbs.append(text)
            if text in ("run", "create"):
                break
            if text != "container" or len(verbs) > 1:
                return None
    for word in words:
        text = word.text
        if not text.startswith("-"):
            return word
        if not (text in _ALONE or _CLUSTER.fullmatch(text) or "=" in text or _joined(text)):
            next(words, None)
    return None


def _joined(text: str) -> bool:
    """`-p80:80`, `-itv`: a short option with its value behind it."""
    return not text.startswith("--") and len(text) > 2 and not re.fullmatch(r"-[ditPq]*[a-zA-Z]", text)


def _runs(call: Call) -> Findings:
    """An image with the name of its publisher before it, when that is nobody whom all know."""
    found = image(call)
    if found is None or "built" in found.holds or call.value("--pull", "--pull=never"):
        return
    name = found.text
    if "/" not in name or name.startswith(("/", ".", "$")) or _REGISTRY.match(name):
        return
    if name.partition("/")[0] not in _MAKERS:
        yield _STRANGE
        given = call.values("-v", "--volume", "--mount", "--env-file", "-e", "--env")
        if any(word.holds & {"secret", "home"} for word in given):
            yield Finding("high", "gives an image of somebody else's a key or a home directory", "leaks")


CHECKS = dict.fromkeys(("docker", "podman", "nerdctl"), _runs)
