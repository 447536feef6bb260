"""On macOS and BSD the offered commands are those of their own programs, or say that they are not."""

from __future__ import annotations

import random
import shlex
import string
import tomllib
from pathlib import Path

import pytest

from terma.dialect.bsd.words import line_of
from terma.dialect.portable import NOTES, adapted, portable
from terma.types import Candidate, Placeholder

DATA = Path(__file__).parents[2] / "data" / "grammar_sentences.toml"
SENTENCES = tomllib.loads(DATA.read_text(encoding="utf-8"))["sentence"]
NOTE = NOTES["macos"]

PAIRS = [
    ("sed -i 's/a/b/' f", "sed -i '' 's/a/b/' f"),
    ("sed -i '' 's/a/b/' f", "sed -i '' 's/a/b/' f"),
    ("sed -i.bak 's/a/b/' f", "sed -i.bak 's/a/b/' f"),
    ("sed --in-place 's/a/b/' f", "sed -i '' 's/a/b/' f"),
    ("sed -ri 's/a/b/' f", "sed -Ei '' 's/a/b/' f"),
    ("sed -r 's/(a)/b/' f", "sed -E 's/(a)/b/' f"),
    ("sed -n '/x/{p;q}' f", "sed -n '/x/{p;q;}' f"),
    ("sed '3i hello' f", "sed '3i\\\nhello' f"),
    (r"sed 's/\bcat\b/dog/g' f", "sed 's/[[:<:]]cat[[:>:]]/dog/g' f"),
    ("find -name x", "find . -name x"),
    ("find", "find ."),
    ("find -L -type f", "find -L . -type f"),
    ("find . -printf '%p\\n'", "find . -print"),
    ("find . -printf '%f\\n'", "find . -exec basename {} \\;"),
    ("find . -printf '%h\\n' | sort -u", "find . -exec dirname {} \\; | sort -u"),
    ("find . -printf '%s\\n'", "find . -exec stat -f '%z' {} +"),
    ("find . -printf '%T@ %p\\n' | sort -n", "find . -exec stat -f '%m %N' {} + | sort -n"),
    ("find . -printf '%M %u %p\\n'", "find . -exec stat -f '%Sp %Su %N' {} +"),
    ("find . -printf '%TY-%Tm-%Td %p\\n'", "find . -exec stat -t '%Y-%m-%d' -f '%Sm %N' {} +"),
    ("find . -printf '%p -> %l\\n'", "find . -exec stat -f '%N -> %Y' {} +"),
    ("find . -daystart -mtime -1", 'find . -newermt "$(date +%F)"'),
    ("find . -xtype l -print", "find . -type l ! -exec test -e {} \\; -print"),
    ("find . -executable", "find . -perm +111"),
    ("find . ! -readable", "find . ! -exec test -r {} \\;"),
    ("find . -perm /222", "find . -perm +222"),
    ("find . -regextype posix-extended -regex 'a+'", "find -E . -regex 'a+'"),
    ("find . -exec md5sum {} +", "find . -exec md5 -r {} +"),
    ("find . -exec bash -c 'tac \"$1\"' _ {} \\;", "find . -exec bash -c 'tail -r \"$1\"' _ {} \\;"),
    ("find . -name '-printf' -exec rm {} \\;", "find . -name '-printf' -exec rm {} \\;"),
    ("ls | xargs -r rm", "ls | xargs rm"),
    ("ls | xargs -0r rm", "ls | xargs -0 rm"),
    ("ls | xargs -d '\\n' rm", "ls | tr '\\n' '\\0' | xargs -0 rm"),
    ("ls | xargs --no-run-if-empty md5sum", "ls | xargs md5 -r"),
    ("ls | xargs --max-args=2 echo", "ls | xargs -n 2 echo"),
    ("md5sum a", "md5 -r a"),
    ("sha256sum a", "shasum -a 256 a"),
    ("sha1sum a", "shasum -a 1 a"),
    ("stat -c %s f", "stat -f '%z' f"),
    ("stat -c '%a %n' f", "stat -f '%Lp %N' f"),
    ("stat --format='%U' f", "stat -f '%Su' f"),
    ("stat f", "stat -x f"),
    ("du --max-depth=1 .", "du -d 1 ."),
    ("du -h --max-depth 2", "du -h -d 2"),
    ("du --apparent-size -h f", "du -A -h f"),
    ("shuf f", "sort -R f"),
    ("shuf -n 3 f", "sort -R f | head -n 3"),
    ("shuf -i 1-9 -n 2", "seq 1 9 | sort -R | head -n 2"),
    ("head -c 2K f", "head -c 2048 f"),
    ("head --lines=4 f", "head -n 4 f"),
    ("head -n -3 f", "tail -r f | tail -n +4 | tail -r"),
    ("cat f | head -n -1 | sort", "cat f | tail -r | tail -n +2 | tail -r | sort"),
    ("tail --lines=4 f", "tail -n 4 f"),
    ("tail --follow=name f", "tail -F f"),
    ("tac f", "tail -r f"),
    ("mv -t dir a b", "mv a b dir"),
    ('mv -n -- "$f" b', 'mv -n -- "$f" b'),
    ("df -h -T apfs", "df -h -T apfs"),
    ("sed $'s/\\x1b\\'//' f | tac", "sed $'s/\\x1b\\'//' f | tail -r"),
    ("cp --archive a b", "cp -a a b"),
    ("cp --parents a/b c", "rsync -R a/b c"),
    ("date -d yesterday +%F", "date -v-1d +%F"),
    ("date -d '3 days ago'", "date -v-3d"),
    ("date --date='+2 weeks' +%F", "date -v+2w +%F"),
    ("date -d @86400", "date -r 86400"),
    ("touch -d 2024-05-01 f", "touch -t 202405010000 f"),
    ("ps aux --sort=-%mem | head", "ps aux -m | head"),
    ("nproc", "sysctl -n hw.ncpu"),
    ("cut -d, -f2 --complement f", "cut -d, -f1,3- f"),
    ("cut --delimiter=: --fields=1 f", "cut -d: -f1 f"),
    ("sort f | uniq --count", "sort f | uniq -c"),
    ("grep -rlZ x . | xargs -0 rm", "grep -rl --null x . | xargs -0 rm"),
    ("grep -r x", "grep -r x ."),
    ("ls | paste -sd,", "ls | paste -sd, -"),
    ("base64 -w0 f", "base64 -i f"),
    ("mkdir --parents a/b", "mkdir -p a/b"),
    ("rm --recursive --force a", "rm -R -f a"),
    ("cat -A f", "cat -et f"),
    ("dd if=a of=b bs=4M", "dd if=a of=b bs=4m"),
    ("truncate --size=1M f", "truncate -s 1M f"),
    ("readlink -f f", "readlink -f f"),
    ("for f in *.txt; do sed -i 's/a/b/' \"$f\"; done", "for f in *.txt; do sed -i '' 's/a/b/' \"$f\"; done"),
    ("echo $(tac f)", "echo $(tail -r f)"),
    ("diff <(tac a) <(tac b)", "diff <(tail -r a) <(tail -r b)"),
    ("LC_ALL=C sed -i 1d f && sudo sed -i 1d g", "LC_ALL=C sed -i '' 1d f && sudo sed -i '' 1d g"),
    ("echo 'sed -i x' tac \"find -printf\"", "echo 'sed -i x' tac \"find -printf\""),
]


