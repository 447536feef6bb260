"""One-liners in other languages, which delete, overwrite or start what a shell would: words must do, not syntax."""

from __future__ import annotations

import re
import shlex
from itertools import islice

from terma.risk.carried import VIMS
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.code import AWKS, INTERPRETERS
from terma.risk.rules.table import Rule

RULES: tuple[Rule, ...] = ()

_CODE = (
    (
        re.compile(
            r"\b(rmtree|rm_rf|rm_r|rmSync|rmdirSync|removeSync|remove_entry_secure|remove_tree|remove_entire|rimraf)\b"
            r"|\bfs\.(rm|rmdir)\b|Remove-Item|RemoveAll"
        ),
        "high",
        "deletes files, recursively",
    ),
    (
        re.compile(
            r"os\.(remove|unlink|rmdir|removedirs|truncate)|\bunlink\b|unlinkSync|File\.(delete|unlink)|Dir\.rmdir"
            r"|FileUtils\.rm\b|\bshutil\.move\b|\.rmdir\(|Deno\.remove"
        ),
        "medium",
        "deletes files",
    ),
    (
        re.compile(r"fork\s+while\s+fork|while.{0,12}\bfork(\(\)|\b)|fork\(\)\s*while|loop\s*\{\s*fork"),
        "high",
        "fork bomb",
    ),
    (re.compile(r"\bkill(pg)?\(\s*-1|\bkill\s+['\"]?\w+['\"]?,\s*-1\b"), "high", "ends every process it may"),
)
# These look at what stands between quotes as well.
_QUOTED_CODE = (
    (
        re.compile(
            r"""open\([^()]*(,|mode\s*=)\s*['"][wx][bt]?\+?[bt]?['"]|\.open\(\s*['"][wx]|write_text|write_bytes"""
            r"""|writeFile|createWriteStream|File\.write|IO\.write|file_put_contents|open\b[^;]{0,60}?['"]\s*\+?>(?!>)"""
        ),
        "medium",
        "may overwrite a file",
    ),
    (
        re.compile(r"\b(exec|eval)\s*\(.*(urlopen|requests\.get|b64decode|fetch\()"),
        "high",
        "runs what it downloads",
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
_CODE_OPTION = re.compile(r"-[a-zA-Z]{0,5}[ceE]|--eval|--print|eval")
_CODE_OPTIONS = {"node": "-p", "nodejs": "-p", "php": "-r"}
_JOINED_CODE = re.compile(r"(?:-[a-zA-Z]{0,4}?[ceE]|--eval=)(.*\W.*)", re.S)
_STARTS = re.compile(
    r"(?:\bsystem|\bpopen|os\.(?:system|execute)|subprocess\.\w+|\bexec|\bexecSync|\bspawn|passthru|shell_exec)"
    r"\s*\(?\s*\[?\s*(?:'((?:[^'\\]|\\.)+)'|\"((?:[^\"\\]|\\.)+)\")",
    re.S,
)
_STRING = r"(?:'[^']*'|\"[^\"]*\")"
_STARTS_LIST = re.compile(
    r"(?:system|popen|Popen|exec\w*|spawn\w*|\brun|\bcall|check_\w+)\s*\(?\s*\[?\s*"
    rf"({_STRING}(?:\s*,\s*\[?\s*{_STRING})+)",
    re.S,
)
_BACKTICKS = re.compile(r"`([^`]+)`|\b(?:qx|%x)[{(\[]([^})\]]+)[})\]]")


def _interpreter(call: Call) -> Findings:
    """`python -c`, `perl -e`, a script from a pipe: the code is not shell, so words must do."""
    for code in _own_code(call):
        bare = code if _EVALUATES.search(code) else _STRINGS.sub('""', code)
        if call.name in ("perl", "ruby"):
            bare = _PATTERNS.sub("//", bare)
        for patterns, text in ((_CODE, bare), (_QUOTED_CODE, code)):
            for pattern, level, reason in patterns:
                if pattern.search(text):
                    yield Finding(level, reason)  # type: ignore[arg-type]


def _awk(call: Call) -> Findings:
    if any(_AWK_WRITES.search(code) for code in _own_code(call)):
        yield Finding("medium", "may overwrite a file")  # awk's own redirect


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
        if call.name in ("perl", "ruby", "php"):
            found += ["".join(texts) for texts in _BACKTICKS.findall(code)]
    return found


CHECKS = {**dict.fromkeys(INTERPRETERS, _interpreter), **dict.fromkeys(AWKS, _awk)}
