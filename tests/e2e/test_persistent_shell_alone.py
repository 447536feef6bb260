"""The conversation's shell where no person can press keys: a pipe, a build server. Nothing waits there for nobody."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from terma.dialogue import Ran
from terma.errors import TermaError, UsageError
from terma.repl.shell.persistent import PersistentShell, ShellBusy
from tests.conftest import Home, wait_until
from tests.e2e.sessioned import children_with, needs
from tests.e2e.test_persistent_shell import ASK, SHELLS, until

Use = Callable[[PersistentShell], Awaitable[Any]]


def alone(home: Home, use: Use, shell: str = "bash", **more: Any) -> Any:
    """What `use` returns, given a shell that is closed behind it."""

    async def run() -> Any:
        (home.home / ".zshrc").touch()
        made = PersistentShell(shell, str(home.home), home.env, **more)
        try:
            return await use(made)
        finally:
            await made.close()

    return asyncio.run(run())


def runs(home: Home, *commands: str, shell: str = "bash", **more: Any) -> list[Ran]:
    async def use(made: PersistentShell) -> list[Ran]:
        return [await made.run(command) for command in commands]

    done: list[Ran] = alone(home, use, shell, **more)
    return done


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("cat", "needs_input"),
        (ASK, "password"),
        ("echo 'open", "continuation"),
        (f"{sys.executable} -q", "needs_input"),
    ],
)
def test_what_waits_for_a_person_is_told_and_interrupted(home, shell, command, state):
    asked, after = runs(home, command, "echo after", shell=shell)
    assert (asked.ended_by, asked.state, asked.status) == ("settle", state, None)
    assert (after.output, after.status, after.restarted) == ("after", 0, False)


@needs("vim")
@pytest.mark.parametrize("shell", SHELLS)
def test_an_editor_is_ended(home, shell):
    asked, after = runs(home, "vim -u NONE -N", "echo after", shell=shell)
    assert asked.state == "needs_input"
    assert (after.output, after.restarted) == ("after", False)


@needs("git")
def test_nothing_is_paged(home):
    log = "git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git log"
    assert "first" in runs(home, log)[0].output


def test_output_is_handed_over_as_it_comes_and_safe(home):
    pieces: list[str] = []
    command = rf"printf '\033[31mred\033[0m \033]0;title\007\n'; {until('go')}; echo more"

    async def use(made: PersistentShell) -> Ran:
        task = asyncio.create_task(made.run(command))
        await asyncio.to_thread(wait_until, lambda: "red" in "".join(pieces), "the first word")
        assert "more" not in "".join(pieces)
        (home.home / "go").touch()
        return await task

    assert alone(home, use, show=pieces.append).output == "red\nmore"
    assert "".join(pieces).split() == ["red", "more"]


def test_the_shell_of_the_person_is_taken_and_a_strange_one_is_not(home):
    home.env["SHELL"] = "/bin/zsh" if "zsh" in SHELLS else "/bin/bash"
    assert runs(home, "echo $0", shell="")[0].output.endswith(home.env["SHELL"].rpartition("/")[2])
    home.env["SHELL"] = sys.executable
    assert "sh" in runs(home, "echo $0", shell="")[0].output


@pytest.mark.parametrize("shell", SHELLS)
def test_bytes_that_are_no_text_and_marks_that_are_forged_end_nothing(home, shell):
    forged = r"printf '\033]133;D;0\007\033]133;B\007'; sleep 0.3; echo real; sh -c 'exit 3'"
    binary, mark, after = runs(home, "head -c 100000 /dev/urandom", forged, "echo after", shell=shell)
    assert (binary.status, binary.ended_by) == (0, "marker")
    assert (mark.output, mark.status) == ("real", 3)
    assert (after.output, after.status) == ("after", 0)


@pytest.mark.parametrize("shell", ["sh", "dash"])
def test_a_shell_without_hooks_is_followed_as_well(home, shell):
    done = runs(
        home,
        "cd /; false",
        "pwd",
        "cat <<EOF\none\nEOF",
        "echo )",
        "(exit 4) # so",
        "sleep 1000 &",
        shell=shell,
    )
    assert [ran.status for ran in done] == [1, 0, 0, 2, 4, 0]
    assert done[1].output == "/"
    assert done[2].output == "one"
    assert all(ran.ended_by == "marker" for ran in done)


def test_start_up_files_that_ask_are_interrupted(home):
    (home.home / ".bashrc").write_text("read -p 'your name? ' x\n")
    assert runs(home, "echo there")[0].output == "there"


def test_a_busy_shell_says_so_and_takes_nothing(home):
    async def use(made: PersistentShell) -> None:
        assert (await made.run("sleep 1000", within=0.2)).state == "running"
        assert made.busy == "sleep 1000"
        with pytest.raises(ShellBusy, match="sleep 1000"):
            await made.run("echo lost")
        assert (await made.interrupt()).state == "idle"
        assert made.busy == ""
        with pytest.raises(TermaError, match="no command"):
            await made.interrupt()
        assert (await made.run("echo there")).output == "there"

    alone(home, use)


def test_what_was_waited_for_first_is_told_as_well(home):
    async def use(made: PersistentShell) -> tuple[Ran, Ran]:
        await made.run(f"{until('go')}; echo late; (exit 3)", within=0.1)
        (home.home / "go").touch()
        waited = await made.run("echo next", if_busy="wait")
        await made.run("echo early; sleep 1000", within=0.1)
        return waited, await made.run("echo next", if_busy="interrupt")

    waited, ended = alone(home, use)
    assert waited.earlier is not None
    assert (waited.output, waited.earlier.output, waited.earlier.status) == ("next", "late", 3)
    assert ended.earlier is not None
    assert (ended.output, ended.earlier.ended_by, ended.earlier.status) == ("next", "interrupt", 130)


def test_the_time_out_of_the_settings_holds_where_none_is_given(home):
    async def use(made: PersistentShell) -> tuple[Ran, Ran]:
        return await made.run("sleep 0.6; echo x", within=0), await made.run("sleep 1000")

    patient, hasty = alone(home, use, timeout=0.3)
    assert (patient.output, patient.ended_by) == ("x", "marker")
    assert hasty.ended_by == "timeout"


def test_cancelling_leaves_the_shell_at_its_prompt(home):
    async def use(made: PersistentShell) -> Ran:
        task = asyncio.create_task(made.run("sleep 94321; echo never"))
        await asyncio.to_thread(wait_until, lambda: children_with("sleep 94321"), "sleep")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert made.last is not None
        assert made.last.ended_by == "interrupt"
        return await made.run("echo there")

    assert alone(home, use).output == "there"
    assert not children_with("sleep 94321")


def test_closing_ends_the_jobs(home):
    mark = f"sleep 932{os.getpid()}"
    runs(home, f"{mark} &", f"({mark}; true) &")
    wait_until(lambda: not children_with(mark), "them to be gone")


def test_a_shell_that_cannot_be_had_is_an_error(home):
    home.env["PATH"] = "/nonexistent"
    home.env.pop("SHELL", None)
    assert runs(home, "echo $0", shell="nonsuch")  # the account's own, or sh
    with pytest.raises(UsageError, match="control characters"):
        runs(home, "echo \x1b[201~rm")


def test_options_that_trace_do_not_show_our_own_lines(home):
    *_, traced, quiet = runs(home, "true", "set -x", "echo seen", "set +x; set -u")
    assert traced.output == "+ echo seen\nseen"
    assert "_terma" not in quiet.output


def test_no_key_of_ours_stays_in_the_environment(home):
    seen = runs(home, "env")[0].output
    ours = [
        line for line in seen.split("\n") if line.startswith("TERMA_SESSION") and "conversation" not in line
    ]
    assert ours == []
