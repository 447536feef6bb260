"""Services and their clients: ports, addresses, hosts, units, keys, contexts, encoders; each name looked up where it lives."""

from __future__ import annotations

import re

from terma.machine.ports import holder_of
from terma.offline.explain.case import Case
from terma.offline.explain.families.network import SCHEMES
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import debian_names
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.packages import install_package
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.source import edited, lines_of

_WEEKDAYS, _MONTHS = (
    "sun mon tue wed thu fri sat".split(),
    "jan feb mar apr may jun jul aug sep oct nov dec".split(),
)
_SPECIAL = "@reboot @yearly @annually @monthly @weekly @daily @hourly @midnight".split()
# Encoders that ffmpeg is built with on most systems.
_ENCODERS = (
    "libx264 libx265 libvpx libvpx-vp9 libaom-av1 libsvtav1 librav1e libmp3lame libopus libvorbis libfdk_aac libwebp libtheora libspeex aac ac3 eac3"
    " flac alac mp2 mp3 opus vorbis pcm_s16le pcm_s24le pcm_f32le h264_nvenc hevc_nvenc h264_vaapi hevc_vaapi h264_qsv h264_videotoolbox mpeg4"
    " mpeg2video mjpeg prores prores_ks dnxhd gif png apng ffv1 huffyuv utvideo rawvideo copy srt ass mov_text webvtt"
).split()
_KEYS = {
    "x509": "CERTIFICATE",
    "req": "CERTIFICATE REQUEST",
    "rsa": "PRIVATE KEY",
    "pkey": "PRIVATE KEY",
    "ec": "PRIVATE KEY",
}


def _scheme_word(case: Case) -> tuple[str, str]:
    """The address of the command whose scheme is none, and what it most likely is."""
    for value in case.operands:
        scheme = re.match(r"(\w+):/+", value)
        near = nearest(scheme[1], SCHEMES, 1) if scheme and scheme[1] not in SCHEMES else []
        if near:
            return value, near[0] + value[len(scheme[1]) :] if scheme else ""
    return "", ""


def _scheme_text(case: Case, facts: Facts) -> str:
    wrong, right = _scheme_word(case)
    return (
        f"{wrong.partition(':')[0]} is no protocol that {case.program} supports (unsupported protocol); it looks like {right.partition(':')[0]} misspelt."
        if wrong
        else ""
    )


def _remote(case: Case) -> tuple[str, str]:
    """The target that names a host and a path without the colon between them, and the same with it."""
    for value in case.operands[-1:]:
        found = re.fullmatch(r"([\w.-]+@[\w.-]+|[\w-]+(?:\.[\w-]+)+)(/\S*)", value)
        if found and not case.exists(value.partition("/")[0]):
            return value, f"{found[1]}:{found[2]}"
    return "", ""


def _remote_text(case: Case, facts: Facts) -> str:
    wrong, right = _remote(case)
    return (
        f"{wrong} has no colon, so {case.program} took it for a path on this machine, and there is no such file or directory. A host and its path are parted by a colon: {right}."
        if wrong
        else ""
    )


def _pem(case: Case) -> tuple[str, str, str]:
    """The file given to openssl, what it holds, and a file beside it that holds what is wanted; "" where unknown."""
    given = next((b for a, b in zip(case.args, case.args[1:], strict=False) if a == "-in"), "")
    wanted = _KEYS.get(case.args[0] if case.args else "", "")
    holds = re.search(
        r"-----BEGIN (?:[A-Z]+ )*?((?:PRIVATE|PUBLIC) KEY|CERTIFICATE(?: REQUEST)?)-----",
        case.read(given, 4096),
    )
    if not given or not holds or not wanted or holds[1] == wanted:
        return given, "", ""
    folder, stem = given.rpartition("/")[0], given.rpartition("/")[2].partition(".")[0]
    base = f"{folder}/" if folder else ""
    beside = [
        base + name
        for name in sorted(case.listing(folder or "."))[:200]
        if name.partition(".")[0] == stem and base + name != given
    ]
    fitting = [
        path for path in beside if re.search(rf"-----BEGIN (?:[A-Z]+ )?{wanted}-----", case.read(path, 4096))
    ]
    return given, holds[1].lower(), fitting[0] if len(fitting) == 1 else ""


def _pem_text(case: Case, facts: Facts) -> str:
    given, holds, other = _pem(case)
    if not holds:
        return ""
    there = f" {other} holds one." if other else ""
    return f"{given} holds a {holds}, and openssl {case.args[0]} wants a {_KEYS[case.args[0]].lower()}: it could not be read.{there}"


def _reads(case: Case, holds: str) -> list[str]:
    """The same look at the file by the command that reads what it holds, where no more was asked than to print it."""
    reader = {"private key": "pkey", "certificate": "x509", "certificate request": "req"}.get(
        holds.lower(), ""
    )
    printed = {"-in", "-noout", "-text"} >= {one for one in case.args if one.startswith("-")}
    return [case.swap(case.args[0], reader)] if reader and printed else []


