"""What runs on another machine, in a container, or behind `--` is not judged by what is here."""

from __future__ import annotations

import pytest

from terma.pieces import Asked, explain

MISSING = "it is not on this machine"


def pieces(line: str, **rest: object) -> dict[str, str]:
    asked = Asked(line, "bash", "/usr/bin:/bin", "/", **rest)  # type: ignore[arg-type]
    return {piece.text: piece.says for piece in explain(asked).pieces}


@pytest.mark.parametrize("line", ["ssh web1 'pacman -Q'", "ssh web1 pacman -Q", "docker exec web pacman -Q"])
def test_a_program_of_another_machine_is_not_looked_for_on_this_one(line: str) -> None:
    assert MISSING in pieces("pacman -Q")["pacman"]
    assert MISSING not in pieces(line)["pacman"]


def test_this_shells_aliases_and_files_say_nothing_of_another_machine() -> None:
    assert "alias" not in pieces("ssh web1 'll /srv'", aliases={"ll": "ls -l"})["ll"]
    assert pieces("ssh web1 ./deploy.sh")["./deploy.sh"] == "a program there"
    assert pieces("ssh web1 'ls *.nothing'")["*.nothing"].endswith("a pattern for names")
    assert MISSING in pieces("ssh web1 'ls'; pacman -Q")["pacman"]  # and behind it this machine counts again


def test_a_value_that_closes_a_row_of_letters_is_the_options_own() -> None:
    found = pieces("ssh -NfL 5433:localhost:5432 db1")
    assert found["db1"] == "the machine db1"
    assert "5433" in found["-L 5433:localhost:5432"]


def test_an_option_behind_the_options_end_is_handed_on() -> None:
    assert pieces("cargo test -- --nocapture")["--nocapture"] == "handed to what it runs"
    assert pieces("rm -- -f")["-f"] != "handed to what it runs"


def test_a_program_that_is_the_risk_itself_carries_it() -> None:
    asked = explain(Asked("mkfs.ext4 -L data /dev/sdb1", "bash", "/usr/bin:/bin", "/"))
    assert [piece.text for piece in asked.pieces if piece.risk] == ["mkfs.ext4"]
    asked = explain(Asked("sudo rm -r /srv/x", "bash", "/usr/bin:/bin", "/"))
    assert "sudo" not in [piece.text for piece in asked.pieces if piece.risk]


def test_curl_goes_on_where_the_file_ends() -> None:
    assert pieces("curl -C - -O http://a/x")["-C -"] == "go on where the file that is here ends"


def test_what_the_line_defines_is_what_runs_by_that_name() -> None:
    assert pieces(":(){ :|:& };:")[":"] == "the command that this line defines"
    found = pieces("du() { command du -sh -- *; }; du")
    assert found["du"] == "the command that this line defines"
    assert "-s" in found  # behind `command` it is the program
    assert found["-s"] == pieces("du -sh")["-s"]
    assert pieces("ls() { pwd; }; ssh web1 ls")["ls"] == pieces("ls")["ls"]


@pytest.mark.parametrize(
    "line", ["sudo ll", "command ll", "xargs ll", "bash -c 'll -a'", "find . -exec ll {} +"]
)
def test_another_program_knows_no_alias_of_this_shell(line: str) -> None:
    """Nor one of its functions."""
    assert pieces("ll", aliases={"ll": "ls -l"})["ll"] == "your alias for ls -l"
    for own in ({"aliases": {"ll": "ls -l"}}, {"functions": frozenset({"ll"})}):
        assert pieces(line, **own)["ll"] == "no such program here"


@pytest.mark.parametrize("line", ["eval 'll -a'", "sudo ll"])
def test_what_the_shell_itself_looks_up_may_be_an_alias(line: str) -> None:
    assert pieces(line, aliases={"ll": "ls -l", "sudo": "sudo "})["ll"] == "your alias for ls -l"
