"""What is shipped works where it is put: wheel, source archive and editable checkout give the same terma."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.conftest import WAIT, Home, RunningAgent
from tests.shells.driver import TmuxShell
from tests.shells.in_xonsh import DONE, OLDEST, XONSH_RC, both, fill, fresh, needs_xonsh, started, xonsh_env
from tests.shells.in_xonsh import run as run_line
from tests.shells.oldest_xonsh import PLACE, oldest_xonsh

TREE = Path(__file__).parents[2]
BUILD_SECONDS = WAIT * 8
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Standard output of a command that must succeed; the test fails with both streams otherwise."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(source: Path, kind: str, target: Path) -> Path:
    """The one file that hatchling makes of `source`."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target, cwd=source)
    (made,) = target.iterdir()
    return made


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of what is committed or about to be: nothing that only lies about here gets shipped."""
    copy = tmp_path_factory.mktemp("tree")
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=TREE)
    for name in filter(None, listed.split("\0")):
        if (TREE / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((TREE / name).read_bytes())
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tree, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tree, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `terma` of a virtual environment into which the wheel was put; what it depends on is borrowed."""
    place = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", "--without-pip", place)
    python = place / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    # a path in a .pth file is searched, the .pth files inside it are not read: no editable terma comes along
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel)
    return place / "bin" / "terma"


def files(archive: Path) -> set[str]:
    return set(zipfile.ZipFile(archive).namelist())


def test_the_wheel_carries_the_shells_code_and_the_knowledge(wheel: Path) -> None:
    inside = files(wheel)
    for name in ("zsh/terma.plugin.zsh", "bash/terma.bash", "shell_hooks/wire.sh", "shell_hooks/relay.py"):
        assert f"terma/_shell/{name}" in inside
    for part in (TREE / "zsh").glob("*.zsh"):
        assert f"terma/_shell/zsh/{part.name}" in inside
    assert {"terma/offline/index.bin", "terma/offline/tables.bin"} <= set(inside)
    assert "terma/offline/cases/memory.json" not in inside  # packed into the tables
    assert "terma/py.typed" in inside


def test_the_wheel_carries_nothing_else(wheel: Path) -> None:
    assert {name.split("/")[0] for name in files(wheel)} == {
        "terma",
        "xontrib",
        "xontrib_terma",
        "xontrib_terma-0.1.0.dist-info",
    }
    assert not [name for name in files(wheel) if name.endswith((".pyc", ".zwc"))]
    assert "terma/providers/scripted.py" not in files(wheel)  # it plays a broken agent, for tests


def test_the_source_archive_makes_the_same_wheel(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build(source, "wheel", tmp_path / "wheel")
    assert files(again) == files(wheel)


def test_an_installed_wheel_gives_the_shells_their_code(installed: Path, home: Home) -> None:
    for shell in ("zsh", "bash"):
        code = run(installed, "init", shell, env=home.env)
        assert f"'{installed}'" in code
        assert str(TREE) not in code
        for part in (TREE / shell).glob(f"[a-z]*.{shell}"):
            first = part.read_text(encoding="utf-8").splitlines()[0]
            assert (
                part.name in ("terma.plugin.zsh", "terma.bash")
                or first.replace("'", "'\\''") in code
                or first in code
            )


def test_an_installed_wheel_answers(installed: Path, home: Home) -> None:
    answered = run(installed, "risk", "rm -rf x", env=home.env)
    assert answered == "high: deletes files, recursively\n"
    assert run(
        installed, "suggest", "show the current directory", env=home.env | {"TERMA_ENGINE": "offline"}
    ).strip()
    assert Path(
        run(installed, "version", "--json", env=home.env).split('"path": "')[1].split('"')[0]
    ).is_relative_to(installed.parents[1])


def test_the_trial_plays_from_an_installed_wheel(installed: Path, home: Home) -> None:
    assert run(installed, "try", env=home.env).count("← Ctrl+T") == 3


@needs_xonsh
@both
def test_xonsh_loads_an_installed_wheel_by_itself(installed: Path, agent: RunningAgent, which: str) -> None:
    """No line in the rc, nothing of this tree on the path."""
    agent.will_say("echo loaded")
    packages = f"env PYTHONPATH={PLACE / 'packages'} " if which == OLDEST and oldest_xonsh() else ""
    program = agent.root / "xonsh"
    program.write_text(f'#!/bin/sh\nexec {packages}{installed.parent / "python"} -m xonsh "$@"\n')
    program.chmod(0o755)
    rc = re.sub(r"(?m)^.*sys\.path\.insert.*$", "", XONSH_RC)
    env = xonsh_env(agent, XONTRIBS_AUTOLOAD_DISABLED="0")
    with started(TmuxShell(str(program), agent.home, rc, env=env, size=(30, 120), ready="")) as shell:
        fill(shell, "say it", DONE)
        assert shell.line().text == "echo loaded"
        fresh(shell)  # Enter does nothing for a moment after an answer, and a test types faster than people
        run_line(shell, "print('from', __import__('xontrib_terma').__file__)")
        shell.wait_for(f"from {installed.parents[1]}")
        run_line(shell, "xontrib list").wait_screen(
            lambda screen: re.search(r"\bterma\b.*\bloaded\b", screen), "its line"
        )
        run_line(shell, "xontrib reload terma")
        run_line(shell, "xontrib unload terma")
        run_line(shell, "print('te' + 'rma' in aliases)").wait_for("\nFalse")
    (agent.home / "prompts").unlink()
    with started(TmuxShell(str(program), agent.home, rc, env=xonsh_env(agent), ready="")) as shell:
        run_line(shell, "print('te' + 'rma' in aliases)").wait_for("\nFalse")
        run_line(shell, "xontrib load terma")
        fill(shell, "say it", DONE)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-peers.lock"])
def test_a_lock_names_versions_and_hashes_and_no_registry(name: str) -> None:
    text = (TREE / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) >= 9
    for entry in entries:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==[\w.!+]+", entry), entry
        assert "--hash=sha256:" in entry
    assert "://" not in text
    assert "--index" not in text


def test_the_lock_holds_what_the_project_asks_for() -> None:
    import tomllib

    project = tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {"requirements.lock": project["dependencies"]}
    wanted["requirements-dev.lock"] = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for name, requirements in wanted.items():
        locked = set(re.findall(r"^([\w.-]+)==", (TREE / name).read_text(encoding="utf-8"), re.MULTILINE))
        assert {re.match(r"[\w.-]+", entry)[0].lower() for entry in requirements} <= locked  # type: ignore[index]
