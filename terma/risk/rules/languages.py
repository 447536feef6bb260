"""One-liners in other languages, which delete, overwrite or start what a shell would: words must do, not syntax."""

from __future__ import annotations

import re
import shlex
from itertools import islice

from terma.risk import paths
from terma.risk.embedded_commands import VIMS
from terma.risk.model import Call, Finding, Findings, Kind
from terma.risk.rules.code import AWKS, INTERPRETERS
from terma.risk.sources import secret_names
from terma.types import RiskLevel

RULES = ()

_Pattern = tuple[re.Pattern[str], RiskLevel, str, Kind]
_FETCHES = (
    r"(?:urlopen|urlretrieve|requests\.(?:get|post|request)|httpx\.\w+|fetch\(|axios"
    r"|https?[\"'`]?\)?\.(?:get|request)\(|open-uri|URI\.open|URI\(|Net::HTTP|LWP|HTTP::Tiny"
    r"|\bget\s*\(?[\"']https?:|file_get_contents\(\s*[\"']https?:|DownloadString|Invoke-WebRequest|\biwr\b"
    r"|\birm\b)"
)
_CODE: tuple[_Pattern, ...] = (
    (
        re.compile(
            r"\b(rmtree|rm_rf|rm_r|rmSync|rmdirSync|removeSync|remove_entry_secure|remove_tree|remove_entire"
            r"|rimraf)\b"
            r"|\bfs\.(rm|rmdir)\b|Remove-Item|RemoveAll|\brm\([^)]*recursive\s*="
        ),
        "high",
        "deletes files, recursively",
        "deletes",
    ),
    (
        re.compile(
            r"os\.(remove|unlink|rmdir|removedirs|truncate)|\bunlink\b|unlinkSync|File\.(delete|unlink)|Dir\.rmdir"
            r"|FileUtils\.rm\b|\bshutil\.move\b|\.rmdir\(|Deno\.remove"
        ),
        "medium",
        "deletes files",
        "deletes",
    ),
    (
        re.compile(r"fork\s+while\s+fork|while.{0,12}\bfork(\(\)|\b)|fork\(\)\s*while|loop\s*\{\s*fork"),
        "high",
        "fork bomb",
        "stops",
    ),
    (
        re.compile(r"\bkill(pg)?\(\s*-1|\bkill\s+['\"]?\w+['\"]?,\s*-1\b"),
        "high",
        "ends every process it may",
        "stops",
    ),
)
# These look at what stands between quotes as well.
_BULK = re.compile(
    r"\b(?:remove|unlink|unlinkSync|rm)\b[\s\S]*(?:glob|listdir|os\.walk|readdir|scandir)|(?:glob|os\.walk|readdir)\b[\s\S]*\b(?:remove|unlink)\b"
)
_QUOTED_CODE: tuple[_Pattern, ...] = (
    (
        re.compile(
            r"\b(?:array_(?:map|walk)|call_user_func\w*|iterator_apply)\s*\(\s*['\"](?:unlink|rmdir)['\"]"
        ),
        "high",
        "deletes every file on a list",
        "deletes",
    ),
    (
        re.compile(
            r"""open\([^()]*(,|mode\s*=)\s*['"][wx][bt]?\+?[bt]?['"]|\.open\(\s*['"][wx]|write_text|write_bytes"""
            r"""|writeFile|createWriteStream|File\.write|IO\.write|file_put_contents|open\b[^;]{0,60}?['"]\s*\+?>(?!>)"""
        ),
        "medium",
        "may overwrite a file",
        "overwrites",
    ),
    (
        re.compile(
            r"\b(?:exec|eval|execSync|system|popen|Function|vm\.run\w*|loadstring|load|instance_eval|iex"
            r"|Invoke-Expression|spawn|subprocess\.\w+|do)\b"
            rf"[\s\S]*(?:{_FETCHES}|socket\.)"
        ),
        "high",
        "runs what it downloads",
        "runs-unknown-code",
    ),
    (
        re.compile(
            rf"{_FETCHES}[\s\S]*"
            r"(?:\bexec\b|\beval\b|\bsystem\b|popen|os\.startfile|\bFunction\(|\biex\b|Invoke-Expression"
            r"|subprocess\.|spawn)"
        ),
        "high",
        "runs what it downloads",
        "runs-unknown-code",
    ),
    (
        re.compile(
            r"\b(?:exec|eval|system|popen|Function|loads|iex)\b[\s\S]*(?:b64decode|base64|decode_base64|fromhex"
            r"|unhexlify|atob\(|zlib|gzinflate|str_rot13|rot13|codecs\.decode|marshal"
            r"|unpack\(|chr\(\s*\d+\s*\)\s*[+.]|\[::-1\]|\.reverse|fromCharCode|pack\()|-[eE]nc(?:odedCommand)?\b"
            r"|pickle\.loads"
        ),
        "high",
        "runs code that cannot be read here",
        "runs-unknown-code",
    ),
    (
        re.compile(
            r"(?:[wax>+]|\bwrite|\bout).{0,40}[\"'`>]/dev/(?:sd|nvme|vd|hd|xvd|mmcblk|disk|mapper|dm-|md)"
            r"|/dev/(?:sd|nvme|vd|hd|xvd|mmcblk|disk|mapper|dm-|md)\S*[\"'],\s*[\"'](?:[wa]|r\+|\+[<>])"
        ),
        "high",
        "writes straight to a disk",
        "disks",
    ),
    (
        re.compile(
            r"(?:\bsocket\b|IO::Socket|TCPSocket|fsockopen|net\.(?:connect|Socket|createConnection)"
            r"|TCPClient)[\s\S]*"
            r"(?:/bin/\w*sh|\bsh\b|pty\.spawn|dup2|child_process|cmd\.exe|exec\b"
            r"|popen|\bsystem\b|\bspawn|subprocess\.)|pty\.spawn[\s\S]*socket"
        ),
        "high",
        "hands a shell to another machine",
        "runs-unknown-code",
    ),
)
_AWK_STARTS_A_VARIABLE = re.compile(
    r'\bsystem\(\s*[^"\s)]|(?<!\|)\|&?\s*[a-z_]\w*\s*(?:[;})]|$)|[a-z_]\w*\s*\|&?\s*getline'
)
_AWK_WRITES = re.compile(r"print[^;}|()]{0,200}[^>]>\s*(?!\"/dev/(?:std|tty|null))[\"$]")
_STRINGS = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")
_TAKE_A_VALUE = {"-W", "-X", "-I", "-r", "--require", "--import"}
_PATTERNS = re.compile(
    r"\b(?:s|tr|y)/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/|(?:(?<=[\s(~!,])|^)/(?:[^/\\\n]|\\.)+/"
)
_EVALUATES = re.compile(
    r"\b(exec|eval|compile|__import__|getattr|instance_eval|Function|loadstring|load)\s*\("
)
_CODE_OPTION = re.compile(r"-[a-zA-Z0-9]{0,5}[ceE]|--eval|--print|eval|-[Cc]ommand")
_CODE_OPTIONS = {"node": "-p", "nodejs": "-p", "php": "-r"}
_JOINED_CODE = re.compile(r"(?:-[a-zA-Z]{0,4}?[ceE]|--eval=)(.*\W.*)", re.S)
_STARTS = re.compile(
    r"(?:\bsystem|\bpopen|do shell script|os\.(?:system|execute)|subprocess\.\w+|\bexec|\bexecSync"
    r"|\bspawn|passthru|shell_exec)"
    r"\s*\(?\s*\[?\s*(?:'((?:[^'\\]|\\.)+)'|\"((?:[^\"\\]|\\.)+)\")",
    re.S,
)
_STRING = r"(?:'[^']*'|\"[^\"]*\")"
_STARTS_LIST = re.compile(
    r"(?:system|popen|Popen|exec\w*|spawn\w*|\brun|\bcall|check_\w+)\s*\(?\s*\[?\s*"
    rf"({_STRING}(?:\s*,\s*\[?\s*{_STRING})+)",
    re.S,
)
_TCL_STARTS = re.compile(r"\bexec\s+(?!-)([^;\n\]]+)")
_BACKTICKS = re.compile(r"`([^`]+)`|\b(?:qx|%x)[{(\[]([^})\]]+)[})\]]")


