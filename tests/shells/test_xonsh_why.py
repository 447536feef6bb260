"""`?why` in a real xonsh: what it is told of each kind of failure, what it shows, and that nothing in it ever runs."""

from __future__ import annotations

import json
import re
import sqlite3

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import TmuxShell
from tests.shells.hostile_questions import HOSTILE
from tests.shells.in_xonsh import (
    OLDEST,
    asked_until_seen,
    both,
    cleared,
    fresh,
    interrupted,
    needs_xonsh,
    prompts,
    run,
    xonsh,
)

pytestmark = needs_xonsh


def asked(agent: RunningAgent, shell: TmuxShell, line: str = "?why") -> None:
    """Asks, and waits for the whole answer."""
    agent.will_explain("That is why.\n")
    run(shell, line).wait_for("That is why.").wait_for("scripted ·")


def newest_entry(shell: TmuxShell) -> str:
    """What the up-arrow brings; prompt_toolkit reads the history beside a new prompt."""
    lines: list[str] = []

    def brought() -> str:
        lines.append(shell.press("Up").line().text.strip())
        return lines[-1]

    wait_until(brought, "an entry of the history")
    return lines[-1]


@both
def test_thirty_hostile_questions_run_nothing_and_stay_in_the_history_as_typed(
    agent: RunningAgent, which: str
) -> None:
    agent.will_explain("heard\n")
    with xonsh(agent, env={"XONSH_HISTORY_BACKEND": "json"}, which=which) as shell:
        run(shell, "nosuchcommand")
        for line in HOSTILE:
            run(shell, line)
            assert not list(agent.root.rglob("PWNED")), line
        assert len(shell.ran) == 1 + len(HOSTILE)
        assert newest_entry(shell) == HOSTILE[-1].strip()
        run(fresh(shell), "history flush")
        shell.press("C-d")
        kept: list[str] = []

        def written() -> bool:
            kept[:] = [line.strip() for line in _json_history(agent)]
            return len(kept) > len(HOSTILE)

        wait_until(written, "the history file")
    assert kept[1 : 1 + len(HOSTILE)] == [line.strip() for line in HOSTILE]


def _json_history(agent: RunningAgent) -> list[str]:
    files = sorted(agent.home.rglob("xonsh-*.json"))
    try:
        return [cmd["inp"] for file in files for cmd in json.loads(file.read_text())["data"]["cmds"]]
    except (ValueError, KeyError):
        return []


@both
def test_the_sqlite_history_keeps_what_was_typed(agent: RunningAgent, which: str) -> None:
    lines = ["?why isn't it there:", "?why $(touch PWNED) \\", '?why """', "?why 思考 `touch PWNED`"]
    with xonsh(agent, env={"XONSH_HISTORY_BACKEND": "sqlite"}, which=which) as shell:
        run(shell, "nosuchcommand")
        for line in lines:
            asked(agent, shell, line)
        assert newest_entry(shell) == lines[-1]
        file = next(agent.home.rglob("*.sqlite"))
        rows = sqlite3.connect(file).execute("SELECT inp FROM xonsh_history ORDER BY tsb").fetchall()
        assert [row[0].strip() for row in rows] == ["nosuchcommand", *lines]
        assert not list(agent.root.rglob("PWNED"))


# What was run: how it is told, and words of what `terma last` shows.
FAILURES = {
    "nosuchcommand -x": ("nosuchcommand -x · exit status 1", ""),
    "ls /no/such/a": ("ls /no/such/a · exit status 2", ""),
    "ls /no/such/a | cat /no/such/b": ("ls /no/such/a | cat /no/such/b · exit status 1", ""),
    "1/0": ("1/0 · exit status 1", "ZeroDivisionError: division by zero"),
    "print(": ("print( · exit status 1", "SyntaxError"),
    "sh -c 'kill -TERM $$'": ("sh -c 'kill -TERM $$' · exit status 143, SIGTERM", ""),
}


@both
def test_each_kind_of_failure_has_its_command_and_its_status(agent: RunningAgent, which: str) -> None:
    with xonsh(agent, which=which, size=(50, 100)) as shell:
        for line, (header, told) in FAILURES.items():
            cleared(shell)
            run(shell, line, *(["Enter"] if line == "print(" else []))  # xonsh waits for more first
            asked(agent, shell)
            how_long = r"( · [\d.]+ \w+)?"
            told_of = re.compile(f"^{re.escape(header)}{how_long}$", re.MULTILINE)
            shell.wait_screen(told_of.search, header)
            run(shell, "terma last | cat").wait_for("Exit status:").wait_for(told)


