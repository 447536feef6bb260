"""What leaves: keys, credentials, the environment and private files, into programs that talk to others."""

from __future__ import annotations

import re
from dataclasses import dataclass

from terma.risk import paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules.table import operand_texts
from terma.risk.sources import secret_names

RULES = ()

_PRIVATE = frozenset({"secret", "private", "environment", "home"})


@dataclass(frozen=True, slots=True)
class Sink:
    """A program that sends. `own`: options whose value it keeps to itself (keys it logs in with, settings, where its
    output goes). `data`: what makes it read its standard input, "always", "" for never, or a pattern over its words.
    `copies`: it moves files between machines, and only to one whose name holds a colon does it send."""

    own: str = ""
    data: str = "always"
    copies: bool = False


_CURL = (
    "-o --output -E --cert --key --cacert --capath -K --config --netrc-file -c --cookie-jar -x --proxy -D "
)
"--dump-header -w --resolve -A -e --connect-to"
_SSH = "-i -F -S -c -o -J -l -p -P -L -D -R -W -E -m"
SINKS = {
    "curl": Sink(_CURL, r"(?:.*[=@<])?[@<]-.*|-|/dev/stdin|.*@/dev/stdin"),
    "curlie": Sink(_CURL, r".*@-.*|-"),
    "wget": Sink("-O --output-document --certificate --private-key --ca-certificate -o -a -P -i --load-cookies "
    "--save-cookies", r".*-|/dev/stdin|.*=/dev/stdin"),
    "http": Sink("--session --cert --cert-key -o --output --verify"),
    "https": Sink("--session --cert --cert-key -o --output"), "xh": Sink("--session --cert --cert-key -o"),
    **dict.fromkeys(("nc", "ncat", "netcat", "socat", "telnet", "cryptcat", "websocat", "wscat", "sendmail",
    "msmtp", "nsupdate", "pushbullet", "ntfy"), Sink("--ssl-cert --ssl-key --ssl-trustfile")),
    **dict.fromkeys(("mail", "mailx", "mutt", "neomutt", "swaks", "sendemail", "s-nail", "mpack", "telegram-send",
    "slackcat", "notify-slack", "apprise"), Sink("-s -r -F -e -i")),
    "ssh": Sink(_SSH), "sftp": Sink(_SSH + " -b"), "scp": Sink(_SSH, "", copies=True),
    "rsync": Sink("-e --rsh --exclude --include --exclude-from --files-from --password-file --log-file", "",
    copies=True),
    "rclone": Sink("--config", "rcat", copies=True), "lftp": Sink("", "always"), "ftp": Sink("", "always"),
    "tftp": Sink("", "always"), "ftpput": Sink(), "ncftpput": Sink(), "smbclient": Sink("-A"),
    "aws": Sink("--profile --region --ca-bundle --query --output", "-"), "gsutil": Sink("-o", "-"),
    "gcloud": Sink("--key-file --account --project --cred-file", "--data-file=-|-"), "az": Sink("", ""),
    "s3cmd": Sink("-c", "-"), "mc": Sink("", "pipe"), "b2": Sink("", "-"), "s5cmd": Sink("--credentials-file", "-"),
    **dict.fromkeys(("dig", "nslookup", "host", "drill", "kdig", "resolvectl", "ping", "ping6", "fping", "hping3",
    "nping", "traceroute", "whois"), Sink("-f -i", "")),
    **dict.fromkeys(("wormhole", "croc", "magic-wormhole", "transfer", "transfer.sh", "ffsend", "onionshare-cli",
    "qrcp", "webwormhole"), Sink("--out", "send|-")),
    **dict.fromkeys(("pastebinit", "pastebin", "ix", "sprunge", "termbin", "gist", "fpaste", "pbincli", "hastebin",
    "haste", "paste.rs", "0x0", "dpaste", "wgetpaste", "elinks"), Sink()),
    "gh": Sink("-R --repo -t --title -b", "always"), "glab": Sink("-R", "always"),
    **dict.fromkeys(("mosquitto_pub", "kcat", "kafkacat", "kafka-console-producer", "kafka-console-producer.sh",
    "nats", "amqp-publish", "irc", "ii", "sic"), Sink("--cafile --cert --key")),
    "openssl": Sink("-cert -key -CAfile -out -in", "s_client"), "logger": Sink("-t", "-n|--server.*"),
    "redis-cli": Sink("-a --cacert --cert --key", "-x"),
    "ngrok": Sink(), "xxd-net": Sink(), "finger": Sink(""), "dropbox_uploader.sh": Sink(), "gdrive": Sink(),
    "mega-put": Sink(), "rsh": Sink(), "docker-push": Sink(), "ipfs": Sink(),
}  # fmt: skip
_NAMES = {
    "dig",
    "nslookup",
    "host",
    "drill",
    "kdig",
    "ping",
    "ping6",
    "fping",
    "nping",
    "hping3",
    "whois",
    "traceroute",
    "resolvectl",
}
_DROPS = {
    "curl",
    "wget",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "wormhole",
    "croc",
    "transfer",
    "mail",
    "mailx",
    "mutt",
    "http",
}
_TOLD_WHAT_TO_PUT = {"sftp", "ftp", "lftp", "smbclient"}
_LOCAL = re.compile(
    r"(?:https?://)?(?:\S*@)?(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?:[:/]|$)"
)
_SENDS_BY = {
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "-F",
    "--form",
    "-T",
    "--upload-file",
    "--json",
    "--post-data",
    "--body-data",
    "--form-string",
    "--data-ascii",
    "--url-query",
}
_LEAKS = {
    "secret": "a key or a password",
    "environment": "the environment with its secrets",
    "private": "private files",
    "home": "a home directory or the machine's settings",
}


