"""What a command's output holds, by the command: a table of sources, and what passes contents on or swallows them."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Word
from terma.risk.values import puts_letters_for_letters
from terma.risk.wrapper_table import WRAPPERS
from terma.risk.wrappers import CONTAINERS, after, in_running_container

# Programs whose output says something about a file without its contents.
_SWALLOWS = set(
    "wc ls stat file du test [ md5sum sha1sum sha256sum sha512sum shasum b2sum cksum cmp chmod chown touch mkdir "
    "rm mv cp "
    "ln kill sleep true false cd pushd source . install ssh-add getfacl lsattr realpath basename dirname "
    "readlink mktemp find ssh-keygen keytool "
    "fd tree which type ssh-copy-id passwd git make docker mount ansible ansible-playbook systemctl rmdir".split()
)
_NETWORK = set(
    "curl wget fetch http https xh aria2c lynx w3m links nc ncat netcat socat ftp tftp dig nslookup host telnet "
    "gsutil "
    "ssh sftp lftp rsh wormhole".split()
)
_CLIPBOARD = {"xclip", "xsel", "pbpaste", "wl-paste"}
_DECODERS = {"uudecode", "rev"}
_DECODER_FLAGS = {
    "base64": "-d -D --decode", "base32": "-d --decode", "basenc": "-d --decode", "xxd": "-r", "openssl": "-d",
    "basez": "-d",
}  # fmt: skip
# What makes a file of its own whole again: nobody reads it before, and nothing of it is spelled on the line.
_UNPACKERS = set(
    "gunzip zcat gzcat bzcat xzcat lzcat lz4cat zstdcat unxz unlzma bunzip2 unzstd unlz4 uncompress unpigz".split()
)
_UNPACKER_FLAGS = {
    **dict.fromkeys(("gzip", "pigz", "xz", "lzma", "bzip2", "pbzip2", "zstd", "lz4", "brotli", "lzop"),
    "-d --decompress --uncompress"),
    **dict.fromkeys(("gpg", "gpg2", "age"), "-d --decrypt"),
}  # fmt: skip
_NAMES_ONLY = (
    r"(?!.*\{\.(?:items\[\*\]\.)?(?:metadata|type)\b[^{]*\}[^{]*$)"  # of an object, and not its data
)
# Programs that print a secret by their nature, with the first words and options that make them do it.
_SECRET_PRINTERS = (
    ("kubectl oc", r"get secrets?\b" + _NAMES_ONLY + r".*(?:-o ?(?:json|yaml|go-template|custom)|--output|--template)"
    r"|config view.*--raw|create token"),
    ("vault", r"(?:kv get|read|print token)\b"),
    ("aws", r"secretsmanager get-secret-value|configure export-credentials"
    r"|configure get \S*(?:secret|token|key)|sts (?:get-session-token|assume-role)"
    r"|ssm get-parameters?.*--with-decryption|ecr get-login-password|iam create-access-key|kms decrypt"),
    ("gcloud", r"auth (?:application-default )?print-(?:access|identity)-token|secrets versions access"),
    ("az", r"keyvault secret show|account get-access-token"),
    ("gh", r"auth token|auth status.*(?:-t\b|--show-token)"),
    ("gpg gpg2", r".*--export-secret-(?:keys|subkeys|key)"),
    ("security", r"(?:find-(?:generic|internet)-password|dump-keychain|export)\b"),
    ("secret-tool", r"lookup"), ("keyring", r"get"), ("bw", r"get password|export|list items"), ("op",
    r"read|item get.*--reveal"),
    ("pass gopass", r"(?:(?:show|otp) )?(?!(?:ls|list|init|git|help|version|sync|setup|audit|mounts)$)\w[\w./@-]*$"),
    ("docker podman", r"swarm (?:join-token|unlock-key)"), ("terraform tofu", r"output.*-raw|state pull"),
    ("npm pnpm yarn", r"config get \S*(?:_auth|token|password)"), ("fly flyctl", r"auth token"),
    ("git", r"credential (?:fill|-\S+ get)|credential-\w+ get"
    r"|config (?:--\w+ )*(?:--get\S* )?\S*(?:token|password|extraheader)\S*$"),
    ("heroku", r"config\b|auth:token"), ("doppler", r"secrets"), ("sops", r"(?:-d|--decrypt|decrypt)\b"),
    ("ansible-vault", r"view|decrypt.*--output"), ("unshadow john hashcat mimikatz secretsdump.py"  , r".*"),
    ("chamber", r"(?:read|export|env)\b"),
    ("nmcli", r".*(?:-s|--show-secrets)\b"), ("wg", r"(?:showconf|genkey|show .*private-key)"), ("openssl",
    r"(?:rsa|pkey|ec|pkcs12)\b(?!.*-(?:noout|pubout|pubin|nokeys)).*-in\b"),
)  # fmt: skip
_PRINTERS = {name: re.compile(form, re.S) for names, form in _SECRET_PRINTERS for name in names.split()}
_ENVIRONMENT = re.compile(
    r"(?:printenv|env -0|env|set|typeset|declare|export -p|export|declare -[px]+|typeset -[px]+|printenv -0)"
)
_SECRET_NAME = re.compile(
    r"\$?\{?[A-Za-z_]*(?:SECRET|TOKEN|PASSW(?:OR)?D|PASSPHRASE|_PASS\b|PRIVATE_?KEY|API_?KEY|ACCESS_KEY"
    r"|CREDENTIAL)[A-Za-z_]*\}?",
    re.I,
)
_HARD_SECRET = re.compile(
    r"AWS_(?:SECRET|SESSION)|PRIVATE|PASSW|PASSPHRASE|SSH|SECRET_ACCESS|CREDENTIAL|MASTER|ROOT", re.I
)
_ACCOUNTS = {
    "passwd": {"home"},
    "group": {"home"},
    "shadow": {"secret"},
    "gshadow": {"secret"},
}  # as their files
_PRIVATE_DUMPS = set(
    "history fc mysqldump pg_dump pg_dumpall mongodump tcpdump xwd scrot grim maim screencapture arecord parec".split()
)
METADATA = re.compile(
    r"(?:169\.254\.(?:169\.254|170\.2)|metadata\.google|fd00:ec2)\S*(?:credential|token|identity|user-?data)",
    re.I,
)
_OPENS = re.compile(r"openssl\s+(?:enc|base64|aes\S*|rsa|pkey|ec|pkcs12|smime|cms|s_client)\b")
_TAKES_A_PATTERN = set("grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk jq yq".split())
_QUIET_GREP = {"-c", "-q", "-l", "-L", "--count", "--quiet", "--files-with-matches"}


def secret_names(text: str) -> frozenset[str]:
    """Where `text` expands a variable that is called after a password or key: "secret", or "token" for common ones."""
    names = re.findall(r"\$\{?\w+", text) if "$" in text else []
    found = [name for name in names if _SECRET_NAME.fullmatch(name)]
    if not found:
        return frozenset()
    return frozenset({"secret"} if any(_HARD_SECRET.search(name) for name in found) else {"token"})


_KEY_SHAPE = re.compile(
    r"(?:gh[pousr]_|glpat-|xox[abp]-|sk-|AKIA|AIza|npm_|pypi-|hf_|dop_v1_)\w{12,}"
    r"|(?=.*\d)(?=.*[a-zA-Z])[A-Za-z0-9+/_=-]{20,}"
)


def is_secret_value(name: str, value: str) -> bool:
    """Whether `NAME=value` spells a key or a token out."""
    return bool(_SECRET_NAME.fullmatch(name) and _KEY_SHAPE.fullmatch(value))


def plain(call: Call) -> Call:
    """`call` without what runs it (sudo, env, nice, a container), as far as the words show it."""
    while True:
        if call.name in CONTAINERS:
            inner = next(in_running_container(call), None)
        elif call.name in WRAPPERS and not WRAPPERS[call.name].joined:
            rest = after(call.args, WRAPPERS[call.name])
            inner = call.inner(rest) if rest else None
        else:
            inner = None
        if inner is None or inner.name == "":
            return call
        call = inner


def gives(outer: Call) -> frozenset[str]:
    """The origins of what `outer` writes to its output."""
    call = plain(outer)
    name, fed = call.name, call.feed.origins if call.feed is not None else frozenset[str]()
    if name in ("echo", "printf", "print"):
        return frozenset[str]().union(*(word.origins | secret_names(word.text) for word in call.args))
    if name == "mktemp":
        return frozenset({"temporary"})
    line = " ".join(word.text for word in call.words)
    if _ENVIRONMENT.fullmatch(line) and name == call.words[0].text:
        return frozenset({"environment"})
    if name == "printenv":
        return secret_names("$" + " $".join(word.text for word in call.operands()))
    found = set(fed)
    if name in _PRINTERS and _PRINTERS[name].match(line[len(call.words[0].text) + 1 :]):
        found.add("secret")
    if name == "getent" and (asked := [word.text for word in call.operands()][:1]):
        found.update(_ACCOUNTS.get(asked[0], ()))
    if name in _PRIVATE_DUMPS:
        found.add("private")
    if name in ("tar", "zip", "cpio", "pax") or (name == "git" and "archive" in line) or name in _CLIPBOARD:
        found.add("data")
    if name in ("curl", "wget") and METADATA.search(line):
        return frozenset({"secret", "network"})
    if name in _NETWORK or _fetches_to_output(call):
        found.discard("secret")
        found.add("network")
    if _finds_secrets(call) and not is_quiet(call):
        found.add("private")
    found |= _listed(call)
    if name in ("docker", "podman") and (" inspect " in line or line.endswith(" config")):
        found.add("private")  # its environment is among it
    if name in _CLIPBOARD and (name != "xclip" or call.flags() & {"-o", "-out"}):
        found.add("network")
    if name in _SWALLOWS or is_quiet(call):
        return frozenset(found - fed)
    if name == "tr" and puts_letters_for_letters([word.text for word in call.operands()]):
        found.add("decoded")
    if name in _DECODERS or (name in _DECODER_FLAGS and call.flags() & set(_DECODER_FLAGS[name].split())):
        found.add("decoded")
    if name in _UNPACKERS or (name in _UNPACKER_FLAGS and call.flags() & set(_UNPACKER_FLAGS[name].split())):
        found.add("unpacked")
    if name != "openssl" or _OPENS.search(line):
        for word in _read_by(call):
            found |= word.holds | word.origins
    found.update(*(one.target.holds for one in call.redirects if one.operator == "<"))
    return frozenset(found)


def _read_by(call: Call) -> tuple[Word, ...]:
    """The words that may name what `call` reads: a pattern or a script is no file."""
    if call.name not in _TAKES_A_PATTERN or call.flags() & {"-e", "-f"}:
        return call.args
    first = next((word for word in call.args if not word.text.startswith("-")), None)
    return tuple(word for word in call.args if word is not first)


def _fetches_to_output(call: Call) -> bool:
    texts = [word.text for word in call.args]
    if call.name == "aws":
        return texts[:2] == ["s3", "cp"] and texts[-1:] == ["-"]
    if call.name in ("gh", "glab"):
        return texts[:1] in (["api"], ["gist"]) or texts[:2] == ["release", "download"]
    if call.name in ("redis-cli", "mysql", "psql", "mosquitto_sub"):
        return bool(call.flags() & {"-h", "--host"})
    return call.name == "openssl" and "s_client" in texts


_SEARCHES = frozenset("grep egrep fgrep zgrep rg ag ack".split())
_SPEAKS_OF_SECRETS = re.compile(
    r"passw|passphrase|secret|token|api.?key|credential|private.?key|AKIA|BEGIN\b.*KEY|client.?key|mnemonic",
    re.I,
)


def _finds_secrets(call: Call) -> bool:
    """Whether `call` searches for the word of a secret, so that its output is a collection of them."""
    if call.name not in _SEARCHES or call.flags() & {"-v", "--invert-match"}:
        return False
    sought = [word.text for word in call.values("-e", "--regexp")] or [
        word.text for word in call.operands()[:1]
    ]
    return any(map(_SPEAKS_OF_SECRETS.search, sought))


def _listed(call: Call) -> frozenset[str]:
    """What stands in the files whose names `call` gets by a pipe: `find / -name '*.pem' | tar cf - -T -`."""
    names = call.value("-T", "--files-from", "--include-from")
    reads = call.name in ("cpio", "pax") or (names is not None and names.text == "-") or "-@" in call.flags()
    upstream = call.feed.calls if call.feed is not None else ()
    words = [word for one in upstream for word in one.args] if reads else []
    return frozenset[str]().union(*(word.holds for word in words))


def is_quiet(call: Call) -> bool:
    flags = call.flags()
    if call.name in ("grep", "egrep", "fgrep", "rg", "zgrep"):
        return bool(flags & _QUIET_GREP)
    if call.name == "openssl":
        return "-noout" in flags or "-pubout" in flags
    if call.name == "tar":
        return bool(flags & {"-t", "--list"}) or (
            bool(call.args) and re.match(r"-?[a-z]*t", call.args[0].text) is not None
        )
    return call.name in ("diff", "jq") and bool(flags & {"-q", "--brief", "-e"})
