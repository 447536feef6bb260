"""Files and folders: not there, of the wrong kind, in the way, or not empty."""

from __future__ import annotations

import os
import posixpath
import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.rule import Facts, Rule

_Q = r"[‘'`\"]?"
_PATH = _Q + r"(?P<path>[^\n:‘’'`\"]+?)[’'`\"]?"
MAKERS = "touch cp mv tee mkdir ln install vim vi nano"  # what makes the file that it is told last


def _path(case: Case, facts: Facts) -> str:
    """The path the output speaks of, as a word of the command where it is one."""
    path = facts.get("path", "")
    for value in case.args:
        if value == path or value.rstrip("/") == path.rstrip("/"):
            return value
    near = (
        path.removeprefix(f"{case.cwd.rstrip('/')}/") if case.cwd else path
    )  # told from the root, typed from here
    return next((value for value in case.args if value.rstrip("/") == near), near)


def _missing(case: Case, facts: Facts) -> str:
    path = _path(case, facts)
    words = path.split()
    if re.search(rf"\bopen(?:ing)? {re.escape(path)}:", case.output) and not {path} & {
        *case.args,
        *case.evidence.names,
    }:
        return ""  # "failed to open stream": a noun, and no name
    if not path or (len(words) > 2 and not {path, words[0], words[-1]} & set(case.args) and "/" not in path):
        return ""  # a sentence, and no name of a file
    if case.exists(path):
        return _dangling(case, path)
    said = f"{path}: no such file or directory; it does not exist"
    whole = _spaced(case, path)
    if whole:
        return f"{said}. A name with a blank needs quotes: the shell split it into several words."
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
    where = f" in {parent or 'this folder'}" if not path.startswith("/") else ""
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


def _is_file_there(case: Case, path: str) -> bool:
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
    path = _path(case, facts)
    if re.search(r"[*?]", path):
        return []
    near = case.near_path(path, folder=case.program in ("cd", "pushd", "rmdir", "ls"))
    near = near or case.near_path(path)
    fixes = [case.swap(path, near)] if near else []
    redirected = any(word.value == path and ">" in word.after for word in case.words)
    parent = path.rstrip("/") if path.endswith("/") and case.program != "mkdir" else path.rpartition("/")[0]
    last = bool(case.operands) and case.operands[-1] == path
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
    return [*([spaced] if spaced else []), *fixes]


def _spaced(case: Case, path: str) -> str:
    """A file whose name holds a blank, typed without quotes."""
    for a, b in zip(case.arguments, case.arguments[1:], strict=False):
        joined = f"{a.value} {b.value}"
        if path in (a.value, b.value) and not case.exists(path) and case.exists(joined):
            return case.command[: a.start] + quote(joined) + case.command[b.end :]
    return ""


def _grep_swapped(case: Case, facts: Facts) -> list[str]:
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


def _in_the_way(case: Case, facts: Facts) -> str:
    path = _path(case, facts)
    if case.program == "ln":
        return f"{path} already exists, so ln makes no link there. -f replaces it; ln wants the target first, then the link."
    if case.program == "mkdir":
        return f"{path} already exists: file exists. mkdir -p is content with a folder that is there."
    return f"{path} already exists (file exists), and {case.program} does not overwrite it."


def _in_the_way_fixes(case: Case, facts: Facts) -> list[str]:
    path = _path(case, facts)
    if case.program == "ln" and len(case.operands) == 2:
        flags = next((value for value in case.args if re.fullmatch(r"-[a-z]*s[a-z]*", value)), "")
        forced = case.swap(flags, flags + "f") if flags else case.insert("-f")
        swapped = _grep_swapped(case, facts)
        return [forced, *swapped] if case.exists(path) else [*swapped, forced]
    if case.program == "mkdir" and case.is_dir(path) and any(word.part > case.part for word in case.words):
        return [case.insert("-p")]  # what comes after it wants to run
    return []


def _is_dir_fixes(case: Case, facts: Facts) -> list[str]:
    path = _path(case, facts)
    if case.program == "rm":
        return [_flag(case, "r")]
    if case.program in ("cat", "less", "more", "head", "tail", "vim", "nano", "bat"):
        return [f"ls {quote(path)}"]
    if case.program in ("grep", "egrep", "fgrep"):
        return [case.insert("-r")]
    if case.program == "" or case.status == 126:
        return [f"cd {quote(path)}"]
    return []