def _next_port(port: int) -> int:
    """The next port above `port` on which nothing listens."""
    return next((one for one in range(port + 1, min(port + 20, 65536)) if holder_of(one) is None), 0)


def _published(case: Case, facts: Facts) -> list[str]:
    port = facts["port"]
    word = next(
        (value for value in case.args if re.fullmatch(rf"(?:[\d.]+:)?{port}:\d+(?:/\w+)?", value)), ""
    )
    free = _next_port(int(port))
    if not word or not free or "run" not in case.args:
        return []
    name = next((b for a, b in zip(case.args, case.args[1:], strict=False) if a == "--name"), "")
    left = f"{case.program} rm {quote(name)} && " if name and "--rm" not in case.args else ""
    return [left + case.swap(word, re.sub(rf"(^|:){port}:", rf"\g<1>{free}:", word, count=1))]


def _by_variable(case: Case, facts: Facts) -> list[str]:
    """The program started with another port, where its source takes the port from the environment."""
    source = next((case.read(value, 1 << 16) for value in case.operands if case.exists(value)), "")
    free = _next_port(int(facts["port"]))
    reads = re.search(
        r"process\.env\.PORT\b|environ(?:\.get\(|\[)[\"']PORT[\"']|getenv\([\"']PORT[\"']|ENV\[[\"']PORT[\"']\]|Getenv\(\"PORT\"",
        source,
    )
    return (
        [f"PORT={free} {case.command}"]
        if reads and free and len({word.part for word in case.words}) == 1
        else []
    )


def _node_port(case: Case, facts: Facts) -> str:
    fixes = _by_variable(case, facts)
    return (
        f"Port {facts['port']} was already in use (EADDRINUSE): another process listened there. The program takes its port from the variable PORT."
        if fixes
        else ""
    )


def _encoder(name: str) -> str:
    """The one encoder nearest to `name`, "" where it is one; their numbers are part of the names, so a slip may change
    them."""
    if name in _ENCODERS:
        return ""
    apart = sorted((distance(name.lower(), known, 2.0), known) for known in _ENCODERS)
    best = [known for far, known in apart if far == apart[0][0] <= 2.0]
    return best[0] if len(best) == 1 else ""


def _kubeconfig(case: Case) -> str:
    names = [
        name
        for name in case.listing()
        if re.search(r"kube-?config|^k(?:ube|8s)\S*\.(?:ya?ml|conf)$", name, re.IGNORECASE)
        and not case.is_dir(name)
    ]
    found = [name for name in names if "clusters:" in case.read(name, 1 << 16)] or [
        name for name in names if "kubeconfig" in name.lower()
    ]
    return (
        found[0]
        if len(found) == 1 and not case.exists("~/.kube/config") and "--kubeconfig" not in case.command
        else ""
    )


def _cron_line(case: Case) -> tuple[str, int, str, str]:
    """The file given to crontab, the line (from 1), its wrong word, and what that most likely is."""
    path = next((value for value in case.operands if case.exists(value)), "")
    for number, line in enumerate(lines_of(case, path) if path else [], 1):
        fields = line.split()
        if line.lstrip().startswith("#") or len(fields) < 2:
            continue
        for names, field in (
            ((_MONTHS, fields[3:4]), (_WEEKDAYS, fields[4:5])) if fields[0][:1] != "@" else ()
        ):
            for word in re.findall(r"[A-Za-z]+", "".join(field)):
                near = [name for name in names if distance(word.lower(), name, 1.0) <= 1.0]
                if word.lower()[:3] not in names and len(near) == 1:
                    return path, number, word, near[0]
        if fields[0].startswith("@") and fields[0] not in _SPECIAL and nearest(fields[0], _SPECIAL, 1):
            return path, number, fields[0], nearest(fields[0], _SPECIAL, 1)[0]
    return path, 0, "", ""


def _cron_text(case: Case, facts: Facts) -> str:
    path, number, word, meant = _cron_line(case)
    if number:
        return f"crontab refused {path}: bad {facts['what']}. Line {number} says {word}, which is none; {meant} is."
    return f"crontab refused the file: bad {facts['what']}, errors in the crontab. Its lines have five fields of time (minute, hour, day, month, weekday) and a command."


def _cron_fix(case: Case, facts: Facts) -> list[str]:
    path, number, word, meant = _cron_line(case)
    return [edited(case, path, number, word, meant)] if number else []


def _as_postgres(case: Case, facts: Facts) -> list[str]:
    """The same as the system's user of that name, who needs no -U."""
    role = facts["name"]
    if role != "postgres" or case.command.lstrip().startswith("sudo"):
        return []
    bare = re.sub(r"\s+(?:-U ?|--username[= ])postgres\b", "", case.command, count=1)
    return [f"sudo -u postgres {bare.strip()}"] if len({word.part for word in case.words}) == 1 else []


