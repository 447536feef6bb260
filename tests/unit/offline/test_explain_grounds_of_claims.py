"""What a rule claims is handed over as data and held against the command, the script and the lines that decide."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain
from terma.offline.explain.case import Case
from terma.offline.explain.claims import Claim, Kind, hold


def asked(command: str, output: str, cwd: Path, status: int = 1) -> Explanation:
    return explain(Failure(command, status, output, str(cwd), path=os.environ["PATH"]))


def said(found: Explanation) -> str:
    return found.text.partition("\n\n```")[0]


def shown(found: Explanation) -> str:
    return found.text.partition("\n\n```")[2]


def first_fix(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "claim", "holds"),
    [
        ("cat --colour x", Claim(Kind.TYPED, "--colour"), True),
        ("cat --colour x", Claim(Kind.TYPED, "--color"), False),
        ("cat -abc", Claim(Kind.TYPED, "-b"), True),
        ("cat x*", Claim(Kind.PATTERN), True),
        ("cat x", Claim(Kind.PATTERN), False),
        ("cat $x", Claim(Kind.VARIABLE), True),
        ("cat x", Claim(Kind.VARIABLE), False),
    ],
)
def test_a_claim_of_the_command_is_held_against_it(command: str, claim: Claim, holds: bool) -> None:
    case = Case(Failure(command, 1, "bash: x: it failed\n", path=os.environ["PATH"]))
    assert hold(case, [claim]) is holds


def test_a_claim_is_read_near_the_line_that_decides() -> None:
    rows = "note: timed out once\n" + "and so on\n" * 9 + "frob: error: it does not fit\n"
    case = Case(Failure("frob", 1, rows))
    assert not hold(case, [Claim(Kind.TOLD, at=(0,))])
    assert hold(case, [Claim(Kind.TOLD, at=(8,))])
    assert hold(case, [Claim(Kind.TOLD)])


def test_no_pattern_is_blamed_where_none_stands(tmp_path: Path) -> None:
    line = "bash: /usr/bin/cat: Argument list too long\n"
    assert "pattern" in said(asked("cat logs/*", line, tmp_path, 126))
    assert "pattern" not in said(asked("cat logs", line, tmp_path, 126))
    line = "bash: a/*.txt: ambiguous redirect\n"
    assert "variable" not in said(asked("cat < a/*.txt", line, tmp_path))


def test_a_file_that_was_named_is_no_other_machine(tmp_path: Path) -> None:
    (tmp_path / "cfg").write_text("Host a\n  Prt 22\n")
    line = "cfg: line 2: Bad configuration option: prt\ncfg: terminating, 1 bad configuration options\n"
    found = asked("ssh -F cfg a", line, tmp_path, 255)
    assert "terma cannot look" not in said(found) and "was said on" not in said(found)
    assert "cfg:2: Prt 22" in shown(found)


def test_the_line_that_was_read_is_shown(tmp_path: Path) -> None:
    rows = "bash: lenght: command not found\nError: writing output failed: Broken pipe\n"
    found = explain(Failure("jq . a | lenght", 127, rows, str(tmp_path), path=os.environ["PATH"]))
    assert "bash: lenght: command not found" in shown(found)


def test_the_line_of_a_file_that_holds_the_refused_word_is_shown(tmp_path: Path) -> None:
    (tmp_path / "t.conf").write_text("set -g mouse on\nset -g statuss-bg blue\n")
    found = asked("tmux source-file t.conf", "invalid option: statuss-bg\n", tmp_path)
    assert "t.conf:2: set -g statuss-bg blue" in shown(found)


@pytest.mark.parametrize(
    "line",
    ["fatal: bad config line 2 in file etc/app.cfg\n", "E: Malformed entry 2 in list file etc/app.cfg (x)\n"],
)
def test_a_line_that_is_told_before_its_file(line: str, tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/app.cfg").write_text("[a]\nfetch +x\n")
    assert "etc/app.cfg:2: fetch +x" in shown(asked("frob run", line, tmp_path, 128))


def test_a_device_is_no_disk_that_has_room_again(tmp_path: Path) -> None:
    line = "dd: error writing '/dev/full': No space left on device\n"
    found = said(asked("dd if=/dev/zero of=/dev/full count=1", line, tmp_path))
    assert "has room again" not in found and "/dev/full is a device" in found


def test_the_rights_that_a_folder_lacks(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir(mode=0o555)
    line = "sed: couldn't open temporary file etc/sedAbC: Permission denied\n"
    assert first_fix(asked("sed -i s/a/b/ etc/x", line, tmp_path, 4)).startswith("chmod u+w etc &&")
    (tmp_path / "shut").mkdir(mode=0o000)
    found = asked("find shut -type f", "find: ‘shut’: Permission denied\n", tmp_path)
    assert first_fix(found).startswith("chmod u+rx shut &&")


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("timeout 3 hours ./x", "timeout: failed to run command ‘hours’: No such file\n", "timeout 3h ./x"),
        ("split -l 1 big p.", "split: output file suffixes exhausted\n", "split -a 3 -l 1 big p."),
        ("split -a 3 -l 1 big p.", "split: output file suffixes exhausted\n", "split -a 4 -l 1 big p."),
        ("jq .rows.id d.json", 'jq: error (at d.json:1): Cannot index array with "id"\n', "jq '.rows[].id' d.json"),
        ("tmux attach -t dev", "no sessions\n", "tmux new -s dev"),
        ("xargs wc < l", "xargs: unmatched single quote; by default quotes are special\n", "xargs -d '\\n' wc < l"),
    ],
)  # fmt: skip
def test_a_plain_rewrite(command: str, output: str, fix: str, tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text('{"rows": [{"id": 1}, {"id": 2}]}')
    assert first_fix(asked(command, output, tmp_path)) == fix


def test_a_class_of_a_package_is_called_by_its_whole_name(tmp_path: Path) -> None:
    (tmp_path / "src/org/x").mkdir(parents=True)
    (tmp_path / "src/org/x/Run.java").write_text("package org.x;\npublic class Run {}\n")
    line = "Error: Could not find or load main class Run\n"
    assert first_fix(asked("java -cp out Run", line, tmp_path)) == "java -cp out org.x.Run"


def test_a_module_that_awaits_at_its_top_is_not_renamed_to_the_old_kind(tmp_path: Path) -> None:
    (tmp_path / "l.js").write_text("const fs = require('fs');\nconst a = await fs.x();\n")
    line = "ReferenceError: require is not defined in ES module scope, you can use import instead\n"
    assert not asked("node l.js", line, tmp_path).fixes


def test_what_a_script_leaves_open_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.sh").write_text("for f in a b; do\n  if true; then\n    echo $f\ndone\n")
    rows = "r.sh: line 4: syntax error near unexpected token `done'\nr.sh: line 4: `done'\n"
    assert "its fi is missing" in said(asked("bash r.sh", rows, tmp_path, 2))


def test_the_first_line_of_a_stack_of_errors_is_told(tmp_path: Path) -> None:
    rows = (
        "Could not read private key from k.pem\n"
        "802B7E49BE7F0000:error:1608010C:STORE routines:ossl_x:unsupported:../crypto/store/store_result.c:149:\n"
    )
    found = asked("openssl rsa -in k.pem", rows, tmp_path)
    assert "Could not read private key" in shown(found) and "store_result" not in said(found)


def test_of_a_pipe_the_program_that_was_not_found_is_named(tmp_path: Path) -> None:
    (tmp_path / "s.csv").touch()
    rows = "cat: zsh: command not found: sortt\ns.csv: write error: Broken pipe\n"
    failed = Failure(
        "cat s.csv | sortt | head -2", 0, rows, str(tmp_path), "zsh", os.environ["PATH"], statuses=(1, 127, 0)
    )
    found = explain(failed)
    assert said(found).startswith("sortt: command not found") and "$ sortt" in shown(found)


def test_what_a_script_misses_may_be_near(tmp_path: Path) -> None:
    (tmp_path / "setings.sh").touch()
    (tmp_path / "run.sh").write_text("#!/bin/bash\nsource settings.sh\n")
    line = "./run.sh: line 2: settings.sh: No such file or directory\n"
    assert "There is setings.sh" in said(asked("./run.sh", line, tmp_path))
    (tmp_path / "run.sh").write_text("#!/bin/bash\ncd /tmp\nsource settings.sh\n")
    assert "setings.sh" not in said(asked("./run.sh", line.replace("2", "3"), tmp_path))


def test_what_a_title_announces_stands_behind_it() -> None:
    rows = "git: 'statsu' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tstatus\n"
    assert "The most similar command is status" in shown(explain(Failure("git statsu", 1, rows)))


def test_what_failed_behind_a_cd_is_of_the_folder_that_it_led_to(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "notes.txt").touch()
    (tmp_path / "ntes.txt").touch()
    line = "cat: ntes.txt: No such file or directory\n"

    def fix(command: str, stands: Path) -> str:
        failed = Failure(command, 1, line, str(tmp_path), path=os.environ["PATH"], stands=str(stands))
        return first_fix(explain(failed))

    assert fix("cd sub && cat ntes.txt && echo ok", tmp_path / "sub") == "cat notes.txt && echo ok"
    assert not fix("(cd sub && cat ntes.txt)", tmp_path).startswith("cat")
    assert not fix("cd sub && cat ntes.txt", tmp_path).startswith("cat")


def test_where_a_sed_script_ends_is_read_from_what_its_file_holds(tmp_path: Path) -> None:
    (tmp_path / "app.conf").write_text("name=x\npath=/usr/lib\n")
    line = "sed: -e expression #1, char 17: unknown option to `s'\n"
    found = asked("sed -i s/path=.*/path=/opt/lib/ app.conf", line, tmp_path)
    assert first_fix(found) == "sed -i 's|path=.*|path=/opt/lib|' app.conf"
