"""Questions beside a failure: answered from the evidence and the machine, or said not to be known from here."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain

UNKNOWN = "not known from here"
TRACED = (
    'Traceback (most recent call last):\n  File "{cwd}/app.py", line 5, in <module>\n    run()\n'
    '  File "{cwd}/app.py", line 4, in run\n    return 1/0\nZeroDivisionError: division by zero'
)
BUSY = "OSError: [Errno 98] Address already in use: ('127.0.0.1', {port})"
FULL = "dd: error writing 'big': No space left on device"
REFUSED = "error: failed to push some refs to 'origin'"
MISSED = "cp: cannot create regular file '/sub/deep/x': Permission denied"
NO_MAKE = "make: *** No targets specified and no makefile found.  Stop."
QUESTIONS = (
    ("python3 -m http.server {port}", BUSY, "who is using it?", "Port {port} is held by"),
    ("python3 -m http.server {port}", BUSY, "what holds the port", "Port {port} is held by"),
    ("python3 -m http.server {port}", BUSY, "is port 1 used?", "Nothing listens on port 1 "),
    (
        "curl http://localhost:{port}",
        "curl: (7) port {port}: Connection refused",
        "is the server running?",
        "Port {port} is held by",
    ),
    (
        "rm db.lock",
        "rm: cannot remove 'db.lock': Device or resource busy",
        "what is using it",
        "db.lock is open in",
    ),
    ("python3 app.py", TRACED, "where did it crash?", "It happened at app.py:4."),
    ("python3 app.py", TRACED, "which line is it", "It happened at app.py:4."),
    ("python3 app.py", TRACED, "in which file?", "It happened at app.py:4."),
    ("python3 app.py", TRACED, "what changed?", "changed last in this folder: "),
    ("python3 app.py", TRACED, "it worked yesterday, what is different?", "changed last in this folder: "),
    ("dd if=/dev/zero of=big", FULL, "how much is left?", "are free on the disk"),
    ("dd if=/dev/zero of=big", FULL, "is the disk full?", "are free on the disk"),
    ("cp a b", "cp: cannot stat 'a': No such file or directory", "is the disk full?", "is not full"),
    ("./work", "./work: killed", "how much memory is left", "GiB of memory are available"),
    (
        "tar xf a.tgz",
        "src/\ncreated src\ntar: Unexpected EOF in archive",
        "did it do anything?",
        "created src",
    ),
    ("cat nope", "cat: nope: No such file or directory", "did it change something?", "No: cat only reads."),
    ("rsync -a a/ b/", "rsync: failed", "did it half finish?", UNKNOWN),
    ("cat nope", "cat: nope: No such file or directory", "is it safe to run again?", "Yes: cat only reads."),
    (
        "rm -rf build",
        "rm: cannot remove 'build/x': Permission denied",
        "is it safe to run again?",
        "Not without a look",
    ),
    ("./nightly.sh", "nightly failed", "can I just retry it?", UNKNOWN),
    ("git push", "fatal: No configured push destination.", "which branch am I on?", "on the branch main"),
    ("git push", "fatal: No configured push destination.", "is there a remote?", "it has no remote"),
    ("cat app.py", "cat: app.py: Permission denied", "who owns it?", "app.py belongs to"),
    ("cat app.py", "cat: app.py: Permission denied", "is it a permission problem?", "app.py belongs to"),
    ("python3 -m http.server {port}", BUSY, "who grabbed it?", "Port {port} is held by"),
    ("python3 app.py", TRACED, "is it my code or a library?", "in a file of your own"),
    ("git push", REFUSED, "did my commits arrive?", "Not as far as its output tells: “error: failed"),
    ("git push", REFUSED, "is it safe to force?", "throws away what the other side has"),
    ("cp a /sub/deep/x", MISSED, "may I write there?", "belongs to root"),
    (
        "cat deep.txt",
        "cat: deep.txt: No such file or directory",
        "is it somewhere else?",
        "There is sub/deep.txt.",
    ),
    ("dd if=/dev/zero of=big", FULL, "how many gigabytes do I still have?", "are free on the disk"),
    ("make", NO_MAKE, "was this working yesterday?", UNKNOWN),
    ("make", NO_MAKE, "where am I?", "The command ran in {cwd}."),
    ("make", NO_MAKE, "who broke this?", UNKNOWN),
    ("make", NO_MAKE, "when did it last work?", UNKNOWN),
    ("npm test", "1 failing", "how long did it take?", UNKNOWN),
    (
        "gcc a.c",
        "a.c:3: error: expected ';'",
        "is it because of permissions?",
        "Nothing in the output points to permissions.",
    ),
    (
        "gcc a.c",
        "a.c:3: error: expected ';'",
        "could it be the network?",
        "Nothing in the output points to the network.",
    ),
    ("gcc a.c", "a.c:3: error: expected ';'", "is it a syntax error?", "line 3"),
    (
        "node a.js",
        "node:events:502\n      throw er;\n\nError: listen EADDRINUSE: address already in use :::{port}\n",
        "who is using it?",
        "Port {port} is held by",
    ),
    ("python3 -m http.server {port}", BUSY, "can I kill it?", "who needs it is not known from here"),
    (
        "git push origin",
        "fatal: 'origin' does not appear to be a git repository",
        "do I have any remotes?",
        "it has no remote",
    ),
    (
        "cat deep.txt",
        "cat: deep.txt: No such file or directory",
        "where is deep.txt then?",
        "There is sub/deep.txt.",
    ),
    ("cp a b", "cp: error writing 'b': No space left on device", "did a part of it get copied?", UNKNOWN),
    (
        "git pull",
        "fatal: Need to specify how to reconcile divergent branches.",
        "will I lose my commits?",
        UNKNOWN,
    ),
)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "app.py").write_text("import os\n\ndef run():\n    return 1/0\nrun()\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/deep.txt").write_text("found\n")
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path)], check=True, timeout=20)
    with (tmp_path / "db.lock").open("w"):
        yield tmp_path


@pytest.mark.parametrize(("command", "output", "question", "said"), QUESTIONS)
def test_a_question_is_answered_first(
    command: str, output: str, question: str, said: str, here: Path, port: int
) -> None:
    def filled(text: str) -> str:
        return text.replace("{port}", str(port)).replace("{cwd}", str(here))

    asked = Failure(filled(command), 1, filled(output), str(here), path="/usr/bin:/bin", question=question)
    assert filled(said) in explain(asked).text


def test_a_question_never_changes_what_is_recognised_or_offered(here: Path) -> None:
    output = "cat: ap.py: No such file or directory"
    plain = explain(Failure("cat ap.py", 1, output, str(here), path="/usr/bin:/bin"))
    asked = explain(
        Failure("cat ap.py", 1, output, str(here), path="/usr/bin:/bin", question="where did it crash?")
    )
    assert (asked.fixes, asked.rule) == (plain.fixes, plain.rule)
    assert plain.text in asked.text


def test_a_question_for_other_things_that_exist_is_not_one_for_a_file(here: Path) -> None:
    told = 'psql: error: FATAL:  role "reporting" does not exist'
    asked = Failure(
        "psql -p 5499 -U reporting", 2, told, str(here), path="/usr/bin:/bin", question="which roles exist?"
    )
    assert "5499" not in explain(asked).text.partition("\n")[0]


def test_an_answer_is_not_said_twice(here: Path) -> None:
    told = 'Error: unable to open database "deep.txt": unable to open database file'
    asked = Failure(
        "sqlite3 deep.txt", 1, told, str(here), path="/usr/bin:/bin", question="where is deep.txt?"
    )
    assert explain(asked).text.partition("\n")[0].count("sub/deep.txt") == 1


def asked(command: str, output: str, question: str, cwd: Path, status: int = 1, duration: int = 0) -> str:
    failure = Failure(command, status, output, str(cwd), question=question, duration=duration)
    return explain(failure).text


@pytest.mark.parametrize(
    ("command", "output", "question"),
    [
        ("kill -9 4999999", "bash: kill: (4999999) - No such process", "is it still running?"),
        (
            "apt install x",
            "E: Unable to acquire the dpkg frontend lock, are you root?",
            "does this need root",
        ),
    ],
)
def test_what_the_explanation_tells_is_not_called_unknown(
    command: str, output: str, question: str, tmp_path: Path
) -> None:
    assert UNKNOWN not in asked(command, output, question, tmp_path)
    assert UNKNOWN in asked(command, output, "is the moon out?", tmp_path)


def test_success_and_time_are_told_and_nothing_is_made_of_them(tmp_path: Path) -> None:
    assert asked("true", "", "did it work?", tmp_path, 0).startswith("As far as its status tells, it did")
    assert asked("sleep 2", "", "why is it slow", tmp_path, 0, 2_000_000).startswith("It ran for 2.0 s;")
    assert asked("sleep 2", "", "why is it slow", tmp_path, 0).startswith("That is not known from here")


def test_whether_a_file_is_missing_is_looked_up(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    for name, told in (("here", "here is there."), ("gone", "gone is not there.")):
        output = f"cat: {name}: Permission denied"
        assert asked(f"cat {name}", output, "is the file missing?", tmp_path).startswith(told)


@pytest.mark.parametrize(
    ("command", "output", "shell", "started"),
    [
        ("cp a b > /etc/x", "bash: /etc/x: Permission denied\n", "bash", False),
        ("gti push", "bash: gti: command not found\n", "bash", False),
        ("rm *.bak", "zsh: no matches found: *.bak\n", "zsh", False),
        ("deploy prod", "bash: ./conf.prod: No such file or directory\n", "bash", True),  # may be a function
        ("cp x y; rm z", "bash: cp: command not found\n", "bash", True),
        ("cp x y", "bash: warning\ncp: cannot stat x\n", "bash", True),
        ("cd nowhere", "bash: cd: nowhere: No such file or directory\n", "bash", True),
    ],
)
def test_a_line_that_the_shell_refused_did_nothing(
    command: str, output: str, shell: str, started: bool
) -> None:
    path, asked = os.environ["PATH"], "did it do anything?"
    found = explain(Failure(command, 1, output, "/tmp", shell, path=path, question=asked))
    assert ("was never started" in found.text) is not started


@pytest.mark.parametrize(
    ("command", "output", "question", "answer"),
    [
        ("cat sub/a.json", "cat: sub/a.json: No such file\n", "is it somewhere else", "There is a.json"),
        ("git push", " ! [rejected] main -> main\n", "did it push anything", "Not as far as"),
        ("curl :9", "curl: (7) Failed to connect to localhost port 9\n", "what listens", "Nothing listens on port 9"),
    ],
)  # fmt: skip
def test_what_the_evidence_tells_is_answered(
    command: str, output: str, question: str, answer: str, tmp_path: Path
) -> None:
    (tmp_path / "a.json").touch()
    (tmp_path / "sub").mkdir()
    found = explain(Failure(command, 1, output, str(tmp_path), path=os.environ["PATH"], question=question))
    assert found.text.startswith(answer)