def _apt_names(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    if name.endswith("-devel"):  # what Red Hat and SUSE call it
        return [case.swap(name, name.removesuffix("el"))]
    known = debian_names(name[:2])
    near = nearest(name, known, 1) if name not in known else []
    bare = [re.sub(r"^lib|-dev$|-doc$|-common$", "", one) for one in (name, *near)]  # what is a package's own
    return [case.swap(name, one) for one in near if distance(bare[0], bare[1], 1.0) <= 1.0]


def _apt_text(case: Case, facts: Facts) -> str:
    fixes = _apt_names(case, facts)
    if not fixes:
        return ""
    why = (
        "-devel is how Red Hat names it; Debian says -dev"
        if facts["name"].endswith("-devel")
        else "its lists have one of a near name"
    )
    return f"apt is unable to locate the package {facts['name']}: no package of that name is in its lists; {why}."


RULES = (
    Rule("service.scheme", ("unsupported protocol", "unsupported scheme", "not supported or disabled"), "", _scheme_text, lambda c, f: [c.swap(*_scheme_word(c))], program="curl wget http", rank=18, rewrites=True),
    Rule("service.colon", ("no such file", "not a directory"), "", _remote_text, lambda c, f: [c.swap(*_remote(c))], program="scp rsync", rank=18),
    Rule("service.pem", ("could not read", "unable to load", "no start line", "expecting:"), "", _pem_text, lambda c, f: [c.swap(_pem(c)[0], _pem(c)[2])] if _pem(c)[2] else _reads(c, _pem(c)[1]), program="openssl", rank=15, rewrites=True),
    Rule("service.published", "port is already allocated", r"0\.0\.0\.0:(?P<port>\d+)|:(?P<b>\d+) failed", lambda c, f: f"Port {f['port'] or f['b']} on this machine is already in use (allocated), so it cannot be published again. Another port, or stopping what holds it, helps.",
         lambda c, f: _published(c, {"port": f["port"] or f["b"]}), program="docker podman nerdctl", rank=17, rewrites=True),
    Rule("service.port_variable", "eaddrinuse", r"address already in use[^\n]*?:(?P<port>\d{2,5})\b", _node_port, _by_variable, program="node npm", rank=18),
    Rule("service.kubeconfig", "localhost:8080", "", lambda c, f: f"kubectl was given no kubeconfig and so asked localhost:8080, where the connection was refused. {_kubeconfig(c)} lies here." if _kubeconfig(c) else "",
         lambda c, f: [c.command.replace("kubectl", f"kubectl --kubeconfig {quote(_kubeconfig(c))}", 1)], program="kubectl", rank=17),
    Rule("service.crontab", ("bad minute", "bad hour", "bad day", "bad month", "bad command", "errors in crontab"), r"bad (?P<what>[\w-]+)", _cron_text, _cron_fix, program="crontab", rank=18),
    Rule("service.peer", "peer authentication failed", r"Peer authentication failed for user \"(?P<name>[^\"]+)\"", "PostgreSQL lets the role {name} in only for the system's user {name} (peer authentication failed), and this command ran as another.",
         _as_postgres, program="psql pg_dump createdb dropdb createuser pg_restore", rank=15, rewrites=True),
    Rule("service.mysql_root", "access denied for user 'root'@'localhost'", r"ERROR (?P<code>1698|1045)", lambda c, f: "The database's root signs in as the system's root (unix_socket), without a password: access denied for user 'root'@'localhost' to others." if f["code"] == "1698" else "",
         lambda c, f: [c.with_sudo()], program="mysql mariadb mysqldump mysqladmin", rank=15),
    Rule("service.apt_name", "unable to locate package", r"locate package (?P<name>\S+)", _apt_text, _apt_names, program="apt apt-get aptitude", rank=17),
    Rule("service.encoder", "unknown encoder", r"Unknown encoder '(?P<name>[^']+)'", lambda c, f: f"ffmpeg has no encoder {f['name']}: unknown." + (f" There is {_encoder(f['name'])}." if _encoder(f["name"]) else " That is the name of one, so this ffmpeg was built without it." if f["name"] in _ENCODERS else " ffmpeg -encoders lists them."),
         lambda c, f: [c.swap(f["name"], _encoder(f["name"]))] if _encoder(f["name"]) else [], program="ffmpeg", rank=18),
    Rule("service.pdf_policy", "security policy", r"not allowed by the security policy [`'](?P<name>PDF|PS|EPS)'", "ImageMagick's security policy on this machine forbids reading {name}: the operation is not allowed. pdftoppm turns PDF into pictures without it.",
         lambda c, f: [f"pdftoppm -png {quote(c.operands[0])} {quote(c.operands[1].rpartition('.')[0])}"] if f["name"] == "PDF" and len(c.operands) == 2 and c.operands[1].endswith(".png") and len(c.args) == 2 else [], program="convert magick", rank=18),
    Rule("service.pdf_engine", "not found. please select a different --pdf-engine", r"(?P<name>\w+) not found", "pandoc makes PDF with a program of its own, and {name} is not found here. The package texlive-latex-recommended carries pdflatex.",
         lambda c, f: next(([c.append(f"--pdf-engine={engine}")] for engine in ("xelatex", "lualatex", "tectonic", "weasyprint", "wkhtmltopdf", "typst") if c.installed(engine)), [install_package(c, "texlive-latex-recommended")]), program="pandoc", rank=18),
)  # fmt: skip
