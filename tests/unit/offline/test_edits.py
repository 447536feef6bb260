"""`ls # newest first`: the commonest changes of a command come without a model; others say that they need one."""

from __future__ import annotations

import asyncio
import os

import pytest

from terma.errors import UnknownAnswer
from terma.offline import edits
from terma.offline.cases.flags import Flag
from terma.offline.edits import Learned
from terma.providers.offline import OfflineProvider
from terma.types import Candidate, Final, Query


def made(line: str, system: str = "linux") -> str:
    found = edits.answer(
        Query(words=line, os=system), Learned(lambda word: word in ("directories", "python", "errors"))
    )
    return found[0].command if found else ""


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ls # newest first", "ls -t"),
        ("ls -l # biggest first", "ls -lS"),
        ("ls -lt # reversed", "ls -ltr"),
        ("ls -I '*.o' src # also hidden ones", "ls -A -I '*.o' src"),
        ("ls # newest first and only 3", "ls -t | head -n 3"),
        ("du -sh * # sort by size, only the top 10", "du -sh * | sort -rh | head -n 10"),
        ("du -s * # biggest first", "du -s * | sort -rn"),
        ("du -s * # biggest first, human units", "du -sh * | sort -rh"),
        ("sudo du -h /var # largest first", "sudo du -h /var | sort -rh"),
        ("grep foo notes # recursive", "grep -r foo notes"),
        ("grep -r foo src # how many", "grep -r foo src | wc -l"),
        ("grep -r foo src # only file names", "grep -rl foo src"),
        ("ps aux # top 10 by cpu", "ps aux --sort=-%cpu | head -n 11"),
        ("ps aux | grep web # by memory", "ps aux --sort=-%mem | grep web"),
        ("git log --stat # last 3", "git log -n 3 --stat"),
        ("git log | grep fix # last 3", "git log | grep fix | tail -n 3"),
        ("docker ps # also the stopped ones", "docker ps -a"),
        ("find . -name '*.log' # only the first 20", "find . -name '*.log' | head -n 20"),
        ("cat access.log # only lines containing 404", "cat access.log | grep 404"),
        ("cat access.log # without 'GET /health'", "cat access.log | grep -v 'GET /health'"),
        ("cat access.log # only lines with -v", "cat access.log | grep -- -v"),
        ("cat a.txt # sorted, no duplicates", "cat a.txt | sort -u"),
        ("cat a.txt # append to all.txt", "cat a.txt >> all.txt"),
        ("ls 2>/dev/null # save it to out.txt", "ls 2>/dev/null > out.txt"),
        ("ls *.log | sort # reverse", "ls *.log | sort -r"),
        ("cp src dst # recursively", "cp -r src dst"),
        ("sort names.txt # drop the duplicates", "sort -u names.txt"),
        ("du -h # one level only", "du -d 1 -h"),
        ("tree src # only the top level", "tree -L 1 src"),
        ("find /etc /opt -name '*.conf' # no deeper", "find /etc /opt -maxdepth 1 -name '*.conf'"),
        ("find . -type f -name readme # in any case", "find . -type f -iname readme"),
        ("find src -name 'test_*' # only python files", "find src -name 'test_*' -name '*.py'"),
        ("find . # larger than 1.5 GB", "find . -size +1536M"),
        ("ls # only directories", "ls -d */"),
        ("ls -l notes # just the folders", "ls -ld notes/*/"),
        ("ls -t # only pdf files", "ls -t *.pdf"),
        ("ls -R # only pdf files", "ls -R | grep '\\.pdf$'"),
        ("ls ~/notes # only pdf files", "ls ~/notes | grep '\\.pdf$'"),
        ("ls # without log files", "ls | grep -v '\\.log$'"),
        ("grep -rn TODO . # skip js files", "grep --exclude='*.js' -rn TODO ."),
        ("du -h # only the grand total", "du -hs"),
        ("ls docs # total", "ls docs | wc -l"),
        ("cp -r a b # ask me before overwriting", "cp -ri a b"),
        ("rm -rf old # confirm each", "rm -rfi old"),
        ("curl https://example.com # save as page.html", "curl https://example.com > page.html"),
        ("find . -name '*.log' # only files", "find . -name '*.log' -type f"),
        ("find /var # just directories", "find /var -type d"),
        ("find . -type f # bigger than 20 MB", "find . -type f -size +20M"),
        ("find . -type f # from the last 2 weeks", "find . -type f -mtime -14"),
        (
            "find . -type f # older than 3 days, biggest first",
            "find . -type f -mtime +3 -printf '%s %p\\n' | sort -rn",
        ),
        ("find . -name '*.tmp' -delete # only files", "find . -name '*.tmp' -type f -delete"),
        ("find . -exec ls -d {} + # just directories", "find . -type d -exec ls -d {} +"),
        ("find . \\( -name a -o -name b \\) # only files", "find . \\( -name a -o -name b \\) -type f"),
        ("ls -l # only the 3 biggest", "ls -lS | head -n 4"),
        ("wc -l *.c # sorted, biggest first", "wc -l *.c | sort -rn"),
        ("journalctl -u ssh # since yesterday", "journalctl --since yesterday -u ssh"),
        ("find src # changed today", "find src -daystart -mtime -1"),
        ("git log # with the diffs", "git log -p"),
        ("tail app.log # 100 lines", "tail -n 100 app.log"),
        ("docker logs web # 50 lines", "docker logs --tail 50 web"),
        ("ls # 5 lines", "ls | head -n 5"),
    ],
)
def test_a_usual_change(line, command):
    assert made(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "ls # and upload it to mars",  # no such wish
        "ls # newest first and upload it",  # half a wish is none
        "ls a b # only directories",  # of which folder?
        "find . -name a -o -name b # only files",  # of which side?
        "ls # larger than 5 MB",  # it knows no sizes
        "find . # from the last 90 minutes",  # no days
        "rm *.log # only the first 5",  # rm | head deletes all of them
        "cd src && ls # newest first",  # which of the two?
        "ls > out.txt # only 3",  # nothing comes out of it
        "for f in *; do echo $f; done # first 3",
        "ls -t # newest first",  # it is so already
        "ls # save it to a.txt and append to b.txt",
        "grep 'a # b' file",  # no wish at all
    ],
)
def test_what_is_not_certain_is_not_changed(line):
    assert made(line) == ""


