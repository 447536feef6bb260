"""What a failure names is looked up where it lies: in the archive, in the manifest, beside the script, on the ports."""

from __future__ import annotations

import json
import os
import socket
import tarfile
import zipfile
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain
from terma.offline.explain.families.network import near_port
from terma.offline.explain.members import meant_member

STACK = """npm error code EACCES
npm error syscall mkdir
npm error path /usr/lib/node_modules/cowsay
npm error errno -13
npm error Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/cowsay'
npm error     at async mkdir (node:internal/fs/promises:856:10)
"""


def asked(command: str, output: str, cwd: Path, status: int = 1) -> Explanation:
    return explain(Failure(command, status, output, str(cwd), path=os.environ["PATH"]))


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


def test_a_number_of_a_stack_frame_is_no_port(tmp_path: Path) -> None:
    found = asked("npm install -g cowsay", STACK, tmp_path, 243)
    assert "port" not in found.text
    assert first(found) == "npm install -g --prefix ~/.local cowsay"


def test_a_port_below_1024_is_read_from_the_line_that_listens(tmp_path: Path) -> None:
    told = "Error: listen EACCES: permission denied 0.0.0.0:80\n    at Server.setupListenHandle (node:net:1800:21)\n"
    assert "port 80:" in asked("node server.js", told, tmp_path).text


def test_a_package_that_the_manifest_lists_is_installed_and_not_respelled(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"dependencies": {"is-odd": "^3"}}))
    (tmp_path / "app.js").write_text("const o = require('is-odd')\n")
    told = f"Error: Cannot find module 'is-odd'\nRequire stack:\n- {tmp_path}/app.js\n"
    assert first(asked("node app.js", told, tmp_path)) == "npm install"
    (tmp_path / "pnpm-lock.yaml").touch()
    assert first(asked("node app.js", told, tmp_path)) in ("pnpm install", "")


def test_a_switch_for_the_diagnosis_is_no_way_on(tmp_path: Path) -> None:
    told = (
        "[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/x).\n"
        "[ERROR] Re-run Maven using the -X switch to enable full debug logging.\n"
    )
    (tmp_path / "svc").mkdir()
    (tmp_path / "svc/pom.xml").write_text("<project/>")
    assert first(asked("mvn -q package", told, tmp_path)) == "cd svc && mvn -q package"


@pytest.mark.parametrize("ending", [".tar", ".zip"])
def test_a_member_is_looked_up_in_its_archive(tmp_path: Path, ending: str) -> None:
    (tmp_path / "app.conf").write_text("a")
    path = tmp_path / f"conf{ending}"
    if ending == ".tar":
        with tarfile.open(path, "w") as packed:
            packed.add(tmp_path / "app.conf", "./etc/app.conf")
        command, told = f"tar xf {path.name} etc/app.conf", "tar: etc/app.conf: Not found in archive\n"
        wanted = f"tar xf {path.name} ./etc/app.conf"
    else:
        with zipfile.ZipFile(path, "w") as zipped:
            zipped.write(tmp_path / "app.conf", "etc/app.conf")
        command, told = f"unzip {path.name} app.conf", "caution: filename not matched:  app.conf\n"
        wanted = f"unzip {path.name} etc/app.conf"
    assert first(asked(command, told, tmp_path, 2)) == wanted


def test_of_two_members_none_was_meant() -> None:
    assert meant_member("a.txt", ["x/a.txt", "y/a.txt"]) == ""
    assert meant_member("./a.txt", ["a.txt", "b.txt"]) == "a.txt"


