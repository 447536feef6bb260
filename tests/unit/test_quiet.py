"""A question is answered by whoever has read it: keys from before that decide nothing, wherever terma asks."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pexpect
import pytest

import terma
from terma.quiet import EARLY, QUIET, Quiet, settle
from tests.conftest import WAIT


class Typist:
    """Types what `script` says: pairs of seconds to wait and keys. Its clock is the only one."""

    def __init__(self, *script: tuple[float, bytes]) -> None:
        self.now, self.script = 0.0, list(script)

    def clock(self) -> float:
        return self.now

    def read(self, seconds: float) -> bytes | None:
        if not self.script or self.script[0][0] > seconds:
            if self.script:
                self.script[0] = (self.script[0][0] - seconds, self.script[0][1])
            self.now += seconds
            return None
        after, keys = self.script.pop(0)
        self.now += after
        return keys

    def settles(self) -> tuple[bytes | None, Quiet]:
        quiet = Quiet(clock=self.clock)
        return settle(quiet, self.read), quiet


def test_a_question_that_nobody_types_into_is_open_after_half_a_second() -> None:
    typist = Typist()
    stopped, quiet = typist.settles()
    assert stopped is None and quiet.early == 0
    assert typist.now == pytest.approx(QUIET)


def test_every_key_that_is_typed_too_early_begins_the_wait_anew() -> None:
    typist = Typist(*((0.4, bytes([key])) for key in b"cat bad\r"), (1.0, b"y"))
    stopped, quiet = typist.settles()
    assert stopped is None and quiet.early == 8
    assert typist.now == pytest.approx(8 * 0.4 + QUIET)
    assert typist.script, "what comes later is read by whoever asked"


@pytest.mark.parametrize("keys", [b"\x03", b"\x04", b""])
def test_to_stop_is_never_too_early(keys: bytes) -> None:
    assert Typist((0.1, b"y"), (0.1, keys)).settles()[0] == keys


# Two seconds of quiet: a machine that is busy for one of them does not make an early key a late one.
ASKS = """
from functools import partial
from terma import quiet
quiet.Quiet = partial(quiet.Quiet, seconds=2.0)
yes = quiet.yes
for what in ("first?", "second?"):
    print(f"{what} {yes(what)};")
"""


def asking() -> pexpect.spawn:
    return pexpect.spawn(sys.executable, ["-c", ASKS], timeout=WAIT, encoding="utf-8", env=os.environ)


def test_at_a_real_terminal_only_the_question_that_was_read_is_answered() -> None:
    person = asking()
    person.expect_exact("first? ")
    person.waitnoecho()  # what was typed before it listens is thrown away and not even told
    person.send("y\ry\r")  # before anybody can have read it
    person.expect_exact(EARLY)
    person.expect_exact("[y/N] ")
    person.send("y\ry\r")
    person.expect_exact("first? True;")
    person.expect_exact("second? ")
    person.expect_exact("[y/N] ")
    person.send("n\r")
    person.expect_exact("second? False;")
    person.wait()


def test_a_question_breaks_between_words_and_what_is_indented_stays_a_line() -> None:
    said = "OpenAI would get your words and the names of files here. May it?"
    kept = "  . ~/.local/share/terma/terma.bash # added by terma"
    asked = "\n".join((said, kept, said))
    code = f"from terma import quiet; quiet.yes({asked!r})"
    person = pexpect.spawn(
        sys.executable, ["-c", code], timeout=WAIT, encoding="utf-8", env=os.environ, dimensions=(24, 44)
    )
    person.expect_exact("[y/N] ")
    first, second, third, fourth, fifth = person.before.split("\r\n")
    assert (f"{first} {second}", third, f"{fourth} {fifth}") == (said, kept, f"{said} ")
    assert max(map(len, (first, second, fourth))) < 44 and len(f"{fifth}[y/N] y") < 44
    person.send("\x03")
    person.wait()


def test_control_d_and_control_c_are_no_answer() -> None:
    person = asking()
    person.expect_exact("first? ")
    person.send("\x04")
    person.expect_exact("first? False;")
    person.expect_exact("[y/N] ")
    person.send("\x03")
    person.expect_exact("KeyboardInterrupt")
    person.wait()


def test_without_a_terminal_nobody_says_yes() -> None:
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", ASKS], input="y\ny\n", capture_output=True, text=True, check=True
    )
    assert done.stdout == "first? False;\nsecond? False;\n"


def test_nothing_in_terma_asks_in_another_way() -> None:
    """`input` and a line of standard input that is awaited would take what was typed ahead."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in Path(terma.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in ("input", "getpass"))
            or (isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "sys.stdin.readline")
        )
    ]
    assert found == ["_matcher.py:19"], (
        "a pipe's own protocol is no question; all else asks through terma.quiet"
    )
