"""The command in an answer of `terma "…"` stands on the next empty prompt at Ctrl+T, in zsh, bash and xonsh."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Home, wait_until
from tests.model_server import ModelServer, says
from tests.shells import in_bash, in_xonsh, in_zsh
from tests.shells.driver import Shell
from tests.shells.in_terma import TERMA, prepared
from tests.shells.test_zsh_neighbours import PICKER

ANSWER = "Two ways:\n\n```bash\necho first-way\n```\n\nor\n\n```\nrm -rf ./build-way\n```\n"
POSIX = pytest.mark.parametrize("start", [in_zsh.zsh, in_bash.bash], ids=["zsh", "bash"])


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def asking(home: Home, server: ModelServer) -> Home:
    return prepared(home, server)


def started(start: Callable[..., Shell], home: Home, **how: object) -> Shell:
    for name in (".zshrc", ".bashrc"):
        (home.home / name).unlink(missing_ok=True)  # the driver brings its own
    return start(home, env=home.env | {"TERMA_BIN": TERMA}, **how)


def asked(shell: Shell, line: str, until: str) -> None:
    shell.mark().type(line).press("Enter").wait_for(until)
    shell.line()


@POSIX
@pytest.mark.parametrize("before", ["true", "ls /no-such-thing"], ids=["fine", "failed"])
def test_the_code_of_the_answer_stands_on_the_empty_prompt(
    asking: Home, server: ModelServer, start: Callable[..., Shell], before: str
) -> None:
    server.will(says(ANSWER))
    with started(start, asking) as shell:
        shell.run(before)
        asked(shell, 'terma "how do i build?"', "build-way")
        shell.mark().press("C-t").wait_for("the answer's code · 1/2")
        assert shell.line().text == "echo first-way"
        shell.mark().press("C-t").wait_for("⚠ high: deletes files")
        assert shell.line().text == "rm -rf ./build-way"
        assert not any(one.startswith(("echo first", "rm -rf")) for one in shell.ran)


@POSIX
def test_what_ran_since_is_newer_than_the_answer(
    asking: Home, server: ModelServer, start: Callable[..., Shell]
) -> None:
    server.will(says(ANSWER))
    with started(start, asking) as shell:
        asked(shell, 'terma "how do i build?"', "build-way")
        shell.run("true")
        shell.mark().press("C-t").wait_for("type what you want")
        assert shell.line().text == ""


@POSIX
def test_an_answer_without_a_command_leaves_the_fix_of_what_failed(
    asking: Home, server: ModelServer, start: Callable[..., Shell]
) -> None:
    server.will(says("It is **not** there."), says("A slip.\n```\ngit --version\n```"))
    with started(start, asking) as shell:
        shell.run("gti --version")
        asked(shell, 'terma "is it there?"', "not there.")
        shell.mark().press("C-t").wait_for("git --version")
        (in_zsh if start is in_zsh.zsh else in_bash).wait_for_the_end(shell)  # a key before it would stop it
        assert shell.line().text == "git --version"


@POSIX
def test_the_code_of_an_explanation_is_newer_than_an_answers(
    asking: Home, server: ModelServer, start: Callable[..., Shell]
) -> None:
    server.will(says(ANSWER), says("Make it:\n```\nmkdir -p there/too\n```"))
    with started(start, asking) as shell:
        asked(shell, 'terma "how do i build?"', "build-way")
        shell.run("ls there/too")
        asked(shell, "?why", "mkdir -p")
        shell.mark().press("C-t").wait_for("the answer's code")
        assert shell.line().text == "mkdir -p there/too"


@POSIX
def test_a_question_that_a_pipe_fed_counts_too(
    asking: Home, server: ModelServer, start: Callable[..., Shell]
) -> None:
    server.will(says(ANSWER))
    with started(start, asking) as shell:
        asked(shell, 'echo data | terma "what is it?"', "build-way")
        shell.mark().press("C-t").wait_for("the answer's code · 1/2")
        assert shell.line().text == "echo first-way"


@POSIX
@pytest.mark.parametrize("before", ["TERMA_RETRIES=0 terma", TERMA, "command terma", "python -m terma"])
def test_behind_a_variable_its_folder_or_a_wrapper_it_is_asked_too(
    asking: Home, server: ModelServer, start: Callable[..., Shell], before: str
) -> None:
    server.will(says(ANSWER))
    asking.env["PATH"] = f"{Path(TERMA).parent}:{asking.env['PATH']}"
    with started(start, asking) as shell:
        asked(shell, f'{before} "how do i build?"', "build-way")
        shell.mark().press("C-t").wait_for("the answer's code · 1/2")
        assert shell.line().text == "echo first-way"


def test_without_a_command_the_keys_owner_has_it_at_the_first_press(
    asking: Home, server: ModelServer
) -> None:
    server.will(says("No command is needed."))
    with started(in_zsh.zsh, asking, before=f"{PICKER}bindkey '^T' pick") as shell:
        asked(shell, 'terma "is all well?"', "needed.")
        shell.mark().press("C-t").wait_for("PICKED")


def test_another_shell_does_not_get_it(asking: Home, server: ModelServer) -> None:
    server.will(says(ANSWER), says("Nothing."))
    with started(in_bash.bash, asking) as one, started(in_bash.bash, asking) as other:
        asked(one, 'terma "how do i build?"', "build-way")
        asked(other, 'terma "and here?"', "Nothing.")
        other.mark().press("C-t").wait_for("the last answer has no command")


@in_xonsh.needs_xonsh
@in_xonsh.both
def test_xonsh_has_it_too(asking: Home, server: ModelServer, which: str) -> None:
    server.will(says(ANSWER), says("Make it:\n```\nmkdir -p there/too\n```"))
    with in_xonsh.xonsh(asking, env={"TERMA_BIN": TERMA}, which=which) as shell:
        shell.type('terma "how do i build?"').press("Enter").wait_for("build-way")
        shell.line()
        shell.press("C-t").wait_for("the answer's code · 1/2")
        wait_until(lambda: shell.line().text == "echo first-way", "the code on the line")
        shell.press("C-u").line()
        time.sleep(0.3)  # Enter runs nothing for 0.2 seconds behind an answer
        shell.type("print('some' + 'thing')").press("Enter").wait_for("something")
        shell.press("C-t").wait_for("type what you want")
        shell.type("ls there/too").press("Enter").wait_for("cannot access")
        shell.type("?why").press("Enter").wait_for("Make it")
        shell.line()
        shell.press("C-t").wait_for("the answer's code")
        wait_until(lambda: shell.line().text == "mkdir -p there/too", "the code of the explanation")
