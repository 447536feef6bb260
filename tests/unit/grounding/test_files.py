"""A file is called missing only when the line certainly reads it, here, before anything could have made it."""

from __future__ import annotations

import pytest

from .conftest import Check


@pytest.mark.parametrize(
    "command",
    [
        "cat gone",
        "less -S gone",
        "head -n 3 gone",
        "tail -n1 gone",
        "sort -k2 -t, gone",
        "grep -i foo gone",
        "grep -A 3 foo gone",
        "grep -rn foo gone",
        "sed -n 5p gone",
        "awk '{print}' gone",
        "jq .a gone",
        "wc -l < gone",
        "tar -xzf gone",
        "tar xf gone",
        "tar tvf gone",
        "tar --extract --file=gone",
        "unzip gone -d out",
        "gunzip gone",
        "python3 gone",
        "bash gone",
        "source ./gone",
        "cp gone src",
        "cp -r gone notes.txt src",
        "mv gone src/",
        "rm gone",
        "chmod +x gone",
        "diff notes.txt gone",
        "md5sum gone",
        "sudo cat gone",
        "cat notes.txt gone | wc -l",
        "cd src && cat gone",
        "ls -l gone",
        "fold -sw 80 gone",
    ],
)
def test_a_file_that_is_read_and_is_not_there_is_named(command: str, here: Check) -> None:
    assert [text.rsplit("/", 1)[-1].split()[-1] for text in here(command) if "no such file" in text] == [
        "gone"
    ]


@pytest.mark.parametrize(
    "command",
    [
        "echo x > gone && cat gone",
        "touch gone; cat gone",
        "cp notes.txt gone && cat gone",
        "mv notes.txt gone && rm gone",
        "mkdir gone && cd gone && touch x && cat x",
        "sort notes.txt | tee gone && cat gone",
        "curl -o gone https://example.org && cat gone",
        "wget https://example.org/gone && tar xf gone",
        "git clone https://example.org/gone && cd gone",
        "tar xf archive.tar.gz && cat gone",
        "make && cat gone",
        "python3 main.py && cat gone",
        "cat gone*",
        "cat *.gone",
        "cat $gone",
        'cat "$(ls)"',
        "cat {gone}",
        "cat <gone>",
        "cat path/to/gone",
        "cat /no/such/folder/gone",
        "cat host:gone",
        "[ -f gone ] && cat gone",
        "test -f gone && cat gone",
        "cat gone || true",
        "cat gone 2>/dev/null",
        "rm -f gone",
        "rm -rf gone",
        "ls > gone",
        "tar czf gone src",
        "cp notes.txt gone",
        "mv notes.txt gone",
        "ln -s gone link2",
        "mkdir gone",
        "touch gone",
        "ssh host cat gone",
        "docker exec web cat gone",
        "find . -exec cat gone {} +",
        "xargs cat gone < notes.txt",
        "sed 's/gone/x/' notes.txt",
        "grep gone notes.txt",
        "grep -e gone notes.txt",
        "awk gone notes.txt",
        "python3 -c gone",
        "python3 -m gone",
        "bash -c 'cat gone || ls'",
        "source gone",  # found along PATH, perhaps
        "cd -",
        "cd",
        "cat -",
        "cat /dev/stdin",
        "echo gone",
        "head -n gone",
        "(cd src && ls); cat notes.txt",
        "shuf -e gone x",
        "sort -o gone notes.txt",
        "jq --arg x gone . data.json",
        "chmod --reference=gone notes.txt",
        "while read -r x; do cat gone; done < notes.txt",
    ],
)
def test_a_file_that_may_come_to_be_or_is_no_file_is_not(command: str, here: Check) -> None:
    assert [text for text in here(command) if "no such f" in text] == []


def test_without_a_known_directory_no_file_is_looked_for(here: Check) -> None:
    from terma.grounding import check

    assert check("cat gone", "/usr/bin:/bin", "", "bash") == []


def test_a_folder_that_is_not_there_is_named(here: Check) -> None:
    assert here("cd gone && ls") == ["no such folder: gone"]
