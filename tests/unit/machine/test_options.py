"""What programs say of themselves is read right, asked for safely, and kept until they change."""

from __future__ import annotations

import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.machine import helps, manual
from terma.machine.notation import parse
from terma.machine.options import forget, options

LINUX = sys.platform.startswith("linux")
DOCKER = """
Usage:  frob run [OPTIONS] IMAGE [COMMAND] [ARG...]

Create and run a new container from an image

Options:
      --add-host list                  Add a custom host-to-IP mapping (host:ip)
  -d, --detach                         Run container in background
  -p, --publish list                   Publish a container's port(s) to the host
      --rm                             Automatically remove the container
"""
GNU = """Usage: frob [OPTION]... FILE
  or:  frob -T
  -n, --lines=[-]NUM       print the first NUM lines
  -c, --color[=WHEN]       colour the output
      --zero, --null       end lines with NUL, see --lines
  -i[SUFFIX], --in-place[=SUFFIX]
  -NUM                     same as --context=NUM
"""
CLAP = """Usage: frob [OPTIONS] <COMMAND>

Commands:
  build  Compile

Options:
  -j, --jobs <N>         Number of jobs
  -F, --features <A> <B> Features
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    forget()
    yield
    forget()


def test_help_in_the_style_of_docker() -> None:
    found = parse(DOCKER)
    assert {"--add-host", "--detach", "--publish", "--rm"} == found.long
    assert {"--add-host", "--publish", "-p"} == found.takes
    assert {"d", "p"} <= found.letters


def test_help_in_the_style_of_gnu() -> None:
    found = parse(GNU)
    assert {"--lines", "--color", "--zero", "--null", "--in-place", "--context"} == found.long
    assert {"-n", "--lines"} == found.takes
    assert {"-c", "--color", "-i", "--in-place"} <= found.joins
    assert not found.commands


def test_help_in_the_style_of_clap() -> None:
    found = parse(CLAP)
    assert found.commands
    assert {"-j", "--jobs", "-F", "--features"} == found.takes


def test_a_negated_option_is_two() -> None:
    assert parse("  --[no-]ff   fast-forward").long == {"--ff", "--no-ff"}


def test_a_sentence_that_begins_with_an_option_gives_it_no_value() -> None:
    assert parse("-l: show times\n-v is for more\n").takes == frozenset()


def test_the_pages_of_bsd_are_read() -> None:
    text = manual.plain('.It Fl a , Fl -all\n.It Fl -color Ns = Ns Ar when\n.Op Fl x Ar y\n.\\" --gone\n')
    found = parse(text)
    assert found.long == {"--all", "--color"}
    assert {"a", "x"} <= found.letters


@pytest.mark.parametrize(
    "roff",
    [
        r"\fB\-\-all\fR",
        r".B \-\-all",
        r".BR \-\-all \fR[=\fIx\fR]",
        r'.IP "\-\-all" 4',
        r"\f[B]--all\f[R]",
        r"\f(CW--all\fP",
        r".It Fl -all",
        r"\-\-all=\fIx\fR",
        r".BI \-\-all= x",
    ],
)
def test_an_option_is_seen_however_a_page_is_set(roff: str) -> None:
    assert "--all" in parse(manual.plain(roff)).long


@pytest.mark.parametrize(("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_pages_are_read_packed_or_not(ending: str, pack: object, tmp_path: Path) -> None:
    write(tmp_path / f"share/man/man1/frob.1{ending}", pack(b"\\-\\-all"))  # type: ignore[operator]
    assert manual.page("frob", tmp_path / "bin/frob") == "--all"


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b\x08broken", b"no gzip at all"])
def test_a_damaged_page_is_no_page(data: bytes, tmp_path: Path) -> None:
    write(tmp_path / "share/man/man1/frob.1.gz", data)
    assert manual.page("frob", tmp_path / "bin/frob") == ""


def page(root: Path, *names: str) -> Path:
    """A program with a manual page that has the options `names`."""
    write(root / "share/man/man1/frob.1", "\n".join(f".TP\n\\-\\-{name}" for name in names).encode())
    program = root / "bin/frob"
    write(program, b"#!/bin/sh\n")
    program.chmod(0o755)
    return program


def write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def long_of(program: Path) -> frozenset[str]:
    found = options("frob", str(program))
    return found.long if found else frozenset()


def test_what_was_read_is_kept_until_the_program_changes(tmp_path: Path) -> None:
    program = page(tmp_path, "alpha", "beta", "gamma", "delta")
    assert "--alpha" in long_of(program)
    page_file = tmp_path / "share/man/man1/frob.1"
    page_file.write_text(page_file.read_text().replace("alpha", "omega"))
    assert "--alpha" in long_of(program)
    forget()  # as a new agent would: it is on disk
    assert "--alpha" in long_of(program)
    os.utime(program, (1, 1))
    assert "--omega" in long_of(program)


def test_a_damaged_cache_is_written_anew(tmp_path: Path) -> None:
    program = page(tmp_path, "alpha", "beta", "gamma", "delta")
    assert long_of(program)
    kept = list((tmp_path / "cache").rglob("*.json"))
    assert len(kept) == 1
    kept[0].write_text('{"long": 3}')
    forget()
    assert "--alpha" in long_of(program)


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    write(tmp_path / "cache", b"a file where the directory should be")
    assert "--alpha" in long_of(page(tmp_path, "alpha", "beta", "gamma", "delta"))


def test_a_text_that_mentions_few_options_tells_nothing(tmp_path: Path) -> None:
    assert options("frob", str(page(tmp_path, "alpha", "beta"))) is None


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b", "", "x" * 100, "-h", "a\x00b", "\udcff"])
def test_a_strange_name_has_no_options(name: str) -> None:
    assert options(name, "/bin/ls") is None
    assert options("ls", "/bin/ls", (name,)) is None


def test_a_busybox_that_is_called_ls_is_not_held_to_what_ls_can(tmp_path: Path) -> None:
    program = page(tmp_path, "alpha", "beta", "gamma", "delta")
    program.rename(tmp_path / "bin/busybox")
    program.symlink_to("busybox")
    assert options("frob", str(program)) is None


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of the safe list in a folder of the system, as far as terma knows."""
    monkeypatch.setattr(helps, "SAFE", frozenset({"frob"}))
    monkeypatch.setattr(helps, "_SYSTEM", (str(tmp_path),))
    monkeypatch.setattr(helps, "_cell", lambda: ())
    program = tmp_path / "bin/frob"
    write(program, b"")
    program.chmod(0o755)
    return program


