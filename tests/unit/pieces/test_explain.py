"""What `terma explain` says of the pieces of a line: in tables of our own, without anybody's manual pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from terma.pieces import Asked, Explained, explain
from terma.pieces.rows import cells, rows

TYPED = Path(__file__).parents[2] / "data" / "explained.txt"
COMMANDS = [line for line in TYPED.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def told(line: str, cwd: str = "/", **rest: object) -> Explained:
    return explain(Asked(line, "bash", "/usr/bin:/bin", cwd, **rest))  # type: ignore[arg-type]


def says(line: str, cwd: str = "/") -> dict[str, str]:
    return {piece.text: piece.says for piece in told(line, cwd).pieces}


def test_a_cluster_is_told_letter_by_letter() -> None:
    found = says("tar -xzf a.tgz -C /tmp")
    assert found == {
        "tar": "pack files into an archive, or unpack one", "-x": "unpack", "-z": "packed with gzip",
        "-f a.tgz": "the archive is a.tgz", "-C /tmp": "in the folder /tmp",
    }  # fmt: skip
    assert says("tar xzf a.tgz")["f a.tgz"] == "the archive is a.tgz"


def test_each_piece_stands_where_it_was_written() -> None:
    line = "grep -rn 'a b' src | sort > out.txt"
    for piece in told(line).pieces:
        assert line[piece.start : piece.end] == piece.text.removeprefix("-") or piece.text in line


def test_what_is_not_known_is_said_to_be_unknown() -> None:
    found = says("git frobnicate --zzz")
    assert found["frobnicate"] == "" and found["--zzz"] == ""
    assert [piece.told for piece in told("git frobnicate").pieces][-1] == "not known here"


@pytest.mark.parametrize(
    ("line", "piece"),
    [
        ("rm -rf build", "-r"),
        ("find . -name '*.o' -delete", "-delete"),
        ("sort a > /etc/hosts", "> /etc/hosts"),
        ("git reset --hard HEAD~1", "--hard"),
        ("rsync -a --delete a/ b/", "--delete"),
        ("echo 3 | sudo tee /proc/sys/vm/drop_caches", "tee"),
        ("echo '127.0.0.1 x' | sudo tee -a /etc/hosts", "tee"),
    ],
)
def test_the_piece_that_carries_the_risk_is_marked(line: str, piece: str) -> None:
    assert [one.text for one in told(line).pieces if one.risk] == [piece]


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("rm -rf a; rm -rf b", ["-r", "-r"]),
        ("rm -rf a && git push --force", ["-r", "--force"]),
        ("if [ -d a ]; then rm -rf a; rm -rf b; fi", ["-r", "-r"]),
        ("rm -rf a\nls\nrm -rf b", ["-r", "-r"]),
        ("ls; rm -rf a; wc -l x", ["-r"]),
    ],
)
def test_of_several_commands_with_that_risk_each_is_marked(line: str, marked: list[str]) -> None:
    assert [one.text for one in told(line).pieces if one.risk] == marked


def test_harmless_lines_mark_nothing() -> None:
    assert not any(piece.risk for piece in told("ls -la | head -n 3").pieces)


def test_a_pattern_is_counted_where_the_line_stands(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv", ".c.csv", "d.txt"):
        (tmp_path / name).touch()
    assert says("wc -l *.csv", str(tmp_path))["*.csv"].endswith("matches 2 names here")
    assert says("wc -l *.py", str(tmp_path))["*.py"].endswith("matches nothing here")
    assert "names here" not in says("cd /tmp; wc -l *.csv", str(tmp_path))["*.csv"]


def test_what_would_be_emptied_is_said(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("x")
    assert "emptied" in says("echo > full", str(tmp_path))["> full"]
    assert "emptied" not in says("echo > new", str(tmp_path))["> new"]


def test_commands_within_commands() -> None:
    found = told("sudo xargs -n1 kill -9").pieces
    assert [(one.text, one.depth) for one in found if one.kind == "program"] == [
        ("sudo", 0),
        ("xargs", 1),
        ("kill", 2),
    ]
    assert says("bash -c 'ls -l'")["-l"].startswith("a line for each")
    assert says("echo $(date -u)")["-u"] == "in universal time"


@pytest.mark.parametrize("line", ["ssh web 'tmux attach'", "watch -n 5 'df -h'", "eval 'ls -l'"])
def test_a_word_that_holds_a_command_is_no_operand(line: str) -> None:
    script = line.partition("'")[2].rstrip("'")
    assert says(line)[f"'{script}'"] == "what runs, told below"
    assert script.split()[0] in says(line)


def test_double_quotes_hold_a_command_as_well() -> None:
    found = says('ssh web "rm -rf /tmp/x"')
    assert (found['"rm -rf /tmp/x"'], found["rm"]) == ("what runs, told below", "delete files for good")
    assert says('ssh web "rm -rf $DIR"')['"rm -rf $DIR"'].startswith("what runs there")


def test_behind_an_option_that_nobody_knows_a_word_may_be_its_value() -> None:
    found = says("mtr --wibble 50 example.org")
    assert (found["50"], found["example.org"]) == ("", "the machine example.org")
    assert says("mtr --wibble=50 example.org")["example.org"] == "the machine example.org"
    assert says("mtr --wibble example.org")["example.org"] == "the machine example.org"


def test_words_behind_one_dash_are_no_rows_of_letters() -> None:
    found = says("find . -newermt 2024-01-01 -size +5M")
    assert (found["-newermt"], found["2024-01-01"]) == ("", "")
    assert found["-size +5M"] == "of size more than 5M"
    assert says("gcc -O2 -lm main.c")["-O2"]


def test_behind_the_program_that_screen_runs_the_words_are_its_own() -> None:
    pieces = explain(Asked("screen -S work -dm bash -c ./run.sh", "bash", "/nowhere")).pieces
    assert {piece.text: piece.says for piece in pieces}["-c"] == "handed to what it runs"


def test_a_variable_for_make_is_no_target() -> None:
    found = says("make CC=clang DEBUG= test")
    assert (found["CC=clang"], found["DEBUG="]) == ("the variable CC is clang", "the variable DEBUG is empty")


@pytest.mark.parametrize(
    ("line", "piece", "words"),
    [
        ("gh pr create --fill --base develop", "--base develop", "into the branch develop"),
        (
            "aws s3 sync a s3://b --delete --profile x",
            "--profile x",
            "with the account that the profile x names",
        ),
        ("az vm list -o table", "-o table", "as table"),
        ("samtools view -q 30 -b in.bam", "-q 30", "only reads mapped with a quality of 30 or more"),
        ("sbatch --mem=64G run.sh", "--mem=64G", "with 64G of memory"),
    ],
)
def test_programs_that_are_not_here_are_told_as_well(line: str, piece: str, words: str) -> None:
    assert says(line)[piece] == words


def test_aliases_and_functions_of_the_shell_are_told() -> None:
    line = explain(
        Asked("ll src; go_home now", "bash", "/usr/bin", "/", {"ll": "ls -l"}, frozenset({"go_home"}))
    )
    found = {piece.text: piece.says for piece in line.pieces}
    assert found["ll"] == "your alias for ls -l" and found["-l"].startswith("a line for each")
    assert found["go_home"] == "a function of your shell"


def test_what_cannot_be_read_is_said() -> None:
    assert "cannot be read" in told("echo 'open").trouble
    assert told("").trouble


def test_nothing_from_the_line_reaches_the_terminal_as_it_is() -> None:
    for piece in told("echo '\x1b]52;c;eA==\x07' \x1b[31m").pieces:
        assert "\x1b" not in piece.text + piece.says


@pytest.mark.parametrize("columns", [80, 44, 20])
def test_rows_fit(columns: int) -> None:
    for line in COMMANDS:
        for row in rows(told(line), columns, most=8, mark=True):
            assert cells(row.text) <= columns, line


def test_typed_commands_are_explained_piece_by_piece() -> None:
    """Each of 150 lines but the one with a history expansion is read, and next to nothing in them is unknown."""
    found = [told(line) for line in COMMANDS]
    assert len(found) == 150
    assert [line for line, one in zip(COMMANDS, found, strict=True) if one.trouble] == ["sudo !!"]
    pieces = [piece for one in found for piece in one.pieces]
    unknown = [piece.text for piece in pieces if not piece.says]
    assert len(unknown) <= len(pieces) * 0.02, unknown


def test_the_command_line(tmp_path: Path) -> None:
    def terma(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "terma", "explain", *words],
            input=given, capture_output=True, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip

    found = json.loads(terma("--json", "rm -rf x").stdout)
    assert found["risk"]["level"] == "high"
    assert [piece["text"] for piece in found["pieces"]] == ["rm", "-r", "-f", "x"]
    assert "list what is in a folder" in terma("-", given="ls -l\n").stdout
    (tmp_path / "run.sh").write_text("#!/bin/sh\n# what it does\nmkdir -p out\n")
    assert "make folders" in terma("--file", "run.sh").stdout
    assert terma("'open").returncode == 1
    missing = terma("--file", "nowhere.sh")
    assert missing.returncode == 2 and "Traceback" not in missing.stderr and "nowhere.sh" in missing.stderr


def test_what_stands_in_brackets_of_the_shell_is_told_piece_by_piece() -> None:
    found = says('[[ $a == x* && ! -f b.txt || "$c" =~ ^[0-9]+$ ]]')
    assert [found[sign] for sign in ("==", "&&", "!", "||", "=~")] == [
        "fits the pattern", "and", "not what follows", "or", "fits the regular expression",
    ]  # fmt: skip
    assert found["-f b.txt"] == "whether b.txt is a file"
    assert found["x*"] == "what is compared", "no pattern for names"
    assert says("[ a != b ]")["!="] == "is not equal to"


def test_each_pattern_of_a_case_is_told() -> None:
    found = says('case "$1" in start) echo up;; stop|halt) echo down;; *) exit 2;; esac')
    assert [found[one] for one in ("start)", "stop|halt)", "*)")] == [
        "if it fits this", "if it fits one of these", "whatever else it is",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "piece", "text"),
    [
        ("exec > build.log", "exec", "from here on this shell's own input and output go elsewhere"),
        ("exec ls", "exec", "put a program in the place of the shell"),
        ("exec {log}> build.log", "{log}> build.log", "a new stream, whose number log holds, goes into build.log"),
        ("exec {log}>&-", "{log}>&-", "the stream whose number log holds is closed"),
        ("exec 3< list.txt", "3< list.txt", "stream 3 comes from list.txt"),
        ("time -p make", "-p", "in seconds, as POSIX writes it"),
        ("sort -k2,2n a", "-k2,2n", "by field 2, as numbers"),
        ("sort -k3 a", "-k3", "by field 3 and what follows it"),
        ("sort -k1.3,2.5 a", "-k1.3,2.5", "by field 1, from character 3, to field 2, character 5"),
        ("awk -v n=3 '1' a.txt", "-v n=3", "with the variable n=3"),
        ("curl -s https://example.org | bash -s -- --prefix=/opt", "--prefix=/opt", "handed to the script"),
        ("npm run build -- --mode production", "--mode", "handed to the script"),
    ],
)  # fmt: skip
def test_what_has_a_grammar_of_its_own_is_read_in_it(line: str, piece: str, text: str) -> None:
    assert says(line)[piece] == text


def test_behind_an_option_nobody_knows_the_last_word_is_still_the_last() -> None:
    assert says("rsync -a --frob-nothing /old/ /new/")["/new/"] == "where it is copied to"