@pytest.mark.parametrize(("gnu", "bsd"), PAIRS)
def test_a_gnu_command_becomes_its_bsd_form(gnu: str, bsd: str) -> None:
    assert portable(gnu, "macos") == (bsd, "")


@pytest.mark.parametrize(("gnu", "bsd"), PAIRS)
def test_a_bsd_command_stays(gnu: str, bsd: str) -> None:
    if not bsd.startswith(("base64", "stat -x")):
        assert portable(bsd, "macos") == (bsd, "")


@pytest.mark.parametrize(
    "command",
    [
        "grep -P '\\d' f",
        "grep -oP x f",
        "find . -printf '%P\\n'",
        "find . -printf '%f %s\\n'",
        "find . -fprintf out %p",
        "find . -perm /u=w",
        "find . -regextype emacs -regex x",
        "ls --group-directories-first",
        "ls -l --time-style=full-iso",
        "ls -X",
        "du -b f",
        "cut -z -f1 f",
        "timeout 5 make",
        "numfmt --to=iec 5",
        "md5sum -c sums",
        "date -d 'first monday' +%F",
        "date +%s%N",
        "touch -d 'last week' f",
        "ps --ppid 3",
        "ps aux --sort=start_time",
        "mv -u a b",
        "df -hT /",
        "find . -exec cp -t dir {} +",
        "xargs -d , echo < f",
        "sed -z 's/a/b/' f",
        "sed 's/.*/\\U&/' f",
        "sed '0~3d' f",
        "awk '{print strftime(\"%F\")}' f",
        "uniq -w3 f",
        "tar --delete -f a b",
        "cp --reflink=always a b",
        'bash -c "sed -i 1d f"',
        "cat <<EOF\nsed -i\nEOF",
        "echo 'open",
    ],
)
def test_what_bsd_cannot_say_is_marked(command: str) -> None:
    changed, note = portable(command, "macos")
    assert note.startswith(NOTE), changed


