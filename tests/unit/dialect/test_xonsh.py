"""A command in xonsh means what it means in bash: held by running both, and by xonsh's own parser."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from terma.dialect.xonsh.rewrite import for_xonsh
from terma.dialect.xonsh.stream import Growing
from terma.suggest.translate import written
from terma.types import Candidate, Placeholder, Query
from tests.shells.in_xonsh import XONSH, needs_xonsh

# What stands for the words of a real command: `show` prints each argument in brackets.
SAME = r"""
show a\ b 'c d' "e f" g
show 'a\nb' "a\nb" $'a\nb'
show '$HOME' "$HOME/x" ${HOME}/y "${HOME}" $HOME
show "it's" 'say "hi"' 'don'\''t'
show --a='b c' --include='*.py' -d',' x=y
show {a,b}.txt file{1..3} {08..10} x{a,b}{1,2} {} '{}' {3..1}
show *.txt [ab].txt ?.txt "my dir"/*.md 'a*' *.none
show "$(echo b  c)" a-$(echo d)-e `echo f`
show $(echo b c) "x $(echo 'y z') $HOME"
show this and that or not
show '!' hi! a!b \! '#' a#b
show '~/x' stash@{0} HEAD~1 HEAD^ 50% a:b,c
show '{print $1, $NF}' '^(a|b)$' 's/a\.b/c/' 'a\\b' '\d+'
show '' ""
show -I{} 'x' \; \( \)
show a; show b
show a && show b || show c
show a | tr a b
show a 2>&1 | tr a b |& cat
show a > out && cat out
show a >out b; cat < out
FOO=1 BAR='x y' sh -c 'echo $FOO-$BAR'
[ -f a.txt ] && show yes
for x in a b; do show $x; done
if [ -f a.txt ]; then show yes; fi
(cd / && pwd)
cat <<< hello
cat <(echo a)
show $((1+2))
x=5; show a
echo 思考 'né e' "ü"
find . -maxdepth 1 -name '*.txt' -exec echo {} \;
cd "my dir"; for f in *; do show "$f"; done
cd .. && for x in a b; do show $x; done && show c
printf 'a\nb\n' | while read -r x; do show "$x"; done | sort -r
cd "my dir" && cat <(show b) && show c
cd ..; if true; then show a; fi; show b
false || for x in a; do show $x; done
true || show a && show b
make=5; for i in 1; do show $make$i; done
show c && cat <(show d) || show e
alias l='show x'; for x in a; do show $x; done
command -v sh >/dev/null && show yes
find . \( -name a.txt -o -name b.txt \) ! -name 'b*'
printf '%s\n' a b | awk '{print $1 "-" NR}'
echo a:b:c | cut -d: -f2
""".strip().splitlines()


@needs_xonsh
def test_what_it_prints_is_the_same_in_bash_and_in_xonsh(place: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (place / name).touch()
    (place / "my dir").mkdir()
    (place / "my dir" / "x y.md").touch()
    (place / "bin").mkdir()
    show = place / "bin/show"
    show.write_text("#!/bin/sh\nfor word do printf '[%s]' \"$word\"; done; echo\n")
    show.chmod(0o755)
    env = {
        "HOME": "/home/somebody",
        "PATH": f"{place}/bin:/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
    }
    (place / "lines.json").write_text(json.dumps([for_xonsh(line) for line in SAME]))
    script = place / "run.xsh"
    script.write_text(
        "import json\n"
        "for _number, _line in enumerate(json.load(open('lines.json'))):\n"
        "    print(f'== {_number}', flush=True)\n"
        "    __xonsh__.execer.exec(_line + '\\n', mode='single', glbs=__xonsh__.ctx)\n"
    )
    numbered = "".join(f"echo '== {number}'\n{line}\n" for number, line in enumerate(SAME))
    bash = subprocess.run(
        ["bash", "-c", numbered], cwd=place, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    xonsh = subprocess.run(
        [XONSH, "--no-rc", str(script)],
        cwd=place,
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    expected, got = _blocks(bash.stdout), _blocks(xonsh.stdout)
    wrong = {
        line: (for_xonsh(line), expected[number], got.get(number, xonsh.stderr[-500:]))
        for number, line in enumerate(SAME)
        if expected[number] != got.get(number)
    }
    assert wrong == {}


def _blocks(text: str) -> dict[int, list[str]]:
    parts = text.split("== ")[1:]
    return {int(part.split("\n", 1)[0]): sorted(part.split("\n")[1:]) for part in parts}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls -l | wc -l", "ls -l | wc -l"),
        ("export A=b C='d e'", "$A = 'b'; $C = 'd e'"),
        ('export PATH="$HOME/bin:$PATH"', '$PATH.insert(0, f"{$HOME}/bin")'),
        ("export PATH=$PATH:/opt/bin", "$PATH.append('/opt/bin')"),
        ("unset A", "del $A"),
        ("alias ll='ls -l'", "aliases['ll'] = 'ls -l'"),
        ("source env.sh", "source-bash env.sh"),
        ("source ~/.xonshrc", "source ~/.xonshrc"),
        (". ./tasks.xsh", "source ./tasks.xsh"),
        ("command -v git", "which git"),
        ("id", "$[id]"),  # a name of Python's
        ("sleep 5 &", "sleep 5 &"),
        ("make 2>/dev/null >> log", "make 2>/dev/null >> log"),
        ("while read x; do echo $x; done < f", "bash -c r'while read x; do echo $x; done < f'"),
        ("cd x; for f in *; do wc $f; done; y", "cd x; bash -c r'for f in *; do wc $f; done; y'"),
        ("cd x && while read y; do z; done < f", "cd x && bash -c 'while read y; do z; done < f'"),
        ("mkdir a && cat > a/b <<E\nc;d\nE", "mkdir a && bash -c r'''cat > a/b <<E\nc;d\nE'''"),
        ("a && (b) || c", "bash -c 'a && (b) || c'"),  # of three in a row, the rest is no whole
        ("a; echo $?", "bash -c 'a; echo $?'"),  # and what is of one shell stays in one
        ("cd x; (a); cd ..", "bash -c 'cd x; (a); cd ..'"),
        ("a || b && c", "bash -c 'a || b && c'"),  # Python would group them otherwise
        ("command -v a >/dev/null && b", "which a >/dev/null && b"),
        ("echo 'it'\\''s' <<< \"a\"", "bash -c r'''echo 'it'\\''s' <<< \"a\"'''"),
    ],
)
def test_it_is_written_as_a_person_would(command: str, expected: str) -> None:
    assert for_xonsh(command) == expected


@pytest.mark.parametrize(
    "own",
    [
        "ls @(files)",
        "$[id]",
        "g`*.txt`",
        "$A = 1",
        "![ls]",
        "aliases['x'] = 'y'",
        "for x in [1]:\n    print(x)",
        "print(sum(range(5)))",
    ],
)
def test_what_is_xonshs_already_stays(own: str) -> None:
    assert for_xonsh(own) == own


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('for f in *.txt; do wc -l "$f"; done', "for f in g`*.txt`:\n    wc -l @(f)"),
        ('for i in {1..3}; do mkdir "d$i"; done', 'for i in range(1, 4):\n    mkdir @(f"d{i}")'),
        ("for x in a b; do echo $x; done", "for x in ['a', 'b']:\n    echo @(x)"),
        ("ls -l", "ls -l"),
    ],
)
def test_with_the_style_python_a_loop_is_pythons(command: str, expected: str) -> None:
    assert for_xonsh(command, "python") == expected


@pytest.mark.parametrize("odd", ["'", '"', "$(", "a\\", "`", "(((", "{", "a | | b", "&&", "a'b\"c`d\\"])
def test_what_nobody_can_read_is_one_word_for_bash(odd: str) -> None:
    assert for_xonsh(odd).startswith("bash -c ")


def test_placeholders_move_with_the_text() -> None:
    candidate = Candidate("mv {file} to", 1.0, "x", (Placeholder("file", 3, 9),))
    moved = written(candidate, Query("x", shell="xonsh"))
    slot = moved.placeholders[0]
    assert moved.command == "mv '{file}' to"
    assert moved.command[slot.start : slot.end] == "{file}"


def test_other_shells_and_the_persons_own_history_are_left_alone() -> None:
    candidate = Candidate("find . -exec ls {} \\;", 1.0, "history")
    assert written(candidate, Query("x", shell="xonsh")) is candidate
    assert written(Candidate("ls {}", 1.0, "x"), Query("x", shell="bash")).command == "ls {}"


# Whose end turns the beginning into something else, since it reads what only one shell can know of both.
TURNING = ("alias l=", "show c && cat <(show d) ||", "true || show a &&", "show $((")


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_what_is_shown_of_a_growing_command_is_how_the_whole_begins(size: int) -> None:
    wrong: dict[str, str] = {}
    for line in [*SAME, "id", "id -u", "export A=b", "source env.sh", "alias ll='ls -l'", "rm -rf a bc"]:
        growing = Growing()
        shown = "".join(growing.feed(line[at : at + size]) for at in range(0, len(line), size))
        if not for_xonsh(line).startswith(shown):
            wrong[line] = shown
    assert {line: text for line, text in wrong.items() if not line.startswith(TURNING)} == {}


def test_a_growing_command_is_shown_a_word_at_a_time() -> None:
    growing = Growing()
    pieces = ("find . -na", "me 'a\\.b' -ex", "ec ls {", "} \\; ", "| wc ", "-l")
    assert [growing.feed(piece) for piece in pieces] == [
        "find .",
        r" -name r'a\.b'",
        " -exec ls",
        " '{}' ';'",
        " | wc",
        "",
    ]


@pytest.mark.parametrize(
    "line", ["for x in a b; do echo $x; done", "while read x; do y; done", "print(1 + 2)"]
)
def test_what_will_be_something_else_waits_for_its_end(line: str) -> None:
    growing = Growing()
    assert "".join(map(growing.feed, line)) == ""
