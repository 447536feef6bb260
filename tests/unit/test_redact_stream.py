"""A stream hides what the whole hides, however it is cut; no part of a private key leaves, however it is dressed."""

from __future__ import annotations

import base64
import json
import random
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from terma.redact import Hiding, Redactor, Showing, redact, restore
from terma.redact.find import without_noise
from terma.redact.stream import LONGEST, PORTION


def key(kind: str = "RSA ", size: int = 900, width: int = 64) -> list[str]:
    """The lines of a private key made up for a test."""
    body = base64.b64encode(random.Random(kind + str(size)).randbytes(size)).decode()
    rows = [body[at : at + width] for at in range(0, len(body), width)]
    return [f"-----BEGIN {kind}PRIVATE KEY-----", *rows, f"-----END {kind}PRIVATE KEY-----"]


def leaked(lines: list[str], shown: str) -> list[str]:
    """The slices of 20 characters of a key's body that stand in `shown`."""
    body = "".join(line for line in lines if not line.startswith("-----"))
    return [body[at : at + 20] for at in range(0, len(body) - 19, 4) if body[at : at + 20] in shown]


DRESSES = {
    "bare": lambda n, line: line,
    "grep": lambda n, line: f"etc/ssl/server.key:{n}:{line}",
    "grep with context": lambda n, line: (
        f"etc/server.key{':' if n == 1 else '-'}{n}{':' if n == 1 else '-'}{line}"
    ),
    "cat -n": lambda n, line: f"{n:6}\t{line}",
    "compose": lambda n, line: f"web-1  | {line}",
    "kubectl": lambda n, line: f"[pod/web-{n % 1}] 2026-11-22T13:05:{n % 60:02}.{n:06}Z {line}",
    "the journal": lambda n, line: f"Nov 22 13:05:{n % 60:02} host prog[{100}]: {line}",
    "a diff that adds": lambda n, line: f"+{line}",
    "a diff that removes": lambda n, line: f"-{line}",
    "a quotation": lambda n, line: f"> {line}",
    "deep in YAML": lambda n, line: f"        {line}",
    "colours of grep": lambda n, line: (
        f"\x1b[35mk\x1b[m\x1b[36m:\x1b[m\x1b[32m{n}\x1b[m\x1b[36m:\x1b[m{line}\x1b[K"
    ),
    "a colour at both ends": lambda n, line: f"\x1b[32m{line}\x1b[0m",
    "strings of a program": lambda n, line: f'    "{line}\\n" +',
    "a terminal": lambda n, line: f"{line}\r",
    "a table": lambda n, line: f"| {n} | {line} |",
    "a pane's border": lambda n, line: f"{line}│",
}
PARTS = {
    "whole": (0, None),
    "no end": (0, 9),
    "no head": (3, None),
    "the middle": (3, 9),
    "two lines": (4, 6),
    "one line": (5, 6),
}
# What stands around a line of these may be of a value of its own: one line alone is none of a key.
FIELDS = {
    "CSV": lambda n, line: f"{n},{line},x",
    "a log of JSON": lambda n, line: f'{{"n":{n},"msg":"{line}"}}',
    "calls": lambda n, line: f"append(rows, {n}, '{line}');",
    "a diff of HTML": lambda n, line: f"+{line}<br>",
    "long strings": lambda n, line: f"  [[{line}]],",
    "an address": lambda n, line: f"part={quote(line, safe='')}&",
    "HTML that spells it": lambda n, line: line.replace("+", "&#43;").replace("/", "&#x2F;"),
    "JSON with its slashes": lambda n, line: '"' + line.replace("/", "\\/").replace("+", "\\u002b") + '",',
    "a debugger": lambda n, line: f'0x{0x5559F0 + n * 65:x}:\t"{line}"',
    "beside a pane": lambda n, line: f"{'abcdefghij'[n % 10] * n:20}│{line}",
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("dress", [*DRESSES, *FIELDS])
def test_no_part_of_a_key_is_left_however_it_is_dressed(dress: str, part: str) -> None:
    if dress in FIELDS and part == "one line":
        part = "two lines"
    low, high = PARTS[part]
    lines = key()[low:high]
    dressed = [(DRESSES | FIELDS)[dress](number, line) for number, line in enumerate(lines, low + 1)]
    text = "\n".join(["first words", *dressed, "last words", ""])
    assert leaked(lines, redact(text).text) == []
    assert redact(text).text.startswith("first words\n")
    assert redact(text).text.endswith("last words\n")
    stream, given = Hiding(Redactor()), ""
    for line in text.splitlines(keepends=True):
        given += stream.feed(line) + stream.settle()
    given += stream.flush()
    assert leaked(lines, given) == []
    assert "last words" in given


JOINED = {
    "a form": lambda lines: "key=" + quote_plus("\n".join(lines)),
    "JSON": lambda lines: json.dumps({"key": "\n".join(lines)}),
    "JSON in JSON": lambda lines: json.dumps({"key": json.dumps({"pem": "\n".join(lines)})}),
    "bytes": lambda lines: repr("\n".join(lines).encode()),
    "HTML": "<br>".join,
    "rows of a table": lambda lines: "\n".join(f"*** row ***\nline: {line}" for line in lines),
    "folded": lambda lines: "\n".join(row[at : at + 40] for row in lines for at in range(0, len(row), 40)),
}


@pytest.mark.parametrize("part", ["whole", "no end", "the middle"])
@pytest.mark.parametrize("way", JOINED)
def test_no_part_of_a_key_is_left_however_its_lines_were_joined(way: str, part: str) -> None:
    low, high = PARTS[part]
    lines = key()[low:high]
    text = f"first words\n{JOINED[way](lines)}\nlast words\n"
    assert leaked(lines, redact(text).text) == []
    stream, given = Hiding(Redactor()), ""
    for line in text.splitlines(keepends=True):
        given += stream.feed(line) + stream.settle()
    assert leaked(lines, given + stream.flush()) == []


@pytest.mark.parametrize("edge", [0, -1])
def test_a_key_without_breaks_goes_with_the_one_edge_that_is_left(edge: int) -> None:
    lines = key()
    text = "".join(lines[:9] if edge == 0 else lines[4:])
    assert leaked(lines, redact(text).text) == []


@pytest.mark.parametrize("width", [64, 70, 76])
def test_two_full_lines_are_enough_in_every_usual_width(width: int) -> None:
    lines = key(width=width)[2:4]
    assert leaked(lines, redact("\n".join(lines)).text) == []


def test_a_key_in_json_goes_and_the_json_stays() -> None:
    lines = key()
    text = json.dumps({"before": 1, "key": "\n".join(lines), "after": 2})
    shown = redact(text).text
    assert json.loads(shown)["after"] == 2
    assert leaked(lines, shown) == []
    assert leaked(lines, redact(text[300:]).text[100:]) == []


@pytest.mark.parametrize("dress", ["{n}\n{line}", "{line}\\n\\"])
def test_the_last_line_before_the_end_goes_where_others_stand_between(dress: str) -> None:
    lines = key()[3:]
    text = "\n".join(dress.format(n=number, line=line) for number, line in enumerate(lines, 4))
    assert leaked(lines, redact(text).text) == []


def test_what_is_public_or_a_sum_stays() -> None:
    body = key()[1:-1]
    certificate = "\n".join(["-----BEGIN CERTIFICATE-----", *body, "-----END CERTIFICATE-----"])
    public = "\n".join(["-----BEGIN PUBLIC KEY-----", *body, "-----END PUBLIC KEY-----"])
    sums = "\n".join(random.Random(number).randbytes(32).hex() for number in range(4))
    integrity = "\n".join(f'  integrity="sha384-{row}"' for row in body[:4])
    tags = "\n".join(
        f'<script src="a{n}.js" integrity="sha384-{row}" defer>' for n, row in enumerate(body[:4])
    )
    table = "\n".join(["-----BEGIN CERTIFICATE----- |", *(f"{row} |" for row in body)])
    for text in (certificate, public, sums, integrity, tags, table):
        assert redact(text).text == text


def test_a_key_behind_a_certificate_is_no_part_of_it() -> None:
    lines = key()
    text = "\n".join(
        ["-----BEGIN CERTIFICATE-----", *key("X ")[1:-1], "-----END CERTIFICATE-----", *lines[1:-1]]
    )
    assert leaked(lines, redact(text).text) == []


SECRETS = [
    "password=hunter2x",
    "export API_TOKEN=a8Bk29cLq71MzP0x",
    "https://ann:s3cr3tpw@example.com/x",
    "token:",
]
LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [*SECRETS, "all is well here", "kind: Secret", "data:", "  a: c29tZXRoaW5n", "", "---"]
        ),
        st.just("\n".join(key())),
        st.just("\n".join(key()[2:6])),
        st.just("x" * 3000),
        st.just("password=" + "aB3" * 900),
        st.just("words of a long log, " * 1500),
        st.just('{"a": "password=hunter2x", ' * 1500),
        st.text(alphabet=st.characters(exclude_characters="<", exclude_categories=["Cs"]), max_size=30),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(LINES, st.lists(st.integers(1, 2 * LONGEST), max_size=12))
