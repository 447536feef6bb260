"""docker, kubernetes, vagrant, terraform and other machines within the machine."""

from __future__ import annotations

from terma.offline.explain.case import Case
from terma.offline.explain.claims import has_variable
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import folders
from terma.offline.explain.near import nearest
from terma.offline.explain.packages import install_package, package_for
from terma.offline.explain.rule import Facts, Rule

PROGRAMS = "docker docker-compose podman nerdctl vagrant terraform helm kubectl minikube"
_PLUGINS = frozenset(("compose", "buildx", "scout", "model", "mcp", "init", "debug", "desktop"))
_PLUGIN_FOLDERS = tuple(
    f"{folder}/cli-plugins"
    for folder in (
        "~/.docker",
        "/usr/lib/docker",
        "/usr/libexec/docker",
        "/usr/local/lib/docker",
        "/usr/local/libexec/docker",
    )
)
_COMPOSE = frozenset(
    f"{name}.{ending}" for name in ("compose", "docker-compose") for ending in ("yml", "yaml")
)


def _compose_elsewhere(case: Case, facts: Facts) -> list[str]:
    """The same with the one compose file that lies in a folder near here."""
    found = [
        f"{folder}/{name}"
        for folder in folders(case, ".", 3)
        if folder != "."
        for name in case.listing(folder)[:400]
        if name in _COMPOSE
    ]
    if len(found) != 1:
        return []
    return [case.insert(f"-f {quote(found[0])}", "compose" if case.program == "docker" else "")]


def _plugin(case: Case, facts: Facts) -> str:
    name = case.operands[0] if case.operands else ""
    if name not in _PLUGINS or any(case.exists(f"{folder}/docker-{name}") for folder in _PLUGIN_FOLDERS):
        return ""
    other = (
        " docker-compose is here, though." if name == "compose" and case.installed("docker-compose") else ""
    )
    return f"docker {name} is a plug-in, and it is not installed here, so docker took its options for its own.{other}"


def _without_plugin(case: Case, facts: Facts) -> list[str]:
    first = next((word for word in case.arguments if word.value == "compose"), None)
    if not first:
        return []
    if case.installed("docker-compose"):
        return [case.command[: first.start].rstrip() + "-" + case.command[first.start :]]
    package = package_for(case, "docker-compose")
    return [install_package(case, package)] if package else []


