"""Files and folders: not there, of the wrong kind, in the way, or not empty."""

from __future__ import annotations

import posixpath
import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.pathnames import is_from_elsewhere, is_of_files
from terma.offline.explain.rule import Facts, Rule

_Q = r"[‘'`\"]?"
PATH = _Q + r"(?P<path>[^\n:‘’'`\"]+?)[’'`\"]?"
MAKERS = "touch cp mv tee mkdir ln install vim vi nano"  # what makes the file that it is told last


def path_told(case: Case, facts: Facts) -> str:
    """The path the output speaks of, as a word of the command where it is one."""
    path = facts.get("path", "")
    for value in case.args:
        if value == path or value.rstrip("/") == path.rstrip("/"):
            return value
    near = (
        path.removeprefix(f"{case.cwd.rstrip('/')}/") if case.cwd else path
    )  # told from the root, typed from here
    words = near.split()
    if len(words) > 1 and words[-1] in case.args and not case.exists(near):
        return words[-1]  # "file or uri for loading from x.pem": a sentence about it
    return next((value for value in case.args if value.rstrip("/") == near), near)


# What an output calls a thing that does not exist, and that lies in no folder.
_OTHER_KIND = (
    r"database|role|user|group|table|relation|column|schema|function|index|sequence|type|extension|view|tablespace|language"
    r"|package|module|target|task|branch|tag|remote|host|service|unit|container|image|network|volume|context|namespace"
)


_OF_FILES = re.compile(
    r"(?i)file|dir|folder|path|script|source|input|document|archive|open|read|find|stat|access"
)


def _is_no_file(case: Case, facts: Facts) -> bool:
    """Whether the output calls what is missing by the name of something that is no file: of any kind of thing, where it
    does not say itself that there is no such file."""
    name = re.escape(facts["path"])
    if re.search(rf"(?i)\b(?:{_OTHER_KIND}) [‘'`\"]{name}[’'\"]", case.output):
        return True
    kind = re.search(rf"(?m)(?:^|: )(?P<kind>[A-Za-z]+) [‘'`\"]{name}[’'\"]", case.output)
    return "no such file" not in case.low and kind is not None and not _OF_FILES.search(kind["kind"])


def _missing(case: Case, facts: Facts) -> str:
    path = path_told(case, facts)
    words = path.split()
    if re.search(rf"\bopen(?:ing)? {re.escape(path)}:", case.output) and not {path} & {
        *case.args,
        *case.evidence.names,
    }:
        return ""  # "failed to open stream": a noun, and no name
    if not path or (len(words) > 2 and not {path, words[0], words[-1]} & set(case.args) and "/" not in path):
        return ""  # a sentence, and no name of a file
    if not is_of_files(case, path):
        return ""
    quoted = re.search(rf"[‘'`\"]{re.escape(path)}[’'\"]", case.output)
    if (
        len(words) > 1
        and "/" not in path
        and not quoted
        and not any(one == path or one.endswith(f"={path}") for one in case.args)
    ):
        return ""  # what a program calls the failure: "Cannot open: No such file"
    if case.exists(path):
        return _dangling(case, path)
    if is_from_elsewhere(case, path):
        return f"{path}: no such file or directory in the folder that {case.speaker} goes to first."
    said = f"{path}: no such file or directory; it does not exist"
    whole = _spaced(case, path)
    if whole:
        return f"{said}. A name with a blank needs quotes: the shell split it into several words."
    if split := _split(case, path):
        return f"{said}. There is {split[0]}: the variable stands without quotes, so the shell cut that name at its blank."
    if re.search(r"[*?]|\[.+\]", path):
        return (
            f"No file matches {path}: the shell found none, so {case.program} got the pattern itself and there is no such "
            "file. Look with ls at what is there."
        )
    near = case.near_path(path)
    if near:
        return f"{said}. There is {near}, though."
    parent = _first_missing(case, path)
    if parent:
        return f"{said}, nor does its folder {parent}. Check the path and where you are (pwd)."
    parent = _looked_in(case, path)
    where = f" in {'this folder' if parent in ('', '.') else parent}" if not path.startswith("/") else ""
    return f"{said}{where}. Check the spelling and where you are: pwd, then ls."


def _first_missing(case: Case, path: str) -> str:
    """The first folder on the way to `path` that is not there, "" where all of them are."""
    steps = (_collapsed(case, path)).rstrip("/").split("/")
    heads = ("/".join(steps[:length]) for length in range(1, len(steps)))
    return next((head for head in heads if head and not case.exists(head)), "")


