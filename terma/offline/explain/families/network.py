"""The network: names, refusals, certificates, ports, ssh, HTTP."""

from __future__ import annotations

import re

from terma.machine.ports import holder_of, listening
from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.own_words import clauses
from terma.offline.explain.rule import Facts, Rule

_LOWEST = 1024  # below it a port is a service's own, and only root may listen
# What asks other machines, and so means a host where it says one.
_ASK = frozenset(
    "curl wget ssh scp sftp rsync git ping ping6 traceroute tracepath mtr nc ncat telnet ftp lftp dig host nslookup http https"
    " openssl psql mysql mariadb mongosh redis-cli mount docker podman kubectl helm npm npx yarn pnpm pip pip3 uv poetry apt"
    " apt-get go cargo gem bundle composer aws gcloud az terraform getent nmap whois ntpdate smbclient rsh rdate".split()
)
SCHEMES = ("http", "https", "ftp", "ftps", "file", "sftp", "scp", "smb")


def _by(host: str) -> str:
    return f" ({host})" if host else ""


def _is_far(case: Case) -> bool:
    """Whether something was connected to: a pipe between two programs of a line breaks in the same words."""
    return not re.search(
        r"(?:write|flush)[^\n]*broken pipe|broken pipe[^\n]*(?:write|flush)", case.low
    ) or bool(re.search(r"connect|socket|ssh|packet|remote|://", case.low))


def _host_key(case: Case, facts: Facts) -> list[str]:
    return [
        f"ssh-keygen -R {quote(facts['host'])}" + (f" && {case.command}" if case.program == "ssh" else "")
    ]


def _scheme(case: Case, facts: Facts) -> list[str]:
    word = next((v for v in case.args if v.startswith(facts["name"] + ":")), "")
    return [case.swap(word, near + word[len(facts["name"]) :]) for near in nearest(facts["name"], SCHEMES)]


def _refused(case: Case, facts: Facts) -> str:
    host, port = facts.get("host", ""), facts.get("port", "")
    where = (host + (f" port {port}" if port else "")).strip()
    if not port:  # a socket in a folder is refused in the same words, and has neither machine nor port
        told = f"Connection refused by {where or 'the other side'}: nothing takes connections there."
        return told if re.search("connection refused|econnrefused", case.low) else ""
    if not _is_here(host) and not re.search("refused", case.low):
        return f"No connection to {where}: it was refused, or nothing answers at that address."
    return f"Connection refused by {where}: the machine is there, but nothing listens on that port. Is the service running, and is the port right?{_listening_here(case, facts)}"


def _listening_here(case: Case, facts: Facts) -> str:
    """What does listen on this machine, where it was this machine that was asked."""
    if not _is_here(facts.get("host", "")) or not facts.get("port"):
        return ""
    near = near_port(facts["port"])
    return f" On this machine {holder_of(int(near))} listens on port {near}." if near else ""