@both
def test_a_ctrl_c_is_the_signal_that_it_was(agent: RunningAgent, which: str) -> None:
    with xonsh(agent, which=which) as shell:
        run(shell, "nosuchcommand")
        for line in ("sh -c 'echo began; sleep 60'", "import time; print('began'); time.sleep(60)"):
            cleared(shell)
            shell.type(line).press("Enter").wait_for("\nbegan")
            interrupted(shell)
            asked(agent, shell)
            assert f"{line} · exit status 130, SIGINT" in shell.screen()


def test_an_empty_enter_a_comment_and_a_question_do_not_lose_the_failure(agent: RunningAgent) -> None:
    with xonsh(agent) as shell:
        run(shell, "ls /no/such/a")
        for line in ("", "# a note", "?why", "terma last"):
            run(shell, line)
        fresh(shell.type("half a li"))
        asked(agent, shell)
        assert "ls /no/such/a · exit status 2" in shell.screen()


@both
def test_the_fix_stands_at_the_next_prompt_the_key_steps_on_and_one_undo_clears_it(
    agent: RunningAgent, which: str
) -> None:
    agent.will_explain("So.\n", fixes=("git status", "rm -r build"))
    with xonsh(agent, which=which) as shell:
        run(shell, "gti status")
        shell.type("?why").press("Enter").wait_for("ready> git status").wait_for("fix 1/2")
        shell.press("C-t").wait_for("ready> rm -r build").wait_for(
            "⚠ high: deletes files, recursively · fix 2/2"
        )
        shell.press("C-t").wait_for("ready> git status")
        shell.press("C-_")
        assert shell.line().text == ""
        assert shell.ran == ["gti status", shell.ran[1]]
        shell.press("C-t").wait_for("ready> git status")
        run(fresh(shell), "true")
        shell.press("C-t").wait_for("type what you want")


def test_a_fix_that_xonsh_cannot_read_is_not_offered(agent: RunningAgent) -> None:
    agent.will_explain("So.\n", fixes=("ls @(", "echo fine"))
    with xonsh(agent) as shell:
        run(shell, "gti status")
        shell.type("?why").press("Enter").wait_for("ready> echo fine")
        assert shell.line().text == "echo fine"


def test_what_was_typed_ahead_comes_before_the_fix_and_no_enter_runs_it(agent: RunningAgent) -> None:
    agent.will_do_why({"wait": 1.0}, {"delta": "So.\n"}, fixes=("echo fixed",))
    with xonsh(agent) as shell:
        run(shell, "gti status")
        shell.type("?why").press("Enter").wait_for("gti status · exit").press("Enter").type(
            "echo mine"
        ).press("Enter")
        shell.wait_for("\nmine")
        assert "\nfixed" not in shell.screen()
        assert "echo fixed" not in shell.ran


def test_on_an_empty_prompt_behind_a_failure_the_key_brings_the_fix(agent: RunningAgent) -> None:
    agent.will_explain("So.\n", fixes=("git status",))
    with xonsh(agent) as shell:
        run(shell, "gti status")
        shell.press("C-t").wait_for("ready> git status")
        shell.press("C-_")
        assert shell.line().text == ""


@both
def test_ctrl_c_stops_an_answer_with_130_and_an_error_is_one_line_with_1(
    agent: RunningAgent, which: str
) -> None:
    agent.will_do_why({"delta": "So it is so\n"}, {"hang": True}, match="hang")
    agent.will_do_why({"error": ["provider", "no luck today", "try tomorrow"]}, match="error")
    status = "$PROMPT = '{last_return_code_if_nonzero:{}}ready> '\n"
    with xonsh(agent, after=status, which=which) as shell:
        run(shell, "ls /no/such/a")
        before = prompts(shell)
        shell.type("?why hang").press("Enter").wait_for("So it").press("C-c").wait_for("130ready>")
        wait_until(lambda: prompts(shell) > before, "the prompt after ^C")
        shell.type("?why error").press("Enter").wait_for("\nterma: no luck today; try tomorrow\n1ready>")


def test_its_colours_are_the_styles_and_none_without_colour(agent: RunningAgent) -> None:
    agent.will_explain("It is **bold** and `code`.\n")
    with xonsh(agent) as shell:
        run(shell, "ls /no/such/a")
        shell.type("?why").press("Enter").wait_for("bold and code")
        assert "\x1b[1mbold" in shell.screen(colours=True)
        run(shell, "$NO_COLOR = '1'")
        cleared(shell)
        shell.type("?why").press("Enter").wait_for("bold and code")
        assert "\x1b[1mbold" not in shell.screen(colours=True)