@pytest.mark.parametrize("line", ["ls # log files too", "ls # directories as well", "ls # include pdf files"])
def test_what_is_wished_beside_is_not_shown_alone(line):
    assert made(line) == ""


def test_another_system_gets_its_own_form_or_is_told():
    query = Query(words="ps aux # by memory", os="macos")
    (found,) = edits.answer(query, Learned(lambda word: False))
    assert found.command != "ps aux --sort=-%mem" or found.note


def answered(words: str) -> Candidate:
    async def last() -> Final:
        events = [event async for event in OfflineProvider().translate(Query(words=words, os="linux"))]
        assert isinstance(events[-1], Final)
        return events[-1]

    return asyncio.run(last()).candidates[0]


def test_the_engine_answers_an_edit():
    assert answered("ls # newest first").command == "ls -t"


def test_what_needs_a_model_says_so():
    with pytest.raises(UnknownAnswer, match="that change needs a model") as error:
        answered("ls # and upload it to mars")
    assert error.value.hint == "choose one: terma models"


@pytest.mark.parametrize(
    "words", ["ls # ", "# newest first", "grep ' # ' x", "list the # of files", 'echo "a # b"']
)
def test_no_edit_without_a_command_and_a_wish(words):
    assert Query(words=words).edit == ("", "")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("frob a.txt # dry run", "frob --dry-run a.txt"),
        ("frob a.txt # quietly", "frob --quiet a.txt"),
        ("frob a.txt # without cache", "frob --no-cache a.txt"),
        ("frob a.txt # in verbose mode, and quietly", "frob --verbose --quiet a.txt"),
        ("frob a.txt # with jobs 4", "frob --jobs 4 a.txt"),
        ("frob a.txt # jobs", ""),  # that wants a value
        ("frob a.txt # cleverly", ""),
        ("frob a.txt # help", ""),  # then it would do something else
        ("frob --quiet a.txt # quietly", ""),
        ("frob a.txt # dry run and upload it", ""),
        ("gone a.txt # dry run", ""),
    ],
)
def test_a_wish_that_is_an_options_name_is_that_option(tmp_path, line, command):
    (tmp_path / "bin").mkdir()
    (tmp_path / "share/man/man1").mkdir(parents=True)
    program = tmp_path / "bin/frob"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    names = ("dry-run", "quiet", "verbose", "no-cache", "jobs=N", "help")
    text = "".join(f".TP\n--{name}\nSay it.\n" for name in names)
    (tmp_path / "share/man/man1/frob.1").write_text(f".SH NAME\nfrob - it\n.SH OPTIONS\n{text}")
    query = Query(words=line, os="linux", path=f"{tmp_path}/bin", cwd=str(tmp_path))
    found = edits.answer(query, Learned(lambda word: False))
    assert (found[0].command if found else "") == command


