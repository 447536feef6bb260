"""The explainer recognises what a failure is, names its facts, and proposes a line that can be run."""

# ruff: noqa: E501  (what programs print is as long as it is)
from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain
from terma.offline.explain.explainer import MAX_LINE, MAX_OUTPUT, clean, rules

HERE = (
    "sudo git docker which cat tee wc ls cd make gcc ssh chmod node curl head cp pip3 python3 npm tar grep sed awk jq find"
    " ssh-keygen systemctl apt apt-get sh bash zsh mkdir mv rm touch dd psql sqlite3 kubectl terraform java go cargo"
).split()
_machine = tempfile.TemporaryDirectory(
    prefix="terma-programs-"
)  # what is on the PATH, whatever this machine has
for _name in HERE:
    (Path(_machine.name) / _name).touch(mode=0o755)


def why(command: str, output: str = "", status: int = 1, cwd: Path | str = "/nonexistent") -> Explanation:
    return explain(Failure(command, status, output, str(cwd), "bash", _machine.name))


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


def test_there_are_at_least_150_rules_and_each_has_a_name_of_its_own() -> None:
    names = [rule.name for rule in rules()]
    assert len(names) >= 150
    assert len(set(names)) == len(names)


def test_every_pattern_is_a_regular_expression_and_every_sign_is_in_small_letters() -> None:
    for rule in rules():
        re.compile(rule.pattern)
        signs = (rule.sign,) if isinstance(rule.sign, str) else rule.sign
        assert all(sign == sign.lower() for sign in signs), rule.name


def test_a_template_asks_for_no_fact_that_its_pattern_lacks() -> None:
    for rule in rules():
        groups = {*re.compile(rule.pattern).groupindex, "command", "program", "status"}
        templates = [
            rule.text if isinstance(rule.text, str) else "",
            *(rule.fixes if isinstance(rule.fixes, tuple) else ()),
        ]
        for template in templates:
            wanted = set(re.findall(r"(?<!\{)\{(\w+)\}(?!\})", template))
            assert wanted <= groups, rule.name


@pytest.mark.parametrize(
    ("command", "output", "status", "fix", "words"),
    [
        ("git brnach -a", "git: 'brnach' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tbranch\n", 1, "git branch -a", "brnach"),
        ("docker imagse", "docker: 'imagse' is not a docker command.\nSee 'docker --help'", 1, "docker images", "imagse"),
        ("whcih ls", "bash: whcih: command not found", 127, "which ls", "not found"),
        ("cd..", "bash: cd..: command not found", 127, "cd ..", "space"),
        ("pip install x", "bash: pip: command not found", 127, "pip3 install x", "pip3"),
        ("make lint && echo \"a b\"", "make: *** [Makefile:3: lint] Error 2", 2, "", "lint"),
        ("cat /root/x | wc -l", "cat: /root/x: Permission denied", 1, "sudo cat /root/x | wc -l", "root"),
        ("echo 1 > /proc/sys/vm/swappiness", "bash: /proc/sys/vm/swappiness: Permission denied", 1, "echo 1 | sudo tee /proc/sys/vm/swappiness", "tee"),
        ("gcc t.c", "/usr/bin/ld: t.o: in function `main':\nt.c:(.text+0x1): undefined reference to `cos'", 1, "gcc t.c -lm", "cos"),
        ("while true do ls; done", "bash: syntax error near unexpected token `done'", 2, "while true; do ls; done", "done"),
        ("ssh box", "Permissions 0644 for '/home/u/.ssh/id' are too open.\nPermission denied (publickey).", 255, "chmod 600 /home/u/.ssh/id && ssh box", "600"),
        ("node server.js", "Error: listen EADDRINUSE: address already in use :::3000", 1, "", "3000"),
        ("curl https://exmaple.invalid", "curl: (6) Could not resolve host: exmaple.invalid", 6, "", "exmaple.invalid"),
        ("./train", "", 137, "", "memory"),
        ("./crash", "Segmentation fault (core dumped)", 139, "", "segmentation fault"),
        ("yes | head -1", "", 141, "", "SIGPIPE"),
        ("cp big /mnt", "cp: error writing '/mnt/big': No space left on device", 1, "", "full"),
        ("python3 -c 'import sklearn'", "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module named 'sklearn'", 1, "python3 -m pip install scikit-learn", "sklearn"),
    ],
)  # fmt: skip
def test_a_failure_gets_its_fix_and_its_facts(
    command: str, output: str, status: int, fix: str, words: str
) -> None:
    found = why(command, output, status)
    assert first(found) == fix
    assert words.lower() in found.text.lower()


def test_a_misspelt_file_is_found_in_its_folder_and_quoted(tmp_path: Path) -> None:
    (tmp_path / "sub dir").mkdir()
    (tmp_path / "sub dir" / "report.txt").write_text("x")
    found = why(
        "cat 'sub dir/reprot.txt' | wc", "cat: 'sub dir/reprot.txt': No such file or directory", 1, tmp_path
    )
    assert first(found) == "cat 'sub dir/report.txt' | wc"


