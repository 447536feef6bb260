"""Which lines are the prompt at which something was entered before, and which only look like one."""

from __future__ import annotations

import pytest

from terma.sessions.homes import Homes


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ("$", "$"),
        ("ada@box:~$", "ada@box:/etc/ssh$"),
        ("[root@box ~]#", "[root@box etc]#"),
        ("ada@box:~$", "(venv) ada@box:~/src$"),
        ("[0] 12:03:04 $", "[130] 12:15:59 $"),
        ("router#", "router(config-if)#"),
        ("db=>", "db->"),
    ],
)
def test_a_prompt_is_known_by_what_stays(known, line):
    homes = Homes()
    homes.learn(known, paste=False)
    assert homes.know(line, paste=False)
    assert not homes.know(line, paste=True)


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ("$", "cost in $"),
        ("$", "total:"),
        ("box %", "50 %"),
        ("~>", "copying a -> b>"),
        ("~ %", "done 5 %"),
        (">>>", "->"),
        ("name?", "ready?"),
        ("ada@box:~$", ""),
    ],
)
def test_another_line_is_none(known, line):
    homes = Homes()
    homes.learn(known, paste=False)
    assert not homes.know(line, paste=False)


def test_what_is_known_goes_on_in_the_next_agent():
    homes, other = Homes(), Homes()
    homes.learn("db=>", paste=True)
    other.go_on([tuple(one) for one in homes.kept()])
    assert other.know("db=>", paste=True)
