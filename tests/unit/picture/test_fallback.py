"""What the screen's font has no glyph for is drawn with another of this machine, or is a box and said to be one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import ImageFont

from terma.picture import fallback, font
from terma.picture.cells import Cell, Grid
from terma.picture.font import Font
from terma.picture.painter import Painter
from terma.sessions import pictures

LACKED = "┼"  # by the font that Pillow brings, and not by terma's own


@pytest.fixture(scope="module")
def latin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A font of Latin letters alone."""
    face = ImageFont.load_default(20)
    assert isinstance(face, ImageFont.FreeTypeFont)
    file = tmp_path_factory.mktemp("fonts") / "latin.ttf"
    face.path.seek(0)
    file.write_bytes(face.path.read())
    return file


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """terma's own font is the only one of this machine; what was looked for."""
    asked: list[str] = []

    def candidates(character: str) -> list[tuple[Path, int]]:
        asked.append(character)
        return [(Path("nowhere.ttf"), 0), (font._packaged(False), 0)]

    monkeypatch.setattr(fallback, "candidates", candidates)
    return asked


def test_another_font_of_the_machine_draws_it(latin: Path, here: list[str]) -> None:
    one = Font(20, latin)
    drawn = one.mask(LACKED, bold=False, italic=False, underline=False)
    assert not np.array_equal(drawn, one._box(one.width))
    assert drawn.any()
    assert one.lacking == set()
    one.mask("┤", bold=False, italic=False, underline=False)
    assert here == [LACKED]  # the next of the writing is in the font that was found


def test_a_character_is_as_wide_as_its_cells(latin: Path, here: list[str]) -> None:
    one = Font(20, latin)
    for cells in (1, 2):
        drawn = one.mask(LACKED, bold=False, italic=False, underline=False, cells=cells)
        assert drawn.shape == (one.height, one.width * cells)


def test_what_no_font_has_is_a_box_and_said(latin: Path, here: list[str]) -> None:
    painter = Painter(4, 1, font=latin)
    painter.paint(Grid(((Cell("漢", wide=True), Cell(""), Cell("字", wide=True), Cell("")),)))
    assert painter.font.lacking == {"漢", "字"}
    assert here == ["漢"]  # no second search for the same writing
    assert "漢" in pictures._lacking(painter.font.lacking)
    assert pictures._lacking(set()) == ""


def test_fontconfig_is_asked_for_the_character(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "fc-match"
    program.write_text(f"#!/bin/sh\nprintf '%s' \"$*\" > {tmp_path}/asked\nprintf '2\\t/fonts/some.ttc'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert list(fallback.candidates("漢")) == [(Path("/fonts/some.ttc"), 2)]
    assert "charset=6f22" in (tmp_path / "asked").read_text()
    program.write_text("#!/bin/sh\nexit 1\n")
    assert list(fallback.candidates("漢")) == []