RULES = (
    Rule("containers.plugin", ("unknown shorthand flag", "unknown flag", "is not a docker command", "unknown command"), "", _plugin, _without_plugin, program="docker", rank=17),
    Rule("containers.daemon", ("cannot connect to the docker daemon", "is the docker daemon running", "docker daemon is not running"), "", "The docker daemon cannot be reached: it is not running, or you look at the wrong socket. Start it, then try again.",
         lambda c, f: ["sudo systemctl start docker && " + c.command], rank=18),
    Rule("containers.image", ("pull access denied", "manifest unknown", "manifest for", "repository does not exist"), r"(?:pull access denied for|manifest for|repository) (?P<name>[^\s,]+)", "docker found no image {name}: it does not exist, the tag is wrong, or it needs docker login.", rank=18),
    Rule("containers.image_local", "no such image", r"No such image: (?P<name>\S+)", "There is no image {name} here. docker images lists them.", rank=18),
    Rule("containers.none", ("no such container", "no such object"), r"[Nn]o such (?:container|object): (?P<name>\S+)", "There is no container {name}. docker ps -a lists all, stopped ones too.", rank=18),
    Rule("containers.name", "is already in use by container", r"name \"/?(?P<name>[^\"]+)\" is already in use", "A container named {name} is already there (name already in use). Remove it, or choose another name.",
         lambda c, f: [f"docker rm {quote(f['name'])} && {c.command}"], rank=18),
    Rule("containers.rm_running", ("cannot remove a running container", "container is running: stop the container"), "", "The container is still running, so it cannot be removed. Stop it first; -f does both.", lambda c, f: [c.insert("-f", "rm")], rank=18),
    Rule("containers.image_running", "is being used by", r"(?P<name>\S+) \([^)]*force[^)]*\) - image is being used by (?P<how>running|stopped)? ?container (?P<id>\w+)", "The {how} container {id} uses the image {name} (being used), so it cannot be removed. The container must go first.",
         lambda c, f: [f"docker container rm {'-f ' if f['how'] == 'running' else ''}{quote(f['id'])} && {c.command}"], rank=17),
    Rule("containers.image_used", ("image is being used by", "image is referenced in"), "", "A container uses that image (being used), so it cannot be removed. Remove the container first, or use -f.", lambda c, f: [c.insert("-f", "rmi")] if "rmi" in c.args else [], rank=18),
    Rule("containers.image_conflict", "is using its referenced image", r"(?P<what>image|reference) \"?(?P<name>[\w./:@-]+)\"?[^\n]*container (?P<id>\w+) is using", "The container {id} uses the image {name} (conflict), so it cannot be removed. Remove the container first; -f takes the image's name away all the same.", lambda c, f: [c.insert("-f", next((w for w in ("rmi", "rm", "remove") if w in c.args), ""))], rank=17),
    Rule("containers.not_running", "is not running", r"[Cc]ontainer (?P<name>\S+) is not running", "The container {name} is not running. Start it first.", lambda c, f: [f"docker start {quote(f['name'])} && {c.command}"] if c.program == "docker" else [], rank=18),
    Rule("containers.dockerfile", ("failed to read dockerfile", "unable to prepare context", "unable to evaluate symlinks in dockerfile"), "", "docker found no Dockerfile there: no such file. Go to its folder, or name it with -f.", rank=18),
    Rule("containers.build_arg", ("requires exactly 1 argument", "requires at least 1 argument"), r"\"?(?P<name>docker[ \w]*)\"? requires", "{name} got the wrong number of arguments. docker build wants the folder at its end, a dot for this one.", lambda c, f: [c.append(".")] if "build" in c.args else [], rank=18),
    Rule("containers.compose_file", ("no configuration file provided", "can't find a suitable configuration file"), "", "There is no compose file here: no configuration file found. Go to the folder with docker-compose.yml, or name it with -f.", _compose_elsewhere, rank=18, rewrites=True),
    Rule("containers.compose_service", "no such service", r"no such service: (?P<name>\S+)", "The compose file has no service {name}. docker compose config --services lists them.", rank=18),
    Rule("containers.exec", "executable file not found in $path", r"exec: \"(?P<name>[^\"]+)\": executable file not found", "The image holds no program {name}: executable file not found in its PATH.", lambda c, f: [c.swap("bash", "sh")] if f["name"].endswith("bash") else [], rank=18),
    Rule("containers.tty", "the input device is not a tty", "", "The input is no terminal (not a TTY), so -t does not work here.", lambda c, f: [c.swap("-it", "-i"), c.swap("-ti", "-i")], rank=18),
    Rule("containers.reference", "invalid reference format", "", lambda c, f: "That is no valid image name (invalid reference format): it must be in small letters, without blanks" + ("; an unquoted variable may be empty." if has_variable(c) else "."), rank=18),
    Rule("containers.kube_down", ("the connection to the server", "kubernetes cluster unreachable"), r"server (?P<host>\S+) was refused", "kubectl cannot reach the cluster at {host}: connection refused. Is it running, and is the right context chosen (kubectl config current-context)?", program="kubectl helm k9s", rank=18),
    Rule("containers.kube_type", "doesn't have a resource type", r"resource type \"(?P<name>[^\"]+)\"", "The cluster knows no resource type {name}. kubectl api-resources lists them.",
         lambda c, f: [c.swap(f["name"], n) for n in nearest(f["name"], "pods pod services service deployments deployment nodes namespaces configmaps secrets ingress jobs cronjobs events replicasets statefulsets daemonsets".split())], rank=18),
    Rule("containers.kube_missing", "(notfound)", r"\(NotFound\): (?P<kind>\S+) \"(?P<name>[^\"]+)\" not found", "The cluster has no {kind} named {name}: not found. It may live in another namespace (-A shows all).", rank=18),
    Rule("containers.kube_config", ("no configuration has been provided", "error loading config file", "current-context is not set"), "", "kubectl has no configuration: no cluster is chosen. Set KUBECONFIG or a context.", rank=18),
    Rule("containers.vagrant_up", ("vm must be running", "vm is not running", "machine must be running"), "", "The virtual machine must be running for that, and it is not. vagrant up starts it.",
         lambda c, f: [f"vagrant up {' '.join(map(quote, c.operands[1:]))} && {c.command}" if len(c.operands) > 1 else f"vagrant up && {c.command}", f"vagrant up && {c.command}"], program="vagrant", rank=18),
    Rule("containers.terraform_init", ("terraform init", "missing required provider", "module not installed"), "", "This Terraform folder is not initialised: providers or modules are missing.", lambda c, f: [f"terraform init && {c.command}"], program="terraform tofu", rank=18),
    Rule("containers.aws_login", ("unable to locate credentials", "could not find default credentials", "expiredtoken", "no credentials"), "", "{program} has no valid credentials: none are configured, or they expired. Log in or configure them first.", rank=18),
)  # fmt: skip
