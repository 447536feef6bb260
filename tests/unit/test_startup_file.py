"""terma's line goes into a person's start-up file and out of it again, and no other byte of it ever changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.commands import _startup_file as startup
from terma.commands.init import line_for

LINE = line_for(Path("/opt/terma.zsh"))
FILES = [
    b"",
    b"alias a=b\n\n\n",
    b"no end",
    b"a=1\r\nb=2\r\n",
    b"a=1\n\x0cb=2\nx='\xe2\x80\xa8\xc2\x85'\n\x1c\n\x00",
    b"# caf\xe9",
]


@pytest.mark.parametrize("before", FILES)
def test_every_byte_is_as_it_was(tmp_path: Path, before: bytes) -> None:
    file = tmp_path / "rc"
    file.write_bytes(before)
    startup.add(file, LINE)
    assert file.read_bytes().startswith(before)
    assert startup.marked(file) == [LINE]
    startup.add(file, LINE.replace("terma.zsh", "terma-2.zsh"))  # an upgrade
    assert len(startup.marked(file)) == 1
    startup.remove(file)
    assert file.read_bytes() == before


def test_a_file_that_was_made_for_it_goes_with_it_unless_more_was_written(tmp_path: Path) -> None:
    file = tmp_path / "rc"
    startup.add(file, LINE)
    startup.remove(file)
    assert not file.exists()
    startup.add(file, LINE)
    with file.open("ab") as more:
        more.write(b"mine\n")
    startup.remove(file)
    assert file.read_bytes() == b"mine\n"


def test_what_was_added_behind_it_is_not_glued_to_a_line_without_an_end(tmp_path: Path) -> None:
    file = tmp_path / "rc"
    file.write_bytes(b"no end")
    startup.add(file, LINE)
    with file.open("ab") as more:
        more.write(b"mine\n")
    startup.remove(file)
    assert file.read_bytes() == b"no end\nmine\n"


def test_a_link_stays_one_and_the_mode_as_it_was(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "rc"
    real.write_bytes(b"a=1\n")
    real.chmod(0o600)
    link.symlink_to(real)
    startup.add(link, LINE)
    startup.remove(link)
    assert link.is_symlink()
    assert (real.read_bytes(), real.stat().st_mode & 0o777) == (b"a=1\n", 0o600)