@example(["words of a long log, " * 1500] * 8, [PORTION, LONGEST - PORTION, 1])
@example(["\n".join(key(size=30_000)), "words of a long log, " * 3000] * 2, [PORTION - 20, 7, LONGEST])
def test_every_chunking_says_what_the_whole_says(lines: list[str], sizes: list[int]) -> None:
    text = "\n".join(lines)
    stream, given, at = Hiding(Redactor()), [], 0
    for size in [*sizes, len(text)]:
        given.append(stream.feed(text[at : at + size]))
        at += size
        assert stream.held < LONGEST
    given.append(stream.flush())
    whole = redact(text)
    assert "".join(given) == whole.text
    assert restore(whole.text, whole.secrets) == text


@settings(max_examples=25, deadline=None)
@given(LINES, st.lists(st.integers(200, 9000), min_size=1, max_size=12))
def test_somebody_who_looks_on_sees_no_more_than_the_whole_shows(lines: list[str], sizes: list[int]) -> None:
    text = "\n".join(lines)
    stream, given, at, number = Hiding(Redactor()), "", 0, 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        given += stream.feed(text[at : at + size]) + stream.settle()
        at, number = at + size, number + 1
    given += stream.flush()
    assert leaked(key(), given) == []
    for secret in ("hunter2x", "a8Bk29cLq71MzP0x", "s3cr3tpw", "aB3aB3aB3"):
        assert secret not in given


@given(st.text(alphabet="<SECRET_1>ab\x1b[m", max_size=60), st.lists(st.integers(1, 9), min_size=1))
def test_what_a_model_says_is_restored_however_it_comes(text: str, sizes: list[int]) -> None:
    put_back = {"<SECRET_1>": "hunter2x"}
    stream, given, at, number = Showing(lambda piece: restore(piece, put_back)), "", 0, 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        given += stream.feed(text[at : at + size])
        at, number = at + size, number + 1
    given += stream.flush()
    assert given == restore(text, put_back) == stream.given


def test_what_is_left_without_colours_knows_where_it_stood() -> None:
    parts = ["a", " ", " \r", "\r\n", "\x1b[1;32m", "\x1b]0;title\x07", "\x9b3", "\x00", "\x1b(B", "zß"]
    source = random.Random(4)
    for _ in range(300):
        text = "".join(source.choices([*parts, "\x1b"], k=12)) + "."
        bare, places = without_noise(text)
        assert "".join(text[places[at]] for at in range(len(bare))) == bare
        at = [places[at] for at in range(len(bare) + 1)]
        assert at == sorted(at)
        assert at[-1] == len(text)