def _looked_in(case: Case, path: str) -> str:
    return _collapsed(case, path).rstrip("/").rpartition("/")[0]


def _collapsed(case: Case, path: str) -> str:
    """`path` as the program walks it: cd takes `sub/..` away without looking whether there is a `sub`."""
    return posixpath.normpath(path) if case.program in ("cd", "pushd") and ".." in path.split("/") else path


def is_file_there(case: Case, path: str) -> bool:
    """Whether a step of `path` is a file; True where the path cannot be looked at from here."""
    steps = path.rstrip("/").split("/")
    heads = ["/".join(steps[:length]) or "/" for length in range(1, len(steps) + 1)]
    return (
        not case.cwd
        or path not in ("", *case.args)
        or any(case.exists(h) and not case.is_dir(h) for h in heads)
    )


def _dangling(case: Case, path: str) -> str:
    """What is there under that name has no target; what is whole contradicts the claim that it is missing."""
    try:
        return (
            ""
            if case.at(path).exists()
            else f"{path} is a symbolic link to {case.at(path).readlink()}, and that does not exist: no such file."
        )
    except OSError:
        return ""


def _missing_fixes(case: Case, facts: Facts) -> list[str]:
    path = path_told(case, facts)
    if re.search(r"[*?]", path):
        return []
    near = case.near_path(path, folder=case.program in ("cd", "pushd", "rmdir", "ls"))
    near = near or case.near_path(path)
    fixes = [case.swap(path, near)] if near else []
    redirected = any(word.value == path and ">" in word.after for word in case.words)
    parent = path.rstrip("/") if path.endswith("/") and case.program != "mkdir" else path.rpartition("/")[0]
    reads = re.search(r"failed to access|cannot (?:stat|access)|for reading", case.about_command)
    last = bool(case.operands) and case.operands[-1] == path and not reads
    making = (
        redirected
        or case.program in ("touch", "mkdir", "tee")
        or (case.program in MAKERS.split() and last)
        or re.search(
            r"(?:cannot|can't|failed to) create|\block ?file\b|for (?:writing|output)|\b(?:writ|creat|sav)ing (?:to )?\W{0,2}\S+$",
            case.about_command,
        )
        is not None
    )
    root = re.match(r"/[^/]+", path)
    if root and not case.exists(
        root.group()
    ):  # nothing of that path is there: it is a mistake, no place to make
        making = False
    if parent and making and not case.exists(parent) and not near:
        if case.program == "mkdir":
            return [case.insert("-p")]
        return [f"mkdir -p {quote(parent)} && {case.command}"]
    glued = re.match(r"^(\.\.?/|~)", path)
    if not near and not glued and case.program == "cd" and case.exists("/" + path):
        fixes.append(case.swap(path, "/" + path))
    spaced = _spaced(case, path)
    split = _split(case, path)
    return [*([spaced] if spaced else []), *([split[1]] if split else []), *fixes]


def _spaced(case: Case, path: str) -> str:
    """A file whose name holds a blank, typed without quotes."""
    for a, b in zip(case.arguments, case.arguments[1:], strict=False):
        joined = f"{a.value} {b.value}"
        if path in (a.value, b.value) and not case.exists(path) and case.exists(joined):
            return case.command[: a.start] + quote(joined) + case.command[b.end :]
    return ""


def _split(case: Case, path: str) -> tuple[str, str] | None:
    """A file whose name begins with `path` and a blank, where a variable of the command stands without quotes; and the
    command with quotes around it."""
    whole = sorted(name for name in case.listing() if name.startswith(f"{path} ")) if "/" not in path else []
    for word in case.words if whole and not case.exists(path) else ():
        typed = case.command[word.start : word.end]
        if re.fullmatch(r"\$(?:\w+|\{\w+\})", typed):
            return whole[0], f'{case.command[: word.start]}"{typed}"{case.command[word.end :]}'
    return None


def grep_swapped(case: Case, facts: Facts) -> list[str]:
    if len(case.operands) != 2:
        return []
    first, second = (next(w for w in case.arguments if w.value == value) for value in case.operands)
    typed = case.command
    return [typed[: first.start] + typed[second.start : second.end] + typed[first.end : second.start]
            + typed[first.start : first.end] + typed[second.end :]]  # fmt: skip


