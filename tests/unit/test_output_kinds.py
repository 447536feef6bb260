"""Kinds of long output, each with what a person would keep of it: all of that stays in 8,000 characters.

`python -m tests.unit.test_output_kinds` writes the table of docs/long-output.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.output import digest

LIMIT = 8_000


def lines(count: int, form: str) -> list[str]:
    return [form.format(n=number, k=number * 7919 % 100_003) for number in range(count)]


def with_one(count: int, form: str, at: int, one: str) -> str:
    made = lines(count, form)
    made[at] = one
    return "\n".join(made)


KINDS = {
    "build log": (
        with_one(
            900, "  CC      drivers/net/dev{k}.o", 400, "drivers/net/dev17.c:88:9: error: 'skb' undeclared"
        )
        + "\nmake[2]: *** [Makefile:250: drivers/net] Error 2",
        [
            "CC      drivers/net/dev0.o",
            "dev17.c:88:9: error: 'skb' undeclared",
            "[Makefile:250: drivers/net] Error 2",
        ],
    ),
    "test run": (
        with_one(700, "tests/test_part_{k}.py::test_one PASSED", 350, "tests/test_x.py::test_sum FAILED")
        + "\nE   assert 3 == 4\n1 failed, 699 passed in 12.2s",
        ["test_part_0.py::test_one PASSED", "test_sum FAILED", "assert 3 == 4", "1 failed, 699 passed"],
    ),
    "access log with one 500": (
        with_one(
            1500,
            '10.0.0.{n} - - [12/Mar/2026:10:00:00 +0000] "GET /item/{k} HTTP/1.1" 200 {k}',
            700,
            '10.0.0.9 - - [12/Mar/2026:10:00:00 +0000] "GET /item/77 HTTP/1.1" 500 41',
        ),
        ["/item/0 ", '"GET /item/77 HTTP/1.1" 500 41'],
    ),
    "table": (
        with_one(30_000, "{n} user{k} active 3", 15_000, "15000 user9 suspended 3"),
        ["0 user0 active 3", "1 user7919 active 3", "15000 user9 suspended 3", "29999 user"],
    ),
    "diff": (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
        + "\n".join(lines(800, "-old line {k}\n+new line {k}")),
        ["diff --git a/a.py", "-old line 0", "+new line 0", f"+new line {799 * 7919 % 100_003}"],
    ),
    "JSON": (
        "[\n"
        + with_one(2000, '  {{"id": {k}, "state": "done"}},', 900, '  {"id": 4, "state": "stuck"},')
        + "\n]",
        ['{"id": 0, "state": "done"}', '"state": "stuck"', "]"],
    ),
    "progress bars": (
        "begin\n" + "\n".join(f"[{'#' * (n // 5):<100}] {n / 5} %" for n in range(500)) + "\ndone in 3 s",
        ["begin", "] 0.0 %", "more like this", "] 99.8 %", "done in 3 s"],
    ),
    "stack trace": (
        "Traceback (most recent call last):\n"
        + "\n".join(lines(600, '  File "/app/deep{k}.py", line {n}, in call\n    return call(n - 1)'))
        + "\nRecursionError: maximum recursion depth exceeded",
        ["Traceback (most recent call last)", "deep0.py", "RecursionError: maximum recursion depth exceeded"],
    ),
    "journal": (
        with_one(
            2000,
            "Mar 12 10:00:00 host app[{n}]: request {k} served",
            1000,
            "Mar 12 10:00:00 host kernel: Out of memory: Killed process 4242 (app)",
        ),
        ["app[0]: request 0 served", "Killed process 4242 (app)", "app[1999]"],
    ),
    "find listing": (
        with_one(3000, "./src/part{k}/file.txt", 1500, "find: './private': Permission denied"),
        ["./src/part0/file.txt", "./src/part7919/file.txt", "'./private': Permission denied"],
    ),
    "access log of mixed statuses": (
        "\n".join(
            f'10.0.0.{n % 9} - - [12/Mar/2026:10:00:{n % 60:02} +0000] "{"GET" if n % 3 else "POST"} /item/{n} '
            f'HTTP/1.1" {418 if n == 700 else 200 if n % 4 else 304} {n}'
            for n in range(1500)
        ),
        ["/item/0 ", 'HTTP/1.1" 418 700', "/item/1499"],
    ),
    "CSV": (
        "id,mail,state,country\n"
        + with_one(2500, "{k},user{n}@example.org,active,DE", 1200, "77,userx@example.org,blocked,DE"),
        ["id,mail,state,country", "userx@example.org,blocked"],
    ),
    "test points": (
        "1..900\n" + with_one(900, "ok {n} - checks part {k}", 500, "not ok 500 - checks the parser"),
        ["1..900", "not ok 500 - checks the parser"],
    ),
    "test run that tells before it fails": (
        "\n".join(
            "    sum_test.go:12: got 3, want 4\n--- FAIL: TestSum (0.00s)"
            if n == 350
            else f"=== RUN   Test{n * 7919 % 100_003}\n--- PASS: Test{n * 7919 % 100_003} (0.0{n % 9}s)"
            for n in range(700)
        )
        + "\nFAIL\nexit status 1",
        ["=== RUN   Test0", "got 3, want 4", "--- FAIL: TestSum", "exit status 1"],
    ),
    "records in JSON": (
        "\n".join(
            f'{{\n  "name": "web-{n}",\n  "phase": "Running",\n  "ready": {"false" if n == 133 else "true"},\n}},'
            for n in range(400)
        ),
        ['"web-0"', '"web-133"', '"ready": false', '"web-399"'],
    ),
    "database with details": (
        with_one(
            3000,
            "INSERT 0 {n}",
            1500,
            'ERROR:  duplicate key value violates "orders_pkey"\nDETAIL:  Key (id)=(4711) already exists.',
        ),
        ["INSERT 0 0", "duplicate key value", "Key (id)=(4711)", "INSERT 0 2999"],
    ),
    "warnings of a compiler": (
        with_one(
            2000,
            "src/f{k}.c:{n}:5: warning: unused variable 'x' [-Wunused-variable]",
            1000,
            "src/z.c:10:5: warning: comparison of integers of different signs [-Wsign-compare]",
        )
        + "\n2000 warnings generated.",
        ["src/f0.c", "[-Wsign-compare]", "2000 warnings generated."],
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_person_would_keep_stays(kind: str) -> None:
    text, wanted = KINDS[kind]
    kept = digest(text)
    assert [one for one in wanted if one not in kept] == []
    assert len(kept) <= LIMIT + 100
    if kind != "progress bars":
        assert len(kept) > 0.9 * LIMIT, "room was left, and lines were not told"
        assert kept.startswith(text[:1500])
        assert kept.endswith(text[-3500:])


def table() -> list[str]:
    """The rows of docs/long-output.md."""
    rows = []
    for kind, (text, wanted) in KINDS.items():
        kept = digest(text)
        marks = " · ".join(f"`{one.strip()}` {'kept' if one in kept else 'LOST'}" for one in wanted)
        told = kept.count("\n") + 1
        gone = "" if len(kept) >= len(text) else f"{len(kept):,} in {told:,}"
        rows.append(f"| {kind} | {len(text):,} in {text.count(chr(10)) + 1:,} | {gone} | {marks} |")
    return rows


PAGE = Path(__file__).parents[2] / "docs/long-output.md"


def test_the_documentation_shows_what_is_kept() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    assert [row for row in table() if row not in shown] == []


if __name__ == "__main__":
    before, mark, after = PAGE.read_text(encoding="utf-8").partition("|---|---|---|---|\n")
    rest = after[after.index("\n\n") :]
    PAGE.write_text(before + mark + "\n".join(table()) + rest, encoding="utf-8")