def sent(call: Call) -> Findings:
    """What `call`, a program that sends, carries out."""
    sink = SINKS[call.name]
    if call.name == "openssl" and "s_client" not in [word.text for word in call.args]:
        return
    if call.name in ("gh", "glab") and not _publishes(call):
        return
    words = _carried(call, sink)
    if words is None:
        return
    origins = (
        frozenset[str]().union(*(word.origins | word.holds for word in words)) if words else frozenset[str]()
    )
    if call.feed is not None and (call.bulk or _reads_input(call, sink)):
        origins |= call.feed.origins
    if call.name in _TOLD_WHAT_TO_PUT:
        said = (
            " ".join(word.text for word in call.args)
            + " "
            + (call.feed.text or "" if call.feed is not None else "")
        )
        origins |= {found for piece in said.split() if (found := paths.secrecy(piece.strip("'\";")))}
    if any(_LOCAL.match(word.text) for word in call.args) and "secret" not in origins:
        return
    yield from _told(call, origins, sink)
    if "data" in origins and not origins & _PRIVATE and call.name in _DROPS:
        yield Finding("high", "sends a whole archive or dump away", "leaks")
    if not origins & _PRIVATE:
        yield from _by_name(call, words)
    if call.name in _NAMES and any(
        word.programs and re.search(r"[)`]\S*\.[a-z]|[)`]\.", word.text) for word in call.args
    ):
        yield Finding("medium", "puts what a command prints into a name that others look up", "leaks")


def _told(call: Call, origins: frozenset[str], sink: Sink) -> Findings:
    for origin, what in _LEAKS.items():
        if origin in origins:
            mild = origin == "home" and (sink.copies or call.name == "ssh")
            yield Finding("medium" if mild else "high", f"sends {what} away", "leaks")
            return


def _publishes(call: Call) -> bool:
    texts = operand_texts(call)
    return texts[:2] in (
        ["gist", "create"],
        ["issue", "create"],
        ["release", "upload"],
        ["release", "create"],
        ["pr", "comment"],
        ["issue", "comment"],
        ["snippet", "create"],
        ["gist", "edit"],
    ) or texts[:1] == ["api"]


def _carried(call: Call, sink: Sink) -> list[Word] | None:
    """The words of `call` that go out; None where nothing does."""
    own = set(sink.own.split())
    words: list[Word] = []
    given = iter(call.args)
    for word in given:
        if word.text in own:
            next(given, None)
        elif not any(word.text.startswith(option + "=") for option in own if option.startswith("--")):
            words.append(word)
    if not sink.copies:
        return words
    paths = [word for word in words if not word.text.startswith("-")]
    if len(paths) < 2 or not re.match(r"[^/]*:", paths[-1].text):
        return None
    return [word for word in paths[:-1] if not re.match(r"[^/~$]+:", word.text)]


def _reads_input(call: Call, sink: Sink) -> bool:
    if sink.data in ("", "always"):
        return bool(sink.data)
    return any(re.fullmatch(sink.data, word.text) for word in call.args)


def _by_name(call: Call, words: list[Word]) -> Findings:
    """Variables that are called after secrets: fine where they say who asks, not where they are what is sent."""
    if call.name not in ("curl", "wget", "http", "https", "xh", "curlie"):
        found = (
            frozenset[str]().union(*(secret_names(word.text) for word in words))
            if words
            else frozenset[str]()
        )
        fed = (
            call.feed.origins
            if call.feed is not None and SINKS[call.name].data == "always"
            else frozenset[str]()
        )
        if call.name not in (
            "aws",
            "az",
            "gcloud",
            "gh",
            "ssh",
            "gsutil",
            "redis-cli",
            "mosquitto_pub",
            "rclone",
            "swaks",
            "lftp",
            "smbclient",
            "s3cmd",
            "mc",
            "nats",
        ) and (found or "token" in fed):
            yield Finding("high", "sends a key or a password away", "leaks")
        return
    before = ""
    plain = any(word.text.startswith("http://") and not _LOCAL.match(word.text) for word in words)
    for word in words:
        named = secret_names(word.text)
        if named and (
            before in _SENDS_BY or word.text.startswith(("http://", "https://")) or "://" in word.text
        ):
            yield Finding(
                "high" if "secret" in named else "medium", "sends a key or a password away", "leaks"
            )
        elif plain and (named or before in ("-u", "--user") or re.match(r"(?i)authorization:", word.text)):
            yield Finding("medium", "sends a password without encryption", "leaks")
        before = word.text