def test_a_zip_without_its_end_was_cut_off(tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as zipped:
        zipped.writestr("a", "b" * 3000)
    (tmp_path / "part.zip").write_bytes(whole.read_bytes()[:900])
    told = (
        "  End-of-central-directory signature not found.\nunzip:  cannot find zipfile directory in part.zip\n"
    )
    assert "cut off" in asked("unzip part.zip", told, tmp_path, 9).text


def test_what_a_function_printed_first_is_no_path(tmp_path: Path) -> None:
    told = "deploying\ncp: cannot create regular file '/srv/nowhere/': Not a directory\n"
    found = asked("deploy", told, tmp_path)
    assert "deploying is not" not in found.text
    assert "/srv/nowhere/ is not a directory" in found.text


def test_a_repository_one_folder_down_is_told_and_none_is_made(tmp_path: Path) -> None:
    told = "fatal: not a git repository (or any of the parent directories): .git\n"
    (tmp_path / "shop/.git").mkdir(parents=True)
    assert first(asked("git log", told, tmp_path, 128)) == "cd shop && git log"


def test_the_word_behind_a_number_may_go_where_it_says_what_is_counted(tmp_path: Path) -> None:
    told = "tail: invalid number of lines: ‘20lines’\n"
    assert first(asked("tail -n 20lines log", told, tmp_path)) == "tail -n 20 log"
    assert not asked("tail -n 20xyz log", told.replace("20lines", "20xyz"), tmp_path).fixes


def test_a_letter_in_the_other_case_is_proposed_where_the_usage_calls_it_so(tmp_path: Path) -> None:
    told = "error: unknown switch `a'\nusage: git add [<options>]\n\n    -A, --all     add all\n"
    assert first(asked("git add -a", told, tmp_path, 129)) == "git add -A"
    assert not asked("git add -z", told.replace("`a'", "`z'"), tmp_path, 129).fixes


def test_a_script_that_imports_gets_the_ending_of_its_kind(tmp_path: Path) -> None:
    (tmp_path / "index.js").write_text('import fs from "fs";\n')
    told = f"{tmp_path}/index.js:1\nimport fs\n\nSyntaxError: Cannot use import statement outside a module\n"
    assert first(asked("node index.js", told, tmp_path)) == "mv index.js index.mjs && node index.mjs"
    (tmp_path / "index.js").write_text('import fs from "fs";\nconst a = require("a");\n')
    assert not asked("node index.js", told, tmp_path).fixes


def test_a_file_that_hides_a_module_of_pythons_own_is_named(tmp_path: Path) -> None:
    (tmp_path / "random.py").touch()
    (tmp_path / "dice.py").touch()
    told = (
        f'Traceback (most recent call last):\n  File "{tmp_path}/dice.py", line 2, in <module>\n'
        "    print(random.randint(1, 6))\nAttributeError: module 'random' has no attribute 'randint'\n"
    )
    assert "random.py" in asked("python3 dice.py", told, tmp_path).text.partition("\n")[0]
    (tmp_path / "random.py").unlink()
    assert "hides" not in asked("python3 dice.py", told, tmp_path).text


def test_no_user_folder_inside_a_virtual_environment(tmp_path: Path) -> None:
    told = "error: externally-managed-environment\n\n× This environment is externally managed\n"
    found = first(asked("pip install --user tabulate", told, tmp_path))
    assert found == "python3 -m venv .venv && .venv/bin/pip install tabulate"


def test_a_stash_is_taken_out_from_under_the_one_that_is_put_away_first(tmp_path: Path) -> None:
    told = (
        "error: Your local changes to the following files would be overwritten by merge:\n\tapp.py\nAborting\n"
        "On branch main\nChanges not staged for commit:\n\tmodified:   app.py\n"
    )
    found = asked("git stash pop", told, tmp_path)
    assert first(found) == "git stash push && git stash pop 'stash@{1}'"
    assert "to app.py would" in found.text


def test_a_file_of_ones_own_that_may_only_be_read(tmp_path: Path) -> None:
    (tmp_path / "shop.db").touch(mode=0o444)
    told = "Error: stepping, attempt to write a readonly database (8)\n"
    assert first(asked('sqlite3 shop.db "delete from a"', told, tmp_path, 8)).startswith(
        "chmod u+w shop.db && "
    )
    (tmp_path / "shop.db").chmod(0o644)
    assert not asked('sqlite3 shop.db "delete from a"', told, tmp_path, 8).fixes


def test_a_kind_of_file_has_one_letter_in_find(tmp_path: Path) -> None:
    told = "find: Must separate multiple arguments to -type using: ','\n"
    assert first(asked("find . -type file -name a", told, tmp_path)) == "find . -type f -name a"


def test_the_port_that_somebody_listens_on_is_told_where_one_digit_parts_the_two(tmp_path: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = str(server.getsockname()[1])
        others = (port[:-1] + digit for digit in "0123456789" if digit != port[-1])
        wrong = next(other for other in others if near_port(other) == port)
        told = (
            f"curl: (7) Failed to connect to localhost port {wrong} after 0 ms: Couldn't connect to server\n"
        )
        found = asked(f"curl http://localhost:{wrong}/", told, tmp_path, 7)
    assert f"listens on port {port}" in found.text
    assert first(found) == f"curl http://localhost:{port}/"


def test_a_success_that_complains_is_not_called_flawless(tmp_path: Path) -> None:
    told = "gpg: Note: '--ouput' is not considered an option\ngpg: WARNING: nothing exported\n"
    assert "nothing failed" not in asked("gpg --export -a x --ouput a", told, tmp_path, 0).text
    assert "nothing failed" in asked("ls", "a\n", tmp_path, 0).text


def test_a_module_that_imports_from_beside_itself_is_started_as_one(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/a.py").touch()
    told = "ImportError: attempted relative import with no known parent package\n"
    assert first(asked("python3 pkg/a.py -x", told, tmp_path)) == "python3 -m pkg.a -x"


def test_a_package_without_a_main_is_started_by_its_module(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__init__.py").touch()
    (tmp_path / "app/main.py").touch()
    told = (
        "/usr/bin/python3: No module named app.__main__; 'app' is a package and cannot be directly executed\n"
    )
    assert first(asked("python3 -m app", told, tmp_path)) == "python3 -m app.main"


def test_the_way_to_destroy_everything_is_no_way_on(tmp_path: Path) -> None:
    told = (
        "Error: No configuration files\n\nPlan requires configuration to be present. If you would like to destroy\n"
        "everything, run plan with the -destroy option. Otherwise, create a Terraform configuration file (.tf file)\n"
    )
    assert "-destroy" not in first(asked("terraform plan", told, tmp_path))
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra/main.tf").touch()
    assert first(asked("terraform plan", told, tmp_path)) in ("cd infra && terraform plan", "")


def test_of_a_pipe_the_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    told = "bash: hed: command not found\nthread 'main' panicked at stdio.rs:1165:9:\nfailed printing: Broken pipe\n"
    failed = Failure(
        "make -s | hed -3", 127, told, str(tmp_path), path=os.environ["PATH"], statuses=(101, 127)
    )
    assert first(explain(failed)) == "make -s | head -3"


def test_a_class_without_a_main_is_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "App.java").touch()
    told = "Error: Main method not found in class App, please define the main method as:\n   public static void main\n"
    assert not asked("java App", told, tmp_path).fixes


def test_a_word_of_the_message_is_no_option(tmp_path: Path) -> None:
    told = "gcc: error: unrecognized argument to ‘-fsanitize=’ option: ‘adress’; did you mean ‘address’?\n"
    assert "option -to" not in asked("gcc -fsanitize=adress a.c", told, tmp_path).text


def test_what_git_does_not_track_is_there_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "new.txt").touch()
    told = "fatal: pathspec 'new.txt' did not match any files\n"
    assert "does not exist" not in asked("git rm new.txt", told, tmp_path, 128).text


def test_a_server_of_this_machine_without_tls_is_asked_without(tmp_path: Path) -> None:
    told = "curl: (35) OpenSSL/3.0: error:0A00010B:SSL routines::wrong version number\n"
    assert first(asked("curl https://localhost:80/", told, tmp_path, 35)) == "curl http://localhost:80/"
    assert not asked("curl https://example.org/", told, tmp_path, 35).fixes


@pytest.mark.parametrize(
    ("shell", "command", "told", "fix"),
    [
        (
            "bash",
            "shopt -s globstarr",
            "bash: shopt: globstarr: invalid shell option name\n",
            "shopt -s globstar",
        ),
        (
            "bash",
            "trap 'echo x' SIGINTT",
            "bash: trap: SIGINTT: invalid signal specification\n",
            "trap 'echo x' SIGINT",
        ),
        (
            "bash",
            "kill -SIGTERMM 1",
            "bash: kill: SIGTERMM: invalid signal specification\n",
            "kill -SIGTERM 1",
        ),
    ],
)
def test_a_shells_own_commands_take_words_of_the_shell(
    shell: str, command: str, told: str, fix: str, tmp_path: Path
) -> None:
    found = explain(Failure(command, 1, told, str(tmp_path), shell, os.environ["PATH"]))
    assert (
        first(found) in (fix, "") if "shopt" in command else first(found) == fix
    )  # its manual may not be here


def test_of_several_ways_that_the_output_writes_none_is_taken(tmp_path: Path) -> None:
    told = (
        "CONFLICT (content): Merge conflict in app.py\nerror: could not apply 8d56477... b\n"
        'hint: "git cherry-pick --continue".\nhint: You can instead skip this commit with "git cherry-pick --skip".\n'
        'hint: To abort, run "git cherry-pick --abort".\n'
    )
    assert not asked("git cherry-pick x", told, tmp_path).fixes


def test_a_library_near_here_is_named_to_the_loader(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/libkelp.so").touch()
    (tmp_path / "tool").touch(mode=0o755)
    told = (
        "./tool: error while loading shared libraries: libkelp.so: cannot open shared object file: "
        "No such file or directory\n"
    )
    assert first(asked("./tool -x", told, tmp_path, 127)) == "LD_LIBRARY_PATH=lib ./tool -x"


def test_no_fix_goes_where_the_files_of_the_command_are_not(tmp_path: Path) -> None:
    (tmp_path / "svc").mkdir()
    (tmp_path / "svc/pom.xml").touch()
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/own.xml").touch()
    told = "[ERROR] The goal you specified requires a project but there is no POM in this directory (/x).\n"
    assert first(asked("mvn package", told, tmp_path)) == "cd svc && mvn package"
    assert not asked("mvn -s conf/own.xml package", told, tmp_path).fixes


def test_a_library_is_spelled_as_the_linker_finds_it(tmp_path: Path) -> None:
    told = "/usr/bin/ld: cannot find -lpthreads: No such file or directory\n"
    assert first(asked("gcc a.c -lpthreads", told, tmp_path)) in ("gcc a.c -lpthread", "")


def test_a_branch_of_a_remote_is_merged_by_its_name_here(tmp_path: Path) -> None:
    refs = tmp_path / ".git/refs/remotes/origin/feature"
    refs.mkdir(parents=True)
    (refs / "login").write_text("0" * 40 + "\n")
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    told = "merge: feature/login - not something we can merge\n"
    assert first(asked("git merge feature/login", told, tmp_path)) == "git merge origin/feature/login"


def test_a_public_class_gives_its_file_the_name(tmp_path: Path) -> None:
    (tmp_path / "Main.java").touch()
    told = "Main.java:1: error: class Invoice is public, should be declared in a file named Invoice.java\n1 error\n"
    found = explain(Failure("javac Main.java", 1, told, str(tmp_path)))
    assert first(found) == "mv Main.java Invoice.java && javac Invoice.java"


def test_an_archive_whose_name_goes_on(tmp_path: Path) -> None:
    (tmp_path / "photos-2024.zip").touch()
    told = "unzip:  cannot find or open photos, photos.zip or photos.ZIP.\n"
    assert first(asked("unzip photos", told, tmp_path, 9)) == "unzip photos-2024.zip"
    (tmp_path / "photos-2025.zip").touch()
    assert not asked("unzip photos", told, tmp_path, 9).fixes


def test_a_tool_that_a_script_starts_is_added_to_the_project(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"scripts": {"start": "vite --port 5000"}}')
    told = "\n> start\n> vite --port 5000\n\nsh: 1: vite: not found\n"
    assert first(asked("npm start", told, tmp_path, 127)) == "npm install --save-dev vite && npm start"


def test_a_word_that_every_form_of_the_usage_has_otherwise(tmp_path: Path) -> None:
    told = (
        "usage: git submodule [--quiet] [--cached]\n   or: git submodule [--quiet] add [-b <branch>] <path>\n"
        "   or: git submodule [--quiet] update [--init] [<path>...]\n   or: git submodule [--quiet] sync [--]\n"
    )
    assert first(asked("git submodule updaet", told, tmp_path)) == "git submodule update"
    assert not asked("git submodule xyz", told, tmp_path).fixes


def test_an_option_of_a_page_of_help_is_not_advised_where_another_is_unknown(tmp_path: Path) -> None:
    told = (
        "Illegal option:  -lst\nKey and Certificate Management Tool\n\nCommands:\n\n"
        " -importkeystore     Imports entries\n -list               Lists entries in a keystore\n\n"
        "Use the -conf <url> option to specify a file.\n"
    )
    assert first(asked("keytool -lst -keystore k.jks", told, tmp_path)) == "keytool -list -keystore k.jks"


def test_the_beginning_of_an_option_is_no_slip_where_its_value_is_wrong(tmp_path: Path) -> None:
    told = "expand: tab size contains invalid character(s): ‘x’\n"
    assert not asked("expand --tab=x f", told, tmp_path).fixes
