"""What the files of a git repository say: where it is, its branch, commit, remotes and what is under way.

No git is started here. Everything under `.git` is somebody else's word: it is read within bounds, shown as text, and
nothing is allowed or forbidden because of it. File names are those of gitrepository-layout(5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terma import reading

_MOST = 256 * 1024  # bytes of a file under .git
_REFS = 4 * 1024 * 1024  # of packed-refs: 60,000 branches
# What lies under .git while it lasts. A rebase comes before the cherry-pick that it does underneath.
_OPERATIONS = {
    "rebase-merge": "rebase",
    "rebase-apply/applying": "am",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_HEADER = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*(.*))?")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with a working tree at `root`. `git` is its own directory, `shared` the one that worktrees share.

    `branch` is "" with a detached head and where refs are kept in a way that is not read here (reftable), which
    `readable` false tells apart; `commit` is a whole object name, "" before the first. `upstream` is a ref's name."""

    root: Path
    git: Path
    shared: Path
    readable: bool = True
    branch: str = ""
    commit: str = ""
    operation: str = ""
    remote: str = ""
    upstream: str = ""
    core: tuple[tuple[str, str], ...] = ()

    def object_at(self, ref: str) -> str:
        """The object name that `ref` ("refs/heads/main") holds, "" when there is none."""
        if ".." in ref or not ref.startswith("refs/"):
            return ""
        for place in (self.git, self.shared):
            found = reading.text(place / ref, _MOST).strip()
            if _OBJECT.match(found):
                return found
        packed = reading.text(self.shared / "packed-refs", _REFS).split("\n")
        found = next((line.partition(" ")[0] for line in packed if line.endswith(f" {ref}")), "")
        return found if _OBJECT.match(found) else ""


def around(cwd: str) -> Repository | None:
    """The repository around the absolute path `cwd`; None when there is none. Raises OSError, ValueError."""
    for folder in (Path(cwd), *Path(cwd).parents) if cwd.startswith("/") else ():
        git = folder / ".git"
        if reading.is_regular(git):  # a worktree or a submodule: the file names the place
            git = (folder / reading.text(git, _MOST).removeprefix("gitdir:").strip()).resolve()
            return _read(folder, git)
        if git.is_dir():
            return _read(folder, git)
    return None


def _read(root: Path, git: Path) -> Repository:
    common = reading.text(git / "commondir", _MOST).strip()
    shared = git / common if common else git
    head = reading.head(git / "HEAD", _MOST).decode("utf-8", "replace").strip()
    ref = head.removeprefix("ref:").strip() if head.startswith("ref:") else ""
    readable = not (shared / "reftable").is_dir()
    found = Repository(root, git, shared, readable)
    branch = ref.removeprefix("refs/heads/") if readable else ""
    commit = found.object_at(ref) if ref else head if _OBJECT.match(head) else ""
    known = [*settings(reading.text(shared / "config", _MOST))]
    known += settings(reading.text(git / "config.worktree", _MOST))
    remote, upstream = _remote(known, branch), _upstream(known, branch)
    operation = next((name for file, name in _OPERATIONS.items() if (git / file).exists()), "")
    core = tuple((key, value) for section, _, key, value in known if section == "core")
    return Repository(
        root, git, shared, readable, _rebased(git) or branch, commit, operation, remote, upstream, core
    )


def settings(text: str) -> Iterator[tuple[str, str, str, str]]:
    """(section, subsection, key, value) of a git configuration, the first and the third in lower case.

    For telling a person or a model; nothing may be allowed because of what stands here, or does not."""
    section = sub = ""
    for line in text.removeprefix("\ufeff").replace("\\\n", "").split("\n"):
        rest = line
        if header := _HEADER.match(line):
            section, sub = header[1].lower(), re.sub(r"\\(.)", r"\1", header[2] or "")
            rest = line[header.end() :]  # `[core] bare = false` is git's language, too
        found = _SETTING.match(rest)
        if found and section:
            yield section, sub, found[1].lower(), _value(found[2])


def _value(text: str | None) -> str:
    if text is None:
        return "true"  # a key alone
    out, quoted = "", False
    for part in re.findall(r'\\.|"|[^"\\]+', text):
        if part == '"':
            quoted = not quoted
        elif not quoted and (mark := re.search(r"[#;]", part)):
            out += part[: mark.start()]
            break
        else:
            out += part[1:] if part.startswith("\\") else part
    return out.strip()


def _rebased(git: Path) -> str:
    """The branch that a rebase under way will move; its head is detached meanwhile."""
    for place in ("rebase-merge", "rebase-apply"):
        if name := reading.text(git / place / "head-name", _MOST).strip():
            return name.removeprefix("refs/heads/")
    return ""


def _remote(known: list[tuple[str, str, str, str]], branch: str) -> str:
    """The branch's own remote, else origin, else the only one, else ""."""
    own = [value for *where, value in known if branch and where == ["branch", branch, "remote"]]
    names = list(dict.fromkeys(sub for section, sub, *_ in known if section == "remote" and sub))
    return own[-1] if own else "origin" if "origin" in names else names[0] if len(names) == 1 else ""


def _upstream(known: list[tuple[str, str, str, str]], branch: str) -> str:
    """The ref that the branch follows: refs/remotes/origin/main, or a branch of this repository; "" for none."""
    mine = {key: value for section, sub, key, value in known if (section, sub) == ("branch", branch)}
    remote, merge = mine.get("remote", ""), mine.get("merge", "")
    if not branch or not remote or not merge.startswith("refs/heads/"):
        return ""
    return merge if remote == "." else f"refs/remotes/{remote}/{merge.removeprefix('refs/heads/')}"