def _interpreter(call: Call) -> Findings:
    """`python -c`, `perl -e`, a script from a pipe: the code is not shell, so words must do."""
    for code in _own_code(call):
        bare = code if _EVALUATES.search(code) else _STRINGS.sub('""', code)
        if call.name in ("perl", "ruby"):
            bare = _PATTERNS.sub("//", bare)
        for patterns, text in ((_CODE, bare), (_QUOTED_CODE, code)):
            for pattern, level, reason, kind in patterns:
                if pattern.search(text):
                    yield Finding(level, reason, kind)
        if _BULK.search(bare):
            yield Finding("high", "deletes every file on a list", "deletes")
        yield from _data(code)
        fed = call.feed is not None and call.feed.origins & _PRIVATE
        read = any(paths.secrecy(word) for script in started(call) for word in script.split())
        if _SENDS.search(code) and (fed or read):
            yield Finding("high", "sends a key, a password or private files away", "leaks")


_PRIVATE = frozenset({"secret", "private", "environment"})
_SENDS = re.compile(
    r"urlopen|requests\.(?:post|put|get|request)|httpx\.|http\.client|HTTPSConnection|HTTPConnection|\bsocket\b"
    r"|smtplib|ftplib|paramiko|sendall"
    r"|fetch\(|\.request\(|[\"']https?[\"']|https?\.get\(|axios|net\.connect|dns\.|Net::HTTP|Net::SMTP|LWP"
    r"|HTTP::Tiny|IO::Socket|TCPSocket|open-uri"
    r"|curl_exec|curl_init|fsockopen|file_get_contents\(\s*[\"']https?:|stream_context|Invoke-WebRequest"
    r"|Invoke-RestMethod|gethostbyname|getaddrinfo|mail\("
)
_ENVIRONMENT = re.compile(
    r"os\.environ(?!\s*(?:\[|\.get\b|\.setdefault))|process\.env(?![.\[])|ENV\.(?:to_|each|map|inspect|sort)"
    r"|\bENV\b(?!\s*[\[.])|%ENV|\$_ENV|getenv\(\)|\$_SERVER\b(?!\[)|env:"
)
_NAMES = re.compile(r"'[^'\n]{2,120}'|\"[^\"\n]{2,120}\"")
_SHORT = re.compile(r"'[^'\n]?'|\"[^\"\n]?\"")
_APPENDS = re.compile(r"[\"'][wax]b?\+?[\"']|write|append|>>|puts|print\s+\{?\$|symlink|rename|copy")


