"""What an output proposes itself, whatever its wording, and what it only seems to say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain

HERE = "/usr/local/bin:/usr/bin:/bin"


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_DEBUG", "1")  # a rule that stumbles is a failure here


def told(folder: Path, command: str, output: str, status: int = 1, path: str = HERE) -> Explanation:
    return explain(Failure(command, status, output, str(folder), "bash", path=path))


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


def test_a_proposal_is_taken_whatever_the_complaint_is(tmp_path: Path) -> None:
    output = "error: Found argument '--tpye' which wasn't expected\n\n  Did you mean '--type'?\n\nUsage: frob"
    assert first(told(tmp_path, "frob -e py --tpye f", output, 2)) == "frob -e py --type f"


def test_a_proposal_that_is_near_to_no_word_changes_nothing(tmp_path: Path) -> None:
    output = "error: Found argument '--tpye' which wasn't expected\n\n  Did you mean '--color'?"
    assert first(told(tmp_path, "frob -e py --tpye f", output, 2)) == ""


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git undo", "git: 'undo' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tbundle"),
        ("frob neat", 'Error: unknown command "neat" for "frob"\n\nDid you mean this?\n\tset\n'),
        ("cargo watch -x test", "no such command: `watch`\n\nhelp: a command with a similar name exists: `fetch`"),
    ],
)  # fmt: skip
def test_a_plug_in_that_is_not_there_is_no_slip_of_what_is_nearest(
    command: str, output: str, tmp_path: Path
) -> None:
    assert first(told(tmp_path, command, output)) == ""


def test_a_whole_command_that_is_proposed_is_not_an_argument(tmp_path: Path) -> None:
    output = 'Command "fromat" not found\n\nDid you mean "pnpm format"?'
    assert first(told(tmp_path, "pnpm fromat", output, 254)) == "pnpm format"
    assert first(told(tmp_path, "pnpm fromat", output.replace("format", "run format"))) == "pnpm format"


def test_what_is_no_program_is_not_made_one(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk\n", encoding="utf-8")
    (tmp_path / "run.sh").write_text("echo a\n", encoding="utf-8")
    for name, fix in (("notes.txt", ""), ("run.sh", "chmod +x ./run.sh && ./run.sh")):
        said = f"bash: ./{name}: Permission denied"
        assert first(told(tmp_path, f"./{name}", said, 126)) == fix
        assert first(told(tmp_path, f"./{name}", "", 126)) == fix


def test_the_word_behind_did_you_mean_stands_before_the_help_below_it(tmp_path: Path) -> None:
    output = (
        "Unknown command: 'startporject'. Did you mean startproject?\nType 'django-admin help' for usage.\n"
    )
    assert first(told(tmp_path, "django-admin startporject shop", output)) == "django-admin startproject shop"


def test_a_module_that_is_not_resolved_is_no_host(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.js").write_text("1\n")
    found = told(tmp_path, "rollup src/man.js", 'RollupError: Could not resolve entry module "src/man.js".')
    assert "DNS" not in found.text and first(found) == "rollup src/main.js"
    host = told(tmp_path, "curl https://exmaple.test", "curl: (6) Could not resolve host: exmaple.test")
    assert "exmaple.test could not be resolved" in host.text


def test_a_module_and_an_attribute_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("application = 1\n")
    output = 'ERROR:    Error loading ASGI app. Could not import module "mian".'
    assert first(told(tmp_path, "frob mian:application", output)) == "frob main:application"
    output = 'ERROR:    Error loading ASGI app. Attribute "aplication" not found in module "main".'
    assert first(told(tmp_path, "frob main:aplication", output)) == "frob main:application"


def test_a_bare_place_and_a_librarys_warning_do_not_decide(tmp_path: Path) -> None:
    output = (
        "/usr/lib/frob/cache.py:24: UserWarning: the folder cannot be written\n"
        "syntax-check: 'taks' is not a valid attribute\nsite.yml:2:3\n"
    )
    assert "'taks' is not a valid attribute" in told(tmp_path, "frob site.yml", output, 2).text


@pytest.mark.parametrize(
    ("source", "output", "edit"),
    [
        ("x=1\nif [ $x ]\n  echo y\nfi\n", 'up.sh: 4: Syntax error: "fi" unexpected', "'2s/$/; then/'"),
        ("while read l\n  echo $l\ndone\n", "E: up.sh[3]: syntax error: unexpected 'done'", "'1s/$/; do/'"),
    ],
)  # fmt: skip
def test_the_head_is_mended_where_its_end_is_refused(
    tmp_path: Path, source: str, output: str, edit: str
) -> None:
    (tmp_path / "up.sh").write_text(source)
    assert first(told(tmp_path, "dash up.sh", output, 2, "")) == f"sed -i {edit} up.sh && dash up.sh"


def test_a_file_that_a_source_reads_by_a_wrong_folder(tmp_path: Path) -> None:
    (tmp_path / "libs").mkdir()
    (tmp_path / "libs/util.php").write_text("<?php\n")
    (tmp_path / "app.php").write_text('<?php\nrequire "lib/util.php";\n')
    output = "PHP Fatal error:  Uncaught Error: Failed opening required 'lib/util.php' in {}/app.php:2"
    found = first(told(tmp_path, "php app.php", output.format(tmp_path), 255, ""))
    assert found.endswith(" app.php && php app.php") and "libs/util.php" in found


@pytest.mark.skipif(not shutil.which("javac"), reason="no JDK here")
def test_a_class_of_java_is_imported(tmp_path: Path) -> None:
    (tmp_path / "Main.java").write_text("public class Main {\n  Object xs = new ArrayList<>();\n}\n")
    output = (
        "Main.java:2: error: cannot find symbol\n  Object xs = new ArrayList<>();\n                  ^\n"
        "  symbol:   class ArrayList\n  location: class Main\n1 error"
    )
    assert "1i import java.util.ArrayList;" in first(told(tmp_path, "javac Main.java", output))


def test_another_tools_words_are_not_npms(tmp_path: Path) -> None:
    output = (
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find module './rollup.config.js'\n"
        "    at ModuleLoader.defaultResolve (node:internal/modules/esm/loader:708:12)\n"
    )
    found = told(tmp_path, "rollup -c", output)
    assert "npm" not in found.text and "rollup.config.js" in found.text


@pytest.mark.parametrize(
    ("command", "output", "right", "wrong"),
    [
        ("frob --disbale=X a", "frob: error: Unrecognized option found: disbale=X", "--disbale=X", "-found"),
        ("frob a --out", "frob: invalid option -- '-'", "--out", "does not accept -:"),
        ("frob -l pyton a", "unknown syntax: 'pyton'", "pyton", "command"),
        (
            "php a.php",
            "Warning: Failed to open stream: No such file or directory",
            "stream",
            "stream: no such",
        ),
        ("gpg -d a", "gpg: keybox '/x/pubring.kbx' created\ngpg: no valid data found.", "no valid", "keybox"),
    ],
)
def test_what_is_named_is_what_is_wrong(
    tmp_path: Path, command: str, output: str, right: str, wrong: str
) -> None:
    text = told(tmp_path, command, output).text
    assert right in text and wrong not in text