@both
def test_the_alias_streams_pipes_captures_and_falls_through(agent: RunningAgent, which: str) -> None:
    agent.will_explain("First line.\n\n", "Second line.\n" * 50)
    with xonsh(agent, size=(40, 100), which=which) as shell:
        run(shell, "ls /no/such/a")
        run(shell, "terma why | head -n 1").wait_for("ls /no/such/a · exit status 2\nready>")
        cleared(shell)
        run(shell, "x = $(terma 'why is that'); print(len(x.splitlines()) > 3, '\\x1b' in x)")
        shell.wait_for("\nTrue False")
        run(shell, "terma why | true")
        run(shell, "terma why > said.txt")
        assert "First line." in (agent.home / "said.txt").read_text()
        run(shell, "!(terma why).returncode == 0 and print('st' + 'atus 0')").wait_for("\nstatus 0")
        run(shell, "terma --version").wait_for("\nterma 0.")
        run(shell, "terma agent nonsense").wait_for("'nonsense'")


def test_the_words_of_a_question_are_the_persons_own(agent: RunningAgent) -> None:
    agent.will_explain("it is.\n", match="~ $HOME {x}")
    with xonsh(agent) as shell:
        run(shell, "ls /no/such/a")
        run(shell, "terma r'~ $HOME {x} * [a]' | head -n 2").wait_for("\nit is.")


PROGRAM = """#!/bin/sh
where=pipe
if [ -t 1 ]; then where=terminal; fi
echo "program: $* ($TERMA_LAST_COMMAND, $TERMA_LAST_STATUS) in a $where"
if ! [ -t 0 ]; then read -r line; echo "it was told: $line"; fi
"""


@both
def test_a_question_on_a_terminal_or_with_text_is_the_programs(agent: RunningAgent, which: str) -> None:
    agent.will_explain("answered here.\n")
    program = agent.home / "terma"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    with xonsh(agent, which=which, size=(40, 100), env={"TERMA_BIN": str(program)}) as shell:
        run(shell, "ls /no/such/a")
        failed = "(ls /no/such/a, 2)"
        run(shell, "terma 'why is that'").wait_for(f"\nprogram: why is that {failed} in a terminal\nready>")
        run(shell, "echo text | terma 'why is that'").wait_for("\nit was told: text\nready>")
        run(cleared(shell), "ls /no/such/a")
        run(shell, "terma ask why").wait_for(f"\nprogram: ask why {failed} in a terminal")
        run(shell, "terma risk ls").wait_for("\nprogram: risk ls (, ) in a terminal")
        answered = f"program: why why is that {failed} in a pipe" if which == OLDEST else "answered here."
        run(cleared(shell), "terma 'why is that' | head -n 2").wait_for(answered)
        run(cleared(shell), "true")
        run(shell, "terma 'how is it' | cat").wait_for("\nprogram: how is it (true, 0) in a pipe")


@both
def test_ctrl_c_on_the_alias_gives_130_at_once(agent: RunningAgent, which: str) -> None:
    agent.will_do_why({"delta": "So it is so\n"}, {"hang": True})
    status = "$PROMPT = '{last_return_code_if_nonzero:{}}ready> '\n"
    with xonsh(agent, after=status, which=which) as shell:
        run(shell, "ls /no/such/a")
        for line in ("terma why", "terma why is that", "terma why | cat"):
            cleared(shell)
            before = prompts(shell)
            shell.type(line).press("Enter").wait_for("So it").press("C-c")
            wait_until(lambda seen=before: prompts(shell) > seen, "the prompt after ^C")
            if "|" not in line:
                shell.wait_screen(lambda screen: screen.endswith("130ready>"), "130")
            assert "Traceback" not in shell.screen()


@both
def test_the_screen_is_seen_in_tmux(agent: RunningAgent, which: str) -> None:
    agent.will_explain("That is why.\n")
    with xonsh(agent, inside=True, which=which) as shell:
        run(shell, "sh -c 'echo from the program; exit 3'")
        asked_until_seen(shell, "scripted · tmux")
        assert "· exit status 3" in shell.screen()
        run(shell, "terma last").wait_for("\nfrom the program")


def test_tab_completes_its_commands(agent: RunningAgent) -> None:
    with xonsh(agent) as shell:
        shell.type("terma vers").press("Tab")
        shell.wait_for("terma version")
