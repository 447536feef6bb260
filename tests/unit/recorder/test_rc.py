"""Each shell is started as its person would start it, with the least that makes it print marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.recorder.rc import Recording, Start, start

HOOKS = Path("/opt/hooks")
RECORDING = Recording("/run/rec-1-0123456789abcdef.sock", "/dev/pts/9", HOOKS, "/proc/1/fd/9")
NAMES = {
    "TERMA_RECORDING": "/run/rec-1-0123456789abcdef.sock",
    "TERMA_RECORDING_TTY": "/dev/pts/9",
    "TERMA_RECORDING_HOOKS": "/opt/hooks",
    "TERMA_RECORDING_PAD": "/proc/1/fd/9",
}


def started(shell: str, *words: str, **environment: str) -> Start:
    return start(shell, words, environment, RECORDING)


def test_bash_reads_our_file_which_reads_theirs() -> None:
    made = started("/bin/bash", HOME="/h")
    assert made.arguments == ("bash", "--rcfile", "/opt/hooks/record/bashrc")
    assert made.environment == {"HOME": "/h"} | NAMES


@pytest.mark.parametrize(
    "word", ["-l", "--login", "--norc", "--rcfile=x", "-c", "--posix", "script.sh", "-li"]
)
def test_a_bash_that_reads_no_rcfile_or_its_own_is_started_as_asked(word: str) -> None:
    assert started("/bin/bash", word).arguments == ("bash", word)


@pytest.mark.parametrize("words", [(), ("-l",), ("-i",), ("-il",), ("-d",)])
def test_zsh_is_led_by_zdotdir_and_told_what_it_was(words: tuple[str, ...]) -> None:
    made = started("/bin/zsh", *words, ZDOTDIR="/theirs")
    assert made.arguments == ("zsh", *words)
    assert made.environment["ZDOTDIR"] == "/opt/hooks/record"
    assert made.environment["TERMA_RECORDING_ZDOTDIR"] == "/theirs"


@pytest.mark.parametrize(
    "words", [("-f",), ("-if",), ("-c", "ls"), ("-o", "norcs"), ("script",), ("--no-rcs",)]
)
def test_a_zsh_that_would_not_read_it_keeps_its_zdotdir(words: tuple[str, ...]) -> None:
    assert started("/bin/zsh", *words, ZDOTDIR="/theirs").environment == {"ZDOTDIR": "/theirs"} | NAMES


@pytest.mark.parametrize("shell", ["/bin/zsh", "/bin/bash"])
def test_a_dumb_terminal_gets_no_marks(shell: str) -> None:
    made = started(shell, TERM="dumb")
    assert made.arguments == (Path(shell).name,)
    assert "ZDOTDIR" not in made.environment


def test_the_names_of_an_earlier_recording_are_replaced() -> None:
    old = {name: "old" for name in NAMES} | {"TERMA_RECORDING_ZDOTDIR": "old"}
    assert started("/bin/bash", **old).environment == NAMES


def test_another_shell_is_started_as_it_is_and_its_plain_marks_are_believed() -> None:
    made = started("/usr/bin/fish", "-l")
    assert (made.arguments, made.plain_marks) == (("fish", "-l"), True)