def test_help_is_asked_with_no_input_no_home_and_no_variables(
    trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    trusted.write_text('#!/bin/sh\nwc -c\npwd\necho "$HOME" "$SECRET_TOKEN" "$@"\n')
    assert helps.help_text("frob", trusted).split() == ["0", "/", "/nonexistent", "--help"]


def test_help_that_does_not_end_is_given_up_and_asked_again_another_time(
    trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helps, "TIMEOUT", 0.2)
    trusted.write_text("#!/bin/sh\nexec sleep 60\n")
    os.utime(trusted, (1, 1))
    size = trusted.stat().st_size
    assert options("frob", str(trusted)) is None
    monkeypatch.setattr(helps, "TIMEOUT", 60)
    trusted.write_text("#!/bin/sh\necho --a1\n".ljust(size))
    os.utime(trusted, (1, 1))  # to all appearances the same program
    found = options("frob", str(trusted))
    assert found is not None
    assert found.long == {"--a1"}


def test_subcommands_that_are_not_listed_are_not_asked(
    trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(helps.SUBCOMMANDS, "frob", ("-h", frozenset({"run"})))
    trusted.write_text('#!/bin/sh\necho "usage: frob $1 $2 --x"\n')
    assert "frob run -h" in helps.help_text("frob", trusted, ("run",))
    assert helps.help_text("frob", trusted, ("plugin",)) == ""
    assert helps.help_text("frob", trusted, ("run", "$(touch x)")) == ""


def test_the_help_of_the_whole_is_not_taken_for_that_of_a_subcommand(
    trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(helps.SUBCOMMANDS, "frob", ("--help", frozenset({"compose"})))
    trusted.write_text(
        "#!/bin/sh\necho 'usage: frob [OPTIONS] COMMAND'; echo; echo ' compose'; echo ' --all'\n"
    )
    assert helps.help_text("frob", trusted, ("compose",)) == ""


def test_a_cell_that_is_late_is_no_reason_to_do_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bwrap"
    write(slow, b"")
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr(helps.shutil, "which", lambda *_, **__: str(slow))
    monkeypatch.setattr(helps, "TIMEOUT", 0.05)
    helps._cell.cache_clear()
    try:
        with pytest.raises(TimeoutError):
            helps._ask(["/bin/echo", "asked without a cell"])
    finally:
        helps._cell.cache_clear()


def test_a_program_that_is_asked_for_help_can_write_nothing_and_reach_nobody(tmp_path: Path) -> None:
    if not helps._cell():
        pytest.skip("nothing here locks a program in cheaply")
    marker = Path.home() / ".terma-test-marker"
    write_it = f"echo x > {marker}; echo x > {tmp_path}/x; ls /sys/class/net 2>/dev/null; cat /proc/net/dev"
    done = subprocess.run([*helps._cell(), "sh", "-c", write_it], capture_output=True, text=True, check=False)
    assert not marker.exists()
    assert not (tmp_path / "x").exists()
    assert [line.partition(":")[0].strip() for line in done.stdout.splitlines() if ":" in line] == ["lo"]


@pytest.mark.skipif(not LINUX, reason="GNU's programs")
@pytest.mark.parametrize(
    ("program", "sub", "known"),
    [
        ("ls", (), {"--all", "--recursive", "--time-style"}),
        ("tar", (), {"--extract", "--strip-components"}),
        ("git", ("commit",), {"--amend", "--no-verify"}),
        ("git", ("push",), {"--force-with-lease", "--tags"}),
    ],
)
def test_programs_of_this_machine_are_known(program: str, sub: tuple[str, ...], known: set[str]) -> None:
    file = next(
        (path for folder in ("/usr/bin", "/bin") if (path := Path(folder, program)).exists()), Path("/none")
    )
    found = options(program, str(file), sub)
    assert found is not None
    assert known <= found.long
    assert found.sure
