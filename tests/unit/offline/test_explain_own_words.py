"""What the system says is told from what an application says in the same words; a claim needs names of its own kind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain, trust
from terma.offline.explain.own_words import are_the_systems, spoken_by


def asked(command: str, output: str, cwd: Path, status: int = 1) -> Explanation:
    return explain(Failure(command, status, output, str(cwd), "bash", path=os.environ["PATH"]))


@pytest.mark.parametrize(
    "said",
    [
        'ERROR desk: permission denied: role "clerk" may not refund invoices over 500 EUR',
        "deployer: connection refused by policy: freeze window active",
        "archive: too many open files in batch 3 (max 10)",
        "sensor: input/output error on channel 2",
        'firewall: no route to host group "dmz"',
        "codec: illegal byte sequence at frame 100",
        "pipe section 4: broken pipe detected, pressure 2 bar",
        "steps: argument list too long: 3 steps at most",
        "render: out of memory: texture atlas 8192x8192 needs 256 MB",
        "tracks: segmentation fault in track 7 (rail)",
        "asset 12 belongs to depot 4: operation not permitted",
        "crm: user 'maria' does not exist in tenant acme",
        "seats: no such user seat: 3",
        "crm: group 'vip' does not exist",
        "mail: 550 5.1.1 no such user here: bob@example.com",
        "updater: unable to locate package 77 in truck 3",
        "badge: certificate has expired: forklift driver J. Smith",
        "fleet: wrong version number 3, want 4",
        "import error: No module named warehouse in bundle map",
        "runner: command not found in playbook: restart_all",
        "room 'blue' is not a directory entry",
        "pay: card declined: invalid number ‘4111-11’",
        "cfg: config.yml: line 4: invalid value 'yess' for key debug",
        "dock: port 12 is already in use by the ferry",
    ],
)
def test_an_application_that_uses_the_systems_words_is_quoted(said: str, tmp_path: Path) -> None:
    (tmp_path / "desk").touch(mode=0o755)
    found = asked("./desk", said + "\n", tmp_path)
    assert found.rule == "unknown" and not found.fixes
    assert said in found.text


@pytest.mark.parametrize(
    ("said", "sign"),
    [
        ("cp: cannot open 'a': permission denied", "permission denied"),
        ("zsh: permission denied: ./x", "permission denied"),
        ("permissionerror: [errno 13] permission denied: '/a b'", "permission denied"),
        ("open: permission denied at x.pl line 3.", "permission denied"),
        ("fopen(x): failed to open stream: permission denied in /a.php on line 3", "permission denied"),
        ("no such file or directory @ rb_sysopen - x", "no such file or directory"),
        ("java.net.connectexception: connection refused (connection refused)", "connection refused"),
        ("dial tcp 127.0.0.1:80: connect: connection refused", "connection refused"),
        ("error: connection refused (os error 111)", "connection refused"),
        ("an old tool met its own trouble", "trouble"),
    ],
)
def test_the_systems_own_clause_is_known_wherever_it_stands(said: str, sign: str) -> None:
    assert are_the_systems(said, (sign,))


def test_who_speaks_is_the_program_or_the_first_word_of_the_line() -> None:
    speakers = frozenset(("useradd", "e"))
    assert spoken_by("useradd: user 'x' does not exist", "make", speakers, ("does not exist",))
    assert spoken_by("e: unable to locate package x", "./setup", speakers, ("unable to locate",))
    assert not spoken_by("crm: user 'x' does not exist", "./crm", speakers, ("does not exist",))
    assert not spoken_by("useradd\ncrm: user 'x' does not exist", "./crm", speakers, ("does not exist",))


def test_a_refused_address_is_the_one_beside_the_refusal(tmp_path: Path) -> None:
    said = (
        "node:internal/deps/undici/undici:14976\n      Error.captureStackTrace(err);\n            ^\n\n"
        "TypeError: fetch failed\n    at node:internal/deps/undici/undici:14976:13 {\n"
        "  [cause]: Error: connect ECONNREFUSED 127.0.0.1:4999\n"
        "      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {\n    port: 4999\n  }\n}\n"
    )
    text = asked("node fetch.mjs", said, tmp_path).text.partition("\n")[0]
    assert "undici" not in text and "14976" not in text


def test_who_stopped_is_named_by_its_own_name(tmp_path: Path) -> None:
    found = asked("./lint a.dsl", "a.dsl:3:9: error: unexpected token\n", tmp_path)
    assert "compiler" not in found.text and "lint stopped at a.dsl" in found.text
    assert "The compiler stopped" in asked("gcc a.c", "a.c:3:9: error: unexpected token\n", tmp_path).text


def test_a_version_that_is_not_there_is_no_missing_package(tmp_path: Path) -> None:
    said = (
        "ERROR: Could not find a version that satisfies the requirement six==99 (from versions: 1.0, 1.1)\n"
        "ERROR: No matching distribution found for six==99\n"
    )
    text = asked("pip install six==99", said, tmp_path).text
    assert "==99" in text and "no package matches" not in text


def test_a_source_without_the_class_is_not_compiled_for_it(tmp_path: Path) -> None:
    said = (
        "Error: Could not find or load main class Main\nCaused by: java.lang.ClassNotFoundException: Main\n"
    )
    (tmp_path / "Main.java").write_text("class Mian {}")
    found = asked("java Main", said, tmp_path)
    assert not any("javac" in fix.command for fix in found.fixes) and "it has Mian" in found.text
    (tmp_path / "Main.java").write_text("class Main {}")
    assert [fix.command for fix in asked("java Main", said, tmp_path).fixes] == [
        "javac Main.java && java Main"
    ]


def test_the_step_of_a_path_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    said = "mkdir: cannot create directory ‘logs/2024’: Not a directory\n"
    assert asked("mkdir logs/2024", said, tmp_path).text.startswith("logs is a file")


def test_who_speaks_is_no_path_that_was_refused(tmp_path: Path) -> None:
    said = "useradd: Permission denied.\nuseradd: cannot lock /etc/passwd; try again later.\n"
    assert "folder ." not in asked("useradd carl", said, tmp_path).text


def test_what_has_no_name_is_not_said_with_a_hole(tmp_path: Path) -> None:
    said = "gzip: stdin: unexpected end of file\n0\n"
    assert asked("true | gzip -d | wc -c", said, tmp_path).text.startswith("What it read ends too early")


def test_another_case_is_no_misspelling(tmp_path: Path) -> None:
    found = asked("date -d '32 March'", "date: invalid date ‘32 March’\n", tmp_path)
    assert not found.fixes and "misspelt" not in found.text


def test_a_module_that_lies_here_under_a_near_name_comes_before_one_of_the_index(tmp_path: Path) -> None:
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "sync.py").touch()
    said = (
        "/usr/bin/python3: Error while finding module specification for 'tools.sync' (ModuleNotFoundError: "
        "No module named 'tools')\n"
    )
    found = asked("python3 -m tools.sync", said, tmp_path)
    assert "toolz" not in found.text
    assert [fix.command for fix in found.fixes] == ["python3 -m tool.sync"]


def test_a_variable_without_quotes_cuts_a_name_at_its_blank(tmp_path: Path) -> None:
    (tmp_path / "my file.txt").touch()
    command = "for f in *.txt; do wc -l $f; done"
    said = "wc: my: No such file or directory\nwc: file.txt: No such file or directory\n0 total\n"
    found = asked(command, said, tmp_path)
    assert "There is my file.txt" in found.text
    assert [fix.command for fix in found.fixes] == ['for f in *.txt; do wc -l "$f"; done']


def test_what_a_failed_request_was_caused_by_is_shown(tmp_path: Path) -> None:
    said = "TypeError: fetch failed\n    at x.mjs:1:2 {\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:4999\n}\n"
    assert "[cause]: Error: connect" in asked("node x.mjs", said, tmp_path).text


def test_a_port_is_no_name_of_a_host(tmp_path: Path) -> None:
    said = "Could not connect to Redis at cache.example:6379: Name or service not known\n"
    text = asked("redis-cli -h cache.example ping", said, tmp_path).text
    assert text.startswith("The name cache.example could not be resolved")


def test_what_a_program_calls_by_a_bare_name_is_no_file_of_this_folder(tmp_path: Path) -> None:
    said = "valgrind: failed to start tool 'memchek' for platform 'amd64-linux': No such file or directory\n"
    assert "this folder" not in asked("valgrind --tool=memchek ./a", said, tmp_path).text
    said = "cat: settings: No such file or directory\n"
    assert asked("./job.sh", said, tmp_path).text.startswith("settings: no such file")


def test_four_letters_with_one_exchanged_for_a_far_one_are_another_program(tmp_path: Path) -> None:
    for command, name in (("phar extract -f app.phar", "phar"), ("got status", "got")):
        (tmp_path / "bin").mkdir(exist_ok=True)
        for program in ("ptar", "git"):
            (tmp_path / "bin" / program).touch(mode=0o755)
        failure = Failure(
            command, 127, f"bash: {name}: command not found\n", str(tmp_path), "bash", path=f"{tmp_path}/bin"
        )
        assert [fix.command for fix in explain(failure).fixes] == (["git status"] if name == "got" else [])


def test_a_module_of_lua_is_not_looked_up_among_those_of_python(tmp_path: Path) -> None:
    assert not asked("lua -l inspectt run.lua", "lua: module 'inspectt' not found:\n", tmp_path).fixes


def test_a_magic_number_is_no_number_that_was_typed(tmp_path: Path) -> None:
    (tmp_path / "old.bz2").write_text("no")
    said = "bzip2: old.bz2: bad magic number (file not created by bzip2)\n"
    assert not asked("bzip2 -t old.bz2", said, tmp_path, 2).fixes


def test_a_banner_of_xonshs_does_not_hide_what_a_program_said(tmp_path: Path) -> None:
    said = (
        "cat: rollout.cfg: No such file or directory\n"
        "Exception in thread {'cls': 'ProcProxyThread', 'name': 'Thread-5', 'func': f, 'alias': 'dep', 'pid': None}\n"
        "subprocess.CalledProcessError: Command '['cat', 'rollout.cfg']' returned non-zero exit status 1.\n"
    )
    failure = Failure("dep prod", 1, said, str(tmp_path), "xonsh", path=os.environ["PATH"])
    assert "\ncat: rollout.cfg: No such file" in explain(failure).text


def test_a_path_of_a_script_that_went_elsewhere_is_not_looked_up_here(tmp_path: Path) -> None:
    (tmp_path / "gen").write_text("#!/bin/bash\nset -e\ncd templates\ncp base.html ../out/\n")
    (tmp_path / "gen").chmod(0o755)
    found = asked("./gen", "cp: cannot create regular file '../out/': Not a directory\n", tmp_path)
    assert not found.fixes and "in the folder that gen goes to first" in found.text
    found = asked("./gen", "cp: cannot stat 'base.html': No such file or directory\n", tmp_path)
    assert "this folder" not in found.text


def test_a_name_with_another_number_is_another_thing(tmp_path: Path) -> None:
    (tmp_path / "tty19").touch()
    said = "stty: ttyS9: No such file or directory\n"
    found = asked("stty -F ttyS9 9600", said, tmp_path)
    assert not found.fixes and "tty19" not in found.text


def test_what_stands_behind_the_colon_of_an_option_goes_to_no_other(tmp_path: Path) -> None:
    said = "Unrecognized option: -version:x\nError: Could not create the Java Virtual Machine.\n"
    assert not asked("java -version:x", said, tmp_path).fixes


def test_a_number_of_another_protocol_is_not_told_as_one_of_http(tmp_path: Path) -> None:
    said = "ERROR 451 4.7.1 mail from ann@x.y: access denied by greylist, retry in 300 s\n"
    assert "HTTP" not in asked("./flush", said, tmp_path).text
    said = "2026-01-02 10:00:00 ERROR 404: File not found.\n"
    assert "HTTP 404" in asked("wget http://127.0.0.1:1/a", said, tmp_path).text


@pytest.mark.parametrize("listed", [("git", "tic", "gio"), ("git",)])
def test_names_that_xonsh_found_by_their_spelling_make_a_fix_no_less_sure(
    tmp_path: Path, listed: tuple[str, ...]
) -> None:
    """What a program proposes is weighed by how often such proposals were right; xonsh knows no more than PATH has."""
    said = "xonsh: subprocess mode: command not found: 'gti'\n"
    tips = f"Did you mean {'one of ' if len(listed) > 1 else ''}the following?\n"
    tips += "".join(f"    {name}:  {'Alias' if name == 'gio' else f'Command ({name})'}\n" for name in listed)
    alone, beside = (
        explain(Failure("gti status", 1, output, str(tmp_path), "xonsh", path=os.environ["PATH"]))
        for output in (said, said + tips)
    )
    assert beside == alone and [fix.command for fix in alone.fixes] == ["git status"]
    assert trust.band(alone.fixes[0].confidence) == "sure"
