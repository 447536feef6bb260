"""A finished command is read for what it runs, what it does and which way it carries things."""

from __future__ import annotations

import pytest

from terma.offline.trust.command import effect, simples, tokens
from terma.offline.trust.flow import ends


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("ls -la /srv", "look"),
        ("find . -name '*.o' -delete", "destroy"),
        ("find . -name '*.o' -exec rm {} +", "destroy"),
        ("sudo find / -type f -size +1G", "look"),
        ("sed -n 3p a.txt", "look"),
        ("sed -i 3d a.txt", "change"),
        ("sort a.txt -o a.txt", "change"),
        ("cat a.txt > b.txt", "change"),
        ("cat a.txt 2>/dev/null", "look"),
        ("git log --oneline", "look"),
        ("git branch", "look"),
        ("git branch -d old", "destroy"),
        ("git branch topic", "change"),
        ("git push --force", "destroy"),
        ("docker ps -a", "look"),
        ("docker image prune -a", "destroy"),
        ("kubectl get pods", "look"),
        ("kubectl delete pod web-1", "destroy"),
        ("systemctl status cups", "look"),
        ("systemctl restart cups", "change"),
        ("tar -tf a.tar", "look"),
        ("tar -xf a.tar", "change"),
        ("dd if=a.img of=/dev/sdq", "destroy"),
        ("ps aux | grep cups | awk '{print $2}' | xargs kill", "destroy"),
        ("echo $(rm a.txt)", "destroy"),
        ("ssh web1 'rm -r /srv/x'", "destroy"),
        ("some-unknown-program --do", "change"),
        ("sqlite3 a.db 'select 1'", "look"),
        ("sqlite3 a.db 'drop table t'", "destroy"),
        ("journalctl -u cups --since today", "look"),
        ("journalctl --vacuum-time=2d", "destroy"),
    ],
)
def test_what_a_command_does_is_the_worst_of_its_parts(command: str, level: str) -> None:
    assert effect(command) == level


def test_what_runs_inside_another_program_is_seen() -> None:
    programs = [
        simple.program for simple in simples("find . -name x -exec chmod 600 {} \\; | xargs -n 1 wc -l")
    ]
    assert programs == ["find", "chmod", "xargs", "wc"]


@pytest.mark.parametrize(
    ("command", "sources", "targets"),
    [
        ("cp a.txt b.txt /srv", ("a.txt", "b.txt"), ("/srv",)),
        ("scp -r web1:/srv/x .", ("web1:/srv/x",), (".",)),
        ("dd if=/dev/sdq of=card.img bs=4M", ("/dev/sdq",), ("card.img",)),
        ("tar -czf out.tar.gz src", ("src",), ("out.tar.gz",)),
        ("tar -xf in.tar.gz -C /opt", ("in.tar.gz",), ("/opt",)),
        ("ffmpeg -i a.mkv -c copy b.mp4", ("a.mkv",), ("b.mp4",)),
        ("mv -t /srv a b", ("a", "b"), ("/srv",)),
    ],
)
def test_the_two_ends_of_what_carries_are_known(
    command: str, sources: tuple[str, ...], targets: tuple[str, ...]
) -> None:
    assert ends(simples(command)[-1]) == (sources, targets)


def test_a_value_of_the_sentence_says_nothing_about_the_command() -> None:
    assert "grep =needle" not in tokens("grep -n needle a.txt", frozenset(("needle", "a.txt")))
    assert "grep -n" in tokens("grep -n needle a.txt", frozenset(("needle", "a.txt")))


@pytest.mark.parametrize(
    "command", ["", "echo 'open", "cat <<EOF\nx\nEOF", "\x00", "((((", "a" * 9000, "`" * 50]
)
def test_what_cannot_be_read_is_nothing_or_words_and_never_an_error(command: str) -> None:
    assert isinstance(simples(command), tuple)
    assert effect(command) in ("look", "change", "destroy")
