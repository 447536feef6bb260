"""A long output is cut to what tells something, and says how much is gone."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma.output import digest
from terma.output.shorten import troubles


def prose(lines: int, seed: int = 1) -> list[str]:
    """Lines that do not repeat and do not look like errors."""
    chance = random.Random(seed)
    return ["".join(chance.choices("bghjk mpqswxyz", k=40)).strip() for _ in range(lines)]


def test_short_output_stays_as_it_is() -> None:
    text = "a\nb\nb\n\nc 1\nc 2\nc 3\nc 4"
    assert digest(text) == text
    assert digest("") == ""


def test_equal_lines_are_told_once_with_a_count() -> None:
    assert digest("start\n" + "waiting\n" * 413 + "end") == "start\nwaiting\n… 412 more like this\nend"


def test_lines_that_differ_in_their_numbers_keep_the_first_and_the_last() -> None:
    text = "\n".join(f"12:03:{second:02} downloaded {second * 7} of 400 kB" for second in range(50))
    assert digest(text).split("\n") == [
        "12:03:00 downloaded 0 of 400 kB",
        "… 48 more like this",
        "12:03:49 downloaded 343 of 400 kB",
    ]


def test_four_lines_that_differ_in_their_numbers_stay() -> None:
    text = "\n".join(f"step {number}" for number in range(4))
    assert digest(text) == text


def test_a_repeated_block_is_told_once() -> None:
    text = "begin\n" + "try again\nconnection refused\n" * 20 + "gave up"
    assert digest(text) == "begin\ntry again\nconnection refused\n… 19 more like these 2 lines\ngave up"


@pytest.mark.parametrize(
    "line",
    [
        '127.0.0.1 - - [12/Mar/2026:10:00:{0:02}] "GET /item/{0} HTTP/1.1" 200 {0}',
        "worker-{0} restarted with status {0}",
        "cpu{0} {1}% user {0}% idle",
        "row {0}: {1}",
    ],
)
def test_lines_that_differ_in_numbers_are_no_repetition(line: str) -> None:
    text = "\n".join(line.format(number, number * 37 % 91) for number in range(50))
    assert digest(text) == text


def test_bars_of_different_lengths_are_alike() -> None:
    text = "\n".join(f"[{'=' * (n + 2)}{' ' * (12 - n)}] {n} %" for n in range(10))
    assert digest(text).split("\n")[1] == "… 8 more like this"


def test_runs_of_blank_lines_become_one() -> None:
    assert digest("a\n\n\n\nb") == "a\n\nb"


def test_a_long_output_keeps_its_ends_at_line_ends() -> None:
    lines = prose(1000)
    kept = digest("\n".join(lines)).split("\n")
    marker = next(index for index, line in enumerate(kept) if line.startswith("… "))
    assert kept[:marker] == lines[:marker]
    assert kept[marker + 1 :] == lines[-len(kept) + marker + 1 :]
    assert kept[marker] == f"… {1000 - len(kept) + 1} lines left out"
    assert 1500 < len("\n".join(kept[:marker])) <= 2000
    assert 5500 < len("\n".join(kept[marker + 1 :])) <= 6100


def test_an_error_in_the_middle_of_a_large_output_is_kept_between_counts() -> None:
    lines = prose(60_000)
    lines[30_000] = "main.c:7:12: error: expected ';' before '}'"
    kept = digest("\n".join(lines)).split("\n")
    at = kept.index(lines[30_000])
    gaps = [index for index, line in enumerate(kept) if line.endswith("left out")]
    assert sum(int(re.sub(r"\D", "", kept[index])) for index in gaps) + len(kept) - 2 == 60_000
    assert gaps[0] < at < gaps[1]
    assert kept[gaps[0] + 1 : gaps[1]] == lines[29_998:30_005]  # with what stands around it


def test_what_stands_around_an_error_is_kept_where_there_is_room() -> None:
    around = [
        "    sum_test.go:12: got 3, want 4",
        "--- FAIL: TestSum (0.00s)",
        "    DETAIL:  Key (id)=(4711)",
    ]
    lines = [f"=== RUN Test{number}" for number in range(2_000)]
    for limit in (8_000, 2_000):
        kept = digest("\n".join([*lines[:900], *around, *lines[900:]]), limit, limit // 4, limit // 2)
        assert "\n".join(around) in kept
        assert len(kept) <= limit + 100


def test_a_value_is_odd_among_those_of_the_same_key() -> None:
    """The members of JSON have as many words as each other, and a value that is rare for its own key is what counts:
    it is told with the lines of its record."""
    rows = []
    for number in range(400):
        ready = "false" if number == 133 else "true"
        rows += ["{", f'"name": "web-{number}",', '"phase": "Running",', f'"ready": {ready},', "},"]
    kept = digest("\n".join(rows))
    assert '"ready": false' in kept
    assert '"web-133"' in kept


@pytest.mark.parametrize(
    "line",
    [
        "fatal: not a git repository",
        "E: Unable to locate package foo",
        "ModuleNotFoundError: No module named 'x'",
        "npm ERR! code ENOENT",
        "make: *** [Makefile:2: all] Error 1",
        "FAILED tests/test_x.py::test_y",
        "bash: foo: command not found",
        "thread 'main' panicked at src/main.rs:2:5",
        "rm: cannot remove 'x': Permission denied",
        "Segmentation fault (core dumped)",
        "java.lang.NullPointerException",
        "curl: (7) Failed to connect to localhost port 1",
        "✗ 3 of 5",
    ],
)
def test_what_looks_like_an_error_is_one(line: str) -> None:
    assert troubles(f"{prose(1)[0]}\n{line}\n") == (line,)


@pytest.mark.parametrize(
    "line", ["0 errors, 0 warnings", "no failures", "cc -Werror -c main.c", "all went well"]
)
def test_what_only_names_errors_is_none(line: str) -> None:
    assert troubles(line) == ()


def test_errors_that_differ_in_numbers_are_told_once_and_of_many_the_first_and_last() -> None:
    lines = prose(3000)
    names = ["".join(chr(97 + int(digit)) for digit in f"{number:04}") for number in range(3000)]
    text = "\n".join(f"{line}\n{name}.c:3: error: {name}" for line, name in zip(lines, names, strict=True))
    kept = [line for line in digest(text).split("\n") if "error" in line]
    inner = [line for line in kept if line not in (text[:2000] + text[-4600:])]
    assert len(inner) > 10
    assert len([line for line in inner if line < "bfaa"]) >= len(inner) // 2  # as many from the first half
    many = [f"{line}\nerror at this line" for line in lines]
    same = "\n".join([*prose(100, seed=2), *many, *prose(200, seed=3)])
    told = digest(same).split("\n")
    gaps = [index for index, line in enumerate(told) if "left out" in line]
    assert len(gaps) > 1
    between = told[gaps[0] + 1 : gaps[-1]]
    assert between.count("error at this line") == 1


def test_long_words_of_digits_are_no_trap() -> None:
    # quadratic work on these would take hours, and the suite's own bound would tell
    for word in ("a1" * 900 + "g", "1" * 1_900, "#" * 1_900):
        assert digest("\n".join(f"{number} {word}" for number in range(500)))
    assert "more like this" in digest("\n".join(f"{number / 5} % {'a1' * 90}" for number in range(500)))
    assert digest("\n".join(["a1" * 400_000 + "g"] * 2))


def test_one_endless_line_is_cut_too() -> None:
    text = digest("x" * 100_000 + " SyntaxError: bad " + "y" * 100_000)
    assert len(text) < 8100
    assert "SyntaxError" in text
    assert "characters left out" in text


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "", "error: x", "line 12", "y" * 700, "日本", "… 3 more like this"]) | st.text()
    ),
    st.integers(min_value=1, max_value=400),
)
def test_no_output_is_longer_than_the_limit_and_its_markers(lines: list[str], times: int) -> None:
    text = "\n".join(lines * times)
    short = digest(text)
    assert len(short) <= 8000 + 42 * 40
    assert short == digest(text)
