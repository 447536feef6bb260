"""What leaves: keys, credentials, the environment and private files, into programs that talk to others."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules.disclosed import OPENED
from terma.risk.rules.sinks import LOCAL, SINKS, Sink
from terma.risk.rules.table import asks, operand_texts
from terma.risk.sources import secret_names

RULES = ()

_PRIVATE = frozenset({"secret", "private", "environment", "home"})


_NAMES = frozenset(
    "dig nslookup host drill kdig ping ping6 fping nping hping3 whois traceroute resolvectl".split()
)
_DROPS = frozenset("curl wget nc ncat netcat socat wormhole croc transfer mail mailx mutt http".split())
_LOGS_IN = frozenset(  # with a key that is named on the line
    "aws az gcloud gh ssh gsutil redis-cli mosquitto_pub rclone swaks lftp smbclient s3cmd mc nats".split()
)
_TRIES = {"rsync", "rclone"}  # what they would do, where -n is given
_TOLD_WHAT_TO_PUT = {"sftp", "ftp", "lftp", "smbclient"}
_SENDS_BY = frozenset(
    "-d --data --data-raw --data-binary --data-urlencode -F --form -T --upload-file --json "
    "--post-data --body-data --form-string --data-ascii --url-query".split()
)
_ITEMS = frozenset({"http", "https", "xh", "curlie"})
_ITEM = re.compile(r"[\w.\[\]-]+(?:==|:?=)")  # a field of the body or of the address, and no header
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
    if sink.copies and (asks(call) or (call.name in _TRIES and "-n" in call.flags())):
        return  # says what it would copy
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
    if any(LOCAL.match(word.text) for word in call.args) and "secret" not in origins:
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
        if call.name not in _LOGS_IN and (found or "token" in fed):
            yield Finding("high", "sends a key or a password away", "leaks")
        return
    before = ""
    plain = any(word.text.startswith("http://") and not LOCAL.match(word.text) for word in words)
    for word in words:
        named = secret_names(word.text)
        if named and (
            before in _SENDS_BY
            or (call.name in _ITEMS and _ITEM.match(word.text))
            or word.text.startswith(("http://", "https://"))
            or "://" in word.text
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
                OPENED
                if paths.temporary(target)
                else Finding("medium", "writes a key or a password to a file", "leaks")
            )
        if call.name == "exec" and target.startswith("/dev/tcp/") and not LOCAL.match(target[9:]):
            yield Finding("high", "opens a raw connection to another machine", "network")


CHECKS = dict.fromkeys(SINKS, sent)