def test_a_file_that_resembles_nothing_gets_no_fix(tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("x")
    found = why("rm invoice.pdf", "rm: cannot remove 'invoice.pdf': No such file or directory", 1, tmp_path)
    assert found.fixes == ()
    assert "invoice.pdf" in found.text


@pytest.mark.parametrize(("there", "wanted"), [("part1.txt", "part2.txt"), ("a.txt", "b.txt")])
def test_another_of_a_series_is_no_misspelling(tmp_path: Path, there: str, wanted: str) -> None:
    (tmp_path / there).write_text("x")
    assert why(f"cat {wanted}", f"cat: {wanted}: No such file or directory", 1, tmp_path).fixes == ()


def test_a_branch_is_read_from_the_repository_without_running_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path)], check=True)
    (tmp_path / ".git" / "packed-refs").write_text("a" * 40 + " refs/heads/payments\n")
    monkeypatch.setattr(subprocess, "Popen", None)
    found = why("git switch paymnets", "fatal: invalid reference: paymnets", 128, tmp_path)
    assert first(found) == "git switch payments"


def test_what_no_rule_knows_is_said_with_the_telling_lines() -> None:
    found = why("frobnicate", "starting\nfrobnicator error 77: quux misaligned\nbye\n", 3)
    assert found.rule == "unknown"
    assert "frobnicator error 77" in found.text
    assert "bye" not in found.text


@pytest.mark.parametrize("evil", ["\x1b]0;owned\x07", "\x1b[2J", "\u202e", "\x00", "\x9b31m"])
def test_escapes_in_the_output_reach_neither_text_nor_fix(evil: str) -> None:
    found = why(
        f"git x{evil}y", f"git: 'x{evil}y' is not a git command.\n\nThe most similar command is\n\tx{evil}z\n"
    )
    for text in (found.text, *(fix.command for fix in found.fixes)):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)


def test_a_name_in_the_output_cannot_add_a_command_to_a_fix() -> None:
    found = why("scp a b", "Permissions 0644 for 'k; rm -rf ~' are too open.")
    assert first(found) == "chmod 600 'k; rm -rf ~' && scp a b"


@pytest.mark.parametrize("command", ["", " ", "'", '"$(', "a | | b", "\\", "sudo", "x" * 20000, "&&", "> f"])
@pytest.mark.parametrize(
    "output",
    [
        "",
        "{0} {name} %s",
        ": No such file or directory",
        "Traceback (most recent call last):\nError",
        "a" * 100000,
    ],
)
def test_no_input_makes_it_raise(command: str, output: str) -> None:
    assert why(command, output, -1).text


@pytest.mark.parametrize("unit", ["a", "x/", "'a", "a: ", "\n", " ", "> a\n", "a.b.c.", "a" * 300 + "\n"])
def test_output_made_to_hurt_is_cut_before_it_is_searched(unit: str) -> None:
    found = why("node a.js", unit * (200_000 // len(unit)) + "\npermission denied root file exists error: 4")
    assert found.text
    failure = clean(Failure("x", 1, unit * (200_000 // len(unit))))
    assert len(failure.output) <= MAX_OUTPUT + 100
    assert max(len(line) for line in failure.output.split("\n")) <= MAX_LINE + 3


def test_the_search_through_the_rules_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terma.offline.explain.explainer.BUDGET", -1.0)
    assert why("git psuh", "git: 'psuh' is not a git command.").rule == "unknown"


NOT_A_REPOSITORY = "fatal: not a git repository (or any of the parent directories): .git"


@pytest.mark.parametrize(
    "command", ["git push", "git pull", "git fetch origin", "git rebase main", "git stash pop"]
)
@pytest.mark.parametrize("output", [NOT_A_REPOSITORY, ""])
def test_a_new_repository_is_not_offered_for_what_needs_commits(
    command: str, output: str, tmp_path: Path
) -> None:
    assert not any("git init" in fix.command for fix in why(command, output, 128, tmp_path).fixes)


@pytest.mark.parametrize(("uid", "offers"), [(0, []), (1000, ["sudo docker ps"])])
def test_root_is_not_told_to_become_root_for_docker(
    monkeypatch: pytest.MonkeyPatch, uid: int, offers: list[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: uid)
    said = (
        "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock"
    )
    found = why("docker ps", said)
    assert [fix.command for fix in found.fixes] == offers
    assert ("sudo changes nothing" in found.text) is (uid == 0)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cd nosub/../nope", "in this folder"),
        ("cd there/../nope/deeper", "nor does its folder nope."),
        ("cat nosub/../nope", "nor does its folder nosub."),
        ("cat a/b/c/d", "nor does its folder a."),
    ],
)
def test_the_first_folder_that_is_missing_is_named(command: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    program, path = command.split()
    said = f"{program}: {path}: No such file or directory"
    assert told in why(command, said, 1, tmp_path).text