def _grep_text(case: Case, facts: Facts) -> str:
    if len(case.operands) != 2 or case.operands[1] != facts["path"]:
        return ""
    pattern, path = case.operands
    if case.near_path(path) or not (
        case.exists(pattern) or (re.fullmatch(r"[\w-]+\.\w{1,4}", pattern) and "." not in path)
    ):
        return ""
    return f"grep found no such file: {path}. The pattern comes first, then the file; they look swapped."


RULES = (
    Rule("files.dash", "to remove the file", r"Try '(?P<line>[^'\n]+)' to remove the file '(?P<path>[^'\n]+)'", "{path} begins with a dash, so {program} read it as an option (invalid option). ./ in front of it, or -- before it, makes it a name.", lambda c, f: [c.insert("--")] if c.exists(f["path"]) else [], rank=20),
    Rule("files.grep_swapped", "no such file", r"^\w*grep: (?P<path>[^:]+): No such file", _grep_text, grep_swapped,
         program="grep egrep rg fgrep", rank=55),
    Rule("files.mkdir_parent", "no such file", rf"mkdir: (?:cannot create directory )?{PATH}: No such file",
         "The folder above {path} does not exist (no such file or directory); mkdir makes missing parents with -p.",
         lambda c, f: [c.insert("-p")], program="mkdir", rank=54),
    Rule("files.missing_find", "no such file", r"find: ‘?'?(?P<path>[^’'\n]+)[’']?: No such file", _missing, _missing_fixes, rank=58),
    Rule("files.missing_open", ("no such file", "not found", "cannot open"),
         rf"(?:cannot (?:stat|access|open|remove|touch|move|create regular file|create|chdir to|rename)|can't (?:open|read|cd to|stat)"
         rf"|failed to (?:access|open|remove)|error opening|could not open|couldn't open|cannot find)(?:(?: [a-z]+)? file)? {PATH}"
         r"(?: for reading| for writing)?(?:: (?:No such file|\[Errno 2|not found)|$| \(No such file| to ‘)", _missing, _missing_fixes, rank=60),
    Rule("files.missing_cd", "no such file", r"cd: (?:no such file or directory: )?(?P<path>[^\n]+?)(?:: No such file.*)?$",
         _missing, _missing_fixes, program="cd pushd", rank=59),
    Rule("files.missing_python", "can't open file", r"can't open file '(?P<path>[^']+)'",
         lambda c, f: _missing(c, {"path": _base(c, f["path"])}), lambda c, f: _missing_fixes(c, {"path": _base(c, f["path"])}), rank=45),
    Rule("files.missing_zsh", "no such file", r"no such file or directory: (?P<path>\S[^\n]*)", _missing, _missing_fixes, rank=62),
    Rule("files.missing", "no such file",
         r"^(?:\w*sh: (?:line \d+: )?)?(?:[\w./-]+: )?(?:\d+: )?(?:cannot (?:read|open):? |(?:can't|could not|couldn't|failed to|unable to) (?:read|open) |open )?" + PATH + r":? \(?(?:No such file or directory|No such file)", _missing, _missing_fixes, rank=64),
    Rule("files.missing_quoted", ("no such file", "does not exist", "not found"),
         r"[‘'`\"](?P<path>[\w./~-]+\.?[\w/-]*)[’'\"][^\n]{0,40}(?:No such file|does not exist)", lambda c, f: _missing(c, f) if not _is_no_file(c, f) and ("/" in f["path"] or f["path"] in c.args or "no such file" in c.low) else "", _missing_fixes, rank=70),
    Rule("files.exists_same", "file exists", r"ln: failed[^\n]*File exists", lambda c, f: f"Target and link have one name, {c.operands[0]}: it exists already, and a link to itself leads nowhere." if len(c.operands) == 2 and c.operands[0] == c.operands[1] else "", program="ln", rank=40),
    Rule("files.missing_to", "no such file", rf"cannot (?:move|copy|create \w+ link|rename) {_Q}(?P<from>[^‘’'\n]+?)[’'] to {PATH}: No such file", lambda c, f: _missing(c, _absent(c, f)), lambda c, f: _missing_fixes(c, _absent(c, f)), rank=53),
)  # fmt: skip


def _absent(case: Case, facts: Facts) -> Facts:
    """Of two names in one complaint, the one that is not there; for the target it is its folder that is missing."""
    return {"path": facts["path"] if case.exists(facts["from"]) else facts["from"]}


def _base(case: Case, path: str) -> str:
    """The word of the command that `path` (made absolute by Python) ends with."""
    ends = [v for v in case.args if path == v or path.endswith("/" + v.removeprefix("./"))]
    return ends[0] if ends else path
