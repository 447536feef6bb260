"""A subcommand that a program has not is named; what a plug-in, an alias or an unread setting may add never is."""

from __future__ import annotations

import gzip
import stat
from pathlib import Path

import pytest

from terma.grounding import budget, check
from terma.machine import helps
from terma.machine.hidden import hides

COMMANDS = (
    "add am bisect branch checkout clone commit diff fetch init log merge pull push reset show status".split()
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of git and pip of our own, in `tmp_path`: nothing of the machine's counts."""
    (tmp_path / "bin").mkdir()
    core = tmp_path / "lib/git-core"
    core.mkdir(parents=True)
    for name in COMMANDS:
        (core / f"git-{name}").touch()
    commands = tmp_path / "lib/python3.12/site-packages/pip/_internal/commands"
    commands.mkdir(parents=True)
    for name in "install download uninstall freeze list show check config search cache".split():
        (commands / f"{name}.py").touch()
    for name in ("git", "pip"):
        program(tmp_path, name)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/.config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def program(place: Path, name: str) -> None:
    file = place / "bin" / name
    file.write_text("#!/bin/sh\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def said(place: Path, command: str) -> list[str]:
    return check(command, f"{place}/bin", str(place), "bash", seconds=10)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("git undo", "git has no subcommand undo"),
        ("git frobnicate --hard HEAD", "git has no subcommand frobnicate"),
        ("pip install-all", "pip has no subcommand install-all"),
    ],
)
def test_a_subcommand_that_is_not_there_is_named(place: Path, command: str, problem: str) -> None:
    assert said(place, command) == [problem]


@pytest.mark.parametrize("command", ["git status", "git", "pip install x", "git $WHAT", "git --version"])
def test_what_is_there_is_not(place: Path, command: str) -> None:
    assert said(place, command) == []


def test_a_program_beside_it_is_a_subcommand(place: Path) -> None:
    program(place, "git-undo")
    assert said(place, "git undo") == []


@pytest.mark.parametrize(
    "settings",
    ["[alias]\n  undo = reset\n", '[alias "undo"]\n command = reset\n', "[include]\n path = more\n"],
)
def test_an_alias_is_a_subcommand(place: Path, settings: str) -> None:
    (place / "home/.gitconfig").write_text(settings)
    assert said(place, "git undo") == []
    (place / "home/.gitconfig").write_text("[user]\n name = X\n")
    assert said(place, "git undo") == ["git has no subcommand undo"]


def test_an_installation_that_names_too_few_is_not_believed(place: Path) -> None:
    for file in (place / "lib/git-core").iterdir():
        file.unlink()
    assert said(place, "git undo") == []


PAGE = """.TH APT 8
.SH NAME
apt \\- packages
.SH DESCRIPTION
.TP
\\fBinstall\\fR, \\fBremove\\fR, \\fBfull-upgrade\\fR
""" + " ".join(f"word{chr(97 + first)}{chr(97 + second)}" for first in range(10) for second in range(12))


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("apt instal-all vim", ["apt has no subcommand instal-all"]),
        ("sudo apt frobnicate", ["apt has no subcommand frobnicate"]),
        ("apt install vim", []),
        ("apt full-upgrade", []),
        ("apt", []),
    ],
)
def test_what_no_page_has_as_a_word_is_no_subcommand(place: Path, command: str, problems: list[str]) -> None:
    program(place, "apt")
    program(place, "sudo")
    folder = place / "share/man/man8"
    folder.mkdir(parents=True)
    (folder / "apt.8").write_text(PAGE)
    assert said(place, command) == problems


def test_without_a_page_nobody_knows(place: Path) -> None:
    program(place, "apt")
    assert said(place, "apt instal-all vim") == []


def test_the_beginning_of_a_name_is_enough_where_the_program_takes_it(place: Path) -> None:
    program(place, "ip")
    folder = place / "share/man/man8"
    folder.mkdir(parents=True)
    (folder / "ip.8").write_text(PAGE.replace("install", "address"))
    assert said(place, "ip a") == said(place, "ip addr show") == []
    assert said(place, "ip adress") == ["ip has no subcommand adress"]