_LOGS_IN = re.compile(r"auth|header|login|bearer", re.I)  # whose password it is gets it
_READ_BY_NAME = re.compile(r"\bprocess\.env\.(\w+)|\$ENV\{(\w+)")
_OF_ENVIRONMENT = re.compile(r"environ|getenv|\bENV\b|process\.env")


def _names_secret(code: str, names: list[str]) -> bool:
    """Whether `code` reads a variable of the environment that is called after a secret, and logs in nowhere."""
    if not _OF_ENVIRONMENT.search(code) or _LOGS_IN.search(code):
        return False
    read = ["".join(found) for found in _READ_BY_NAME.findall(code)]
    return "secret" in secret_names(" ".join(f"${name}" for name in (*read, *names)))


def _not_addresses(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("http")]


def _data(code: str) -> Findings:
    """Secrets that the code reads and sends, and start-up files that it writes."""
    sends, names = _SENDS.search(code), [name[1:-1] for name in _NAMES.findall(_SHORT.sub("", code))]
    if sends and _ENVIRONMENT.search(code):
        yield Finding("high", "sends the environment with its secrets away", "leaks")
    elif sends and (_names_secret(code, names) or any(map(paths.secrecy, _not_addresses(names)))):
        yield Finding("high", "sends a key or a password away", "leaks")
    elif sends and any(name == "/etc/passwd" for name in names):
        yield Finding("high", "sends the machine's accounts away", "leaks")
    elif any(paths.secrecy(name) == "secret" for name in names) and re.search(
        r"print|puts|echo|console\.log|say", code
    ):
        yield Finding("medium", "shows a key or a password", "leaks")
    if _APPENDS.search(code):
        for name in names:
            if found := paths.startup(name):
                yield Finding(
                    "high" if found[0] in ("system", "login") else "medium", f"runs at {found[1]}", "persists"
                )
    if re.search(r"login item|LaunchAgents|CurrentVersion\\\\Run|crontab", code):
        yield Finding("medium", "runs at each login", "persists")
    if re.search(r"setuid\(\s*0|setreuid\(|\bseteuid\(\s*0", code):
        yield Finding("high", "becomes root where it may", "grants")
    if found_mode := re.search(r"chmod\([^()]*0?o?([2-7]?[0-7]{2}[2367])\b", code):
        yield Finding("high" if len(found_mode[1]) == 4 else "medium", "lets everyone write", "grants")