def test_the_last_lines_of_a_file_are_asked_of_the_program_that_prints_them():
    assert made("tail b.log # last 100 lines") == "tail -n 100 b.log"
    assert made("head b.log # only the first 3") == "head -n 3 b.log"


def test_folders_below_are_looked_into_for_the_files_that_were_named():
    assert made("grep foo *.py # in all subdirectories") == "grep -r --include='*.py' foo ."
    assert made("grep -n foo src/a.txt # recursively") == "grep --include=a.txt -nr foo src"
    assert made("grep foo a.txt b.txt # recursive") == "grep -r --include=a.txt --include=b.txt foo ."
    assert made("ls # including subdirectories") == "ls -R"


@pytest.mark.parametrize(
    "line",
    ["grep foo a/x.txt b/y.txt # recursively", "ls *.txt # recursively", "rm *.tmp # in all subfolders",
     "chmod 644 *.html # recursive", "cp *.jpg shots # recursively"],
)  # fmt: skip
def test_an_option_for_folders_does_nothing_for_files_that_are_named_one_by_one(line):
    query = Query(words=line, os="linux", path="/usr/bin:/bin", cwd="/")
    assert edits.answer(query, Learned(lambda word: False)) == []


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("tail -n 10 app.log # last 50", "tail -n 50 app.log"),
        ("tail -100 app.log # last 20", "tail -20 app.log"),
        ("docker logs --tail=10 web # last 200", "docker logs --tail=200 web"),
        ("docker logs --tail 10 web # last 200", "docker logs --tail 200 web"),
        ("ps aux --sort=-%cpu # by memory", "ps aux --sort=-%mem"),
    ],
)
def test_an_option_that_is_there_gets_its_new_value(line, command):
    assert made(line) == command


def test_to_number_the_lines_is_no_order():
    assert made("cat a.txt # number the lines") == "cat -n a.txt"
    assert made("cat a.txt # sort by number") == "cat a.txt | sort -n"


def test_nothing_stands_before_the_letters_of_an_old_tar() -> None:
    query = Query(words="tar czf a.tgz src # verbose", os="linux", path=os.environ["PATH"])
    assert [one.command for one in edits.answer(query, Learned(lambda _: True))] == [
        "tar czf a.tgz src --verbose"
    ]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ps -ef # only the first 5", "ps -ef | head -n 6"),
        ("docker ps # how many", "docker ps | tail -n +2 | wc -l"),
        ("docker ps -q # how many", "docker ps -q | wc -l"),
        ("docker ps # alphabetically", ""),
        ("docker ps # only the stopped ones", ""),  # all of them would be more
        ("docker ps # also the stopped ones", "docker ps -a"),
        ("docker ps # that mention redis", "docker ps | grep redis"),
        ("cat a.log # saved in b.log", "cat a.log > b.log"),
        ("du -sh * # sorted", "du -sh * | sort -h"),
        ("ls -l --block-size=1 # human readable", ""),
    ],
)
def test_the_line_that_names_columns_is_no_entry_and_only_takes_away(line, command):
    assert made(line) == command


def read(**answers: tuple[str, float]):
    """An engine that answers some sentences, with how sure it is: from 0.6 on it would insert the command."""

    def reads(words: str):
        command, score = answers.get(words.replace(" ", "_"), ("", 0.0))
        one = (Candidate(command, score, "case"),) if command else ()
        return (one, ()) if score >= 0.6 else ((), one)

    return Learned(lambda _: True, reads)