REMOTE = r"""
.SH SYNOPSIS
.nf
\fIgit remote\fR [-v | --verbose]
\fIgit remote add\fR [-t <branch>] <name> <URL>
\fIgit remote rename\fR <old> <new>
\fIgit remote remove\fR <name>
\fIgit remote\fR [-v | --verbose] \fIshow\fR <name>...
.fi
.SH COMMANDS
\fIremove\fR, \fIrm\fR
Remove the remote.
"""
BRANCH = r"""
.SH SYNOPSIS
.nf
\fIgit branch\fR (-d | -D) <branchname>...
\fIgit branch\fR [--list] [<pattern>...]
.fi
"""
REFLOG = r"""
.SH SYNOPSIS
.nf
\fIgit reflog\fR [show] [<ref>]
\fIgit reflog expire\fR [--all]
\fIgit reflog delete\fR <ref>
\fIgit reflog exists\fR <ref>
.fi
"""


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("git remote rename-url a b", ["git remote has no subcommand rename-url"]),
        ("git remote rm origin", []),
        ("git remote show origin", []),
        ("git remote -v", []),
        ("git remote $WHAT", []),
        ("git branch create", []),
        ("git reflog create", []),
    ],
)
def test_a_subcommand_within_another_is_held_against_its_page(
    place: Path, command: str, problems: list[str]
) -> None:
    folder = place / "share/man/man1"
    folder.mkdir(parents=True)
    for name, page in {"remote": REMOTE, "branch": BRANCH, "reflog": REFLOG}.items():
        (folder / f"git-{name}.1").write_text(page)
        (place / f"lib/git-core/git-{name}").touch()
    assert said(place, command) == problems


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("npm unistall x", ["npm has no subcommand unistall"]),
        ("npm install x", []),
        ("npm inst x", []),
        ("npm i x", []),
    ],
)
def test_npms_own_package_names_its_subcommands(place: Path, command: str, problems: list[str]) -> None:
    package = place / "lib/node_modules/npm"
    for folder in ("bin", "lib/commands", "lib/utils"):
        (package / folder).mkdir(parents=True)
    for name in "audit ci config exec help init install link ls run test update".split():
        (package / f"lib/commands/{name}.js").touch()
    (package / "lib/utils/cmd-list.js").write_text(
        "const aliases = { i: 'install', rum: 'run', remove: 'x' }\n"
    )
    (package / "bin/npm-cli.js").write_text("#!/bin/sh\n")
    (package / "bin/npm-cli.js").chmod(0o755)
    (place / "bin/npm").symlink_to(package / "bin/npm-cli.js")
    assert said(place, command) == problems


IP = r"""
.SH SYNOPSIS
.ti -8
.B ip
.RI "[ " OPTIONS " ] " OBJECT " { " COMMAND " | "
.BR help " }"
.ti -8
.IR OBJECT " := { "
.BR link " | " address " | " addrlabel " | " route " }"
"""
ROUTE = r"""
.SH SYNOPSIS
.ti -8
.B ip route
.RB "{ " show " | " flush " }"
.I SELECTOR
.ti -8
.BI "ip route save " SELECTOR
.ti -8
.B ip route
.RB "{ " add " | " del " }"
.I ROUTE
"""


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("ip route make default", ["ip route has no subcommand make"]),
        ("ip ro make default", ["ip ro has no subcommand make"]),
        ("ip route sh", []),
        ("ip r", []),
        ("ip -4 route add default via 10.0.0.1", []),
        ("ip addr make", []),  # it has no page here
    ],
)
def test_the_words_behind_an_object_of_ips_are_those_of_its_page(
    place: Path, command: str, problems: list[str]
) -> None:
    program(place, "ip")
    folder = place / "share/man/man8"
    folder.mkdir(parents=True)
    (folder / "ip.8").write_text(IP + PAGE)
    (folder / "ip-route.8").write_text(ROUTE)
    assert said(place, command) == problems


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("aws ec2 list-instances", ["aws ec2 has no subcommand list-instances"]),
        ("aws ec2 describe-instances", []),
        ("aws ec2 wait instance-running", []),
        ("aws ec2 by-hand", []),
        ("aws s3 list", ["aws s3 has no subcommand list"]),
        ("aws s3 ls", []),
        ("aws s3api list-buckets", []),
        ("aws s3 list-buckets", ["aws s3 has no subcommand list-buckets"]),
        ("aws ec4 describe-instances", ["aws has no subcommand ec4"]),
        ("aws sts whoami", []),  # its model says nothing
        ("aws configure", []),
    ],
)
def test_what_aws_takes_stands_in_its_models_and_its_sources(
    place: Path, command: str, problems: list[str]
) -> None:
    program(place, "aws")
    packages = place / "lib/python3.12/site-packages"
    for service in "ec2 s3 sts a b c d e f g".split():
        (packages / f"botocore/data/{service}/2024-01-01").mkdir(parents=True)
    models = {"ec2": "DescribeInstances", "s3": "ListBuckets"}
    for service, name in models.items():
        model = f'{{"operations":{{"{name}":{{"name":"{name}", "http":{{}}}}}}}}'
        packed = gzip.compress(model.encode())
        (packages / f"botocore/data/{service}/2024-01-01/service-2.json.gz").write_bytes(packed)
    (packages / "awscli/customizations/s3").mkdir(parents=True)
    (packages / "awscli/customizations/configure.py").write_text("NAME = 'configure'\n")
    (packages / "awscli/customizations/ec2.py").write_text("commands['by-hand'] = ByHand()\n")
    (packages / "awscli/customizations/s3/s3.py").write_text(
        "def awscli_initialize(table):\n    utils.rename_command(table, 's3', 's3api')\n"
    )
    (packages / "awscli/customizations/s3/subcommands.py").write_text(
        "class ListCommand:\n    NAME = 'ls'\n    KIND = 'list'\n"
    )
    assert said(place, command) == problems


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("cargo compile", ["cargo has no subcommand compile"]),
        ("cargo build", []),
        ("cargo rm serde", []),
        ("cargo +nightly build", []),
        ("cargo mine", []),
        ("cargo mines", ["cargo has no subcommand mines"]),
        ("cargo plugged", []),
        ("cargo read-manifest", []),
        ("cargo write-manifest", ["cargo has no subcommand write-manifest"]),
    ],
)
def test_cargos_toolchains_name_its_subcommands(
    place: Path, monkeypatch: pytest.MonkeyPatch, command: str, problems: list[str]
) -> None:
    monkeypatch.setenv("RUSTUP_HOME", str(place / ".rustup"))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    program(place, "rustup")
    (place / "bin/cargo").symlink_to("rustup")
    program(place, "cargo-plugged")
    chain = place / ".rustup/toolchains/stable"
    (chain / "share/man/man1").mkdir(parents=True)
    (chain / "etc/bash_completion.d").mkdir(parents=True)
    (chain / "bin").mkdir()
    (chain / "bin/cargo").write_bytes(b"x" * 9_000_000 + b"buildread-manifestrun")
    for name in "add bench build check clean doc fetch fix init install new run test".split():
        (chain / f"share/man/man1/cargo-{name}.1").touch()
    (chain / "etc/bash_completion.d/cargo").write_text('\tlocal opt__rm="$opt__remove"\n')
    (place / ".cargo").mkdir()
    (place / ".cargo/config.toml").write_text('[alias]\nmine = "build --release"\n')
    assert said(place, command) == problems


