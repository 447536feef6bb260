"""What a model wrote for a command: a sentence is told from a command whose program is not known here."""

from __future__ import annotations

import pytest

from terma.routing import Known, is_prose

KNOWN = Known("")


@pytest.mark.parametrize(
    "reply",
    [
        "wakeonlan 00:1e:4f:aa:10:3c",
        "texcount thesis.tex",
        "vcgencmd get_mem gpu",
        "sudo cupsenable printer3",
        "sudo needrestart",
        "go mod why example.org/lib",
        "sudo ufw allow from 192.0.2.0/24 to any port 22 proto tcp",
        "sudo nft insert rule inet filter input ip saddr 192.0.2.9 drop",
        "gdb -batch -ex run -ex bt --args ./solver in.json",
        "sudo tcpdump -ni eth0 port 53 and host 192.0.2.9",
        "virsh snapshot-create-as vm1 before",
        "echo 'you can use the list for that'",
    ],
)
def test_a_command_is_one_also_where_its_program_is_not_known(reply):
    assert not is_prose(reply, KNOWN)


@pytest.mark.parametrize(
    "reply",
    [
        "You can use tar for that, with some of its options.",
        "use the tar command and tell it which files you mean",
        "find the largest files and delete them",
        "make a new folder called x",
        "sort the lines of the file by size",
        "list the files that are in it, then take them out",
        "git has no command for it",
        "that cannot be done here",
        "No command does that",
        "To list all files, run ls",
    ],
)
def test_a_sentence_is_one_also_where_it_begins_with_a_program(reply):
    assert is_prose(reply, KNOWN)
