"""A file or a folder where the other was wanted, one that is in the way, and patterns that no name fits."""

from __future__ import annotations

import os
import posixpath
import re

from terma.offline.explain.case import Case
from terma.offline.explain.claims import Kind
from terma.offline.explain.families.files import (
    PATH,
    grep_swapped,
    is_file_there,
    path_told,
)
from terma.offline.explain.line import quote
from terma.offline.explain.pathnames import is_from_elsewhere
from terma.offline.explain.rule import Facts, Rule

_Q = r"[‘'`\"]?"


def _not_empty(case: Case, facts: Facts) -> str:
    if target := facts.get("target"):
        return f"{target} exists already and is a directory that is not empty, so {case.program} does not put {path_told(case, facts)} in its place. Look at what it holds with ls."
    return f"The directory {path_told(case, facts)} is not empty. rmdir removes empty directories alone; look inside with ls, rm -r removes all of it."


def _no_folder(case: Case, facts: Facts) -> str:
    target = facts["path"] or facts["other"]
    there = case.exists(target)
    state = "is a file" if there else "does not exist" if case.cwd else "is none"
    advice = "" if there else " Make it first with mkdir."
    return f"With several files, the last word must be a directory, and {target} is not a directory: it {state}.{advice}"


def _folder_meant(case: Case, target: str) -> list[str]:
    """The folder that is nearly called so, and the one that is made first."""
    if case.exists(target):
        return []
    near = case.near_path(target.rstrip("/"), folder=True)
    made = f"mkdir -p {quote(target)} && {case.command}"
    return [case.swap(target, near + ("/" if target.endswith("/") else "")) if near else "", made]


def _in_the_way(case: Case, facts: Facts) -> str:
    path = path_told(case, facts)
    if case.program == "ln":
        return f"{path} already exists, so ln makes no link there. -f replaces it; ln wants the target first, then the link."
    if case.program == "mkdir" and case.exists(path) and not case.is_dir(path):
        return f"{path} already exists as a file (file exists), so no directory can bear that name there. Choose another, or move the file."
    if case.program == "mkdir":
        return f"{path} already exists: file exists. mkdir -p is content with a folder that is there."
    return f"{path} already exists (file exists), and {case.program} does not overwrite it."


def _in_the_way_fixes(case: Case, facts: Facts) -> list[str]:
    path = path_told(case, facts)
    if case.program == "ln" and len(case.operands) == 2:
        flags = next((value for value in case.args if re.fullmatch(r"-[a-z]*s[a-z]*", value)), "")
        forced = case.swap(flags, flags + "f") if flags else case.insert("-f")
        swapped = grep_swapped(case, facts)
        return [forced, *swapped] if case.exists(path) else [*swapped, forced]
    if case.program == "mkdir" and case.is_dir(path) and any(word.part > case.part for word in case.words):
        return [case.insert("-p")]  # what comes after it wants to run
    return []


def _is_dir_fixes(case: Case, facts: Facts) -> list[str]:
    path = path_told(case, facts)
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
    if is_from_elsewhere(case, path):
        return f"{path} is not a directory in the folder that {case.speaker} goes to first."
    steps = path.rstrip("/").split("/")
    heads = ("/".join(steps[:length]) for length in range(1, len(steps)))
    if blocking := next((head for head in heads if head and case.is_file(head)), ""):
        return f"{blocking} is a file and not a directory, so nothing can lie beneath it: {path} cannot be."
    if case.cwd and not case.exists(path.rstrip("/")):
        near = case.near_path(path, folder=True)
        return f"{path} is not a directory: nothing of that name is there." + (
            f" There is {near}." if near else ""
        )
    return f"{path} is not a directory: a step of that path is a file."


def _is_made_up(case: Case, path: str) -> bool:
    """Whether `path` was typed as a folder, by its slash, and nothing of that name is there."""
    return path.endswith("/") and path in case.args and not case.exists(path.rstrip("/"))


