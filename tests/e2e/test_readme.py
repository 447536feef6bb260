"""Every example in the README is run and must give the output that stands under it.

A fenced `console` block is an example: lines that begin with `$ ` are typed, the lines below are what must
come out. `…` stands for any text, a line that is `…` alone for any lines. A block right after
`<!-- not run: why -->` is shown and not run. The examples of one block share a shell and a directory.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import WAIT, Home

README = Path(__file__).parents[2] / "README.md"
_BLOCK = re.compile(
    r"(?P<not_run><!-- not run: .+? -->\s*)?^```console\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)
_DONE = "\x1eexample over\x1e"


@dataclass(frozen=True)
class Example:
    """One block: what is typed, each with the output that is promised for it."""

    line: int
    steps: tuple[tuple[str, str], ...]


def examples(text: str) -> list[Example]:
    """The blocks of a Markdown text that are to be run."""
    found = []
    for block in _BLOCK.finditer(text):
        if block["not_run"]:
            continue
        steps: list[tuple[str, str]] = []
        for line in block["body"].splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], ""))
            else:
                assert steps, f"a console block begins with output: {line}"
                command, output = steps.pop()
                steps.append((command, f"{output}{line}\n"))
        found.append(Example(text.count("\n", 0, block.start("body")) + 1, tuple(steps)))
    return found


def matches(promised: str, given: str) -> bool:
    """Whether `given` is what was promised, `…` standing for anything."""
    pieces = []
    for line in promised.splitlines():
        if line.strip() == "…":
            pieces.append(r"(?:.*\n)*?")
        else:
            pieces.append("[^\n]*".join(map(re.escape, line.split("…"))) + r"\n")
    return re.fullmatch("".join(pieces), given) is not None


def outputs(example: Example, home: Home) -> list[str]:
    """What the commands print, one text each, standard error included."""
    script = "".join(f"{command}\nprintf '{_DONE}'\n" for command, _ in example.steps)
    path = f"{Path(sys.executable).parent}{os.pathsep}{home.env['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-s"],
        input=script,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=home.env | {"PATH": path, "TERMA_ENGINE": "offline"},
        cwd=home.home,
        timeout=WAIT * 4,
        check=False,
    )
    return done.stdout.split(_DONE)[:-1]


EXAMPLES = examples(README.read_text(encoding="utf-8"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line {example.line}")
def test_an_example_does_what_the_readme_says(home: Home, example: Example) -> None:
    for (command, promised), given in zip(example.steps, outputs(example, home), strict=True):
        assert matches(promised, given), f"$ {command}\n{given}"


def test_the_readme_shows_what_terma_does() -> None:
    assert any("terma suggest" in command for example in EXAMPLES for command, _ in example.steps)


SAMPLE = """
```console
$ echo a b
a b
$ printf '1\\n2\\n3\\n'
1
…
3
```

<!-- not run: it takes the machine down -->
```console
$ reboot
```

```sh
not an example
```
"""


def test_the_reading_of_examples_itself(home: Home) -> None:
    (example,) = examples(SAMPLE)
    assert example == Example(3, (("echo a b", "a b\n"), ("printf '1\\n2\\n3\\n'", "1\n…\n3\n")))
    assert outputs(example, home) == ["a b\n", "1\n2\n3\n"]
    assert matches("1\n…\n3\n", "1\n2\n3\n")
    assert matches("version …\n", "version 0.1\n")
    assert not matches("1\n3\n", "1\n2\n3\n")
    assert not matches("a\n", "b\n")