def _is_here(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def near_port(port: str) -> str:
    """The one port that somebody listens on and that is a slip of one digit away; "" where there is none."""
    digits = (str(one) for one in listening())
    near = [one for one in digits if len(one) == len(port) and distance(port, one, 1.0) <= 1.0]
    return near[0] if len(near) == 1 and port not in near else ""


def _refused_fixes(case: Case, facts: Facts) -> list[str]:
    near = near_port(facts["port"]) if _is_here(facts.get("host", "")) and facts.get("port") else ""
    typed = rf"(?<![\d.]){facts['port']}(?!\d)"
    once = len(re.findall(typed, case.command)) == 1 if near else False
    return [re.sub(typed, near, case.command)] if once else []


def _asked(facts: Facts) -> Facts:
    """The host and the port of a refusal, in whichever form it was told."""
    return {
        "host": facts["host"] or facts["h2"] or facts["h3"] or facts["h4"],
        "port": facts["port"] or facts["p2"] or facts["p3"] or facts["p4"],
    }


def _port(case: Case, facts: Facts) -> str:
    port = facts["port"]
    name = f"Port {port}" if port else "The port"
    holder = holder_of(int(port)) if port else None
    if holder and holder.pid:
        return f"{name} is already in use: {holder} listens on that address. Stop it, or choose another port."
    if port and holder is None:
        return f"{name} was already in use (address already in use); nothing listens there now, so it may work again."
    return f"{name} is already in use: another program listens on that address. {'lsof -i :' + port if port else 'ss -ltnp'} shows which one; stop it or choose another port."


def _port_taken(case: Case, facts: Facts) -> str:
    """That a port is taken, in the system's own words; in those of others only where a look finds who listens."""
    port = _port_told(case, facts)
    own = clauses(
        case.low, ("address already in use", "port is already allocated", "only one usage of each socket")
    )
    own = own or bool(re.search(r"eaddrinuse|bind: address", case.low))
    if not own and not (port and holder_of(int(port))):
        return ""
    return _port(case, {"port": port})


def _port_told(case: Case, facts: Facts) -> str:
    return facts["a"] or facts["b"] or facts["c"] or facts["d"] or _port_in(case)


def _next_port(case: Case, facts: Facts) -> list[str]:
    """The same on the next port that is free, where the command says its port once and somebody holds it."""
    port = _port_told(case, facts)
    if not port or case.command.count(port) != 1 or holder_of(int(port)) is None or int(port) < _LOWEST:
        return []
    free = next((other for other in range(int(port) + 1, int(port) + 20) if holder_of(other) is None), 0)
    return [case.command.replace(port, str(free))] if free else []


def _speaks_tls(case: Case) -> bool:
    """Whether it is a connection that is spoken of: other things have certificates and versions too."""
    return bool(
        re.search(r"(?<![a-z])(?:ssl|tls|https|certificate[_ ]verif\w+|x509: certificate)(?![a-z])", case.low)
    ) and (case.program in _ASK or bool(re.search(r"ssl|tls|https|://", f"{case.low} {case.command}")))


def _speaks_http(case: Case) -> bool:
    """Whether it is HTTP that numbers its answers: mail, FTP and others number theirs as well."""
    return case.program in _ASK or bool(re.search(r"https?\b|\burl\b", f"{case.low} {case.command.lower()}"))


def _unresolved(case: Case, facts: Facts) -> str:
    """That a host's name leads to no address, where the output says which, or says it in the resolver's own words."""
    name = next((facts[key].rstrip(":") for key in "host h b c d e f g i".split() if facts[key]), "")
    own = re.search(
        r"name or service not known|name resolution|address associated|getaddrinfo|resolve host|nxdomain",
        case.low,
    )
    if not _OF_HOSTS.search(case.low) or not (own or case.program in _ASK or (name and name in case.command)):
        return ""
    return f"The name {name or 'of the host'} could not be resolved to an address. Is it misspelt, or the network or the name server down (ping 1.1.1.1 tells which)?"


def _tls(case: Case, facts: Facts) -> str:
    if not _speaks_tls(case):
        return ""
    why = f": {facts['why']}" if facts["why"] else ""
    return f"The server's TLS (SSL) certificate cannot be verified{why}. Install the missing CA certificate (package ca-certificates), or check that it is the right server; turning the check off hides an attacker too."


# A module, a symbol or a route that could not be resolved is no host.
_OF_HOSTS = re.compile(
    r"\bhost(?:s|name)?\b|name or service|name resolution|getaddrinfo|enotfound|nxdomain|address associated|proxy|server can't find|lookup"
)
RULES = (
    Rule("network.host_key", "remote host identification has changed", r"(?:ssh-keygen .*-R [\"']?(?P<host>[^\"'\s]+)|Host key for (?P<other>\S+) has changed)", lambda c, f: f"The host key of {f['host'] or f['other']} has changed since your last visit (known_hosts): the machine was reinstalled, or someone sits in between. Make sure before you forget the old key.",
         lambda c, f: _host_key(c, {"host": f["host"] or f["other"]}), rewrites=True, rank=15),
    Rule("network.host_key_fail", "host key verification failed", "", "ssh did not trust the server: host key verification failed. Its key is not in known_hosts or differs; ssh to it by hand once and compare the fingerprint.", rank=22),
    Rule("network.key_open", ("unprotected private key file", "are too open"), r"[Pp]ermissions (?P<mode>\d+) for '(?P<path>[^']+)' are too open", "The private key {path} can be read by others (permissions {mode} are too open), so ssh ignores it. Only you may read it: mode 600.", lambda c, f: [f"chmod 600 {quote(f['path'])} && {c.command}"], rewrites=True, rank=12),
    Rule("network.ssh_config", "bad owner or permissions", r"permissions on (?P<path>\S+)", "ssh does not accept {path}: bad owner or permissions. It must be yours and writable by you alone.", lambda c, f: [f"chmod 600 {quote(f['path'])} && {c.command}"], rewrites=True, rank=15),
    Rule("network.ssh_port", ("connection refused", "connection timed out", "no route to host"), r"connect to host (?P<host>\S+) port (?P<port>\d+): (?P<why>[^\n]+)",
         "ssh could not reach {host} port {port}: {why}. Is the machine up, sshd running there, and the port right?", rank=18),
    Rule("network.ssh_agent", "could not open a connection to your authentication agent", "", "No ssh agent is running in this shell: could not open a connection to it. Start one first.", lambda c, f: [f'eval "$(ssh-agent)" && {c.command}'] if all(map(c.exists, c.operands)) else [], rewrites=True, rank=18),
    Rule("network.ssh_identity", "not accessible: no such file", r"Identity file (?P<path>\S+) not accessible", lambda c, f: "" if re.search(r"connect to host|could not resolve", c.low) else f"The key file {f['path']} does not exist: no such file. ls ~/.ssh shows yours.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=14),
    Rule("network.ssh_auth_many", "too many authentication failures", "", "ssh offered too many keys and was cut off (too many authentication failures). Name the right one with -i.", lambda c, f: [c.insert("-o IdentitiesOnly=yes")] if c.program == "ssh" else [], rewrites=True, rank=18),
    Rule("network.ssh_kex", ("no matching host key type", "no matching key exchange", "no matching cipher"), r"Their offer: (?P<name>\S+)", "The server speaks only old algorithms ({name}) that your ssh no longer offers: no matching method. Allow one for this host if you trust it.", rewrites=True, rank=18),
    Rule("network.tls_expired", ("certificate has expired", "certificate expired", "cert_date_invalid"), "", lambda c, f: "The server's TLS certificate has expired. Its owner must renew it; check your own clock too." if _speaks_tls(c) else "", rank=18),
    Rule("network.tls", ("ssl certificate problem", "certificate verify failed", "certificate_verify_failed", "self-signed certificate", "self signed certificate", "unable to get local issuer", "cannot verify", "x509: certificate"), r"(?P<why>(?:self[- ]signed certificate[^\n]{0,60}|unable to get local issuer certificate|certificate verify failed|hostname mismatch|x509: [^\n]+|does not match)?)",
         _tls, rank=30),
    Rule("network.tls_name", "no alternative certificate subject name matches", r"target host name '(?P<host>[^']+)'", "The certificate is for another name than {host}: its TLS subject name does not match. Check the address.", rank=17),
    Rule("network.tls_plain", ("wrong version number", "ssl_error_rx_record_too_long"), "", lambda c, f: "The server does not speak TLS on that port (wrong version number). Try http:// instead of https://, or another port." if _speaks_tls(c) else "", lambda c, f: [c.swap("https", "http")] if re.search(r"https://(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/\s]|$)", c.command) else [], rewrites=True, rank=30),
    Rule("network.dns", ("could not resolve", "name or service not known", "temporary failure in name resolution", "nodename nor servname", "unknown host", "unable to resolve host address", "no address associated", "getaddrinfo", "no such host", "cannot resolve", "nxdomain", "server can't find"),
         r"(?:could not resolve (?:host(?:name)?|proxy):? [('\"]?(?!could\b)(?P<host>[^\s;'\"()]+)|\bhost(?: name)? \"(?P<h>[^\"]+)\"|(?<!\.\.\. )\b(?!failed\b)(?P<b>(?!address\b)[\w.-]*[A-Za-z][\w.-]*)(?::\d+)?: (?:Name or service|Temporary failure|No address)|resolve host address [‘'](?P<c>[^’']+)|ENOTFOUND (?P<d>\S+)|lookup (?P<e>\S+?)(?: on \S+)?: no such host|(?<!: )can't find (?P<f>[\w.-]+)(?=:)|resolve '?(?P<g>(?!host(?:name)?\b|proxy\b)[^\s:'()]+)|Host (?P<i>\S+) not found)?",
         _unresolved, rank=32),
    Rule("network.curl_scheme", ("not supported or disabled", "unsupported scheme", "unsupported protocol"), r"[Pp]rotocol \"?(?P<name>\w+)\"? (?:is )?not supported|[Uu]nsupported (?:scheme|protocol) [‘']?(?P<other>\w+)", lambda c, f: f"{f['name'] or f['other']} is no protocol that {c.program} supports. Is the address misspelt?", lambda c, f: _scheme(c, {"name": f["name"] or f["other"]}), rank=18, rewrites=True),
    Rule("network.curl_file", "couldn't open file", r"Couldn't open file (?P<path>/[^\n]+)", lambda c, f: "" if c.exists(f["path"]) else f"curl found no file {f['path']}: it could not be opened." + (f" There is {c.near_path(f['path'])}." if c.near_path(f["path"]) else ""), lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], program="curl", rank=18),
    Rule("network.curl_malformed", ("url malformed", "url using bad/illegal format", "no url specified", "missing url", "bad/illegal format"), "", "curl or wget got no usable address: the URL is missing or malformed. Quote it when it holds & or ?.", lambda c, f: [c.swap(v, v.replace(" ", "%20")) for v in c.operands if " " in v and re.match(r"\w+://|[\w.-]+(?::\d+)?/", v)], program="curl wget http", rank=18, rewrites=True),
    Rule("network.http", ("error: 4", "error: 5", "error 4", "error 5", "http error", "404 not found", "403 forbidden", "returned error"), r"(?:returned error: |ERROR |HTTP (?:status )?(?:code |Error )?)(?P<code>[45]\d\d)\b",
         lambda c, f: "" if not _speaks_http(c) else f"The server answered with HTTP {f['code']}: " + {"404": "not found. Nothing is at that address; check the path.", "403": "forbidden. You may not have this.", "401": "unauthorized. It wants a login.", "429": "too many requests. Wait, then try again.", "500": "an error of its own.", "502": "a bad gateway.", "503": "the service is unavailable just now."}.get(f["code"], "it refused the request." if f["code"][0] == "4" else "an error on its side."), rank=33),
    Rule("network.port", ("address already in use", "port is already allocated", "eaddrinuse", "bind: address", "only one usage of each socket", "port already in use", "is already in use"), r"(?:[Pp]ort (?P<a>\d{2,5})|(?<!\d):(?P<b>[1-9]\d{1,4})\b(?![.:]\d)[^\n]*(?:in use|allocated)|', (?P<d>\d{2,5})\)[^\n]*in use|(?:in use|Address already)[^\n]*?(?<![\d.])(?P<c>\d{4,5})|^)",
         _port_taken, _next_port, rewrites=True, rank=34),
    Rule("network.refused", ("connection refused", "econnrefused", "failed to connect to", "couldn't connect to server"), r"(?:connect to (?:host )?\(?(?P<host>[\w.:-]+?)\)?(?: \([^)]*\))? port (?P<port>\d+)|ECONNREFUSED (?P<h2>[\d.:a-f]+):(?P<p2>\d+)|(?:tcp |to |at |[/@])(?!\S+\.(?:c|h|cc|go|py|js|rs|java|rb|pl):)(?P<h3>[\w.-]+):(?P<p3>\d+)|Connecting to [^\n]*\|(?P<h4>[\d.]+)\|:(?P<p4>\d+))?",
         lambda c, f: _refused(c, _asked(f)), lambda c, f: _refused_fixes(c, _asked(f)), rank=44),
    Rule("network.timeout", ("connection timed out", "operation timed out", "timed out", "etimedout", "i/o timeout"), r"(?:connect to (?P<host>\S+) port (?P<port>\d+))?", lambda c, f: f"{f['host'] or 'The other side'} did not answer in time: the connection timed out. The host is down, the address wrong, or a firewall drops it." if f["host"] or re.search(r"connect|host|socket|network|address|https?:|fetch|download|etimedout|i/o timeout|ssh", c.about_command.lower()) else "", rank=58),
    Rule("network.unreachable", ("network is unreachable", "no route to host", "host is unreachable"), "", "There is no way to that address: network is unreachable or no route to the host. Check your own connection with ip addr and ip route.", rank=50),
    Rule("network.reset", ("connection reset by peer", "connection closed by", "broken pipe", "empty reply from server"), r"(?:by (?!peer\b)(?P<host>[\w.:-]+))?", lambda c, f: f"The other side closed the connection{_by(f['host'])} in the middle. Its log says why; try again." if _is_far(c) else "", rank=60),
    Rule("network.ping", "packet loss", r"(?P<loss>\d+)% packet loss", lambda c, f: f"{f['loss']}% packet loss: the host did not answer. It is down, or it drops pings." if f["loss"] != "0" else "", rank=50),
    Rule("network.rsync", "rsync error", r"rsync error: (?P<why>[^(\n]+)", "rsync stopped: {why}. The line above says at which file.", rank=70),
)  # fmt: skip


def _port_in(case: Case) -> str:
    return next(
        (
            v.rpartition(":")[2]
            for v in case.args
            if v.rpartition(":")[2].isdigit() and 2 <= len(v.rpartition(":")[2]) <= 5
        ),
        "",
    )