def _awk(call: Call) -> Findings:
    if any(_AWK_WRITES.search(code) for code in _own_code(call)):
        yield Finding("medium", "may overwrite a file", "overwrites")  # awk's own redirect
    if any("/inet/" in code for code in _own_code(call)):
        yield Finding("high", "opens a raw connection to another machine", "network")


def _own_code(call: Call) -> list[str]:
    """The code on the line of an interpreter, or what is typed into it."""
    if call.name in AWKS or call.name in VIMS:
        return [word.text for word in call.args]
    given: list[str] = []
    has_script = False
    words = iter(call.args)
    for word in words:
        if _CODE_OPTION.fullmatch(word.text) or word.text == _CODE_OPTIONS.get(call.name):
            given += [code.text for code in islice(words, 1)]
        elif joined := _JOINED_CODE.fullmatch(word.text):
            given.append(joined[1])
        elif word.text in _TAKE_A_VALUE:
            next(words, None)
        elif not word.text.startswith("-") or word.text in ("-", "--", "-m"):
            has_script = word.text not in ("-", "--")
            break  # what follows is the script's
    typed = call.feed.text if call.feed is not None and not given and not has_script else None
    return [*given, typed] if typed else given


def started(call: Call) -> list[str]:
    """Shell text inside the code of another language: `awk '{ system("rm " $1) }'`."""
    if call.name not in INTERPRETERS and call.name not in (*AWKS, *VIMS):
        return []
    found: list[str] = []
    for code in _own_code(call):
        found += ["".join(texts) for texts in _STARTS.findall(code)]
        for several in _STARTS_LIST.findall(code):
            found.append(shlex.join(text[1:-1] for text in re.findall(_STRING, several)))
        if call.name in AWKS and _AWK_STARTS_A_VARIABLE.search(code):
            found += [text[1:-1] for text in _STRINGS.findall(code)]
        if call.name == "tclsh":
            found += _TCL_STARTS.findall(code)
        if call.name in ("perl", "ruby", "php"):
            found += ["".join(texts) for texts in _BACKTICKS.findall(code)]
    return found


CHECKS = {**dict.fromkeys(INTERPRETERS, _interpreter), **dict.fromkeys(AWKS, _awk)}
