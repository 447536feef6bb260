"""A git command that is allowed runs nothing that the repository names: else somebody is asked."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from terma.conversation import repositories
from terma.conversation.allowing import Allowance
from terma.conversation.repositories import run_nothing
from terma.dialogue import Proposal

# Every way in which a repository's own files name a program for `git status`, `log`, `diff`, `show`, `grep` or `blame`.
HOSTILE = {
    "a monitor": "[core]\nfsmonitor = {run}\n",
    "a monitor behind a section on one line": "[core] [core] fsmonitor = {run}\n",
    "a pager": "[core]\npager = {run}\n",
    "a pager of one command": "[pager]\nlog = {run}\n",
    "hooks elsewhere": "[core]\nhooksPath = hooks\n",
    "another diff": "[diff]\nexternal = {run}\n",
    "a diff driver": '[diff "x"]\ncommand = {run}\n',
    "a text converter": '[diff "x"]\ntextconv = {run}\n',
    "a filter": '[filter "x"]\nclean = {run}\nsmudge = {run}\n',
    "a filter process": '[filter "x"]\nprocess = {run}\n',
    "a merge driver": '[merge "x"]\ndriver = {run}\n',
    "an included file": "[include]\npath = more\n",
    "a key that is included where it lies": '[includeIf "gitdir:**"]\npath = more\n',
    "a promise": '[remote "x"]\nurl = x\npromisor = true\nuploadpack = {run}\n[extensions]\npartialClone = x\n',
    "a checker of signatures": "[gpg]\nprogram = {run}\n[log]\nshowSignature = true\n",
    "an alias": "[alias]\nst = !{run}\n",
    "an editor": "[core]\neditor = {run}\n",
    "a command for ssh": "[core]\nsshCommand = {run}\n",
    "a helper for passwords": "[credential]\nhelper = !{run}\n",
    "a browser": '[browser "x"]\ncmd = {run}\n[web]\nbrowser = x\n',
    "a filter of shown diffs": "[interactive]\ndiffFilter = {run}\n",
    "a mark of byte order before it": "\ufeff[core]\nfsmonitor = {run}\n",
    "a section behind much text": "# " + "x" * 300_000 + "\n[core]\nfsmonitor = {run}\n",
}


def git(directory: Path, *words: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", *who, *words], cwd=directory, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    made.mkdir()
    git(made, "init", "-q", "-b", "main")
    (made / "a.txt").write_text("one\n")
    git(made, "add", ".")
    git(made, "commit", "-qm", "first")
    git(made, "remote", "add", "origin", "https://example.org/x.git")
    git(made, "config", "branch.main.remote", "origin")
    git(made, "config", "user.name", "x")
    return made


def permitted(command: str, directory: Path) -> bool:
    allowance = Allowance(["git status", "git diff *", "git log *", "ls *"], yes=True)
    proposal = Proposal("1", "run_command", command, where={"directory": str(directory)})
    return asyncio.run(allowance(proposal))


def test_an_ordinary_repository_is_trusted(repository: Path) -> None:
    assert permitted("git status", repository)
    assert permitted("git log --oneline && git diff --stat", repository)
    (repository / "sub").mkdir()
    assert permitted("git diff", repository / "sub")


def test_outside_of_a_repository_there_is_nothing_to_run(tmp_path: Path) -> None:
    assert permitted("git status", tmp_path)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_repository_that_names_a_program_asks(repository: Path, name: str) -> None:
    config = repository / ".git" / "config"
    (repository / ".git" / "more").write_text("[core]\nfsmonitor = touch ../PWNED\n")
    text = HOSTILE[name].replace("{run}", "touch PWNED")
    config.write_text((text + config.read_text()) if "byte order" in name else config.read_text() + text)
    assert not permitted("git status", repository)
    assert not permitted("git diff", repository)
    assert permitted("ls -l", repository)
    assert not list(repository.rglob("PWNED"))


def test_the_configuration_of_a_worktree_counts_too(repository: Path) -> None:
    git(repository, "config", "extensions.worktreeConfig", "true")
    (repository / ".git" / "config.worktree").write_text("[core]\nfsmonitor = touch PWNED\n")
    assert not run_nothing(str(repository))


def test_a_hook_that_git_runs_when_it_reads_asks(repository: Path) -> None:
    hook = repository / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch PWNED\n")
    assert not run_nothing(str(repository))


def test_a_repository_within_has_a_configuration_of_its_own(repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "x")
    assert run_nothing(str(repository)), "an untracked one is not looked into"
    git(repository, "add", "inner")
    assert not run_nothing(str(repository))


def test_a_directory_that_looks_like_a_repository_that_git_refuses_asks(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[broken")
    (tmp_path / ".git" / "HEAD").write_text("x")
    assert not run_nothing(str(tmp_path))


@pytest.mark.parametrize("directory", ["", "/no/such/place"])
def test_where_nobody_knows_the_directory_somebody_is_asked(directory: str) -> None:
    assert not run_nothing(directory)


@pytest.mark.parametrize(
    "name",
    ".gitattributes .gitignore .gitmodules .mailmap sub/.gitattributes .git/info/exclude .git/info/attributes"
    " .git/packed-refs.lock .git/refs/heads/x .git/objects/info/alternates".split(),
)
def test_a_pipe_where_git_would_read_asks(repository: Path, name: str) -> None:
    (repository / "sub").mkdir()
    (repository / "sub" / "b").write_text("two\n")
    git(repository, "add", ".")
    (repository / name).unlink(missing_ok=True)
    os.mkfifo(repository / name)
    assert not permitted("git status", repository)
    assert permitted("ls -l", repository)


def test_a_pipe_beside_what_is_not_tracked_asks(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repositories, "_SECONDS", 3.0)  # git itself finds it, and does not come back
    (repository / "new" / "deep").mkdir(parents=True)
    (repository / "new" / "deep" / "b").write_text("two\n")
    assert permitted("git status", repository)
    os.mkfifo(repository / "new" / ".gitignore")
    assert not permitted("git status", repository)


@pytest.mark.parametrize("name", [".gitattributes", ".git/config.bak", ".git/info/exclude"])
def test_a_file_without_end_asks(repository: Path, name: str) -> None:
    with (repository / name).open("wb") as file:
        file.truncate(3 * 2**30)
    assert not permitted("git status", repository)


def test_links_are_followed_to_files_alone(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("x\n")
    (repository / ".git" / "info" / "more").symlink_to(tmp_path / "words")
    assert permitted("git status", repository)
    (repository / ".git" / "refs" / "heads" / "far").symlink_to("/dev/zero")
    assert not permitted("git status", repository)