@pytest.mark.parametrize(
    ("line", "sentence", "answer", "command"),
    [
        ("git log # by anna", "git_log_by_anna", ("git log --author=anna", 0.7), "git log --author=anna"),
        ("git log -p # by anna", "git_log_by_anna", ("git log --author=anna", 0.7), "git log --author=anna -p"),
        ("sudo git log # by anna", "git_log_by_anna", ("git log --author=anna", 0.7), "sudo git log --author=anna"),
        ("lsof -i # on port 80", "lsof_on_port_80", ("lsof -i :80", 0.7), "lsof -i :80"),
        ("env # with an X", "env_with_an_X", ("env | grep X", 0.5), "env | grep X"),  # near, and it only looks
        ("find . -user x -delete # deep", "find_._deep", ("find . -depth", 0.7), "find . -user x -depth -delete"),
        ("cat a.log # no debug", "cat_a.log_no_debug", ("grep -v debug a.log", 0.7), "grep -v debug a.log"),
        ("cat a.log # no debug", "cat_a.log_no_debug", ("grep -v debug b.log", 0.7), ""),
        ("git log # by anna", "git_log_by_anna", ("git shortlog -s", 0.9), ""),  # another command
        ("git log # by anna", "git_log_by_anna", ("git log", 0.9), ""),  # no change
        ("ps -ef # by anna", "ps_by_anna", ("ps aux --sort=user", 0.9), ""),  # aux is no value
        ("rm a # really", "rm_a_really", ("rm -f a", 0.5), ""),  # not sure, and it deletes
        ("ss -t # waiting", "ss_waiting", ("ss -tlnp", 0.5), ""),  # not sure, and more than one thing
        ("git log --since=1 # by anna", "git_log_by_anna", ("git log --since=2", 0.9), ""),
        ("ls # logs too", "ls_logs_too", ("ls *.log", 0.9), ""),  # that shows those alone
        ("grep a b # and c too", "grep_a_b_and_c_too", ("grep a b | grep c", 0.9), ""),
    ],
)  # fmt: skip
def test_what_no_table_holds_is_read_with_the_command_as_one_sentence(line, sentence, answer, command):
    query = Query(words=line, os="linux")
    found = edits.answer(query, read(**{sentence: answer}))
    assert (found[0].command if found else "") == command


def test_of_two_readings_that_differ_in_more_than_was_asked_for_the_lesser_is_taken():
    def reads(_: str):
        return (Candidate("grep -ci foo a", 0.8, ""),), (Candidate("grep -c foo a", 0.5, ""),)

    (found,) = edits.answer(
        Query(words="grep foo a # tell me the sum", os="linux"), Learned(lambda _: True, reads)
    )
    assert found.command == "grep -c foo a"


PAGE = """.SH NAME
frob - it
.SH OPTIONS
.TP
-l
Display only waiting ones.
.TP
-a
Show all, waiting ones included.
.TP
-p
Show the process of each.
.TP
-n
List names themselves, not what they hold.
.TP
--block-size=SIZE
Count in SIZE.
.TP
--quiet, --verbose, --dry-run, --no-cache
Say so.
"""


@pytest.mark.parametrize(
    ("wish", "command"),
    [
        ("waiting", "frob -l x"),
        ("only the waiting", "frob -l x"),
        ("the waiting as well", ""),  # -l would leave out the others
        ("any past state as well", "frob -a x"),
        ("only past state", ""),
        ("show the process, too", "frob -p x"),
        ("names too", ""),  # -n takes away what they hold
        ("the process of bob", ""),  # bob is not said by it
        ("unheard of", ""),
        ("in megabytes", "frob --block-size M x"),
    ],
)
def test_words_that_ask_for_an_option_are_held_against_what_it_says(tmp_path, wish, command):
    (tmp_path / "bin").mkdir()
    (tmp_path / "share/man/man1").mkdir(parents=True)
    program = tmp_path / "bin/frob"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "share/man/man1/frob.1").write_text(PAGE)
    phrases = {"-l": ("wait",), "-a": ("past", "state"), "-p": ("process",), "-n": ("name",)}
    flags = tuple(Flag(text, ((words, 0.9),)) for text, words in phrases.items())
    learned = Learned(lambda _: True, flags=lambda name: flags if name == "frob" else ())
    query = Query(words=f"frob x # {wish}", os="linux", path=f"{tmp_path}/bin", cwd=str(tmp_path))
    found = edits.answer(query, learned)
    assert (found[0].command if found else "") == command


def test_the_engine_reads_what_the_table_does_not_hold():
    assert answered("git log # by anna").command == "git log --author=anna"
    assert answered("make test # keep going on errors").command == "make -k test"
