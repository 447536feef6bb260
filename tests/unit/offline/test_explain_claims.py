"""Nothing is claimed that neither the output nor a look tells: what a tool takes, who refused, what is well."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain


def asked(command: str, output: str, cwd: Path, status: int = 1, shell: str = "bash") -> Explanation:
    return explain(Failure(command, status, output, str(cwd), shell, path=os.environ["PATH"]))


def first_fix(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


def test_what_was_interrupted_may_have_complained_before(tmp_path: Path) -> None:
    found = asked("ed notes", "cannot read notes: Input/output error\n", tmp_path, 130)
    assert "Nothing is wrong" not in found.text


def test_a_patch_whose_names_are_shortened_wrongly(tmp_path: Path) -> None:
    (tmp_path / "x.c").touch()
    said = "can't find file to patch at input line 3\n|--- a/src/x.c\n|+++ b/src/x.c\nFile to patch: "
    assert first_fix(asked("patch -p1 < fix.diff", said, tmp_path, 130)) == "patch -p2 < fix.diff"
    (tmp_path / "x.c").unlink()
    assert not asked("patch -p1 < fix.diff", said, tmp_path, 130).fixes


def test_a_bus_is_no_port(tmp_path: Path) -> None:
    found = asked("systemctl --user restart x", "Failed to connect to bus: No medium found\n", tmp_path)
    assert "port" not in found.text and "refused" not in found.text


def test_a_socket_in_a_folder_has_no_port(tmp_path: Path) -> None:
    found = asked("client", "client: /run/x.sock: Connection refused\n", tmp_path)
    assert "that port" not in found.text


@pytest.mark.parametrize(("host", "sure"), [("localhost", True), ("192.0.2.1", False)])
def test_curl_does_not_tell_a_refusal_from_silence(host: str, sure: bool, tmp_path: Path) -> None:
    said = f"curl: (7) Failed to connect to {host} port 9 after 3 ms: Couldn't connect to server\n"
    found = asked(f"curl http://{host}:9/", said, tmp_path, 7)
    assert ("the machine is there" in found.text) is sure


def test_the_standard_that_was_asked_for_is_the_one_that_is_too_old(tmp_path: Path) -> None:
    said = "a.cpp:1:3: warning: extended initializer lists only available with ‘-std=c++11’\n"
    found = asked("g++ -std=c++98 a.cpp", said, tmp_path)
    assert "by default" not in found.text
    assert first_fix(found) == "g++ -std=c++11 a.cpp"
    assert first_fix(asked("g++ a.cpp", said, tmp_path)) == "g++ a.cpp -std=c++11"


def test_a_text_is_no_database_with_a_schema(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    found = asked("sqlite3 notes.txt .tables", "Error: file is not a database\n", tmp_path)
    assert ".schema" not in found.text and "notes.txt does not begin as one does" in found.text


def test_tar_names_the_folder_and_not_what_it_could_not_do(tmp_path: Path) -> None:
    said = "tar (child): photos: Cannot open: Is a directory\ntar (child): Error is not recoverable: exiting now\n"
    (tmp_path / "photos").mkdir()
    assert asked("tar -czf photos", said, tmp_path, 2).text.startswith("photos is a directory")


@pytest.mark.parametrize(
    ("mode", "made"), [("xf", True), ("-x -f", True), ("--extract -f", True), ("cf", False), ("-tf", False)]
)
def test_a_folder_is_made_to_unpack_into_it_alone(mode: str, made: bool, tmp_path: Path) -> None:
    command = f"tar {mode} a.tar -C into ."
    found = asked(command, "tar: into: Cannot open: No such file or directory\n", tmp_path, 2)
    assert first_fix(found) == (f"mkdir -p into && {command}" if made else "")


def test_of_two_delimiters_side_by_side_neither_is_taken_for_the_end(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("http://a\n")
    said = "sed: -e expression #1, char 10: unknown option to `s'\n"
    assert not asked("sed 's/http://https:/' links", said, tmp_path).fixes
    single = asked("sed 's/http://a/b/' links", said, tmp_path)
    assert first_fix(single) == "sed 's|http://a|b|' links"


@pytest.mark.parametrize(("typed", "meant"), [("10mb", "10M"), ("+4KB", "+4k"), ("1GiB", "1G")])
def test_find_has_letters_of_its_own_for_sizes(typed: str, meant: str, tmp_path: Path) -> None:
    found = asked(f"find . -size {typed}", f"find: Invalid argument `{typed}' to -size\n", tmp_path)
    assert first_fix(found) == f"find . -size {meant}"


def test_what_stands_behind_a_script_is_the_scripts_own(tmp_path: Path) -> None:
    (tmp_path / "sync.py").touch()
    said = "usage: sync.py [-h] [--depth DEPTH]\nsync.py: error: argument --depth: invalid int value: 'two'\n"
    found = asked("python3 sync.py --depth two", said, tmp_path, 2)
    assert "before the operands" not in found.text and not found.fixes


@pytest.mark.parametrize(
    ("command", "where"), [("make -C lib all", "lib"), ("make all", "this folder"), ("make -Clib all", "lib")]
)
def test_where_no_makefile_is_none_lacks_a_target(command: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    said = "make: *** No rule to make target 'all'.  Stop.\n"
    assert f"There is no makefile in {where}" in asked(command, said, tmp_path, 2).text
    (tmp_path / "lib" / "Makefile").write_text("al:\n\ttrue\n")
    (tmp_path / "Makefile").write_text("al:\n\ttrue\n")
    assert "the Makefile has no target all. It has: al." in asked(command, said, tmp_path, 2).text


@pytest.mark.parametrize(("row", "spaces"), [("    echo", True), ("include x", False)])
def test_a_line_without_a_tab_need_not_begin_with_spaces(row: str, spaces: bool, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(f"all:\n{row}\n")
    found = asked("make", "Makefile:2: *** missing separator.  Stop.\n", tmp_path, 2)
    assert ("there are spaces" in found.text) is spaces
    assert bool(found.fixes) is spaces


def test_the_symbol_beneath_a_later_error_is_not_of_the_first(tmp_path: Path) -> None:
    said = (
        "A.java:3: error: incompatible types\nA.java:4: error: cannot find symbol\n  symbol:   method go()\n"
    )
    assert "method go" not in asked("javac A.java", said, tmp_path).text.partition("```")[0]
    alone = "A.java:4: error: cannot find symbol\n  symbol:   method go()\n"
    assert "method go" in asked("javac A.java", alone, tmp_path).text.partition("```")[0]


def test_what_may_not_be_given_away_has_the_owner_that_the_disk_tells(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    said = "chown: changing ownership of 'f': Operation not permitted\n"
    found = asked("chown daemon f", said, tmp_path)
    assert f"It belongs to {(tmp_path / 'f').owner()}." in found.text and "another user" not in found.text


def test_a_value_of_several_words_is_no_empty_one(tmp_path: Path) -> None:
    several = asked("bash s.sh", "s.sh: line 2: [: my: binary operator expected\n", tmp_path)
    assert "empty" not in several.text
    assert "empty" in asked("bash s.sh", "s.sh: line 2: [: =: unary operator expected\n", tmp_path).text


def test_a_file_whose_name_is_a_pattern_is_there(tmp_path: Path) -> None:
    (tmp_path / "a[1].jpg").touch()
    (tmp_path / "b").mkdir()
    found = asked("cp a[1].jpg b/", "zsh: no matches found: a[1].jpg\n", tmp_path, shell="zsh")
    assert "no such file" not in found.text.partition("```")[0]
    assert first_fix(found) == "cp 'a[1].jpg' b/"


def test_who_has_nobody_to_talk_to_is_named(tmp_path: Path) -> None:
    said = "System has not been booted with systemd as init system (PID 1). Can't operate.\n"
    found = asked("hostnamectl set-hostname x", said, tmp_path)
    assert "so hostnamectl has nobody" in found.text and "service" not in found.text.partition("```")[0]


def test_an_argument_that_was_not_given_is_no_variable(tmp_path: Path) -> None:
    assert "There is no argument 1" in asked("./d", "./d: line 3: $1: unbound variable\n", tmp_path).text


@pytest.mark.parametrize(
    ("command", "output", "never"),
    [
        ("./lock", "lock: Resource temporarily unavailable\n", "process"),
        ("perl a.pl", "failed: Inappropriate ioctl for device at a.pl line 2.\n", "terminal"),
        ("./report", "3 jobs done, 1 Killed\n", "Status 137"),
        ("expr 1 + a", "expr: non-integer argument\n", "blanks"),
        ("grep '\\' f", "grep: Trailing backslash\n", "bracket"),
        ("find . -name", "find: missing argument to `-name'\n", "-exec"),
        ("sed s/a/b/x f", "sed: -e expression #1, char 7: unknown option to `s'\n", "delimiter"),
        ("git pull", "You are not currently on a branch.\n", "push"),
        ("git push", "fatal: could not read Username for 'https://x': No such device\n", "accept"),
        ("git merge t", "CONFLICT (modify/delete): a deleted in HEAD and modified in t.\n", "same place"),
        ("npm test", "npm warn EBADENGINE Unsupported engine {}\nassertion broke\n", "EBADENGINE)"),
        ("node a.mjs", "ReferenceError: require is not defined in ES module scope\n", "Name it .mjs"),
        ("echo $((16#zz))", "bash: 16#zz: value too great for base (error token is \"16#zz\")\n", "octal"),
    ],
)  # fmt: skip
def test_what_the_output_does_not_tell_is_not_claimed(
    command: str, output: str, never: str, tmp_path: Path
) -> None:
    assert never not in asked(command, output, tmp_path).text.partition("```")[0]


def test_a_pattern_shows_itself_that_a_bracket_is_open(tmp_path: Path) -> None:
    said = "grep: Invalid regular expression\n"
    assert "unmatched" in asked("grep '[' f", said, tmp_path, 2).text
    assert "unmatched" not in asked("grep 'a\\[' f", said, tmp_path, 2).text


def test_a_key_that_is_not_there_needs_no_agent(tmp_path: Path) -> None:
    said = "Could not open a connection to your authentication agent.\n"
    assert not asked("ssh-add key", said, tmp_path, 2).fixes
    (tmp_path / "key").touch()
    assert first_fix(asked("ssh-add key", said, tmp_path, 2)) == 'eval "$(ssh-agent)" && ssh-add key'


@pytest.mark.parametrize(
    ("command", "output", "value"),
    [
        ("timeout --signal=FOO 5 true", "timeout: ‘FOO’: invalid signal\n", "FOO"),
        ("trap : FOO", "bash: trap: FOO: invalid signal specification\n", "FOO"),
        ("printf %d three", "bash: printf: three: invalid number\n", "three"),
    ],
)
def test_a_value_is_named_before_what_is_wrong_with_it(
    command: str, output: str, value: str, tmp_path: Path
) -> None:
    found = asked(command, output, tmp_path)
    assert found.text.startswith(f"{command.split(maxsplit=1)[0]} does not accept {value}")


LOG = "10:01 ERROR connection refused by db:5432\nModuleNotFoundError: No module named foo\n"


def test_what_a_shown_file_holds_is_no_message(tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text(LOG)
    found = asked("cat app.log gone.log", LOG + "cat: gone.log: No such file or directory\n", tmp_path)
    assert found.text.startswith("gone.log: no such file")
    assert "module" not in asked("tail -2 app.log && false", LOG, tmp_path).text
    nothing = asked("cat app.log && (exit 3)", LOG, tmp_path, 3)
    assert "all that was printed is what was to be shown" in nothing.text


def test_what_a_search_found_and_an_echo_said_is_no_message(tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text(LOG)
    said = "app.log:10:01 ERROR connection refused by db:5432\ngrep: gone: No such file or directory\n"
    assert asked("grep refused app.log gone", said, tmp_path, 2).text.startswith("gone: no such file")
    echoed = asked("echo permission denied; false", "permission denied\n", tmp_path)
    assert "sudo" not in echoed.text


def test_what_a_program_that_runs_a_file_prints_is_its_message(tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text("cat <<E\nconnection refused\nE\n")
    assert asked("bash s.sh", "connection refused\n", tmp_path).text.startswith("Connection refused")


def test_of_a_line_that_ended_well_only_the_last_command_is_known(tmp_path: Path) -> None:
    assert "nothing failed" not in asked("yes > big; echo after", "after\n", tmp_path, 0).text
    assert "nothing failed" in asked("echo after", "after\n", tmp_path, 0).text


def test_psql_names_a_file_that_is_not_there_and_no_server(tmp_path: Path) -> None:
    found = asked("psql shop -f s.sql", "psql: error: s.sql: No such file or directory\n", tmp_path)
    assert "server" not in found.text
    socket = (
        'psql: error: connection to server on socket "/run/.s.PGSQL.5432" failed: No such file or directory\n'
    )
    assert "No PostgreSQL server answers" in asked("psql shop", socket, tmp_path, 2).text


def test_a_frame_of_node_itself_is_not_where_it_happened(tmp_path: Path) -> None:
    said = "TypeError: a is not a function\n    at [eval]:1:31\n    at runScript (node:internal/vm:209:10)\n"
    assert "209" not in asked("node -e 'a()'", said, tmp_path).text.partition("```")[0]


def test_an_operand_too_many_is_no_option(tmp_path: Path) -> None:
    (tmp_path / "job.py").touch()
    said = "usage: job.py [-h] [--count COUNT]\njob.py: error: unrecognized arguments: extra\n"
    found = asked("python3 job.py --count 5 extra", said, tmp_path, 2)
    assert found.text.startswith("job.py takes no such argument: extra") and not found.fixes


def test_a_folder_nearly_called_so_is_meant_before_one_is_made(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    said = "mv: target 'archve/': No such file or directory\n"
    assert first_fix(asked("mv a b archve/", said, tmp_path)) == "mv a b archive/"


def test_before_a_recipe_that_failed_stands_why(tmp_path: Path) -> None:
    found = asked("make all", "gen: no template\nmake: *** [Makefile:5: two] Error 1\n", tmp_path, 2)
    assert "\ngen: no template\n" in found.text


def test_where_make_went_is_not_what_it_says(tmp_path: Path) -> None:
    went = "make: {} directory '/x'\n"
    said = (
        f"{went.format('Entering')}make: *** No rule to make target 'all'.  Stop.\n{went.format('Leaving')}"
    )
    shown = asked("make -C /x all", said, tmp_path, 2).text.partition("```")[2]
    assert "No rule" in shown and "Entering" not in shown


@pytest.mark.parametrize(
    ("output", "path"),
    [
        ("./go.sh: line 2: cd: dist: No such file or directory\n", "dist"),
        ("./go.sh: 5: .: cannot open ./env.x: No such file\n", "./env.x"),
        ("./go.sh: line 2: /none/notes: No such file or directory\n", "/none/notes"),
    ],
)
def test_what_a_line_of_a_script_does_not_find(output: str, path: str, tmp_path: Path) -> None:
    (tmp_path / "go.sh").touch(0o755)
    assert asked("./go.sh", output, tmp_path).text.startswith(f"{path}: no such file or directory; line ")


def test_a_word_that_no_program_is_called_is_not_blamed(tmp_path: Path) -> None:
    found = asked("echo ${(U)name:?name is not set}", "zsh: name: name is not set\n", tmp_path, shell="zsh")
    assert found.text.startswith("The command ended")


def test_a_number_is_what_exit_takes(tmp_path: Path) -> None:
    assert "number" not in asked("true; exit 3", "", tmp_path, 3).text


@pytest.mark.parametrize("name", ["app.py", "app"])
def test_what_a_script_does_not_take_is_not_blamed_on_its_interpreter(name: str, tmp_path: Path) -> None:
    (tmp_path / "app.py").touch()
    said = (
        f"usage: {name} [-h] [--year YEAR]\n{name} report: error: argument --year: invalid int value: 'x'\n"
    )
    found = asked("python3 app.py report --year x", said, tmp_path, 2)
    assert found.text.startswith("app.py does not accept x") and not found.fixes
    choice = f"{name}: error: argument cmd: invalid choice: 'exprot' (choose from 'export')\n"
    assert asked("python3 app.py exprot", choice, tmp_path, 2).text.startswith(
        "exprot is not an app.py command"
    )


def test_of_a_chain_of_exceptions_the_last_one_ended_the_program(tmp_path: Path) -> None:
    trace = "Traceback (most recent call last):\n"
    said = (
        f"{trace}asyncio.CancelledError\n\nThe above exception was the direct cause:\n\n{trace}TimeoutError\n"
    )
    told = asked("python3 a.py", said, tmp_path).text.partition("```")[0]
    assert "TimeoutError" in told and "CancelledError" not in told and "other side" not in told


@pytest.mark.parametrize(
    ("why", "never"),
    [
        ("ImportError: libGL.so.1: cannot open shared object file", "does not hold that name"),
        ("SyntaxError: 'return' outside function", "bracket"),
        ("RecursionError: maximum recursion depth exceeded", "A function calls itself"),
    ],
)
def test_the_kind_of_an_exception_does_not_tell_all(why: str, never: str, tmp_path: Path) -> None:
    said = f'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x\n{why}\n'
    assert never not in asked("python3 a.py", said, tmp_path).text.partition("```")[0]


def test_what_a_program_calls_the_failure_is_no_file(tmp_path: Path) -> None:
    command = 'perl -e \'open(F, "x") or die "Cannot open: $!"\''
    found = asked(command, "Cannot open: No such file or directory at -e line 1.\n", tmp_path, 2)
    assert "Cannot open: no such file" not in found.text


def test_a_makefile_that_was_named_is_no_program(tmp_path: Path) -> None:
    said = "make: build.mk: No such file or directory\nmake: *** No rule to make target 'build.mk'.  Stop.\n"
    assert asked("make -f build.mk", said, tmp_path, 2).text.startswith("There is no makefile build.mk here")


def test_a_recipe_that_said_nothing_has_no_error_above_it(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("check:\n\ttest -f VERSION\n")
    quiet = "test -f VERSION\nmake: *** [Makefile:2: check] Error 1\n"
    assert "It said nothing itself." in asked("make check", quiet, tmp_path, 2).text
    assert "stands above" in asked("make check", f"no version\n{quiet}", tmp_path, 2).text


def test_a_word_of_the_language_is_no_option_that_is_unknown(tmp_path: Path) -> None:
    found = asked("git archive --format=tgz2 HEAD", "fatal: Unknown archive format 'tgz2'\n", tmp_path, 128)
    assert "--object-format" not in found.text and not found.fixes


def test_an_arrow_is_not_the_line_that_tells(tmp_path: Path) -> None:
    said = "Parse error near line 2: table t already exists\n  create table t(b);\n               ^--- error here\n"
    assert "table t already exists" in asked("sqlite3 a.db < s.sql", said, tmp_path).text
