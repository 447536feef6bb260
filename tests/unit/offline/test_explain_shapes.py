"""The shape of a command: words apart, in each other's place, read as options; many with made-up programs."""

from __future__ import annotations

from pathlib import Path
from shutil import which

import pytest

from terma.offline.explain import Failure, explain

HERE = "/usr/local/bin:/usr/bin:/bin"


def first(command: str, output: str, cwd: Path, status: int = 1, shell: str = "bash") -> str:
    found = explain(Failure(command, status, output, str(cwd), shell, path=HERE))
    return found.fixes[0].command if found.fixes else ""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name in (
        "notes.txt",
        "my report.txt",
        "report (2).pdf",
        "-old.log",
        "lib/tool.rb",
        "app-1.2.jar",
        "a.jpg",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    return tmp_path


PARENTHESIS = "bash: syntax error near unexpected token `('"
TORN = [
    ("frob -c show(1)", PARENTHESIS, "frob -c 'show(1)'"),
    ("frob -c say('x')", PARENTHESIS, "frob -c \"say('x')\""),
    ("frob db select max(id) from t", PARENTHESIS, "frob db 'select max(id) from t'"),
    ("rm report (2).pdf", PARENTHESIS, "rm 'report (2).pdf'"),
    ("awk {print $1} notes.txt",
     "awk: {print\nawk: ^ unexpected newline or end of string", "awk '{print $1}' notes.txt"),
    ("sed s/a/b c/ notes.txt", "sed: -e expression #1, char 5: unterminated `s' command", "sed 's/a/b c/' notes.txt"),
    ("sed s/a/b/g/ notes.txt", "sed: -e expression #1, char 8: unknown option to `s'", "sed s/a/b/g notes.txt"),
    ("grep 'a b notes.txt", "bash: unexpected EOF while looking for matching `''", "grep 'a b' notes.txt"),
    ("curl -d a=1&b=2 http://h/", "curl: no URL specified", "curl -d 'a=1&b=2' http://h/"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), TORN)
def test_what_the_shell_took_apart_is_quoted(command: str, output: str, right: str, here: Path) -> None:
    assert first(command, output, here, 2) == right


APART = [
    ("frob my report.txt", "frob: cannot open my: No such file or directory", "frob 'my report.txt'"),
    ("git commit -m mend the door",
     "error: pathspec 'the' did not match any file(s) known to git", "git commit -m 'mend the door'"),
    ("frob --title a b notes.txt", "frob: unexpected argument 'b'", "frob --title 'a b' notes.txt"),
    ("date +%d %m", "date: extra operand '%m'", "date '+%d %m'"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), APART)
def test_words_that_belong_together_are_joined(command: str, output: str, right: str, here: Path) -> None:
    assert first(command, output, here) == right


PLACED = [
    ("ssh -p ann@h 22", "Bad port 'ann@h'", "ssh -p 22 ann@h"),
    ("chmod notes.txt u+r", "chmod: invalid mode: ‘notes.txt’", "chmod u+r notes.txt"),
    ("chown notes.txt root", "chown: invalid user: ‘notes.txt’", "chown root notes.txt"),
    ("frob -n notes.txt", "frob: invalid number of lines: 'notes.txt'", "frob notes.txt"),
    ("frob -qn notes.txt", "frob: invalid number of lines: 'notes.txt'", "frob -q notes.txt"),
    ("jq notes.txt .a", "jq: error: notes/0 is not defined at <top-level>, line 1:\nnotes.txt", "jq .a notes.txt"),
    ("tar czf lib lib.tgz", "tar (child): lib: Cannot open: Is a directory\n"
     "tar: lib.tgz: Cannot stat: No such file or directory", "tar czf lib.tgz lib"),
    ("tar -xf -C lib app-1.2.jar", "tar: -C: Cannot open: No such file or directory", "tar -xf app-1.2.jar -C lib"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), PLACED)
def test_words_change_their_places(command: str, output: str, right: str, here: Path) -> None:
    assert first(command, output, here) == right


SPELLED = [
    ("cat -old.log", "cat: invalid option -- 'o'", "cat ./-old.log"),
    pytest.param("rsync -exclude notes.txt a b", "rsync: link_stat \"notes.txt\" failed",
                 "rsync --exclude notes.txt a b",
                 marks=pytest.mark.skipif(not which("rsync"), reason="rsync is not installed")),
    ("frob -chdir lib plan", "Invalid -chdir option: must include an equals sign", "frob -chdir=lib plan"),
    ("du --depth=1 lib", "du: unrecognized option '--depth=1'", "du --max-depth=1 lib"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), SPELLED)
def test_options_and_names_are_spelled_for_this_program(
    command: str, output: str, right: str, here: Path
) -> None:
    assert first(command, output, here) == right


BESIDE = [
    ("frob lib/tool", "frob: cannot open lib/tool: No such file or directory", "frob lib/tool.rb"),
    ("frob app-1.0.jar", "frob: unable to access app-1.0.jar", "frob app-1.2.jar"),
    ("frob 'load tool.rb now'", 'frob: cannot open "tool.rb"', "frob 'load lib/tool.rb now'"),
    ("frob < etc/notes.txt", "bash: etc/notes.txt: No such file or directory", "frob < notes.txt"),
    ("mv *.jpeg lib/", "mv: cannot stat '*.jpeg': No such file or directory", "mv *.jpg lib/"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), BESIDE)
def test_the_file_that_lies_beside_is_found(command: str, output: str, right: str, here: Path) -> None:
    assert first(command, output, here) == right


def test_the_usage_line_tells_what_is_missing(here: Path) -> None:
    usage = "frob: 'frob build' requires 1 argument\n\nUsage:  frob build [OPTIONS] PATH | URL | -"
    assert first("frob build -t app", usage, here) == "frob build -t app ."
    usage = "Too many arguments.\nusage: frob -y [-f input_keyfile]\n       frob -l [-v]"
    assert first("frob -y notes.txt", usage, here) == "frob -y -f notes.txt"


def test_a_pattern_that_the_program_reads_is_quoted_for_zsh(here: Path) -> None:
    output = "zsh: no matches found: *.bak"
    assert first("find lib -name *.bak", output, here, shell="zsh") == "find lib -name '*.bak'"
    assert first("rm *.bak", output, here, shell="zsh") == ""


SILENT = [
    ("seq 1 x", "seq: invalid floating point argument: ‘x’"),
    ("grep -c foo missing", "grep: missing: No such file or directory"),
    ("frob -r foo missing", "frob: missing: No such file or directory"),
    ("join -1 id notes.txt a.jpg", "join: invalid field number: ‘id’"),
    ("frob --tree lib", "frob: unrecognized option '--tree'"),
    ("chmod 999 notes.txt", "chmod: invalid mode: ‘999’"),
    ("f() { echo a; }; f", "bash: f: syntax error"),
    ("ls --lenght", "ls: unrecognized option '--lenght'"),
    ("frob report-2024.csv", "frob: report-2024.csv: No such file or directory"),
]


@pytest.mark.parametrize(("command", "output"), SILENT)
def test_where_no_shape_holds_nothing_is_offered(command: str, output: str, here: Path) -> None:
    (here / "report-2025.csv").write_text("x")
    assert first(command, output, here) == ""


QUERIES = [
    ('mysql -e "selct 1 from t"',
     "ERROR 1064 (42000): You have an error in your SQL syntax; near 'selct 1 from t' at line 1",
     'mysql -e "select 1 from t"'),
    ('psql -c "SELECT a FORM t"', 'ERROR:  syntax error at or near "FORM"', 'psql -c "SELECT a FROM t"'),
    ('psql -c "SELECT nam FROM t"',
     'ERROR:  column "nam" does not exist\nHINT:  Perhaps you meant to reference the column "t.name".',
     'psql -c "SELECT name FROM t"'),
    ('psql -c "SELECT a b c"', 'ERROR:  syntax error at or near "c"', ""),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), QUERIES)