def _not_dir_fixes(case: Case, facts: Facts) -> list[str]:
    path = path_told(case, facts)
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
    Rule("files.exists", "file exists", rf"{PATH}: File exists", _in_the_way, _in_the_way_fixes, rewrites=True),
    Rule("files.omit_dir", ("omitting directory", "-r not specified"), r"omitting directory ['‘](?P<path>[^'’]+)",
         "{path} is a directory, and cp copies directories only with -r (recursive).", lambda c, f: [_flag(c, "r")], rewrites=True, rank=45),
    Rule("files.scp_dir", "not a regular file", r"(?:scp: )?(?P<path>[^:\n]+): not a regular file",
         "{path} is a directory, not a regular file; {program} copies directories with -r (recursive).",
         lambda c, f: [c.insert("-r")], program="scp", rank=45),
    Rule("files.rsync_dir", "skipping directory", r"skipping directory (?P<path>\S+)",
         "rsync left out the directory {path}: it wants -r or -a (recursive).", lambda c, f: [c.insert("-a")], rewrites=True, rank=45),
    Rule("files.not_empty", "not empty", rf"(?:rmdir: failed to remove|mv: cannot move|rm: cannot remove|rmdir:(?! failed)|rm:(?! cannot)|mv:(?! cannot)) {PATH}(?: to ['‘]?(?P<target>[^:\n'’]+)['’]?)?: Directory not empty", _not_empty,
         lambda c, f: [f"rm -r {quote(path_told(c, f))}"] if c.program == "rmdir" else []),
    Rule("files.is_dir_shell", "is a directory", r"^(?:\w*sh: )(?:line \d+: )?(?P<path>[^:\n]+): Is a directory",
         "{path} is a directory: it cannot be run as a command or written as a file. cd goes into it.",
         lambda c, f: [f"cd {quote(f['path'])}"] if len(c.words) == 1 and c.words[0].value == f["path"] else []),
    Rule("files.is_dir", "is a directory", rf"(?:cannot remove |read error on |error reading |cannot overwrite directory )?{PATH}: (?:Cannot open: )?Is a directory",
         lambda c, f: f"{path_told(c, f)} is a directory, and {c.program} wants a file. " + ("rm removes a directory with -r (recursive)."
         if c.program == "rm" else "ls shows what is in it."), _is_dir_fixes, rewrites=True, rank=55),
    Rule("files.zsh_dir", "permission denied", r"^zsh(?::\d+)?: permission denied: (?P<path>\S+)",
         lambda c, f: f"{f['path']} is a directory and cannot be run; cd goes into it." if c.is_dir(f["path"]) else "",
         lambda c, f: [f"cd {quote(f['path'])}"], rank=30),
    Rule("files.not_dir", "not a directory", rf"(?=[^\n]*not a directory)(?:cannot access |failed to access |failed to remove |cannot stat |target |cd: not a directory: |cannot create directory )?{PATH}(?:: Not a directory| is not a directory|$)",
         lambda c, f: _not_dir(c, path_told(c, f)) if "not a dir" in c.low and (is_file_there(c, path_told(c, f)) or _is_made_up(c, path_told(c, f))) else "",
         _not_dir_fixes, rewrites=True, rank=55),
    Rule("files.mv_target", "target", r"target ['‘]?(?P<path>[^'’\n]+?)['’]? is not a directory|target ['‘]?(?P<other>[^'’\n]+?)['’]?: (?:No such file|Not a directory)",
         _no_folder,
         lambda c, f: _folder_meant(c, f["path"] or f["other"]), rank=40),
    Rule("files.same", "are the same file", r"['‘](?P<path>[^'’]+)['’] and ['‘][^'’]+['’] are the same file",
         "Source and target are the same file, {path}: there is nothing to do. Give the target another name."),
    Rule("files.into_itself", ("into itself", "to a subdirectory of itself"), r"(?:directory,? )?['‘](?P<path>[^'’]+)['’]",
         "{path} cannot be copied or moved into itself. Choose a target outside of it."),
    Rule("files.missing_operand", "missing", r"missing (?:destination )?file operand(?: after ['‘](?P<path>[^'’]+))?",
         lambda c, f: f"{c.program} got too few names: a file operand is missing{' after ' + f['path'] if f['path'] else ''}. It wants what to work on, and for a copy or move where to put it."),
    Rule("files.missing_other", "missing operand", r"^(?:\S*/)?(?P<who>[\w.+-]+): missing operand", lambda c, f: f"{c.program} got too few arguments: missing operand. {c.program} --help shows what it wants." if f["who"] == posixpath.basename(c.program) else ""),
    Rule("files.many", "argument list too long", "", "The pattern grew to more names than one command may take (argument list too long). Let find or xargs hand them over in portions.", rank=40, blames=Kind.PATTERN),
    Rule("files.name_long", "file name too long", "", "A name is longer than the file system allows (255 bytes): file name too long. Shorten it."),
    Rule("files.loop", "too many levels of symbolic links", rf"{PATH}: Too many levels", "{path} is a symbolic link that leads back to itself (too many levels of symbolic links). ls -l shows where each link points."),
    Rule("files.busy", ("text file busy", "device or resource busy", "target is busy"), rf"{PATH}: (?:Text file busy|Device or resource busy|target is busy)",
         "{path} is busy: a program still uses it. lsof or fuser -v shows which one; stop that first."),
    Rule("files.cross", "cross-device link", "", "The two names lie on different file systems, and a hard link or rename cannot cross them (cross-device link). Copy instead, or use ln -s."),
    Rule("files.hardlink_dir", "hard link not allowed for directory", r"ln: (?P<path>[^:]+): hard link", "{path} is a directory, and a directory takes no hard link. A symbolic link works: ln -s.",
         lambda c, f: [c.insert("-s")], rewrites=True),
    Rule("files.binary", "binary file matches", r"grep: (?P<path>[^:]+): binary file matches", "{path} looks binary to grep, so it shows no lines. -a reads it as text.",
         lambda c, f: [c.insert("-a")], rewrites=True),
    Rule("files.too_many_open", "too many open files", "", "The process has reached its limit of open files (too many open files). ulimit -n shows it and raises it for this shell."),
    Rule("files.no_match_zsh", "no matches found", r"no matches found: (?P<path>.+)$",
         lambda c, f: f"zsh took {f['path']} for a pattern (glob) and no file matches it, though one has just that name." if c.exists(f["path"]) else
         f"zsh took {f['path']} for a pattern (glob) and no file matches it. Quote it when it is meant as it stands." if not _is_file_pattern(c, f["path"]) else f"No file matches {f['path']}; there is no such file here. ls shows what is.",
         lambda c, f: [c.swap(f["path"], f["path"])] if c.exists(f["path"]) or not _is_file_pattern(c, f["path"]) else []),
    Rule("files.no_match_bash", "no match: ", r"no match: (?P<path>.+)$", "No file matches {path} (failglob is set). Quote the pattern when it is meant as it stands.",
         lambda c, f: [c.swap(f["path"], f["path"])] if not _is_file_pattern(c, f["path"]) else []),
)  # fmt: skip


# These read a pattern themselves, so that it is to reach them as it stands.
_READ_PATTERNS = frozenset(
    "find git grep egrep rg ag fd locate rsync tar zip unzip apt apt-get dpkg dnf yum pacman systemctl journalctl ssh"
    " docker kubectl aws gsutil npm pip pytest jq sed awk perl".split()
)


def _is_file_pattern(case: Case, path: str) -> bool:
    """Whether the pattern was to stand for files here: then quotes would only hide that there are none."""
    if case.words and case.words[0].value in ("for", "while"):
        return True
    if "*" in path and ":" not in path and case.program not in _READ_PATTERNS:
        return True
    return case.program in "ls rm cp mv cat chmod chown tar wc head tail du file stat".split()