def redirected(call: Call) -> Findings:
    """`… > /dev/tcp/HOST/PORT`, `env >> build.log`: what a redirect carries out or leaves lying."""
    from terma.risk.sources import gives

    for one in call.redirects:
        target, writes = one.target.text, ">" in one.operator
        if target.startswith(("/dev/tcp/", "/dev/udp/")) and writes:
            origins = gives(call)
            if origins & _PRIVATE:
                yield from _told(call, origins, Sink())
            elif call.feed is not None or call.name in ("cat", "tar", "exec") or "<" in one.operator:
                yield Finding("medium", "opens a raw connection to another machine", "network")
        elif writes and "environment" in gives(call) and target != "/dev/null":
            yield Finding("medium", "writes the environment with its secrets to a file", "leaks")
        elif writes and target != "/dev/null" and "secret" in gives(call):
            yield (
                _OPENED
                if paths.temporary(target)
                else Finding("medium", "writes a key or a password to a file", "leaks")
            )
        if call.name == "exec" and target.startswith("/dev/tcp/") and not _LOCAL.match(target[9:]):
            yield Finding("high", "opens a raw connection to another machine", "network")


def _tee(call: Call) -> Findings:
    if (
        call.feed is not None
        and "environment" in call.feed.origins
        and any(word.text != "/dev/null" for word in call.operands())
    ):
        yield Finding("medium", "writes the environment with its secrets to a file", "leaks")


_OPENED = Finding("high", "writes a key or a password where others read", "leaks")
_ALSO_PRINTS = {"gh", "glab", "aws", "gcloud", "az", "openssl"}


def shown(call: Call) -> Findings:
    """`cat ~/.ssh/id_rsa` and its like: a secret on the screen, where others and recordings see it."""
    from terma.risk.sources import gives

    if any(">" in one.operator for one in call.redirects) or call.name in SINKS.keys() - _ALSO_PRINTS:
        return
    if "secret" in gives(call):
        into = call.value("-o", "--output", "-out")
        opened = into is not None and paths.temporary(into.text)
        yield _OPENED if opened else Finding("medium", "shows a key or a password", "leaks")


_IN_PLAIN_SIGHT = re.compile(r"--(?:password|passwd|pass|api-key|client-secret)=(?![$({<]|-?$)\S{4,}")
_JOINED_PASSWORD = {
    "mysql",
    "mysqldump",
    "mysqladmin",
    "mariadb",
    "mariadb-dump",
    "mycli",
    "sshpass",
    "7z",
    "7za",
}
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
    if len(operands) < 2 or not any(word.holds & {"secret", "private"} for word in operands[:-1]):
        return
    target = operands[-1].text
    if _WEB.match(target):
        yield Finding("high", "puts a key or a password where a web server shows it", "leaks")
    elif paths.temporary(target) and call.name != "mv":
        yield Finding("medium", "puts a key or a password where others may read it", "leaks")


def _into_a_container(call: Call) -> Findings:
    """`docker cp KEY NAME:…`: whoever runs what is in there reads it."""
    operands = call.operands("-n --namespace -c --container --context --kubeconfig")
    if [word.text for word in operands[:1]] != ["cp"] or ":" not in operands[-1].text:
        return
    if any(word.holds & {"secret", "private"} for word in operands[1:-1]):
        web = _WEB.match(operands[-1].text.partition(":")[2])
        yield Finding(
            "high" if web else "medium", "puts a key or a password where others may read it", "leaks"
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
    if call.feed is not None and call.feed.origins & {"secret"} and not call.flags() & {"-o"}:
        yield Finding("medium", "puts a key or a password where every program reads it", "leaks")


CHECKS = {
    **dict.fromkeys(SINKS, sent), "tee": _tee, **dict.fromkeys(("php", "busybox", "serve", "http-server", "caddy",
    "darkhttpd", "webfsd", "miniserve"), _offers),
    **dict.fromkeys(("cp", "mv", "ln", "install"), copied),
    **dict.fromkeys(("docker", "podman", "nerdctl", "kubectl", "oc"), _into_a_container),
    **dict.fromkeys(("grep", "egrep", "rg", "awk"), _picked),
    **dict.fromkeys(("xclip", "xsel", "pbcopy", "wl-copy"), _clipboard),
}  # fmt: skip
