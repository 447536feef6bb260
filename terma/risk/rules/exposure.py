"""What opens this machine: servers that listen to everybody, certificates that are not checked, records of a person."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import rows

RULES = rows("""
x11vnc vino-server krfb wayvnc |  | !-localhost !--localhost | medium network: shows the screen to others
vncserver tightvncserver Xvnc |  | -localhost=no | medium network: shows the screen to others
dockerd |  | -H=tcp://* --host=tcp://* | high network: lets others command docker, which is root
mongod |  | --bind_ip_all | medium network: opens a port to everybody
redis-server |  | --protected-mode=no | medium network: opens a port to everybody
ttyd gotty shellinaboxd wetty |  |  | high network: offers a shell to others
stress stress-ng |  |  | medium stops: loads the machine until nothing else runs
ab wrk siege vegeta hey bombardier k6 locust |  | +http* !+http*://localhost* !+http*://127.* !+http*://[[]::1* \
    | medium network: loads another machine
arecord fswebcam imagesnap logkeys screenkey |  |  | medium leaks: records what happens here
xinput |  | +test +test-xi2 | medium leaks: records what is typed
java vim nvim vi |  | -jar=/tmp/* -jar=*/Downloads/* -S=/tmp/* -u=/tmp/* \
    | medium runs-unknown-code: runs what lies where anybody writes
wget |  | --no-check-certificate | medium network: does not check who answers
nix-shell nix-env |  | +http* -f=http* -i=http* | high runs-unknown-code: runs what it downloads
code codium cursor |  | --install-extension | medium runs-unknown-code: installs a program of somebody else's
conda mamba micromamba |  | -c --channel | medium runs-unknown-code: takes packages from an index of somebody else's
""")
_OPTIONS = (
    "--host",
    "--bind",
    "--bind-address",
    "--bind_ip",
    "--ip",
    "--listen",
    "--address",
    "--addr",
    "--listen-address",
)
_EVERYBODY = re.compile(r"0\.0\.0\.0(?::\d+)?|\*|\[?::\]?(?::\d+)?|tcp://0\.0\.0\.0\S*")
_OPEN = re.compile(r"0\.0\.0\.0|\*|::")
_UNCHECKED = re.compile(
    r"(?:GIT_SSL_NO_VERIFY=(?:1|true)|NODE_TLS_REJECT_UNAUTHORIZED=0|PYTHONHTTPSVERIFY=0|\w*SSL\w*VERIFY\w*=(?:0|false|no))"
)
_PROXY = re.compile(r"(?:https?|all|ftp)_proxy=(?!(?:\w+://)?(?:localhost|127\.|\[?::1|\$|$)).*", re.I)
_GRABBERS = frozenset("x11grab gdigrab kmsgrab avfoundation v4l2 pulse alsa dshow".split())
_STREAMED = re.compile(r"(?:udp|rtp|rtmps?|tcp|srt|rtsp|https?|icecast|ftp)://(?!localhost|127\.)")
_RECORDERS = ("/dev/video", "/dev/input/", "/dev/snd/", "/dev/dsp")
_LIST_DEVICES = {"ls", "stat", "file", "v4l2-ctl", "udevadm", "fuser", "lsof", "test", "[", "echo", "getfacl"}
_LOCAL = re.compile(r"(?:https?://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0)")


def everybody(call: Call) -> Findings:
    """Any program that is told to listen on every address."""
    if not any(_OPEN.search(word.text) for word in call.args):
        return
    for option in _OPTIONS:
        if any(_EVERYBODY.fullmatch(word.text) for word in call.values(option)):
            yield Finding("medium", "opens a port to everybody", "network")
            return


def unchecked(call: Call) -> Findings:
    """Variables that turn the check of certificates off."""
    if any(_UNCHECKED.fullmatch(word.text) for word in call.assigned):
        yield Finding("medium", "no longer checks who answers", "network")
    if any(_PROXY.fullmatch(word.text) for word in call.assigned):
        yield Finding("medium", "sends what goes to the network through another machine", "network")


def recorded(call: Call) -> Findings:
    """What reads the camera, the microphone or the keys themselves."""
    grabs = any(word.text in _GRABBERS for word in call.args)
    if grabs and any(_STREAMED.match(word.text) for word in call.args):
        yield Finding("high", "shows what happens here to another machine", "leaks")
    if call.name not in _LIST_DEVICES and any(word.text.startswith(_RECORDERS) for word in call.args):
        yield Finding("medium", "records what happens here", "leaks")


def _insecure(call: Call) -> Findings:
    if call.flags() & {"-k", "--insecure"} and not any(_LOCAL.match(word.text) for word in call.args):
        yield Finding("medium", "does not check who answers", "network")


def _published(call: Call) -> Findings:
    if any(word.text.startswith("0.0.0.0:") for word in call.values("-p", "--publish")):
        yield Finding("medium", "opens a port to everybody", "network")


def _unknown_host(call: Call) -> Findings:
    given = " ".join(word.text for word in call.values("-o")).lower()
    if re.search(r"stricthostkeychecking[= ](?:no|off)", given):
        yield Finding("medium", "does not check who answers", "network")


CHECKS = {
    "curl": _insecure,
    "docker": _published,
    **dict.fromkeys(("ssh", "scp", "sftp"), _unknown_host),
}
