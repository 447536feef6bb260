"""What lies open: keys and passwords on a screen, in the list of processes, in folders and clipboards."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules.sinks import SINKS

RULES = ()


def _tee(call: Call) -> Findings:
    if (
        call.feed is not None
        and "environment" in call.feed.origins
        and any(word.text != "/dev/null" for word in call.operands())
    ):
        yield Finding("medium", "writes the environment with its secrets to a file", "leaks")


OPENED = Finding("high", "writes a key or a password where others read", "leaks")
_ALSO_PRINTS = {"gh", "glab", "aws", "gcloud", "az", "openssl"}


def shown(call: Call) -> Findings:
    """`cat ~/.ssh/id_rsa` and its like: a secret on the screen, where others and recordings see it."""
    from terma.risk.sources import gives

    if any(">" in one.operator for one in call.redirects) or call.name in SINKS.keys() - _ALSO_PRINTS:
        return
    if "secret" in gives(call):
        into = call.value("-o", "--output", "-out")
        opened = into is not None and paths.temporary(into.text)
        yield OPENED if opened else Finding("medium", "shows a key or a password", "leaks")


_IN_PLAIN_SIGHT = re.compile(r"--(?:password|passwd|pass|api-key|client-secret)=(?![$({<]|-?$)\S{4,}")
_JOINED_PASSWORD = frozenset("mysql mysqldump mysqladmin mariadb mariadb-dump mycli sshpass 7z 7za".split())
_WEB = re.compile(
    r"/var/www|/srv/(?:www|http)|/usr/share/nginx|.*(?:public_html|htdocs|wwwroot)|/usr/local/www|.*/static/"
)


def plain_password(call: Call) -> Findings:
    """A password on the line itself: every user of the machine sees it in the list of processes."""
    for word, following in zip(call.args, (*call.args[1:], Word("")), strict=False):
        joined = (
            call.name in _JOINED_PASSWORD and re.fullmatch(r"-p[^$ ]{3,}", word.text) and not word.dynamic
        )
        apart = call.name == "sshpass" and word.text == "-p" and not following.dynamic
        if joined or apart or (_IN_PLAIN_SIGHT.match(word.text) and not word.dynamic):
            yield Finding("medium", "shows a password to everybody on this machine", "leaks")
            return


def copied(call: Call) -> Findings:
    """A key that is put where others read: a web server's folder, /tmp."""
    operands = call.operands("-m -o -g -t -S")
    if len(operands) > 1 and "mounted" in operands[-1].origins:
        if any(word.holds & {"secret", "private", "home"} for word in operands[:-1]):
            yield Finding("high", "sends private files away", "leaks")
        return
    if len(operands) < 2 or not any(word.holds & {"secret", "private"} for word in operands[:-1]):
        return
    target = operands[-1].text
    if _WEB.match(target):
        yield Finding("high", "puts a key or a password where a web server shows it", "leaks")
    elif paths.carried(target):
        yield Finding("medium", "puts a key or a password on a disk that others may get", "leaks")
    elif paths.temporary(target) and call.name != "mv":
        yield Finding("medium", "puts a key or a password where others may read it", "leaks")


_FAR_AWAY = {"kubectl", "oc"}  # their containers run on other machines


def _into_a_container(call: Call) -> Findings:
    """`docker cp KEY NAME:…`: whoever runs what is in there reads it."""
    operands = call.operands("-n --namespace -c --container --context --kubeconfig")
    if [word.text for word in operands[:1]] != ["cp"] or ":" not in operands[-1].text:
        return
    if any(word.holds & {"secret", "private"} for word in operands[1:-1]):
        web = _WEB.match(operands[-1].text.partition(":")[2])
        yield Finding(
            "high" if web or call.name in _FAR_AWAY else "medium",
            "puts a key or a password where others may read it",
            "leaks",
        )


def _offers(call: Call) -> Findings:
    """Small web servers: what folder they show."""
    texts = [word.text for word in call.args]
    home = any(word.holds & {"home", "secret"} for word in call.args)
    if call.name == "php" and "-S" not in texts:
        return
    if call.name == "busybox" and "httpd" not in texts:
        return
    if home:
        yield Finding("high", "offers a home directory or keys to others", "leaks")
    elif call.name == "php" and any(re.match(r"0\.0\.0\.0|\*", text) for text in texts):
        yield Finding("medium", "offers files to others", "network")


_LISTENERS = frozenset({"tcpdump", "tshark", "ngrep", "dumpcap", "ettercap", "dsniff"})
_SOUGHT = re.compile(r"pass|pwd|login|auth|cookie|token|secret", re.I)


def _picked(call: Call) -> Findings:
    """`tcpdump -A | grep pass`: what others send, for its secrets."""
    heard = call.feed is not None and bool(call.feed.programs & _LISTENERS)
    if heard and any(_SOUGHT.search(word.text) for word in call.args):
        yield Finding("high", "picks passwords out of others' traffic", "leaks")


def _clipboard(call: Call) -> Findings:
    if call.feed is None or call.flags() & {"-o"}:
        return
    what = {
        "secret": "a key or a password",
        "private": "a private file",
        "environment": "the environment with its secrets",
    }
    held = next((said for origin, said in what.items() if origin in call.feed.origins), "")
    if held:
        yield Finding("medium", f"puts {held} where every program reads it", "leaks")


CHECKS = {
    "tee": _tee,
    **dict.fromkeys(("php", "busybox", "serve", "http-server", "caddy", "darkhttpd", "webfsd", "miniserve"), _offers),
    **dict.fromkeys(("cp", "mv", "ln", "install"), copied),
    **dict.fromkeys(("docker", "podman", "nerdctl", "kubectl", "oc"), _into_a_container),
    **dict.fromkeys(("grep", "egrep", "rg", "awk"), _picked),
    **dict.fromkeys(("xclip", "xsel", "pbcopy", "wl-copy"), _clipboard),
}  # fmt: skip
