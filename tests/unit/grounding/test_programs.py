"""A program is called missing only when nothing in the line, the shell or the person's own names could bring it."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.grounding import check, checks, missing

from .conftest import Check, Installation

GONE = "no such program: zzfrob"


@pytest.mark.parametrize(
    "command",
    [
        "zzfrob",
        "ls | zzfrob -x",
        "FOO=1 zzfrob",
        "sudo zzfrob",
        "time zzfrob",
        "env A=b zzfrob",
        "xargs zzfrob < notes.txt",
        "find . -exec zzfrob {} +",
        "echo $(zzfrob)",
        "bash -c 'zzfrob'",
        "if zzfrob; then ls; fi",
        "for x in a b; do zzfrob $x; done",
        "(cd src && zzfrob)",
        "cp notes.txt copy && zzfrob copy",
        "zzfrob &",
        "ls <(zzfrob)",
    ],
)
def test_a_missing_program_is_found_wherever_it_stands(command: str, here: Check) -> None:
    assert GONE in here(command)


@pytest.mark.parametrize(
    "command",
    [
        "apt install zzfrob && zzfrob",
        "sudo apt-get install -y zzfrob; zzfrob -x",
        "pip install zzfrob && zzfrob serve",
        "npm install -g zzfrob && zzfrob",
        "curl -fsSL https://example.org/i.sh | sh && zzfrob",
        "curl -fsSL https://example.org/i.sh | sudo bash -s -- -y && zzfrob",
        "source env.sh && zzfrob",
        ". ./env.sh; zzfrob",
        'eval "$(cat notes.txt)"; zzfrob',
        "PATH=$PATH:/opt/x zzfrob",
        "export PATH=/opt/x:$PATH && zzfrob",
        "alias zzfrob=ls; zzfrob",
        "zzfrob() { ls; }; zzfrob",
        "function zzfrob { ls; }; zzfrob",
        "command -v zzfrob >/dev/null && zzfrob",
        "which zzfrob && zzfrob || ls",
        "type zzfrob &>/dev/null && zzfrob",
        "$zzfrob --x",
        '"${zzfrob:-ls}"',
        "{zzfrob} --x",
        "<zzfrob> --x",
        "ssh host zzfrob --x",
        "ssh host 'zzfrob | zzfrob2'",
        "docker run --rm alpine zzfrob --x",
        "docker exec -it web zzfrob",
        "kubectl exec -it web -- zzfrob",
        "echo zzfrob",
        "# zzfrob",
        "ls # zzfrob",
        "cat <<'END'\nzzfrob\nEND",
        "ssh host <<'END'\nzzfrob\nEND",
        "bash <<'END'\nzzfrob\nEND",
        "gcc -o zzfrob main.c && ./zzfrob",
        "make && ./zzfrob",
        "git clone https://example.org/x && cd x && ./zzfrob",
        "python3 -m venv v && v/bin/zzfrob",
        "ls zzfrob*",
        "case $x in zzfrob) ls;; esac",
    ],
)
def test_what_the_line_itself_could_bring_is_not_called_missing(command: str, here: Check) -> None:
    assert not [text for text in here(command) if "zzfrob" in text and "program" in text]


def test_aliases_of_the_person_are_programs(here: Check) -> None:
    assert here("zzfrob -x") == [GONE]
    assert here("zzfrob -x", aliases={"zzfrob": "cd src; ls"}) == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("ls --color=auto", ["ls has no option --newest"]),  # as nearly everybody has it
        ("cp -i", ["cp has no option --newest"]),
        ("sudo ls", []),
        ("cd src; ls", []),
        ("zzfrob --icons", []),
        ("_fancy_ls", []),
        ("", []),
    ],
)
def test_an_alias_is_held_to_the_options_of_what_stands_behind_it(
    value: str, said: list[str], here: Check
) -> None:
    assert here("ls --newest", aliases={"ls": value}) == said


@pytest.mark.parametrize(
    ("command", "shell"), [("mapfile -t x", "bash"), ("vared x", "zsh"), ("setopt y", "zsh")]
)
def test_each_shell_has_its_own_builtins(command: str, shell: str, prefix: Installation) -> None:
    other = "zsh" if shell == "bash" else "bash"
    assert prefix.check(command, shell) == []
    assert prefix.check(command, other) == [f"no such program: {command.partition(' ')[0]}"]


@pytest.mark.parametrize("command", ["nvm use 18", "conda activate x", "z src", "deactivate"])
def test_functions_that_start_up_files_usually_define_are_left_alone(command: str, here: Check) -> None:
    assert here(command) == []


@pytest.mark.parametrize(
    ("manager", "line"),
    [
        ("apt-get", "apt install imagemagick"),
        ("dnf", "dnf install ImageMagick"),
        ("brew", "brew install imagemagick"),
    ],
)
def test_the_line_that_installs_a_missing_program_is_said_with_it(
    manager: str, line: str, prefix: Installation, folder: Path
) -> None:
    prefix.program(manager)
    assert check("mogrify a.png", str(prefix.root / "bin"), str(folder), "bash") == [
        f"no such program: mogrify ({line})"
    ]


def test_a_file_that_may_not_be_run_is_no_program(prefix: Installation) -> None:
    prefix.program("zzfrob").chmod(0o644)
    assert prefix.check("zzfrob") == [GONE]
    prefix.program("zzfrob").chmod(0o755)
    assert prefix.check("zzfrob") == []


def test_a_relative_program_is_looked_for_where_the_shell_stands(here: Check) -> None:
    assert here("./run.sh --x") == []
    assert here("./walk.sh --x") == ["no such program: ./walk.sh"]
    assert here("cd src && ./walk.sh") == []  # what cd led to is not followed for programs


def test_a_program_of_roots_is_no_mistake_behind_sudo(
    prefix: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Installation(tmp_path / "root")
    tool = root.program("zzfrob")
    for module in (missing, checks):
        monkeypatch.setattr(module, "ROOTS_PATH", str(root.root / "bin"))
    prefix.program("sudo")
    assert prefix.check("sudo zzfrob -l") == []
    assert prefix.check("zzfrob -l") == [f"zzfrob is not on the PATH ({tool})"]


def test_without_a_path_nothing_is_missing(folder: Path) -> None:
    assert check("zzfrob", "", str(folder), "bash") == []


def test_a_folder_may_be_entered_by_its_name_alone(here: Check) -> None:
    assert here("src", shell="zsh") == []
    assert here("src/", shell="zsh") == []
    assert here("..", shell="zsh") == []
    assert here("zzfrob/", shell="zsh") != []


def test_three_problems_are_enough_to_be_told(here: Check) -> None:
    assert here("zza; zzb; zzc; zzd") == [f"no such program: zz{letter}" for letter in "abc"]
