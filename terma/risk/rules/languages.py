"""One-liners in other languages, which delete, overwrite or start what a shell would: words must do, not syntax."""

from __future__ import annotations

import shlex
from itertools import islice

from terma import regex as re
from terma.risk import paths
from terma.risk.embedded_commands import VIMS
from terma.risk.model import Call, Finding, Findings, Kind
from terma.risk.rules import code_data
from terma.risk.rules.code import AWKS, INTERPRETERS
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
            r"|\bunlink\([^)]*recursive\s*=\s*T|\bfile\s+delete\s+-force\b"
            r"|\bfs\.(rm|rmdir)\b|Remove-Item|RemoveAll|\brm\([^)]*recursive\s*="
        ),
        "high",
        "deletes files, recursively",
        "deletes",
    ),
    (
        re.compile(
            r"\bfile\s+delete\b|os\.(remove|unlink|rmdir|removedirs|truncate)|\bunlink\b|unlinkSync|File\.(delete|unlink)|Dir\.rmdir"
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
    r"\b(?:remove|unlink|unlinkSync|rm)\b[\s\S]*(?:glob|listdir|os\.walk|readdir|scandir)|(?:glob|os\.walk|readdir)\b[\s\S]*\b(?:remove|unlink)\b|\bunlink\s*\(?\s*<[^>\n]*[*?]"
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
            r"\b(?:run|include|load|dofile|source)\(\s*(?:download\(|url\(|[\"']https?:)"
            r"|\b(?:os\.execute|load|loadstring)\s*\([\s\S]*popen\(\s*[\"'](?:curl|wget)\b"
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
_AWK_READS = re.compile(r"\bgetline\s+([A-Za-z_]\w*)")
_PROGRAM_FETCHES = re.compile(r"\b(?:curl|wget)\s")
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
    r"|\bspawn|passthru|shell_exec|exec_command|sendline|\.run|\.sudo)"
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
    for code in map(code_data.by_full_names, own_code(call)):
        bare = code if _EVALUATES.search(code) else _STRINGS.sub('""', code)
        if call.name in ("perl", "ruby"):
            bare = _PATTERNS.sub("//", bare)
        for patterns, text in ((_CODE, bare), (_QUOTED_CODE, code)):
            for pattern, level, reason, kind in patterns:
                if pattern.search(text):
                    yield Finding(level, reason, kind)
        if _BULK.search(bare):
            yield Finding("high", "deletes every file on a list", "deletes")
        yield from code_data.of(code)
        fed = call.feed is not None and call.feed.origins & _PRIVATE
        read = any(paths.secrecy(word) for script in started(call) for word in script.split())
        if code_data.SENDS.search(code) and (fed or read):
            yield Finding("high", "sends a key, a password or private files away", "leaks")


_PRIVATE = frozenset({"secret", "private", "environment"})


def _awk(call: Call) -> Findings:
    if any(_AWK_WRITES.search(code) for code in own_code(call)):
        yield Finding("medium", "may overwrite a file", "overwrites")  # awk's own redirect
    for code in own_code(call):
        read = [f"\\b{re.escape(name)}\\b" for name in _AWK_READS.findall(code)]
        if re.search(rf"\bsystem\(\s*(?:{'|'.join([r'[$]', *read])})", code):
            fed = call.feed is not None and "network" in call.feed.origins
            level: RiskLevel = "high" if fed or _PROGRAM_FETCHES.search(code) else "medium"
            yield Finding(level, "runs what its input says", "runs-unknown-code")
    if any("/inet/" in code for code in own_code(call)):
        yield Finding("high", "opens a raw connection to another machine", "network")


def own_code(call: Call) -> list[str]:
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
    if call.name == "perl" and given:  # `-MLWP::Simple`
        given[0] = " ".join(
            [*(f"use {word.text[2:]};" for word in call.args if word.text[:2] == "-M"), given[0]]
        )
    typed = call.feed.text if call.feed is not None and not given and not has_script else None
    return [*given, typed] if typed else given


def started(call: Call) -> list[str]:
    """Shell text inside the code of another language: `awk '{ system("rm " $1) }'`."""
    if call.name not in INTERPRETERS and call.name not in (*AWKS, *VIMS):
        return []
    found: list[str] = []
    for code in own_code(call):
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
