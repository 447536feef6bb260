"""What was written for another reader, and forms that a program does not take: the mend, and where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain


def asked(command: str, output: str, cwd: Path, status: int = 1, shell: str = "bash") -> Explanation:
    return explain(Failure(command, status, output, str(cwd), shell, os.environ["PATH"]))


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("x=a\necho ${x^^}\n", "u.sh: 2: Bad substitution\n"),
        ("source ./lib.sh\n", "u.sh: 1: source: not found\n"),
        (
            "function greet {\n echo hi\n}\n",
            'u.sh: 1: function: not found\nu.sh: 3: Syntax error: "}" unexpected\n',
        ),
        ("\nnames=(a b)\n", 'u.sh: 2: Syntax error: "(" unexpected\n'),
    ],
)
def test_a_script_of_bash_is_not_for_a_plain_sh(script: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "u.sh").write_text(script)
    assert first(asked("sh u.sh abc", told, tmp_path, 2)) == "bash u.sh abc"
    assert first(asked("bash u.sh abc", told, tmp_path, 2)) == ""


def test_a_script_that_names_sh_itself_is_given_to_bash(tmp_path: Path) -> None:
    (tmp_path / "u.sh").write_text("#!/bin/sh\n[[ $1 == a* ]] && echo y\n")
    (tmp_path / "u.sh").chmod(0o755)
    assert first(asked("./u.sh abc", "./u.sh: 2: [[: not found\n", tmp_path, 127)) == "bash ./u.sh abc"


def test_a_misspelt_program_in_a_script_of_sh_is_none_of_that(tmp_path: Path) -> None:
    (tmp_path / "u.sh").write_text("ehco hi\n")
    assert "written for bash" not in asked("sh u.sh", "u.sh: 1: ehco: not found\n", tmp_path, 127).text


def test_a_prompt_sign_goes_where_the_shell_took_it_for_a_job(tmp_path: Path) -> None:
    assert first(asked("% ls -l", "fg: no current job\n", tmp_path, 1, "zsh")) == "ls -l"
    assert not asked("fg %1", "fg: no current job\n", tmp_path, 1, "zsh").fixes


def test_a_tilde_stands_outside_of_the_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "my notes").mkdir()
    told = "bash: cd: ~/my notes: No such file or directory\n"
    assert first(asked("cd '~/my notes'", told, tmp_path)) == "cd ~/'my notes'"


def test_a_script_to_start_with_has_several_names(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"scripts": {"dev": "x", "lint": "y"}}')
    told = 'npm error Missing script: "start"\n'
    assert first(asked("npm start", told, tmp_path)) == "npm run dev"
    assert first(asked("npm run start", told, tmp_path)) == "npm run dev"
    (tmp_path / "package.json").write_text('{"scripts": {"dev": "x", "serve": "y"}}')
    assert not asked("npm start", told, tmp_path).fixes


def test_the_only_one_that_is_listed_was_meant(tmp_path: Path) -> None:
    told = "error: no bin target named `server` in default-run packages\nhelp: available bin targets:\n    shopd\n"
    (tmp_path / "Cargo.toml").touch()
    assert first(asked("cargo run --bin server", told, tmp_path, 101)) in ("cargo run --bin shopd", "")
    both = told + "    other\n"
    assert not asked("cargo run --bin server", both, tmp_path, 101).fixes


def test_a_database_is_no_file(tmp_path: Path) -> None:
    told = 'dropdb: error: database removal failed: ERROR:  database "shopp" does not exist\n'
    assert "in this folder" not in asked("dropdb shopp", told, tmp_path).text


def test_a_page_of_usage_advises_no_option(tmp_path: Path) -> None:
    told = "Usage: ar [options] archive-file file...\n optional:\n  --thin       - make a thin archive, used with -r\n"
    assert not asked("ar rcs", told, tmp_path).fixes


def test_a_proposed_name_that_stands_there_takes_no_others_place(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('print "hi"\n')
    told = (
        f'  File "{tmp_path}/a.py", line 1\n    print "hi"\n    ^^^^^^^^^^\n'
        "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?\n"
    )
    assert (
        first(asked("python3 a.py", told, tmp_path)) == "sed -i '1s/.*/print(\"hi\")/' a.py && python3 a.py"
    )


@pytest.mark.parametrize(
    ("command", "told", "fix"),
    [
        ("chmod x+ f", "chmod: invalid mode: ‘x+’\n", "chmod +x f"),
        ("find . -mtime 2d", "find: invalid argument `2d' to `-mtime'\n", "find . -mtime 2"),
        ("find . -mtime 2h", "find: invalid argument `2h' to `-mtime'\n", ""),
        ("grep '[0-9' f", "grep: Unmatched [, [^, [:, [., or [=\n", "grep '[0-9]' f"),
        ("[ 3 -gt 2", "bash: [: missing `]'\n", "[ 3 -gt 2 ]"),
        ("[1 -eq 1]", "bash: [1: command not found\n", "[ 1 -eq 1 ]"),
        (
            "curl 'localhost:80/a b'",
            "curl: (3) URL using bad/illegal format or missing URL\n",
            "curl localhost:80/a%20b",
        ),
    ],
)
def test_a_form_that_a_program_does_not_take(command: str, told: str, fix: str, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    assert first(asked(command, told, tmp_path)) == fix


def test_a_number_with_a_leading_zero_is_octal(tmp_path: Path) -> None:
    told = 'bash: 08: value too great for base (error token is "08")\n'
    assert "octal" in asked("echo $((08 + 1))", told, tmp_path).text.partition("\n")[0]


def test_the_source_that_defines_a_missing_function_is_compiled_as_well(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int foo(void);\nint main(void) { return foo(); }\n")
    (tmp_path / "b.c").write_text("int foo(void) {\n  return 1;\n}\n")
    told = (
        "a.c: In function ‘main’:\na.c:2:25: warning: implicit declaration of function ‘foo’\n"
        "/usr/bin/ld: /tmp/a.o: in function `main':\na.c:(.text+0xa): undefined reference to `foo'\n"
        "collect2: error: ld returned 1 exit status\n"
    )
    assert first(asked("gcc a.c -o a", told, tmp_path)) == "gcc a.c b.c -o a"
