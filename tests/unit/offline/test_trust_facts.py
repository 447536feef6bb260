"""The facts of a sentence, and that no command stands which breaks one."""

from __future__ import annotations

import pytest

from terma.offline.draft import Context
from terma.offline.sentence import Sentence
from terma.offline.trust.facts import read
from terma.offline.trust.verify import broken


def wrong(words: str, command: str) -> tuple[str, ...]:
    return broken(read(Sentence.parse(words)), command, Context())


@pytest.mark.parametrize(
    ("words", "command", "fact"),
    [
        ("which files in /srv can anybody write to", "chmod a+w /srv", "looks"),
        ("is crates.service running", "systemctl start crates.service", "looks"),
        ("move wares.txt to /mnt/stick", "mv /mnt/stick wares.txt", "direction"),
        ("an image of /dev/sdq into card.img", "dd if=card.img of=/dev/sdq", "direction"),
        ("copy wares.txt to web7:/srv", "scp web7:/srv wares.txt", "direction"),
        ("unpack wares.tar.zst under /opt/crates", "tar -caf wares.tar.zst /opt/crates", "direction"),
        ("fetch web7:/srv/x into crates/", "rsync -a crates/ web7:/srv/x", "direction"),
        (
            "delete the files in crates except the ones in keep/",
            "find crates keep/ -type f -delete",
            "denials",
        ),
        ("don't kill process 4711", "kill 4711", "denials"),
        ("never delete wares.txt", "rm wares.txt", "denials"),
        ("list wares.txt without sorting", "sort -u wares.txt", "denials"),
        (
            "delete logs in /srv/log older than 9 days",
            "find /srv/log / -name '*.log' -mtime +9 -delete",
            "root",
        ),
        ("show the first 17 lines of wares.txt", "head wares.txt", "literals"),
        ("copy wares.txt to /mnt and then delete it", "cp wares.txt /mnt", "steps"),
        ("strace ./crates but only show what failed", "strace ./crates but only show what failed", "prose"),
    ],
)
def test_a_command_that_breaks_a_fact_is_told(words: str, command: str, fact: str) -> None:
    assert fact in wrong(words, command)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("move wares.txt to /mnt/stick", "mv wares.txt /mnt/stick"),
        ("put wares.txt into /mnt/stick", "cp wares.txt /mnt/stick"),
        ("an image of /dev/sdq into card.img", "sudo dd if=/dev/sdq of=card.img bs=4M"),
        ("unpack wares.tar.zst under /opt/crates", "tar -xf wares.tar.zst -C /opt/crates"),
        ("delete the files in crates except *.keep", "find crates -type f ! -name '*.keep' -delete"),
        ("lines of wares.txt that do not contain crate", "grep -v crate wares.txt"),
        ("find files in / larger than 2 GB", "find / -type f -size +2G"),
        ("logs of the last 2 weeks in /srv", "find /srv -name '*.log' -mtime -14"),
        ("copy wares.txt to /mnt and then delete it", "cp wares.txt /mnt && rm wares.txt"),
        ("which process listens on port 7070", "ss -ltnp 'sport = :7070'"),
    ],
)
def test_a_command_that_keeps_to_the_facts_stands(words: str, command: str) -> None:
    assert wrong(words, command) == ()
