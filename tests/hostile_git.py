"""Repositories that want something run: one for each way in which git can be told to start a program or open a path.

`TRAPS` makes them. Each gets an empty folder and a witness, a program that leaves the file `ran`; it answers with the
variables that a shell in there would have, and with git commands that spring it, so that a test can show that the trap
is a real one ("" where this git has no command that would).
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ENV = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
HOOKS = (
    "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg "
    "post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update"
    " reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman"
    " p4-changelist post-index-change"
).split()


@dataclass(frozen=True)
class Witness:
    """`ran` exists once `program` was started."""

    program: Path
    ran: Path

    @classmethod
    def make(cls, folder: Path) -> Witness:
        folder.mkdir()
        made = cls(folder / "witness", folder / "ran")
        made.program.write_text(f"#!/bin/sh\n: > {shlex.quote(str(made.ran))}\n")
        made.program.chmod(0o755)
        return made


@dataclass(frozen=True)
class Trap:
    """The directory to stand in, what its shell has in its environment, and what springs it."""

    cwd: Path
    spring: str = ""
    env: tuple[tuple[str, str], ...] = ()


def run(folder: Path, *words: str, check: bool = True, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        env=ENV | (env or {}),
        check=check,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout


@cache
def keys() -> tuple[str, ...]:
    """Every key that this git knows, with the name `trap` where a key wants one."""
    words = ["git", "help", "--config"]
    listed = subprocess.run(words, env=ENV, capture_output=True, text=True, check=True).stdout
    found = [line.strip() for line in listed.splitlines() if re.fullmatch(r"\s*\w+\.\S+\s*", line)]
    assert len(found) > 400
    return tuple(re.sub(r"<[^>]*>|\*", "trap", key) for key in found)


def setting(key: str, value: object) -> str:
    """`filter.trap.clean` and a value as lines of a configuration."""
    section, _, rest = key.partition(".")
    sub, _, name = rest.rpartition(".")
    quoted = f' "{sub}"' if sub else ""
    return f"[{section}{quoted}]\n\t{name} = {value}\n"


def work(folder: Path) -> Path:
    """A repository with one commit, one change and attributes that name a driver `trap` for all that has drivers."""
    made = folder / "work"
    run(folder, "init", "-q", "-b", "main", str(made))
    (made / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
    (made / "a").write_text("1\n")
    run(made, "add", ".")
    run(made, "commit", "-q", "-m", "one")
    (made / "a").write_text("2\n")  # of the same length: git has to read it to see a difference
    return made


def _config(folder: Path, text: str | bytes) -> None:
    with (folder / ".git" / "config").open("ab") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def every_key(folder: Path, witness: Witness) -> Trap:
    trap = Trap(work(folder))
    _config(trap.cwd, "".join(setting(key, witness.program) for key in keys()))
    return trap


def plain_filter(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    _config(made, f'[filter "trap"]\n\tclean = {witness.program}\n')
    return Trap(made, "status")


def one_line(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    _config(made, f'[core] [filter "trap"] clean = {witness.program}\n')
    return Trap(made, "status")


def byte_order_mark(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    old = (made / ".git/config").read_bytes()
    (made / ".git/config").write_bytes(
        b'\xef\xbb\xbf[filter "trap"]\n\tclean = ' + bytes(witness.program) + b"\n" + old
    )
    return Trap(made, "status")


def behind_comments(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    _config(made, "# nothing to see\n" * 20_000 + f'[filter "trap"]\n\tclean = {witness.program}\n')
    return Trap(made, "status")


def included(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    (made / "more").write_text(f'[filter "trap"]\n\tclean = {witness.program}\n')
    _config(made, "[include]\n\tpath = ../more\n")
    return Trap(made, "status")


def included_here(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    (made / "more").write_text(f"[core]\n\tfsmonitor = {witness.program}\n")
    _config(made, '[includeIf "gitdir:/"]\n\tpath = ../more\n')
    return Trap(made, "status")


def worktree_config(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    run(made, "config", "extensions.worktreeConfig", "true")
    (made / ".git/config.worktree").write_text(f"[core]\n\tfsmonitor = {witness.program}\n")
    return Trap(made, "status")


def monitor(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    run(made, "config", "core.fsmonitor", str(witness.program))
    return Trap(made, "status")


def hooks(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    (made / ".git/hooks").mkdir(exist_ok=True)
    for name in HOOKS:
        shown = made / ".git/hooks" / name
        shown.write_text(witness.program.read_text())
        shown.chmod(0o755)
    run(made, "config", "core.hooksPath", str(made / ".git/hooks"))
    return Trap(made, "checkout -q -b other")


def promised(folder: Path, witness: Witness) -> Trap:
    """A partial clone that lacks its head's tree and would fetch it through a program."""
    made = work(folder)
    tree = run(made, "rev-parse", "HEAD^{tree}").strip()
    (made / ".git/objects" / tree[:2] / tree[2:]).unlink()
    _config(
        made,
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n"
        f'[remote "origin"]\n\turl = {made}\n\tpromisor = true\n\tuploadpack = {witness.program}\n'
        '[protocol]\n\tallow = always\n[protocol "file"]\n\tallow = always\n',
    )
    return Trap(made, "status")


