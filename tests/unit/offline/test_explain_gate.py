"""What every explanation passes: a name is one, a message of another machine is not looked up here, what is said of the
command stands in it, and of several complaints the one about what was typed is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain
from terma.offline.explain.pieces import is_named


def asked(command: str, output: str, cwd: Path, status: int = 1) -> Explanation:
    return explain(Failure(command, status, output, str(cwd), path=os.environ["PATH"]))


def said(found: Explanation) -> str:
    return found.text.partition("\n\n```")[0]


def first_fix(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("xx2 adir", "xx2: read error: Is a directory\n"),
        ("xx2 adir", "xx2: Is a directory\n"),
        ("xx2 gone", "error: Error reading 'gone':\nerror: No such file or directory\n"),
    ],
)
def test_who_speaks_and_what_it_did_are_no_files(command: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "adir").mkdir()
    found = said(asked(command, output, tmp_path))
    assert not any(claim in found for claim in ("is a directory, and", "does not exist"))


def test_the_word_of_the_command_that_the_line_holds_is_meant(tmp_path: Path) -> None:
    (tmp_path / "adir").mkdir()
    line = "xx2: adir: failed to open for writing: Is a directory\n"
    assert said(asked("xx2 adir", line, tmp_path)).startswith("adir is a directory")
    line = "lsattr: No such file or directory while trying to stat gone\n"
    assert said(asked("lsattr gone", line, tmp_path)).startswith("gone: no such file")
    line = "tar (child): /usr/share/a.tgz: Cannot open: Permission denied\n"
    assert said(asked("tar czf /usr/share/a.tgz a", line, tmp_path, 2)).startswith(
        "/usr/share/a.tgz: permission"
    )


@pytest.mark.parametrize("command", ["kill 1", "strace -p 1"])
def test_the_number_of_a_process_lies_in_no_folder(command: str, tmp_path: Path) -> None:
    found = said(asked(command, f"{command.split(maxsplit=1)[0]}: (1) - Operation not permitted\n", tmp_path))
    assert "folder" not in found and "belongs" not in found


@pytest.mark.parametrize(
    ("command", "output", "where"),
    [
        ("ssh web cat /etc/none", "cat: /etc/none: No such file or directory\n", "on web"),
        ("docker exec api ls /none", "ls: cannot access '/none': No such file or directory\n", "in the container"),
        ("kubectl exec api -- ls /none", "ls: cannot access '/none': No such file or directory\n", "in the pod"),
        ("rsync -a src/ web:/srv/app", 'rsync: [Receiver] mkdir "/srv/app" failed: Permission denied (13)\n', "on web"),
        (
            "docker build .",
            " > [2/2] RUN pip install -r list.txt:\n"
            "1.62 ERROR: Could not open requirements file: No such file: 'list.txt'\n"
            'ERROR: failed to solve: process "pip" did not complete successfully: exit code: 1\n',
            "in the container",
        ),
    ],
)  # fmt: skip
def test_what_was_said_elsewhere_is_not_looked_up_here(
    command: str, output: str, where: str, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").touch()
    found = asked(command, output, tmp_path)
    assert where in said(found)
    assert not any(claim in said(found) for claim in ("pwd", "sudo", "this folder", "right folder"))
    assert not found.fixes


@pytest.mark.parametrize(
    ("command", "output", "status"),
    [
        ("ssh web", "ssh: connect to host web port 22: Connection refused\n", 255),
        ("docker exec gone ls", "Error response from daemon: No such container: gone\n", 1),
        ("scp gone web:/srv", 'scp: stat local "gone": No such file or directory\n', 255),
        ("docker run x", "bash: docker: command not found\n", 127),
    ],
)
def test_what_carries_others_words_has_words_of_its_own(
    command: str, output: str, status: int, tmp_path: Path
) -> None:
    assert "terma cannot look" not in said(asked(command, output, tmp_path, status))


def test_a_refused_name_is_not_proposed_and_a_number_is_one(tmp_path: Path) -> None:
    found = said(asked("ffmpeg -i a -c:v libx265 b", "Unknown encoder 'libx265'\n", tmp_path))
    assert "There is" not in found
    line = "split: invalid number of chunks: ‘0’: Numerical result out of range\n"
    assert "is none" not in said(asked("split -n 0 a", line, tmp_path))


def test_a_cause_in_the_command_stands_in_it(tmp_path: Path) -> None:
    line = "bash: [: a: binary operator expected\n"
    assert "variable" not in said(asked("[ -f a b ]", line, tmp_path, 2))
    assert "variable" in said(asked("[ -f $x ]", line, tmp_path, 2))
    assert "got current" not in said(asked("fg", "bash: fg: current: no such job\n", tmp_path))
    assert "got qq" not in said(
        asked("kill no.qq", "bash: kill: no.qq: arguments must be process or job IDs\n", tmp_path)
    )


def test_what_is_said_of_a_place_stands_in_its_row(tmp_path: Path) -> None:
    rows = "./main.go:9:2: undefined: fmt.Printn\n./main.go:12:5: declared and not used: n\n"
    assert "undefined is declared" not in said(asked("go build ./...", rows, tmp_path))


@pytest.mark.parametrize(
    ("output", "name"),
    [
        (
            "error: Could not resolve hostname (Could not resolve host: index.example.org)\n",
            "index.example.org",
        ),
        ("Error: listen EADDRINUSE: address already in use 127.0.0.1:47613\n    at node:net:1\n", "47613"),
    ],
)
def test_a_name_is_told_whole(output: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "i.js").touch()
    assert name in said(asked("node i.js", output, tmp_path))


def test_of_complaints_in_one_voice_the_one_about_what_was_typed_is_told(tmp_path: Path) -> None:
    rows = "find: ‘/etc/ssl/private’: Permission denied\nfind: ‘catt’: No such file or directory\n"
    found = asked("find /etc -name passwd -exec catt {} +", rows, tmp_path)
    assert said(found).startswith("catt: command not found")


def test_a_shell_that_opens_a_file_does_not_execute_it(tmp_path: Path) -> None:
    refused = "bash: /proc/version: Permission denied\n"
    assert "execut" not in said(asked("log hi", refused, tmp_path, 1))
    assert "execut" in said(asked("/proc/version", refused, tmp_path, 126))


def test_a_program_that_python_was_to_start_is_no_file(tmp_path: Path) -> None:
    trace = (
        'Traceback (most recent call last):\n  File "p.py", line 2, in <module>\n    run(["zzprog"])\n'
        '  File "/usr/lib/python3.11/subprocess.py", line 1901, in _execute_child\n    raise x\n'
        "FileNotFoundError: [Errno 2] No such file or directory: 'zzprog'\n"
    )
    assert "none of that name is in PATH" in said(asked("python3 p.py", trace, tmp_path))


@pytest.mark.parametrize(
    ("line", "piece", "is_one"),
    [
        ("A complete log of this run can be found in: x", "run", False),
        ("E: Invalid operation run", "run", True),
        ("unknown command 'run' for tool", "run", True),
        ("tool: run: no such command was found here", "run", True),
        ("no command run is known to this tool here", "run", True),
    ],
)
def test_a_word_of_a_sentence_is_no_name(line: str, piece: str, is_one: bool) -> None:
    assert is_named(line, piece) is is_one


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("frob i --frozen", 'Cannot. If you still need to, use "frob install --no-frozen"\n', "frob i --no-frozen"),
        ("frob pr", "aborted: you must first push the branch, or use the --head flag\n", ""),
        ("frob run", "Couldn't find a project. Add one in x, or pass the path to the project using --project.\n", ""),
        ("brew install postgre", "No available formula for postgre. Did you mean postgrest, postgis or x?\n", ""),
        ("zip adir", "zip error: Nothing to do! (adir.zip)\n", ""),
    ],
)  # fmt: skip
def test_a_fix_of_several_ways_or_half_a_value_is_not_offered(
    command: str, output: str, fix: str, tmp_path: Path
) -> None:
    (tmp_path / "adir").mkdir()
    assert first_fix(asked(command, output, tmp_path)) == fix


def test_what_lies_here_is_no_misspelt_subcommand(tmp_path: Path) -> None:
    (tmp_path / "adir").mkdir()
    usage = "Usage: zzob <option(s)> <file(s)>\n Commands: addr list\n"
    assert not asked("zzob adir", usage, tmp_path, 2).fixes


def test_a_thing_of_another_kind_is_no_file(tmp_path: Path) -> None:
    assert "file" not in said(asked("ip link show zz9", 'Device "zz9" does not exist.\n', tmp_path))
    assert "no such file" in said(asked("frob zz9", "Input file 'zz9' does not exist.\n", tmp_path))


def test_a_folder_that_is_not_here_is_not_gone_to(tmp_path: Path) -> None:
    found = asked("dc -e '1 0 /'", "bash: dc: command not found\n", tmp_path, 127)
    assert "looks misspelt" not in said(found)
    assert not first_fix(found).startswith("cd")


def test_who_takes_a_name_away_writes_to_its_folder(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").touch()
    (tmp_path / "d").chmod(0o555)
    found = asked("rm d/f", "rm: cannot remove 'd/f': Permission denied\n", tmp_path)
    assert "The folder d is not writable" in said(found)
    assert first_fix(found) == "chmod u+w d && rm d/f"


def test_only_rust_is_rust(tmp_path: Path) -> None:
    rows = "error: unexpected end of input\n --> Cargo.toml:3:9\n"
    assert "Rust code" not in said(asked("cargo build", rows, tmp_path, 101))


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("hexdump sub/f", "hexdump: sub/f: No such file or directory\n"),
        ("rmdir sub/f", "rmdir: failed to remove 'sub/f': No such file or directory\n"),
        ("ln sub/f", "ln: failed to access 'sub/f': No such file or directory\n"),
        ("objcopy sub/f", "objcopy: could not create temporary file whilst copying 'sub/f': No such file\n"),
    ],
)
def test_what_is_read_is_not_made(command: str, output: str, tmp_path: Path) -> None:
    found = asked(command, output, tmp_path)
    assert not found.fixes and "written" not in said(found)


def test_a_file_that_is_to_be_written_gets_its_folder(tmp_path: Path) -> None:
    found = asked("frob sub/f", "frob: cannot create 'sub/f': No such file or directory\n", tmp_path)
    assert first_fix(found) == "mkdir -p sub && frob sub/f"


def test_the_value_of_an_option_is_no_name_for_a_file(tmp_path: Path) -> None:
    usage = "Usage: zzelf <option(s)> elf-file(s)\n  --demangle=<one of: auto, dlang, rust>\n"
    assert not asked("zzelf dang", usage, tmp_path).fixes
