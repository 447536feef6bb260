"""No string by which a real shell deletes is called low, and none that runs another program is allowed by a list: a
bounded, seeded part of what `make fuzz` runs as long as one likes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pexpect
import pytest

from tests.fuzz.property import Claimed, Count, claimed, escapes
from tests.fuzz.witnesses import SHELLS, Witness
from tests.shells.driver import WAIT, ended

COUNT = 600
HERE = [name for name, shell in SHELLS.items() if shutil.which(shell.command[0])]


@pytest.mark.parametrize("shell", HERE)
def test_what_is_called_low_or_allowed_runs_nothing_else(shell: str) -> None:
    counted = Count()
    assert list(escapes(shell, 7, COUNT, counted)) == []
    assert counted.low > COUNT // 100  # it is asked about something


@pytest.mark.parametrize("shell", HERE)
def test_a_witness_says_what_ran(shell: str) -> None:
    lines = ["ls", "shred -u F", "touch F", "shred", "ls 'a' \\;"]
    with Witness(SHELLS[shell]) as witness:
        assert [*map(set, witness.ran(lines))] == [set(), {"shred"}, {"touch"}, {"shred"}, set()]


COMMENTED = "ls # ; shred -u F"
CONTINUED = "ls \\\n#;shred -u F"


CASES = [
    ("bash", COMMENTED, False),
    ("zsh", COMMENTED, False),
    ("zsh prompt", COMMENTED, True),
    ("sh", COMMENTED, False),
    ("bash", "ls \\ #;shred -u F", True),
    ("zsh", "ls x\\\n#;shred -u F", True),
    ("sh", "ls x\\\n#;shred -u F", True),
    ("zsh prompt", "=shred -u F", True),
    ("fish", r"ls 'a\' 'b; shred -u F #'", True),
    ("bash", r"ls 'a\' 'b; shred -u F #'", False),
]


@pytest.mark.parametrize(("shell", "text", "runs"), [case for case in CASES if case[0] in HERE])
def test_shells_differ_as_the_dialects_say(shell: str, text: str, runs: bool) -> None:
    with Witness(SHELLS[shell]) as witness:
        assert witness.ran([text]) == [frozenset({"shred"} if runs else ())]


# bash takes the `-` behind `>&` for a word of its own, and expands a file's name there twice.
DUPLICATED = [
    "ls >&-# ' \nshred -u F #'",
    "ls <&-# '\nshred -u F #'",
    "ls 2>& -# '\nshred -u F #'",
    "ls >&2'$(shred -u F)'",
    'ls >&"a\\$(shred -u F)"',
    "ls >&a\\$\\(shred\\)",
    "ls >&$'\\x24(shred -u F)'",
]


def test_what_bash_runs_behind_a_duplicated_descriptor_is_not_low() -> None:
    with Witness(SHELLS["bash"]) as witness:
        assert witness.ran(DUPLICATED) == [frozenset({"shred"})] * len(DUPLICATED)
    said = [claimed("bash", text) for text in DUPLICATED]
    assert [one for one in said if one.low or one.allowed] == []
    plain = ("ls 2>&1 >&- <&3-", "ls >& log.txt", 'ls >&"my log"', "ls 2>& 1")
    assert all(claimed("bash", text).low for text in plain)


# zsh looks at the character before a quote, and takes the second of `$$` for that of `$'`.
BEHIND_THE_PID = ["ls $$'\\''\nshred -u F\n'", "ls x$x$$'\\''\nshred -u F\n'", "ls $$$$'\\''\nshred -u F\n'"]


def test_what_zsh_runs_behind_a_quote_that_it_ends_early_is_not_low() -> None:
    with Witness(SHELLS["zsh prompt"]) as witness:
        assert witness.ran(BEHIND_THE_PID) == [frozenset({"shred"})] * len(BEHIND_THE_PID)
    said = [claimed(shell, text) for shell in ("zsh", "zsh prompt") for text in BEHIND_THE_PID]
    assert [one for one in said if one.low or one.allowed] == []
    assert claimed("zsh prompt", "ls $$ '\\'").low


# Empty quotes are gone before zsh looks for the `=` of a program's path, and so is the end of a line that goes on.
AS_A_PATH = ["''=shred -u F", '""=shred -u F', "$''=shred -u F", "\\\n=shred -u F", "''=\\\nshred -u F"]


def test_what_zsh_takes_for_a_programs_path_behind_nothing_is_not_low() -> None:
    with Witness(SHELLS["zsh"]) as witness:
        assert witness.ran(AS_A_PATH) == [frozenset({"shred"})] * len(AS_A_PATH)
    said = [claimed(shell, text) for shell in ("zsh", "zsh prompt") for text in AS_A_PATH]
    assert [one for one in said if one.low or one.allowed] == []
    assert claimed("zsh", "ls --color=auto a=b ''").low


def test_a_claim_is_broken_by_what_ran() -> None:
    assert Claimed("x", low=True, allowed=False).broken(frozenset({"shred"}))
    assert not Claimed("x", low=True, allowed=False).broken(frozenset({"touch"}))
    assert Claimed("x", low=False, allowed=True).broken(frozenset({"touch"}))


def test_a_zsh_that_reads_a_pipe_reads_lines_as_one_at_a_terminal_does(tmp_path: Path) -> None:
    lines = [COMMENTED, CONTINUED, "=shred -u F", "echo '#'#;shred -u F", "ls a#;shred -u F"]
    log = tmp_path / "log"
    with Witness(SHELLS["zsh prompt"]) as witness:
        piped = [bool(ran) for ran in witness.ran(lines)]
    typed = []
    shell = pexpect.spawn(
        shutil.which("zsh") or "",
        ["-f", "-i"],
        env={"PATH": str(tmp_path), "TERM": "dumb"},
        timeout=WAIT,
        echo=False,
    )
    shell.sendline(f"PROMPT=; shred() {{ echo ran >> {log} }}; ls() {{ : }}")
    (tmp_path / "shred").write_text(f"#!/bin/sh\necho ran >> {log}\n")
    (tmp_path / "shred").chmod(0o755)
    for number, line in enumerate(lines):
        log.write_text("")
        shell.sendline(line)
        shell.sendline(f"echo d''one{number}")
        shell.expect(f"done{number}")
        typed.append(bool(log.read_text()))
    ended(shell)
    assert typed == piped