def _flag(case: Case, letter: str) -> str:
    flags = next((v for v in case.args if re.fullmatch(r"-[a-zA-Z]+", v)), "")
    return case.swap(flags, flags[:1] + letter + flags[1:]) if flags else case.insert(f"-{letter}")


def _not_dir(case: Case, path: str) -> str:
    if case.cwd and not case.exists(path.rstrip("/")):
        near = case.near_path(path, folder=True)
        return f"{path} is not a directory: nothing of that name is there." + (
            f" There is {near}." if near else ""
        )
    return f"{path} is not a directory: a step of that path is a file."


def _not_dir_fixes(case: Case, facts: Facts) -> list[str]:
    path = _path(case, facts)
    parent = path.rpartition("/")[0]
    if case.program in ("cd", "pushd"):
        return [f"cd {quote(parent)}"] if parent and case.is_dir(parent) else []
    if case.program == "rmdir":
        return [f"rm {quote(path)}"]
    near = case.near_path(path, folder=True) if not case.exists(path.rstrip("/")) else ""
    if near:
        home = os.environ.get("HOME", "")
        short = {path: near, path.replace(home, "~", 1): near.replace(home, "~", 1)} if home else {path: near}
        return [case.swap(typed, other, raw=True) for typed, other in short.items() if typed in case.args][:1]
    if path.endswith("/") and not case.exists(path.rstrip("/")) and case.program in ("cp", "mv", "install"):
        return [f"mkdir -p {quote(path.rstrip('/'))} && {case.command}"]
    if path.endswith("/"):
        return [case.swap(path, path.rstrip("/"))]
    return []


