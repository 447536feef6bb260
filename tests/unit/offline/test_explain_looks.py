"""The look that is offered where nothing mends a failure: made of the kind of thing that the output names."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.agent.hinting import is_shown
from terma.offline.explain import Explanation, Failure, explain
from terma.suggest.why import Answer, fix_lines
from terma.types import Fix, Risk, WhyQuery

PROGRAMS = (
    "ls df file head ss fuser getent ping curl ps pgrep findmnt unzip tar ar cat grep git sqlite3 openssl nc su"
    " apt-cache make apt-get gpg frob strace xargs jq npm zsh bash sed"
).split()
DOWN = "frob: connect to 127.0.0.1 port 1 failed: Connection refused"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    for name in PROGRAMS:
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("")
        program.chmod(0o755)
    for name, data in {
        "work/docs/guide.md": b"x", "work/full/a": b"x",
        "work/s.zip": b"PK\x03\x04" + bytes(60), "work/b.tar": bytes(512),
        "work/c.pem": b"-----BEGIN CERTIFICATE-----\n", "work/img.bin": b"\x00\x01\x02", "work/f.rej": b"@@\n",
        "work/job.lock": b"", "work/v.txt": b"3\n", "work/w.db": b"SQLite format 3\0" + bytes(84),
        "work/Makefile": b"all: parts\n",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return tmp_path


def asked(here: Path, command: str, output: str, status: int = 1) -> Explanation:
    return explain(Failure(command, status, output, str(here / "work"), path=str(here / "bin")))


LOOKS = [
    ("frob docs/manual.md", "frob: docs/manual.md: No such file or directory", "ls docs"),
    ("frob -C docs", "frob: error: loading 'build.frob': No such file or directory", "ls docs"),
    ("frob make full", "frob: full: File exists", "ls -ld full"),
    ("frob drop full", "frob: failed to remove 'full': Directory not empty", "ls -A full"),
    ("frob job.lock", "frob: job.lock is locked by another process", "fuser -v job.lock"),
    ("frob docs/x", "frob: error writing 'docs/x': No space left on device", "df -h docs"),
    ("zsh -c 'frob *.odd'", "zsh:1: no matches found: *.odd", "ls"),
    ("frob img.bin", "frob: img.bin: file format not recognized", "file img.bin"),
    ("frob img.bin", "frob: img.bin: unexpected end of file", "ls -l img.bin"),
    ("frob s.zip a.png", "frob: caution: filename not matched:  a.png", "unzip -l s.zip"),
    ("frob b.tar a.png", "frob: a.png: Not found in archive", "tar tf b.tar"),
    ("frob c.pem", "frob: c.pem: error 18: self-signed certificate", "openssl x509 -in c.pem -noout -text"),
    ("frob up", DOWN, "ss -ltn"),
    ("frob far.example", "frob: could not resolve far.example: Name or service not known", "getent hosts far.example"),
    ("frob far.example", "frob: connect to far.example: Connection timed out", "ping -c 3 far.example"),
    ("frob serve", "frob: Address already in use", "ss -ltnp"),
    ("frob http://h.example/x", "frob: the server returned error: 404", "curl -I http://h.example/x"),
    ("frob 4123456", "frob: (4123456) - No such process", "ps -p 4123456"),
    ("frob - builder", "frob: user builder does not exist", "getent passwd"),
    ("frob show eth7", 'Device "eth7" does not exist.', ""),  # ip is not here
    ("frob libqux-2", "Package libqux-2 was not found in the search path.", "apt-cache search libqux"),
    ("frob w.db", "Error: UNIQUE constraint failed: part.sku", "sqlite3 w.db 'select * from part'"),
    ("make all", "make: *** No rule to make target 'parts', needed by 'all'.  Stop.", "grep -n parts Makefile"),
    ("frob f", "1 out of 1 hunk FAILED -- saving rejects to file f.rej", "cat f.rej"),
    ("frob go", "frob: no such part\nSee 'frob parts' for those that there are.", "frob parts"),
    ('[ "$(<v.txt)" = 4 ]', "", "cat v.txt"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "look"), LOOKS)
def test_the_kind_of_the_thing_makes_the_look(command: str, output: str, look: str, here: Path) -> None:
    found = asked(here, command, output)
    assert [fix.command for fix in found.offered] == ([look] if look else [])
    assert all(fix.look for fix in found.looks) and not found.fixes


NONE = [
    ("frob a.py", 'File "a.py", line 3\nSyntaxError: invalid syntax', 1),  # the line itself is shown
    (
        "frob x",
        "frob: x: No such file or directory",
        1,
    ),  # a bare word of a program that is not known to open files
    ("xargs frobnize", "xargs: frobnize: No such file or directory", 127),
    ("frob docs/manual.md", "frob: docs/manual.md: No such file or directory", 130),  # it was stopped
    ("frob start", "frob: cannot read '/home/user/x/package.json'", 1),  # no account, for all of its path
]


@pytest.mark.parametrize(("command", "output", "status"), NONE)
def test_there_is_no_look_for_the_rest(command: str, output: str, status: int, here: Path) -> None:
    assert not asked(here, command, output, status).offered


def test_the_failed_part_of_a_pipe_that_ended_well_has_its_look(here: Path) -> None:
    out = "cat: docs/man.txt: No such file or directory"
    work, path = str(here / "work"), str(here / "bin")
    pipe = Failure("cat docs/man.txt | frob", 0, out, work, path=path, statuses=(1, 0))
    assert [fix.command for fix in explain(pipe).offered] == ["ls docs"]
    assert not explain(Failure("cat docs/man.txt | frob", 0, "", work, path=path, statuses=(0, 0))).offered


def test_no_look_is_taken_here_at_what_another_machine_says(here: Path) -> None:
    assert not asked(here, "ssh h cat docs/x.md", "cat: docs/x.md: No such file or directory").looks


def test_a_look_whose_program_is_missing_gives_way_to_the_next(here: Path) -> None:
    (here / "bin/file").unlink()
    found = asked(here, "frob img.bin", "frob: img.bin: file format not recognized")
    assert found.looks[0].command == "head -c 100 img.bin"


def test_a_look_is_called_one_and_never_hinted() -> None:
    look, low = Fix("ss -ltn", 1.0, look=True), Risk("low", ())
    shown = "".join(span.text for span in fix_lines(Answer(WhyQuery(command="frob"), fixes=[(look, low)])))
    assert "look ss -ltn" in shown and "fix" not in shown
    assert not is_shown(look, low) and is_shown(Fix("ss -ltn", 1.0), low)


def test_the_machine_says_that_nobody_listens(here: Path) -> None:
    found = asked(here, "frob http://127.0.0.1:1/x", "frob: could not find x")
    assert "Nothing listens on TCP port 1 of this machine." in found.text
    assert (
        "Nothing listens"
        not in asked(here, "frob --bind http://127.0.0.1:1/x", "frob: could not find x").text
    )


def test_where_there_is_no_sudo_root_works_by_su(here: Path) -> None:
    out = "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock), are you root?"
    found = asked(here, "apt-get install tree", out, 100)
    assert [fix.command for fix in found.fixes][:1] == ["su -c 'apt-get install tree'"]


def test_a_wrong_password_is_left_out_so_that_it_is_asked_for(here: Path) -> None:
    found = asked(here, "frob -in c.pem -passin pass:x -out o", "maybe wrong password")
    assert [fix.command for fix in found.fixes] == ["frob -in c.pem -out o"]


def test_a_word_of_the_file_is_respelt_by_the_programs_own(here: Path) -> None:
    (here / "bin/frob").write_bytes(b"\x7fELF\0status-bg\0status-fg\0style\0")
    (here / "work/t.conf").write_text("a\nset statuss-bg blue\n")
    found = asked(here, "frob t.conf", "invalid option: statuss-bg")
    assert [fix.command for fix in found.fixes] == ["sed -i 2s/statuss-bg/status-bg/ t.conf && frob t.conf"]


def test_what_ran_out_of_a_programs_text_is_put_back(here: Path) -> None:
    (here / "bin/jq").write_bytes(b"\x7fELF\0length\0")
    (here / "work/d.json").write_text("{}")
    out = "bash: length: command not found"
    found = explain(
        Failure(
            "jq .a[] d.json | length", 127, out, str(here / "work"), path=str(here / "bin"), statuses=(0, 127)
        )
    )
    assert [fix.command for fix in found.fixes] == ["jq '.a[] | length' d.json"]


def test_an_operator_is_changed_where_the_output_proposes_another(here: Path) -> None:
    (here / "work/r.txt").write_text("a==1\nb = 2\n")
    out = "ERROR: 'b = 2' (from line 2 of r.txt)\nHint: = is not a valid operator. Did you mean == ?"
    assert asked(here, "frob -r r.txt", out).fixes[0].command == "sed -i 2s/=/==/ r.txt && frob -r r.txt"


DATA = [
    ("frob conv.py", 'Traceback (most recent call last):\n  File "conv.py", line 2, in <module>\nValueError: bad x',
     "cat d.csv"),
    ("sha256sum -c sums", "d.csv: FAILED\nsha256sum: WARNING: 1 computed checksum did NOT match", "sha256sum d.csv"),
    ("frob up", "frob: already running (pid 4123456)", "ps -p 4123456"),
    ("frob up", "error: frob requires jq >= 1.7", "jq --version"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "look"), DATA)
def test_the_data_that_a_program_choked_on_is_shown(command: str, output: str, look: str, here: Path) -> None:
    for name, text in {
        "d.csv": "a,b\n1,x\n", "conv.py": 'read("d.csv")\nint(x)\n', "../bin/sha256sum": "", "sums": "0  d.csv\n",
    }.items():  # fmt: skip
        (here / "work" / name).write_text(text)
    (here / "bin/sha256sum").chmod(0o755)
    found = asked(here, command, output)
    assert [fix.command for fix in found.offered] == ([look] if look else [])


def test_no_cd_leads_away_from_the_script_that_was_to_run(here: Path) -> None:
    (here / "work/sum.pl").write_text("open(F, 'guide.md') or die")
    out = "cannot read guide.md: No such file or directory at sum.pl line 1."
    assert [fix.command for fix in asked(here, "frob sum.pl", out).offered] == ["ls"]
