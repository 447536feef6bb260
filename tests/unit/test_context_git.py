"""The state of a repository is read right, in real repositories, and nothing that it names is run."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from terma.context import git
from terma.context.repository import settings

ENV = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_EDITOR": "true",
    **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def run(folder: Path, *words: str, check: bool = True) -> None:
    subprocess.run(["git", *words], cwd=folder, env=ENV, check=check, capture_output=True, timeout=60)


def commit(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    run(folder, "add", name)
    run(folder, "commit", "-m", name)


def asked(folder: Path) -> git.GitState:
    state = asyncio.run(git.state(str(folder), limit=60))  # a busy machine proves nothing
    assert state
    return state


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    run(tmp_path, "init", "-b", "main", str(folder))
    commit(folder, "a", "1\n")
    return folder


def test_outside_of_a_repository_there_is_none(tmp_path: Path) -> None:
    for place in (str(tmp_path), "", "relative", "/\0", str(tmp_path / "gone")):
        assert asyncio.run(git.state(place)) is None


def test_branch_and_counts_below_the_top(repository: Path) -> None:
    (repository / "deep").mkdir()
    (repository / "a").write_text("2\n")
    (repository / "new").write_text("")
    (repository / "staged").write_text("")
    run(repository, "add", "staged")
    state = asked(repository / "deep")
    assert (state.root, state.branch, state.counted) == (str(repository), "main", True)
    assert (state.staged, state.unstaged, state.untracked, state.conflicted) == (1, 1, 1, 0)
    assert state.line == "git: on main, no upstream, 1 staged, 1 unstaged, 1 untracked"


def test_before_the_first_commit(tmp_path: Path) -> None:
    run(tmp_path, "init", "-b", "trunk")
    assert asked(tmp_path).line == "git: on trunk, no commit yet, no upstream, nothing changed"


def test_a_detached_head(repository: Path) -> None:
    run(repository, "checkout", "--detach")
    state = asked(repository)
    assert state.branch == ""
    assert state.line == f"git: detached at {state.commit}, nothing changed"


def test_an_upstream_that_went_its_own_way(repository: Path, tmp_path: Path) -> None:
    run(tmp_path, "clone", str(repository), "copy")
    commit(repository, "theirs", "1\n")
    copy = tmp_path / "copy"
    commit(copy, "mine", "1\n")
    commit(copy, "mine too", "1\n")
    run(copy, "fetch")
    state = asked(copy)
    assert (state.upstream, state.ahead, state.behind, state.remote) == ("origin/main", 2, 1, "origin")
    assert "2 ahead of and 1 behind origin/main" in state.line


def test_the_remote_that_a_push_would_use(repository: Path) -> None:
    run(repository, "remote", "add", "fork", "x")
    assert asked(repository).remote == "fork"
    run(repository, "remote", "add", "origin", "y")
    assert asked(repository).remote == "origin"
    run(repository, "config", "branch.main.remote", "fork")
    assert asked(repository).remote == "fork"


@pytest.mark.parametrize("operation", ["merge", "rebase", "cherry-pick", "revert"])
def test_an_operation_under_way(repository: Path, operation: str) -> None:
    run(repository, "checkout", "-b", "side")
    commit(repository, "a", "side\n")
    run(repository, "checkout", "main")
    commit(repository, "a", "main\n")
    run(repository, *([operation, "HEAD~1"] if operation == "revert" else [operation, "side"]), check=False)
    state = asked(repository)
    assert (state.operation, state.branch, state.conflicted) == (operation, "main", 1)
    assert state.line.endswith(f"; a {operation} is under way")


def test_a_bisection_and_a_worktree(repository: Path, tmp_path: Path) -> None:
    run(repository, "worktree", "add", "-b", "other", str(tmp_path / "tree"))
    run(tmp_path / "tree", "bisect", "start")
    state = asked(tmp_path / "tree")
    assert (state.root, state.branch, state.operation) == (str(tmp_path / "tree"), "other", "bisect")
    assert asked(repository).operation == ""


def hostile(repository: Path, tmp_path: Path) -> Path:
    """Everything that a status could be made to run leaves a file."""
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    script.chmod(0o755)
    for hook in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout"):
        (repository / ".git" / "hooks" / hook).write_text(script.read_text())
        (repository / ".git" / "hooks" / hook).chmod(0o755)
    for name in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "diff.external",
        "core.sshCommand",
        "pager.status",
    ):
        run(repository, "config", name, str(script))
    return ran


def test_no_hook_monitor_or_pager_runs(repository: Path, tmp_path: Path) -> None:
    ran = hostile(repository, tmp_path)
    (repository / "a").write_text("2\n")
    before = (repository / ".git" / "index").read_bytes()
    os.utime(repository / "a", (1, 1))
    assert asked(repository).unstaged == 1
    assert not ran.exists()
    assert (repository / ".git" / "index").read_bytes() == before
    run(repository, "status")  # the trap is a real one
    assert ran.exists()


def test_a_filter_of_the_repository_is_not_asked_what_changed(repository: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    (repository / ".gitattributes").write_text("* filter=evil\n")
    run(repository, "config", "filter.evil.clean", f"touch {ran}; cat")
    (repository / "a").write_text("3\n")
    state = asked(repository)
    assert state.line == "git: on main, no upstream, 1 unstaged, 1 untracked"
    assert not ran.exists()
    run(repository, "status")
    assert ran.exists()


def test_what_is_ignored_here_is_not_untracked(repository: Path) -> None:
    (repository / ".git/info").mkdir(exist_ok=True)
    (repository / ".git/info/exclude").write_text("*.log\n")
    (repository / "x.log").touch()
    assert asked(repository).untracked == 0


def test_a_shallow_clone_is_counted(repository: Path, tmp_path: Path) -> None:
    commit(repository, "b", "1\n")
    run(tmp_path, "clone", "--depth=1", f"file://{repository}", "copy")
    state = asked(tmp_path / "copy")
    assert (state.counted, state.upstream, state.ahead, state.behind) == (True, "origin/main", 0, 0)


def test_files_without_modes_are_compared_without(repository: Path) -> None:
    run(repository, "config", "core.fileMode", "false")
    (repository / "a").chmod(0o755)
    assert asked(repository).unstaged == 0
    run(repository, "config", "core.fileMode", "true")
    assert asked(repository).unstaged == 1


def test_references_in_another_form_are_not_guessed(repository: Path) -> None:
    (repository / ".git/reftable").mkdir()
    (repository / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    assert asked(repository).line == "git: a repository, its branch is not known"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[core] bare = false", [("core", "", "bare", "false")]),
        ("\ufeff[a]\nx", [("a", "", "x", "true")]),
        ('[Remote "o\\"x"]\n\tURL = "a # b" # c', [("remote", 'o"x', "url", "a # b")]),
        ("[a]\nx = 1 \\\n 2 ; no", [("a", "", "x", "1  2")]),
        ("x = 1\n", []),
    ],
)
def test_settings_are_read_as_git_writes_them(text: str, found: list[tuple[str, str, str, str]]) -> None:
    assert list(settings(text)) == found


def test_a_slow_git_is_cut_off_and_the_files_still_tell(repository: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\nexec sleep 600\n")
    (folder / "git").chmod(0o755)
    state = asyncio.run(git.state(str(repository), path=f"{folder}:{os.environ['PATH']}"))
    assert state
    assert (state.branch, state.counted) == ("main", False)


def test_without_git_the_files_still_tell(repository: Path) -> None:
    state = asyncio.run(git.state(str(repository), path="/nowhere"))
    assert state
    assert (state.branch, len(state.commit), state.counted) == ("main", 7, False)


def test_a_variable_of_a_hook_that_started_the_agent_names_no_other_repository(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, "init", "-b", "wrong", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    assert asked(repository).branch == "main"


@pytest.mark.parametrize(
    "head", ["", "ref: ", "ref: ../../../etc/passwd", "\x1b[2Jx", "ref: refs/heads/\x1b]0;t\x07"]
)
def test_a_broken_repository_breaks_nothing(repository: Path, head: str) -> None:
    (repository / ".git" / "HEAD").write_text(head)
    state = asyncio.run(git.state(str(repository), limit=60))
    assert state is None or "\x1b" not in state.line