def submodule(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    (inner := folder / "inner").mkdir()
    source = work(inner)
    run(made, "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(source), "sub")
    (made / "sub/a").write_text("3\n")
    run(made / "sub", "config", "core.fsmonitor", str(witness.program))
    return Trap(made, "status")


def inside_submodule(folder: Path, witness: Witness) -> Trap:
    return Trap(submodule(folder, witness).cwd / "sub", "status")


def elsewhere(folder: Path, witness: Witness) -> Trap:
    """`.git` is a file that names a repository of somebody else's."""
    (other := folder / "other").mkdir()
    there = monitor(other, witness).cwd
    (made := folder / "here").mkdir()
    (made / ".git").write_text(f"gitdir: {there}/.git\n")
    return Trap(made, "status")


def linked(folder: Path, witness: Witness) -> Trap:
    there = monitor(folder, witness).cwd
    run(there, "-c", "core.fsmonitor=false", "worktree", "add", "-q", "-b", "side", str(folder / "side"))
    return Trap(folder / "side", "status")


def alternate(folder: Path, witness: Witness) -> Trap:
    made = work(folder)
    (other := folder / "other").mkdir()
    there = monitor(other, witness).cwd
    (made / ".git/objects/info").mkdir(exist_ok=True)
    (made / ".git/objects/info/alternates").write_text(f"{there}/.git/objects\n")
    run(made, "config", "core.alternateRefsCommand", str(witness.program))
    return Trap(made)


def variables(folder: Path, witness: Witness) -> Trap:
    """What an `.envrc` would export: each of these names a program or a place to git."""
    made, program = work(folder), str(witness.program)
    names = (
        "GIT_PAGER PAGER GIT_EDITOR EDITOR GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS"
        " SSH_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR"
    ).split()
    counted = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": program}
    global_ = folder / "global"
    global_.write_text(f"[core]\n\tfsmonitor = {program}\n")
    more = {"GIT_CONFIG_GLOBAL": str(global_), "GIT_CONFIG_SYSTEM": str(global_), "GIT_CONFIG_PARAMETERS": ""}
    more |= dict.fromkeys(
        ("GIT_TRACE", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE_PERFORMANCE"), str(witness.ran)
    )
    env = dict.fromkeys(names, program) | counted | more
    del env["GIT_EXEC_PATH"]  # with it the trap would not even find `git status`
    return Trap(made, "status", tuple(env.items()))


def named_elsewhere(folder: Path, witness: Witness) -> Trap:
    (other := folder / "other").mkdir()
    there = monitor(other, witness).cwd
    env = {"GIT_DIR": f"{there}/.git", "GIT_WORK_TREE": str(there), "GIT_INDEX_FILE": f"{there}/.git/index"}
    return Trap(work(folder), "status", tuple(env.items()))


def own_git(folder: Path, witness: Witness) -> Trap:
    """The repository has a program called git, and its directory asks to be first on the PATH."""
    made = work(folder)
    (made / "bin").mkdir()
    shown = made / "bin" / "git"
    shown.write_text(witness.program.read_text())
    shown.chmod(0o755)
    return Trap(made, "status", (("PATH", f"{made}/bin:{ENV['PATH']}"),))


Maker = Callable[[Path, Witness], Trap]
TRAPS: tuple[Maker, ...] = (
    plain_filter, one_line, byte_order_mark, behind_comments, included, included_here, worktree_config, monitor, hooks,
    promised, submodule, inside_submodule, elsewhere, linked, alternate, variables, named_elsewhere, own_git, every_key,
)  # fmt: skip


def springs(trap: Trap, witness: Witness) -> bool:
    """Whether the trap is a real one: plain git, asked there as anybody would ask, runs the witness."""
    words = ["git", *trap.spring.split()]
    env = ENV | dict(trap.env)
    subprocess.run(words, cwd=trap.cwd, env=env, capture_output=True, check=False, timeout=60)
    return witness.ran.exists()
