"""A model's reply becomes a command, alone: streamed without a flash of what is taken out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.suggest.reply import CommandStream, command_in

REPLIES = {
    "ls -l": "ls -l",
    "```bash\nls -l\n```": "ls -l",
    "```\nls -l\n```\nThis lists files.": "ls -l",
    "Here is the command:\n```bash\nls -l\n```\nHope it helps": "ls -l",
    "Sure! You can use this:\n\n```sh\n$ ls -l\n```": "ls -l",
    "`ls -l`": "ls -l",
    "$ ls -l": "ls -l",
    "$ ls -l\n$ pwd": "ls -l\npwd",
    "ls -l\n\nThis command lists files.": "ls -l",
    "ls -l\nThis command lists files.": "ls -l",
    'for f in *; do\n  echo "$f"\ndone\n\nExplanation: loops': 'for f in *; do\n  echo "$f"\ndone',
    "cat <<E > x\nHello There\n\nThis\nE\nNote that it writes": "cat <<E > x\nHello There\n\nThis\nE",
    "<think>Let me see\nls?</think>\nls -l": "ls -l",
    '{"command": "ls -l"}': "ls -l",
    "LC_ALL=C sort file": "LC_ALL=C sort file",
    "R --version": "R --version",
    "# that cannot be done": "",
    "find . -name '*.py' \\\n  -print": "find . -name '*.py' \\\n  -print",
    "Command: ls -l": "ls -l",
    'git commit -m "Add\n\nThis fixes it"': 'git commit -m "Add\n\nThis fixes it"',
    "here is the command: \n\nls": "ls",
    "{ ls; pwd; }": "{ ls; pwd; }",
    "> ls": "ls",
    ">out.txt echo hi": ">out.txt echo hi",
    "To list files, use:\n\nls -l\n\nThe -l flag": "ls -l",
    "Use `ls`": "ls",
    "I cannot do that because it is impossible.": "",
    "- `ls`": "ls",
    "ls -l  # list": "ls -l  # list",
    "if true; then\n  Echo x\nfi": "if true; then\n  Echo x\nfi",
    "```bash\ncat > a.md <<'E'\n~~~\nx\n~~~\nE\n```": "cat > a.md <<'E'\n~~~\nx\n~~~\nE",
    "tar xzf a.tgz": "tar xzf a.tgz",
    "shutdown now": "shutdown now",
    "sh x.sh": "sh x.sh",
    "bash -c 'x'": "bash -c 'x'",
    "node a": "node a",
    "here": "here",
    "```bash\r\nls -l\r\n```\r\n": "ls -l",
    "```bash\n# list them\nls -l\n```": "ls -l",
    "# list them\nls -l": "ls -l",
    "<|im_start|>assistant\nls -l<|im_end|>": "ls -l",
    "ls -l</s>": "ls -l",
    "ls -l<end_of_turn>\n": "ls -l",
    "The user wants a list.\nSo ls it is.\n</think>\n\nls -l": "ls -l",
    "- ls -l": "ls -l",
    "1. cd /tmp\n2. ls -l": "cd /tmp\nls -l",
    '[{"command": "ls -l"}]': "ls -l",
    '["ls -l"]': "ls -l",
    "user@host:~/src$ ls -l": "ls -l",
    "root@box# ls -l": "ls -l",
    "<command>ls -l</command>": "ls -l",
    '"ls -l *.log"': "ls -l *.log",
    '"$HOME/my tool" -l': '"$HOME/my tool" -l',
    "find . -name ‘*.log’ —delete": "find . -name '*.log' --delete",
    "ls\u00a0-l －a": "ls -l -a",
    "echo 'it’s “so” — yes'": "echo 'it’s “so” — yes'",
    "[ -f x ] && ls": "[ -f x ] && ls",
    "<in.txt sort": "<in.txt sort",
    "sort <in.txt": "sort <in.txt",
    "ssh user@host ls": "ssh user@host ls",
    "7z x a.7z": "7z x a.7z",
}


@pytest.mark.parametrize(("reply", "command"), REPLIES.items())
def test_the_command_is_found_in_a_whole_reply(reply: str, command: str):
    found = command_in(reply)
    assert found == command or (not command and found.startswith("# "))


@pytest.mark.parametrize(("reply", "command"), REPLIES.items())
def test_in_whatever_pieces_it_comes_nothing_is_taken_back(reply: str, command: str):
    for seed in range(60):
        dice, stream, shown, at = random.Random(seed), CommandStream(), "", 0
        while at < len(reply):
            size = dice.randint(1, 6)
            shown += stream.feed(reply[at : at + size])
            at += size
        assert command.startswith(shown)
        assert stream.close() == command


@given(st.text(alphabet="ab$%>`~#\n HTte'\"{}<>-.:", max_size=80), st.integers(1, 9))
def test_any_text_streams_as_a_prefix_of_its_end(reply: str, size: int):
    stream = CommandStream()
    shown = "".join(stream.feed(reply[at : at + size]) for at in range(0, len(reply), size))
    assert stream.close().startswith(shown)


@pytest.mark.parametrize("reply", ["find . -name x", "```sh\nfind . -name x\n```", "$ find . -name x"])
def test_a_command_is_shown_long_before_its_end(reply: str):
    stream = CommandStream()
    pieces = [stream.feed(char) for char in reply]
    assert next(at for at, piece in enumerate(pieces) if piece) <= reply.index("find") + 5


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("# a GPU is needed for that", "a GPU is needed for that"),
        ("I cannot do that.", "I cannot do that."),
    ],
)
def test_a_refusal_is_no_command_and_keeps_its_reason(reply: str, reason: str):
    stream = CommandStream()
    assert stream.feed(reply) == ""
    assert stream.close() == ""
    assert stream.refusal == reason