HELP = """usage() {{ echo "Usage:  docker $1"; }}
case $* in
  "dial-stdio --help") usage dial-stdio ;;
  "old-name --help") usage "new-name [OPTIONS]" ;;
  *) usage COMMAND; {listed} ;;
esac
"""


@pytest.mark.parametrize(
    ("word", "hidden"), [("dial-stdio", True), ("old-name", True), ("stop-all", False), ("list", False)]
)
def test_a_subcommand_that_the_help_hides_has_a_help_of_its_own(
    place: Path, monkeypatch: pytest.MonkeyPatch, word: str, hidden: bool
) -> None:
    file = place / "bin/docker"
    names = "attach build exec kill logs ps rm run start stop".split()
    file.write_text("#!/bin/sh\n" + HELP.format(listed="; ".join(f"echo '  {name}  it'" for name in names)))
    file.chmod(0o755)
    monkeypatch.setattr(helps, "_SYSTEM", (str(place),))
    monkeypatch.setattr(helps, "_cell", tuple)
    monkeypatch.setattr(helps, "TIMEOUT", 20.0)
    monkeypatch.setattr(budget, "SECONDS", 20.0)
    monkeypatch.setattr(budget, "SLOW", 20.0)
    assert said(place, f"docker {word} x") == ([] if hidden else [f"docker has no subcommand {word}"])


def test_a_verb_that_a_program_compares_words_with_is_its_own(tmp_path: Path) -> None:
    file = tmp_path / "systemctl"
    file.write_bytes(b"\x7fELF is-active\0try-restart\0 deletes units\0")
    assert hides("systemctl", file, ("restart",))
    assert not hides("systemctl", file, ("delete",))
    assert not hides("git", file, ("try-restart",))


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("tmux close-all", ["tmux has no subcommand close-all"]),
        ("tmux kill-pane -t 1", []),
        ("tmux kill-p", []),  # the beginning of a name
        ("tmux old-name", []),  # on no page, and in the program
        ("tmux zoom", []),  # the person's own
    ],
)
def test_what_a_page_does_not_have_may_stand_in_the_program_or_be_the_persons_own(
    place: Path, command: str, problems: list[str]
) -> None:
    program(place, "tmux")
    with (place / "bin/tmux").open("ab") as file:
        file.write(b"kill-pane\0old-name\0")
    (place / "share/man/man1").mkdir(parents=True)
    (place / "share/man/man1/tmux.1").write_text(PAGE.replace("install", "kill-pane"))
    (place / "home/.tmux.conf").write_text("set -s command-alias[100] zoom='resize-pane -Z'\n")
    assert said(place, command) == problems


@pytest.mark.parametrize(
    ("command", "problems"),
    [
        ("git undo", ["git has no subcommand undo"]),
        ("git status and git undo", []),  # what stands behind it is not read
        ("xpip list", []),
        ("git -x undo if git else 1", []),
        ("undo = 1", []),
        ("undo = $(git undo)", []),
        ("import undo", []),
        ("$PATH.append('x')", []),
        ("[f for f in undo]", []),
    ],
)
def test_a_command_in_xonsh_is_read_and_a_line_of_python_is_none(
    place: Path, command: str, problems: list[str]
) -> None:
    assert check(command, f"{place}/bin", str(place), "xonsh", seconds=10) == problems
