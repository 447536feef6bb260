"""Command lines that hold a secret where the tool wants it: after an option, in a fixed place, or after `user:`."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from terma.redact.lazy import LINES, compiled
from terma.redact.vocabulary import Vocabulary, look_for, look_for_name

# A value: quoted, perhaps by an escaped quote, or bare up to a blank. Every quantifier is bounded.
V = r"""(?P<q>\\?['"])?(?P<v>(?(q)(?:(?!(?P=q))[^\n]){1,400}|[^\s'"]{0,398}[^\s'";|&)`,]))(?(q)(?P=q))"""
# What may stand between a tool and its option: anything but the end of the command; quoted text may hold that.
BETWEEN = r"""(?:[^\n|;"']|"[^"\n]{0,200}"|'[^'\n]{0,200}'|"(?![^"\n]{0,200}")|'(?![^'\n]{0,200}'))"""
W = r"""(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|[^\s'"-][^\s'"]{0,200})[ \t]{1,4}"""  # another argument
O = r"(?:--?\w[\w-]{0,30}(?:=\S{1,100})?[ \t]{1,4})"  # noqa: E741  an option without a value
USER_COLON = r"""['"]?[^\s:'",/$]{1,120}[:,]"""


@dataclass(frozen=True, slots=True)
class Tool:
    """What is read where one of `words` is called; a word with a star may go on. The group `v` of each pattern is the
    secret: of `places` right behind the tool's name, of `options` anywhere in its command."""

    words: tuple[str, ...]
    head: str
    places: str
    options: str

    def secrets(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """Every match between `start` and `end`, once or more."""
        if self.places:
            yield from compiled(self.head + self.places, LINES).finditer(text, start, end)
        if not self.options:
            return
        heads = [head.span() for head in compiled(self.head, LINES).finditer(text, start, end)]
        for number, (_, first) in enumerate(heads):
            limit = heads[number + 1][0] if number + 1 < len(heads) else end
            last = EXTENT.match(text, first, limit)
            stop = last.end() if last else first
            for match in compiled(self.options, LINES).finditer(text, first, min(limit, stop + 500)):
                if match.start() <= stop:
                    yield match


def _tool(names: str, *places: str, value: str = V) -> Tool:
    """`places` are what stands before the secret: an option, which opens with `-` and may stand anywhere in the
    command, or else what follows the tool's name at once."""
    words = names.split()
    options = "|".join(place for place in places if place.startswith("-"))
    ways = "|".join(place for place in places if not place.startswith("-"))
    literals = (re.match(r"[a-z0-9_-]+(?!\?)", word) for word in words)
    found = tuple(
        start[0] + "*" * (start[0] != word) for start, word in zip(literals, words, strict=True) if start
    )
    head = rf"(?<![\w.-])(?:{'|'.join(words)})(?:\.exe|\.py)?['\"]?[ \t]{{1,4}}"
    return Tool(
        found,
        head,
        f"(?:{ways}){value}" if ways else "",
        rf"(?<![\w-])(?:{options}){value}" if options else "",
    )


EXTENT = re.compile(rf"{BETWEEN}{{0,400}}")
GLUED = r"-p(?=[^\s])(?!rotocol|ort)"
TOOLS = (
    _tool(r"mysql(?:dump|admin|import|check|show|slap|pump|sh|binlog)? mariadb(?:-\w+)? mycli mytop xtrabackup", GLUED),
    _tool("mysqladmin", rf"{O}{{0,6}}password[ \t]{{1,4}}", rf"(?:{W}|{O}){{0,8}}password[ \t]{{1,4}}"),
    _tool("7z 7za 7zr 7zz", "-p(?=[^\\s])"),
    _tool("rar unrar", "-h?p(?=[^\\s])"),
    _tool("sshpass", "-p[ \\t]{0,4}"),
    _tool("zip unzip zipcloak bsdtar", "-P[ \\t]{0,4}", "--passphrase[ \\t=]{1,4}"),
    _tool(r"docker podman buildah nerdctl helm skopeo oras crane", rf"(?:registry |auth )?login[ \t](?:{BETWEEN}){{0,200}}?(?<![\w-])(?:-p[ \t]{{1,4}})"),
    _tool("az cf oc twine bosh", r"-p[ \t]{1,4}(?!\d{1,5}\b)"),
    _tool("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop", "-p[ \\t]{0,4}(?!ort)"),
    _tool("rdesktop ncftpput ncftpget ncftp cypher-shell cqlsh evil-winrm steghide psexec impacket plink pscp psftp nxc "
          "crackmapexec veracrypt jira influx", r"-(?:pw|password|p)[ \t]{1,4}"),
    _tool("svn", "-p[ \\t]{1,4}", "--password[ \\t=]{1,4}"),
    _tool(r"ldap\w{1,12}", r"-[wy][ \t]{0,4}(?<!-y)", "-s[ \\t]{1,4}(?!base|one|sub)"),
    _tool("redis-cli valkey-cli keydb-cli", "-a[ \\t]{0,4}", "--pass[ \\t=]{1,4}"),
    _tool("sqlcmd bcp isql tsql ipmitool mosquitto_pub mosquitto_sub mqttx", r"-P[ \t]{0,4}(?!ort)"),
    _tool(r"snmp\w{1,12}", r"-[AX][ \t]{1,4}(?!(?:MD5|SHA|AES|DES)\b)", r"-c[ \t]{1,4}(?!(?:public|private)\b)"),
    _tool(r"smbclient rpcclient wmic winexe smbmap smbget net", r"-U[ \t]{0,3}['\"]?[^\s%'\"]{1,80}%"),
    _tool("curl", rf"-(?:\w{{0,8}}u|U|-user|-proxy-user)[ \t=]{{0,3}}{USER_COLON}", r"--(?:pass|proxy-pass|tlspassword|oauth2-bearer)[ \t=]{1,3}"),
    _tool("curl wget", rf"-(?:\w{{0,8}}x|-proxy|-preproxy|-socks5)[ \t=]{{1,3}}['\"]?{USER_COLON}", value=r"(?P<v>[^\s'\"/]{1,200})@[\w.-]"),
    _tool("http https xh ab hey wrk siege", rf"-[aA][ \t]{{0,3}}{USER_COLON}", rf"--auth[ \t=]{{1,3}}{USER_COLON}"),
    _tool("lftp", rf"-u[ \t]{{0,3}}{USER_COLON}"),
    _tool("htpasswd htdigest", rf"-\w{{0,6}}b\w{{0,6}}[ \t]{{1,4}}(?:{O}){{0,4}}(?:{W}){{1,2}}(?=\S{{1,200}}[ \t]{{0,3}}$)",
          rf"-(?=\w{{0,6}}n)(?=\w{{0,6}}b)\w{{2,8}}[ \t]{{1,4}}(?:{O}){{0,4}}{W}"),
    _tool("openssl", r"passwd[ \t]{1,4}(?:(?:-(?:\d|apr1|1|crypt|stdin|noverify|quiet|table|aixmd5)|-salt[ \t]\S{1,40})[ \t]{1,4}){0,5}(?!-)",
          r"-(?:k|K|passin|passout|pass|password)[ \t]{1,4}(?:pass:)?(?!(?:env|file|fd|stdin)\b)"),
    _tool(r"gpg gpg2 hdiutil borg ssh-keygen", "--?passphrase[ \\t=]{1,4}"),
    _tool("ssh-keygen", "-[NP][ \\t]{1,4}"),
    _tool("keytool jarsigner apksigner zipalign", r"-(?:src|dest|new)?(?:store|key)?pass[ \t]{1,4}", r"--(?:ks|key)-pass[ \t]{1,4}pass:"),
    _tool("cargo", r"login[ \t]{1,4}(?!-)"),
    _tool("rclone", r"obscure[ \t]{1,4}(?!-)", r"config[ \t]{1,4}(?:create|update|password)[ \t][^\n|;&]{1,200}?[ \t](?:\w{0,30}(?:pass|password|secret|token|_key)\d?)[ \t=]{1,4}"),
    _tool(r"xfreerdp3? wfreerdp freerdp mstsc cmdkey", r"[^\n]{0,200}?/(?:p|pass|password):"),
    _tool("net", r"use[ \t]{1,4}(?:[A-Za-z*]:?[ \t]{1,4})?\S{1,120}[ \t]{1,4}(?![/\\])(?=\S{1,100}[ \t]{1,4}/u)", r"use[ \t]{1,4}[^\n]{1,160}?/user:\S{1,80}[ \t]{1,4}(?!/)", rf"user[ \t]{{1,4}}{W}(?![/*])"),
    _tool("wpa_passphrase", W),
    _tool("wpa_cli", r"[^\n]{0,60}?set_network[ \t]{1,4}\d{1,3}[ \t]{1,4}(?:psk|password|wep_key\d|sae_password)[ \t]{1,4}'?"),
    _tool("sops", r"(?:[^\n]{0,120}?--|)set[ \t]{1,4}[^\n\"]{0,60}(?:\[\"[^\"\n]{1,60}\"\]){1,6}[\"']?[ \t]{1,4}'?"),
    _tool("uci", r"(?:-q[ \t]+)?set[ \t]{1,4}[\"']?wireless\.[^\s=]{1,60}\.key=(?!0x)"),
    _tool("isql", rf"(?:{O}){{0,3}}{W}{W}(?!-)"),
    _tool("db2", r"[^\n]{0,160}?\busing[ \t]{1,4}"),
    _tool("codecov codecovcli", "-t[ \\t]{1,4}"),
    _tool("squidclient", "-w[ \\t]{1,4}"),
    _tool("knife", "-P[ \\t]{1,4}"),
    _tool("choco", "-k[ \\t]{1,4}"),
    _tool("slappasswd", "-s[ \\t]{0,4}"),
    _tool("oathtool", rf"(?:{O}){{0,6}}(?!-)"),
    _tool("sc", r"[^\n]{0,200}?\bpassword=[ \t]{1,4}"),
    _tool("cloudflared", r"(?:tunnel[ \t]{1,4})?(?:service[ \t]{1,4}install|run)[ \t]{1,4}(?!-)", r"--token[ \t=]{1,4}"),
    _tool("zerotier-cli", r"authtoken[ \t]{1,4}"),
    _tool(r"evil-winrm crackmapexec nxc netexec impacket-\w+", r"--?(?:H|hash|hashes|aesKey|nthash)[ \t=]{1,3}:?"),
    _tool("pdftotext pdftoppm pdfimages pdfinfo mutool", r"-(?:upw|opw)[ \t]{1,4}", r"-p[ \t]{1,4}(?!\d{1,4}\b)"),
    _tool("pihole", r"-a[ \t]{1,4}-p[ \t]{1,4}"),
    _tool("ansible-vault", r"encrypt_string[ \t]{1,4}(?:--?(?!stdin-name|name|n[ \t])\w[\w-]{0,30}(?:=\S{1,100})?[ \t]{1,4}){0,4}(?!-)"),
    _tool("nmcli", r"[^\n]{1,160}?\bpassword[ \t]{1,4}", r"[^\n]{1,160}?\.(?:psk|password|wep-key0)[ \t]{1,4}"),
    _tool("rabbitmqctl", rf"(?:{O}){{0,3}}(?:add_user|change_password|authenticate_user)[ \t]{{1,4}}{W}"),
    _tool("ejabberdctl prosodyctl", rf"register[ \t]{{1,4}}{W}{W}"),
    _tool("samba-tool", rf"user[ \t]{{1,4}}(?:create|add|setpassword)[ \t]{{1,4}}{W}(?!-)"),
    _tool(r"grafana-cli grafana", r"(?:cli[ \t]+)?admin[ \t]{1,4}reset-admin-password[ \t]{1,4}(?!-)"),
    _tool("neo4j-admin", r"(?:dbms[ \t]+)?set-initial-password[ \t]{1,4}"),
    _tool("mc mcli", rf"(?:alias|config host|admin user)[ \t]{{1,4}}(?:set|add)[ \t]{{1,4}}{W}(?:\w{{2,6}}://\S{{1,200}}[ \t]{{1,4}})?{W}(?!-)"),
    _tool("schtasks signtool", r"[^\n]{0,200}?/r?p[ \t]{1,4}"),
    _tool("xcrun certutil altool", r"-p[ \t]{1,4}"),
    _tool("bundle", r"config[ \t]{1,4}(?:set[ \t]{1,4})?(?:--\w+[ \t]{1,4})?\S{1,100}[ \t]{1,4}[\w.@-]{1,60}:"),
    _tool("virsh", r"secret-set-value[ \t]{1,4}\S{1,80}[ \t]{1,4}(?!-)"),
    _tool("az", r"keyvault[ \t]{1,4}secret[ \t]{1,4}set[^\n]{0,200}?--value[ \t=]{1,3}"),
    _tool("aws", r"ssm[ \t]{1,4}put-parameter[ \t](?=[^\n]{0,300}SecureString)[^\n]{0,200}?--value[ \t=]{1,3}", r"secretsmanager[ \t][^\n]{0,200}?--secret-string[ \t=]{1,3}(?![\"']?(?:file|\{))"),
    _tool("gcloud", r"secrets[ \t][^\n]{0,160}?<<<[ \t]{0,4}"),
    _tool("composer", rf"config[ \t]{{1,4}}(?:{O}){{0,3}}(?:github-oauth|gitlab-oauth|gitlab-token|bearer|bitbucket-oauth)\.\S{{1,100}}[ \t]{{1,4}}(?!-)"),
    _tool("nuget", r"setapikey[ \t]{1,4}(?!-)", r"-(?:apikey|ApiKey|Password|password)[ \t]{1,4}"),
    _tool("dotnet", r"-(?:k|-api-key|p|-password)[ \t=]{1,4}(?![\w.]+\.(?:cs|fs|vb)proj)(?!:)(?!\w+=)"),
    _tool("poetry composer", rf"config[ \t]{{1,4}}(?:{O})?http-basic\.\S{{1,60}}[ \t]{{1,4}}{W}", rf"config[ \t]{{1,4}}(?:{O})?pypi-token\.\S{{1,60}}[ \t]{{1,4}}"),
    _tool("vault bao", r"login[ \t]{1,4}(?!-|token=)", r"operator unseal[ \t]{1,4}(?!-)", r"unwrap[ \t]{1,4}(?!-)"),
    _tool("gh glab", r"(?:secret|variable)[ \t]{1,4}set[ \t][^\n]{0,160}?(?:-b|--body|-v|--value)[ \t=]{0,3}", r"--?with-token[ \t]{0,4}<<<[ \t]{0,4}"),
    _tool("doctl influx", r"-t[ \t]{1,4}", r"--access-token[ \t=]{1,4}"),
    _tool(r"useradd usermod mkpasswd", r"-p[ \t]{1,4}", r"--password[ \t=]{1,4}"),
    _tool("pdftk", r"[^\n]{0,200}?(?:input_pw|user_pw|owner_pw)[ \t]{1,4}"),
    _tool("sqlplus sqlldr impdp expdp rman", rf"{BETWEEN}{{0,80}}?(?<![\w/.-])[A-Za-z]\w{{0,40}}/", value=r"(?P<v>[^\s@'\"/]{1,80})(?=[@ \t\"']|$)"),
    _tool("security", r"import[ \t][^\n]{0,100}?-P[ \t]{1,4}", r"(?:add|set)-[\w-]{1,30}[ \t][^\n]{0,200}?-w[ \t]{1,4}", r"unlock-keychain[ \t][^\n]{0,100}?-p[ \t]{1,4}"),
    _tool("dscl", r"\S{1,40}[ \t]{1,4}-passwd[ \t]{1,4}\S{1,80}[ \t]{1,4}"),
    _tool("networksetup", rf"-setairportnetwork[ \t]{{1,4}}{W}{W}"),
    _tool("mosquitto_passwd", rf"-b[ \t]{{1,4}}{W}{W}"),
    _tool("drush", rf"(?:upwd|user-password|user:password)[ \t]{{1,4}}{W}(?!-)"),
    _tool("bw", rf"login[ \t]{{1,4}}{W}(?!-)", rf"unlock[ \t]{{1,4}}{O}{{0,3}}(?!-)(?<!env )(?<!file )"),
    _tool("sendemail swaks", r"-(?:xp|ap|-auth-password)[ \t]{1,4}"),
    _tool("radtest", rf"(?:{O}){{0,4}}{W}(?!-)"),
    _tool("radtest", rf"(?:{O}){{0,4}}(?:{W}){{4}}(?!-)"),
    _tool("x11vnc", r"-passwd[ \t]{1,4}"),
    _tool("qpdf", r"[^\n]{0,100}?--encrypt[ \t]{1,4}"),
    _tool("qpdf", rf"[^\n]{{0,100}}?--encrypt[ \t]{{1,4}}{W}"),
    _tool("helm kubectl oc", r"--?(?:docker-)?password[ \t=]{1,4}"),
    _tool(r"passwd chpasswd vncpasswd cryptsetup kinit sudo su docker gh glab wrangler vercel flyctl fly smbpasswd mkpasswd", r"[^\n|]{0,160}?<<<[ \t]{0,4}"),
    _tool("pass gopass secret-tool keyring", r"(?:insert|store|set)[ \t][^\n|]{0,160}?<<<[ \t]{0,4}"),
    _tool("wg", r"[^\n]{0,100}?<\([ \t]{0,3}echo[ \t]{1,4}"),
    _tool("etcdctl", rf"--user[ \t=]{{1,3}}{USER_COLON}"),
    _tool("cyberark conjur", r"-p[ \t]{1,4}"),
    _tool("op", r"item[ \t]{1,4}(?:create|edit)[ \t][^\n]{0,160}?password(?:\[\w+\])?="),
)  # fmt: skip
BY_WORD: dict[bytes, list[Tool]] = {}  # by the tool's name
BY_START: dict[str, list[Tool]] = {}  # by how its name begins
for _each in TOOLS:
    for _word in _each.words:
        if _word.endswith("*"):
            BY_START.setdefault(_word[:-1], []).append(_each)
        else:
            BY_WORD.setdefault(_word.encode(), []).append(_each)
            look_for_name(_word)
PIECES = {start: look_for(start) for start in BY_START}


def called(name: str) -> tuple[str, ...]:
    """What may stand on a line that calls the tool `name`."""
    return tuple(name + mark for mark in (" ", "\t", ".exe", ".py ", '" ', "' "))


def as_typed(text: str, start: int, end: int) -> str:
    """`text` between `start` and `end` with a list of arguments as they would be typed, and of the same length:
    `["tool", "-p…"]`."""
    return LISTED.sub(lambda found: " " * len(found[0]), text[start:end])


LISTED = re.compile(r"""(?<=\w)["'],[ ]?["'](?=[\w-])""")


def tools_in(words: Vocabulary) -> Iterator[tuple[Tool, tuple[str, ...]]]:
    """The tools that may be called where these words stand, each with what stands on the lines that call it; a tool
    may come several times."""
    for word in words.words & BY_WORD.keys():
        name = word.decode()
        for tool in BY_WORD[word]:
            yield tool, called(name)
    for start, tools in BY_START.items():
        if PIECES[start] in words.pieces and start in words.low:
            for tool in tools:
                yield tool, (start,)