def test_a_word_of_a_query_is_mended(command: str, output: str, right: str, here: Path) -> None:
    assert first(command, output, here) == right


YAML = [
    ("a:1x\nb: 2\n", 2, "sed -i '1s/:/: /' c.yaml && frob c.yaml"),
    ("t: a: b\n", 1, "sed -i '1s/a: b/\"&\"/' c.yaml && frob c.yaml"),
    ("a: 1\n b: 2\n", 2, ""),
    ("u: http://h:80/x\n  b: 2\n", 2, ""),
]


@pytest.mark.parametrize(("text", "line", "right"), YAML)
def test_a_slip_of_yaml_is_seen_in_its_line(text: str, line: int, right: str, here: Path) -> None:
    (here / "c.yaml").write_text(text)
    output = f"Error: yaml: line {line}: mapping values are not allowed in this context"
    assert first("frob c.yaml", output, here) == right


JSON = [
    ('{\n  "a": 1\n  "b": 2\n}\n', "sed -i '2s/ *$/,/' c.json && frob c.json"),
    ('{\n  "a": [1, 2],\n  "b": 2,\n}\n', "sed -i '3s/, *$//' c.json && frob c.json"),
    ('{\n  "a": 1\n  "b" 2\n}\n', ""),  # a comma alone does not make it right
    ('{"a": 1}\n', ""),
]


@pytest.mark.parametrize(("text", "right"), JSON)
def test_a_comma_is_mended_where_the_file_can_be_read_after_it(text: str, right: str, here: Path) -> None:
    (here / "c.json").write_text(text)
    assert first("frob c.json", "frob: c.json: JSON parse error: Expecting something", here) == right


FORMS = [
    ("ffmpeg -y notes.txt b.mp3", "Output file #0 does not contain any stream", "ffmpeg -y -i notes.txt b.mp3"),
    ("ssh ann@h:2222", "ssh: Could not resolve hostname h:2222: Name or service not known", "ssh -p 2222 ann@h"),
    ("php -S 8000", "Invalid address: 8000", "php -S localhost:8000"),
    ("timeout 2min ls", "timeout: invalid time interval ‘2min’", "timeout 2m ls"),
    ("find . -size 3MB", "find: invalid -size type `B'", "find . -size 3M"),
    ("cut -d: 1 notes.txt", "cut: you must specify a list of bytes, characters, or fields", "cut -d: -f1 notes.txt"),
    ("tar czf lib/", "tar: Cowardly refusing to create an empty archive", "tar czf lib.tar.gz lib/"),
    ("zip lib.zip", "zip error: Nothing to do! (lib.zip)", "zip -r lib.zip lib"),
    ("python3 lib", "/usr/bin/python3: can't find '__main__' module in '/x/lib'", ""),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "right"), FORMS)
def test_the_form_of_one_program(command: str, output: str, right: str, here: Path) -> None:
    assert first(command, output, here) == right


def test_a_file_in_another_encoding_is_read_as_what_it_is(here: Path) -> None:
    (here / "old.csv").write_bytes(b"caf\xe9\n")
    output = "iconv: illegal input sequence at position 3"
    assert first("iconv -f utf-8 -t utf-16 old.csv", output, here) == "iconv -f ISO-8859-1 -t utf-16 old.csv"
    assert (
        first("iconv -f utf-8 -t ascii notes.txt", output, here)
        == "iconv -f utf-8 -t ascii//TRANSLIT notes.txt"
    )