@pytest.mark.parametrize("command", ["ss -tln", "cat /proc/cpuinfo", "lsblk"])
def test_what_is_linux_alone_is_marked(command: str) -> None:
    assert portable(command, "macos")[1]


def gnu_forms(command: str) -> list[str]:
    """GNU-only words in a command, by a reading of its own."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.commenters = ""
    lexer.whitespace_split = True
    words = list(lexer)
    wrong = {"-printf", "-daystart", "-xtype", "-regextype", "-executable", "-readable", "-writable", "shuf", "tac",
             "md5sum", "sha1sum", "sha256sum", "nproc", "--parents", "--complement", "-lZ", "-rlZ", "-r0"}  # fmt: skip
    found = [word for word in words if word in wrong or word.startswith("--max-depth")]
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "-i" and "sed" in words and following:
            found.append("sed -i")
        if word.startswith("-w") and "uniq" in words and word[2:].isdigit():
            found.append("uniq -w")
        if word == "find" and following.startswith("-") and following not in ("-E", "-L", "-H", "-P"):
            found.append("find without a path")
    return found


def test_the_checker_sees_gnu_forms() -> None:
    assert gnu_forms("find . -printf x; sed -i 's/a/b/' f") == ["-printf", "sed -i"]
    assert sum(bool(gnu_forms(case["run"])) for case in SENTENCES) >= 15


@pytest.mark.parametrize("case", SENTENCES, ids=lambda case: case["say"])
def test_no_sentence_of_the_grammar_is_answered_in_gnu_on_macos(case: dict[str, str]) -> None:
    command, note = portable(case["run"], "macos")
    assert note or not gnu_forms(command), command
    assert portable(case["run"], "linux") == (case["run"], "")


@pytest.mark.parametrize(
    "word",
    [
        "'two  words'",
        '"it\'s"',
        "'a\nb'",
        "a\\ b",
        "'it'\\''s'",
        '"$HOME/x y"',
        "'sed -i'",
        "é",
        "'#'",
        "a#b",
    ],
)
def test_quoting_survives_byte_for_byte(word: str) -> None:
    assert (
        portable(f"sed  -i 's/a/b/'   {word} |  tac", "macos")[0]
        == f"sed  -i '' 's/a/b/'   {word} |  tail -r"
    )
    assert str(line_of(f"x {word}\t{word};y")) == f"x {word}\t{word};y"


def test_nothing_raises_and_linux_is_untouched() -> None:
    dice = random.Random(9)
    stock = [
        *shlex.split(" ".join(gnu for gnu, _ in PAIRS if gnu.count("'") % 2 == 0)),
        *"'\"|;&$(){}\\`\n<>#",
    ]
    for _ in range(1500):
        line = "".join(dice.choice(stock) + dice.choice(["", " "]) for _ in range(dice.randint(0, 14)))
        for command in (line, "".join(dice.choices(string.printable, k=30))):
            assert portable(command, "linux") == (command, "")
            assert all(
                isinstance(part, str) for part in portable(command, "macos") + portable(command, "bsd")
            )


def test_placeholders_move_with_their_words() -> None:
    gnu = Candidate("sed -i 's/a/b/' {file}", 1.0, "x", (Placeholder("file", 16, 22),))
    bsd = adapted(gnu, "macos")
    place = bsd.placeholders[0]
    assert bsd.command[place.start : place.end] == "{file}"


def test_the_persons_own_command_stays() -> None:
    own = Candidate("sed -i 1d f", 1.0, "history")
    assert adapted(own, "macos") is own
