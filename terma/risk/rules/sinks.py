"""Programs that talk to other machines: which of their words they send, and which they keep to themselves."""

from __future__ import annotations

from terma import regex as re
from terma.records import dataclass


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
    "--dump-header -w --resolve --connect-to"
)
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
LOCAL = re.compile(
    r"(?:https?://)?(?:\S*@)?(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?:[:/]|$)"
)