RULES = (
    Rule("files.dash", "to remove the file", r"Try '(?P<line>[^'\n]+)' to remove the file '(?P<path>[^'\n]+)'", "{path} begins with a dash, so {program} read it as an option (invalid option). ./ in front of it, or -- before it, makes it a name.", lambda c, f: [c.insert("--")] if c.exists(f["path"]) else [], rank=20),
    Rule("files.grep_swapped", "no such file", r"^\w*grep: (?P<path>[^:]+): No such file", _grep_text, _grep_swapped,
         program="grep egrep rg fgrep", rank=55),
    Rule("files.mkdir_parent", "no such file", rf"mkdir: (?:cannot create directory )?{_PATH}: No such file",
         "The folder above {path} does not exist (no such file or directory); mkdir makes missing parents with -p.",
         lambda c, f: [c.insert("-p")], program="mkdir", rank=54),
    Rule("files.missing_find", "no such file", r"find: ‘?'?(?P<path>[^’'\n]+)[’']?: No such file", _missing, _missing_fixes, rank=58),
    Rule("files.missing_open", ("no such file", "not found", "cannot open"),
         rf"(?:cannot (?:stat|access|open|remove|touch|move|create regular file|create|chdir to|rename)|can't (?:open|read|cd to|stat)"
         rf"|failed to (?:access|open|remove)|error opening|could not open|couldn't open|cannot find)(?:(?: [a-z]+)? file)? {_PATH}"
         r"(?: for reading| for writing)?(?:: (?:No such file|\[Errno 2|not found)|$| \(No such file| to ‘)", _missing, _missing_fixes, rank=60),
    Rule("files.missing_cd", "no such file", r"cd: (?:no such file or directory: )?(?P<path>[^\n]+?)(?:: No such file.*)?$",
         _missing, _missing_fixes, program="cd pushd", rank=59),
    Rule("files.missing_python", "can't open file", r"can't open file '(?P<path>[^']+)'",
         lambda c, f: _missing(c, {"path": _base(c, f["path"])}), lambda c, f: _missing_fixes(c, {"path": _base(c, f["path"])}), rank=45),
    Rule("files.missing_zsh", "no such file", r"no such file or directory: (?P<path>\S[^\n]*)", _missing, _missing_fixes, rank=62),
    Rule("files.missing", "no such file",
         r"^(?:\w*sh: (?:line \d+: )?)?(?:[\w./-]+: )?(?:\d+: )?(?:cannot (?:read|open):? |(?:can't|could not|couldn't|failed to|unable to) (?:read|open) |open )?" + _PATH + r":? \(?(?:No such file or directory|No such file)", _missing, _missing_fixes, rank=64),
    Rule("files.missing_quoted", ("no such file", "does not exist", "not found"),
         r"[‘'`\"](?P<path>[\w./~-]+\.?[\w/-]*)[’'\"][^\n]{0,40}(?:No such file|does not exist)", lambda c, f: _missing(c, f) if "/" in f["path"] or f["path"] in c.args or "no such file" in c.low else "", _missing_fixes, rank=70),
    Rule("files.exists_same", "file exists", r"ln: failed[^\n]*File exists", lambda c, f: f"Target and link have one name, {c.operands[0]}: it exists already, and a link to itself leads nowhere." if len(c.operands) == 2 and c.operands[0] == c.operands[1] else "", program="ln", rank=40),
    Rule("files.missing_to", "no such file", rf"cannot (?:move|copy|create \w+ link|rename) {_Q}(?P<from>[^‘’'\n]+?)[’'] to {_PATH}: No such file", lambda c, f: _missing(c, _absent(c, f)), lambda c, f: _missing_fixes(c, _absent(c, f)), rank=53),
    Rule("files.exists", "file exists", rf"{_PATH}: File exists", _in_the_way, _in_the_way_fixes, rewrites=True),
    Rule("files.omit_dir", ("omitting directory", "-r not specified"), r"omitting directory ['‘](?P<path>[^'’]+)",
         "{path} is a directory, and cp copies directories only with -r (recursive).", lambda c, f: [_flag(c, "r")], rewrites=True, rank=45),
    Rule("files.scp_dir", "not a regular file", r"(?:scp: )?(?P<path>[^:\n]+): not a regular file",
         "{path} is a directory, not a regular file; {program} copies directories with -r (recursive).",
         lambda c, f: [c.insert("-r")], program="scp", rank=45),
    Rule("files.rsync_dir", "skipping directory", r"skipping directory (?P<path>\S+)",
         "rsync left out the directory {path}: it wants -r or -a (recursive).", lambda c, f: [c.insert("-a")], rewrites=True, rank=45),
    Rule("files.not_empty", "not empty", rf"(?:rmdir: failed to remove|mv: cannot move|rm: cannot remove|rmdir:(?! failed)|rm:(?! cannot)|mv:(?! cannot)) {_PATH}(?: to [^:]+)?: Directory not empty",
         "The directory {path} is not empty. rmdir removes empty directories alone; look inside with ls, rm -r removes all of it.",
         lambda c, f: [f"rm -r {quote(_path(c, f))}"] if c.program == "rmdir" else []),
    Rule("files.is_dir_shell", "is a directory", r"^(?:\w*sh: )(?:line \d+: )?(?P<path>[^:\n]+): Is a directory",
         "{path} is a directory: it cannot be run as a command or written as a file. cd goes into it.",
         lambda c, f: [f"cd {quote(f['path'])}"] if len(c.words) == 1 and c.words[0].value == f["path"] else []),
    Rule("files.is_dir", "is a directory", rf"(?:cannot remove |read error on |error reading |cannot overwrite directory )?{_PATH}: Is a directory",
         lambda c, f: f"{_path(c, f)} is a directory, and {c.program} wants a file. " + ("rm removes a directory with -r (recursive)."
         if c.program == "rm" else "ls shows what is in it."), _is_dir_fixes, rewrites=True, rank=55),
    Rule("files.zsh_dir", "permission denied", r"^zsh(?::\d+)?: permission denied: (?P<path>\S+)",
         lambda c, f: f"{f['path']} is a directory and cannot be run; cd goes into it." if c.is_dir(f["path"]) else "",
         lambda c, f: [f"cd {quote(f['path'])}"], rank=30),
    Rule("files.not_dir", "not a directory", rf"(?:cannot access |failed to access |failed to remove |cannot stat |target |cd: not a directory: |cannot create directory )?{_PATH}(?:: Not a directory| is not a directory|$)",
         lambda c, f: _not_dir(c, _path(c, f)) if "not a dir" in c.low and _is_file_there(c, _path(c, f)) else "",
         _not_dir_fixes, rewrites=True, rank=55),
    Rule("files.mv_target", "target", r"target ['‘]?(?P<path>[^'’\n]+?)['’]? is not a directory|target ['‘]?(?P<other>[^'’\n]+?)['’]?: (?:No such file|Not a directory)",
         lambda c, f: f"With several files, the last word must be a directory, and {f['path'] or f['other']} is not a directory or does not exist. Make it first with mkdir.",
         lambda c, f: [f"mkdir -p {quote(f['path'] or f['other'])} && {c.command}"] if not c.exists(f["path"] or f["other"]) else [], rank=40),
    Rule("files.same", "are the same file", r"['‘](?P<path>[^'’]+)['’] and ['‘][^'’]+['’] are the same file",
         "Source and target are the same file, {path}: there is nothing to do. Give the target another name."),
    Rule("files.into_itself", ("into itself", "to a subdirectory of itself"), r"(?:directory,? )?['‘](?P<path>[^'’]+)['’]",
         "{path} cannot be copied or moved into itself. Choose a target outside of it."),
    Rule("files.missing_operand", "missing", r"missing (?:destination )?file operand(?: after ['‘](?P<path>[^'’]+))?",
         "{program} got too few names: missing file operand {path}. It wants what to work on, and for a copy or move where to put it."),
    Rule("files.missing_other", "missing operand", r"missing operand", "{program} got too few arguments: missing operand. {program} --help shows what it wants."),
    Rule("files.many", "argument list too long", "", "The pattern grew to more names than one command may take (argument list too long). Let find or xargs hand them over in portions.", rank=40),
    Rule("files.name_long", "file name too long", "", "A name is longer than the file system allows (255 bytes): file name too long. Shorten it."),
    Rule("files.loop", "too many levels of symbolic links", rf"{_PATH}: Too many levels", "{path} is a symbolic link that leads back to itself (too many levels of symbolic links). ls -l shows where each link points."),
    Rule("files.busy", ("text file busy", "device or resource busy", "target is busy"), rf"{_PATH}: (?:Text file busy|Device or resource busy|target is busy)",
         "{path} is busy: a program still uses it. lsof or fuser -v shows which one; stop that first."),
    Rule("files.cross", "cross-device link", "", "The two names lie on different file systems, and a hard link or rename cannot cross them (cross-device link). Copy instead, or use ln -s."),
    Rule("files.hardlink_dir", "hard link not allowed for directory", r"ln: (?P<path>[^:]+): hard link", "{path} is a directory, and a directory takes no hard link. A symbolic link works: ln -s.",
         lambda c, f: [c.insert("-s")], rewrites=True),
    Rule("files.binary", "binary file matches", r"grep: (?P<path>[^:]+): binary file matches", "{path} looks binary to grep, so it shows no lines. -a reads it as text.",
         lambda c, f: [c.insert("-a")], rewrites=True),
    Rule("files.too_many_open", "too many open files", "", "The process has reached its limit of open files (too many open files). ulimit -n shows it and raises it for this shell."),
    Rule("files.no_match_zsh", "no matches found", r"no matches found: (?P<path>.+)$",
         lambda c, f: f"zsh took {f['path']} for a pattern (glob) and no file matches it. Quote it when it is meant as it stands."
         if not _is_file_pattern(c) else f"No file matches {f['path']}; there is no such file here. ls shows what is.",
         lambda c, f: [c.swap(f["path"], f["path"])] if not _is_file_pattern(c) else []),
    Rule("files.no_match_bash", "no match: ", r"no match: (?P<path>.+)$", "No file matches {path} (failglob is set). Quote the pattern when it is meant as it stands.",
         lambda c, f: [c.swap(f["path"], f["path"])] if not _is_file_pattern(c) else []),
)  # fmt: skip


def _absent(case: Case, facts: Facts) -> Facts:
    """Of two names in one complaint, the one that is not there; for the target it is its folder that is missing."""
    return {"path": facts["path"] if case.exists(facts["from"]) else facts["from"]}


def _base(case: Case, path: str) -> str:
    """The word of the command that `path` (made absolute by Python) ends with."""
    ends = [v for v in case.args if path == v or path.endswith("/" + v.removeprefix("./"))]
    return ends[0] if ends else path


def _is_file_pattern(case: Case) -> bool:
    if case.words and case.words[0].value in ("for", "while"):
        return True
    return case.program in "ls rm cp mv cat chmod chown tar wc head tail du file stat".split()
