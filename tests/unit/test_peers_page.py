"""docs/peers.md and docs/peers.svg are what their generator makes of docs/peers.json, and say what it says."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from bench.peers import figures
from bench.peers.__main__ import main
from bench.peers.figures import Row, Run, Table
from bench.peers.page import page, shown
from bench.peers.picture import picture

DOCS = Path(__file__).parents[2] / "docs"
ONE = Run(
    "Linux, 2 cores",
    (1.0, 2.0),
    {"terma": "1", "other": "2"},
    {"third": "not on this machine"},
    (
        Table(
            "A key",
            ("first (ms)", "memory (MB)"),
            (Row("terma", (20.0, 0.0)), Row("other <&>", (50.0, 7.25)), Row("less", (-1.0, None))),
            "Not the same.",
            (0, 1),
        ),
    ),
)


def test_the_documents_are_what_is_made_of_the_figures(tmp_path):
    (tmp_path / "peers.json").write_bytes((DOCS / "peers.json").read_bytes())
    assert main(["--drawn", "--docs", str(tmp_path)]) == 0
    for name in ("peers.json", "peers.md", "peers.svg"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS / name).read_text(encoding="utf-8")


def test_a_run_is_kept_and_read_again():
    assert figures.load(figures.dump(ONE)) == ONE


def test_a_cell_holds_its_value_and_how_many_times_termas_it_is():
    text = page(ONE)
    assert "| terma | 20.0 | 0.00 |" in text
    assert "| other <&> | 50.0 (2.50×) | 7.25 |" in text  # nothing is any number of times nothing
    assert "| less | -1.00 |  |" in text
    assert "third: not on this machine." in text
    assert "load 1.0 at the beginning, 2.0 at the end" in text


def test_the_bars_are_as_long_as_their_values_are_large():
    drawn = ElementTree.fromstring(picture(ONE))  # noqa: S314 our own text
    bars = [float(bar.get("width", "")) for bar in drawn.iter("{http://www.w3.org/2000/svg}rect")][1:]
    assert bars == [80.0, 200.0, 1.0, 1.0, 200.0]
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "A key: memory (MB)" in texts
    assert "other <&>" in texts


def test_values_are_shown_with_three_digits():
    assert [shown(value) for value in (0.123, 1.5, 12.34, 1234.5, None)] == [
        "0.12",
        "1.50",
        "12.3",
        "1,234",
        "",
    ]
