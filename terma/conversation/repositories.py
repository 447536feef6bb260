"""Whether a git command that only reads runs nothing that the repository itself names, and comes to an end.

`git diff` in a repository that somebody else made may run what its configuration says: a monitor, a filter, another
diff, a text converter, a hook. Options against each would have to be on the command, and it runs as it was shown. So
git is asked what it reads in this repository's own configuration, and only what is known to name no program passes.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from terma.conversation.openable import all_readable

_SECONDS = 2.0  # for each question
_MOST = 32 * 2**20  # bytes of an answer
_SAFE = (
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
)  # and none of these asks for a hook

# Keys of a repository's own configuration that name no program, in lower case.
_KNOWN = re.compile(
    r"core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|safecrlf|quotepath|abbrev|compression|bigfilethreshold|sharedrepository|whitespace|untrackedcache|splitindex"
    r"|preloadindex|trustctime|checkstat|protectntfs|protecthfs|worktree)"
    r"|user\.(name|email|signingkey)"
    r"|remote\..*\.(url|fetch|pushurl|tagopt|prune|push|mirror|gh-resolved)"
    r"|branch\..*\.(remote|merge|rebase|pushremote|description|vscode-merge-base|gh-merge-base)"
    r"|(color|status|push|pull|init|advice|gc|fetch|index|pack|column|blame|i18n|commit|tag|rerere)\.[^.]*(\.[^.]*)?"
    r"|log\.(date|decorate|abbrevcommit|follow|mailmap)"
    r"|format\.pretty"
)


def run_nothing(directory: str) -> bool:
    """Whether reading git commands in `directory` run no program of the repository's. False where nobody knows. Blocks
    for some 10 ms, at most for some seconds."""
    if not directory or not Path(directory).is_dir():
        return False
    try:
        top = _git(directory, "rev-parse", "--git-path", "hooks/post-index-change")
        if top is None:
            return _git(directory, "rev-parse", "--git-dir") is None and not any(_marks(Path(directory)))
        hook = Path(directory, top.strip())
        settings = _git(directory, "config", "--list", "--includes", "--show-scope", "-z")
        if hook.exists() or settings is None or not all(map(_harmless, _own(settings))):
            return False
        files = _git(directory, "ls-files", "--stage", "--full-name", "-z", "--", ":/")
        if files is None or any(line.startswith("160000 ") for line in files.split("\0")):
            return False
        return _ends(directory, [line.partition("\t")[2] for line in files.split("\0")])
    except (OSError, subprocess.SubprocessError, ValueError):
        return False


def _ends(directory: str, tracked: list[str]) -> bool:
    """Whether git comes to its end there, whatever it reads. What is beside files that are not tracked is known to git
    alone: it is asked for the status, which reads all of that, and has as long as for each question."""
    places = [
        _git(directory, "rev-parse", "--path-format=absolute", f"--git-{one}dir") for one in ("", "common-")
    ]
    top = _git(directory, "rev-parse", "--show-toplevel")
    if None in places or not all_readable(
        {Path(one.rstrip("\n")) for one in places if one}, _path(top), tracked
    ):
        return False
    return top is None or _git(directory, "status", "--porcelain", "--ignore-submodules=all") is not None


def _path(told: str | None) -> Path | None:
    return None if told is None else Path(told.rstrip("\n"))


def _marks(directory: Path) -> Iterator[Path]:
    """What would make a repository of `directory` or of one above it."""
    for place in (directory, *directory.parents):
        yield from (one for one in (place / ".git", place / "HEAD") if os.path.lexists(one))


def _own(settings: str) -> Iterator[str]:
    """The keys that the repository sets: pairs of a scope, and a key with its value behind a newline."""
    fields = settings.split("\0")
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        if scope not in ("system", "global", "command"):
            yield setting.partition("\n")[0]


def _harmless(key: str) -> bool:
    return _KNOWN.fullmatch(key.lower()) is not None


def _git(directory: str, *words: str) -> str | None:
    """What git says, None where it refuses. Raises OSError, subprocess.SubprocessError, ValueError for too much."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *_SAFE, *words],
        cwd=directory,
        env=environment | {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    if len(done.stdout) > _MOST:
        raise ValueError("too many files")
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None
