"""What a container is run with: powers, folders of the machine and images of strangers."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import operand_texts

_POWERS = re.compile(
    r"--privileged(=true)?|--cap-add[= ](?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH)|--pid[= ]host"
    r"|--device[= ]/dev/(?:sd|nvme|mem|disk|kmsg)\S*"
    r"|--security-opt[= ]\S*unconfined|--userns[= ]host|--uts[= ]host|(?:^|\s)\S*docker\.sock(?::|\b)|--privileged"
)
_HOST = re.compile(
    r"(?:^|=|src=|source=)(/|/etc|/root|/proc|/sys|/dev|/boot|/usr|/var/run|/run|/var/lib|/var|/home)(?::|,|$)"
)

_PRIVATE = frozenset({"secret", "private", "environment"})
_FAR = re.compile(r"(?:https?|git|ssh)://|git@|github\.com/")
_NAMED_BUILDS = (
    "-t --tag -f --file --build-arg --target --label --secret --ssh --platform -o --output --cache-from"
)
_IN_THE_IMAGE = Finding("medium", "leaves a secret in the image", "leaks")
_ITS_OWN = re.compile(r"/?(?::|,|$)")  # what follows names a place in the container


def run_container(call: Call) -> Findings:
    """A container that is given the machine, its secrets, or a life of its own."""
    operands = operand_texts(call)
    verb = operands[1] if operands[:1] == ["container"] else (operands[0] if operands else "")
    if verb in ("load", "import") and "network" in _brought(call):
        yield Finding("high", "takes in an image that it downloads", "runs-unknown-code")
    if verb not in ("run", "create", "exec"):
        yield from _build(call)
        return
    line = " ".join(word.text for word in call.args)
    mounts = [word.text for word in call.values("-v", "--volume", "--mount")]
    if _POWERS.search(line):
        yield Finding("high", "gives a container full power over this machine", "grants")
    elif any(_HOST.search(mount) for mount in mounts) and not all(mount.endswith(":ro") for mount in mounts):
        yield Finding("high", "gives a container this machine's own files", "grants")
    elif any(_HOST.search(mount) for mount in mounts):
        yield Finding("medium", "shows a container this machine's own files", "leaks")
    if verb != "exec" and any(
        word.holds & {"secret", "home"}
        or paths.whole_home(_ITS_OWN.split(word.text)[0])
        or paths.secrecy(_ITS_OWN.split(word.text)[0]) == "secret"
        for word in call.values("-v", "--volume", "--mount")
    ):
        yield Finding("medium", "shows a container keys or a home directory", "leaks")
    if verb != "exec" and re.search(r"--restart[= ](always|unless-stopped|on-failure)", line):
        yield Finding("medium", "starts a container again for ever", "persists")
    if re.search(r"--net(work)?[= ]host", line):
        yield Finding("medium", "gives a container this machine's network", "network")


def _brought(call: Call) -> frozenset[str]:
    """The origins of all that is given to `call`."""
    given = [*call.args, *(one.target for one in call.redirects)]
    fed = call.feed.origins if call.feed is not None else frozenset[str]()
    return fed.union(*(word.origins | word.holds for word in given))


_SHARES = (
    "-v",
    "--volume",
    "--volumes-from",
    "--mount",
    "--device",
    "--privileged",
    "--pid",
    "--cap-add",
    "--gpus",
)


def makes_its_own_container(call: Call) -> bool:
    """Whether what `call` starts sees nothing of this machine and nothing that was there before."""
    if call.name not in ("docker", "podman", "nerdctl") or operand_texts(call)[:1] != ["run"]:
        return False
    return next(call.values(*_SHARES), None) is None and not call.flags() & {*_SHARES}


def outside(within: Findings) -> Findings:
    """Of what is found `within` a container of its own, what reaches beyond it."""
    return (one for one in within if one.kind in ("leaks", "network", "runs-unknown-code", "unread", "stops"))


def _build(call: Call) -> Findings:
    """What others wrote is built; a secret in `--build-arg` stays in the image for whoever has it."""
    operands = [word.text for word in call.operands(_NAMED_BUILDS)]
    if "build" in operands[:2] and _FAR.match(operands[-1]):
        yield Finding("medium", "builds what lies at an address", "runs-unknown-code")
    for word in call.values("--build-arg"):
        if re.match(r"\w*(TOKEN|SECRET|PASSW|_KEY|CREDENTIAL)\w*=?", word.text, re.I):
            yield _IN_THE_IMAGE
            return
        if word.origins & _PRIVATE:
            yield _IN_THE_IMAGE
            return
