"""docs/plugins.md: each example works as it stands, in the folder that the page names, but for a file of others."""

from __future__ import annotations

import asyncio
import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from terma import added, backends, diagnosis, registry, surroundings
from terma.agent.engines import Engines, find
from terma.chat import ChatMessage, ChatRequest, Finish, ModelError, ModelSpec, TextDelta
from terma.config import layers, roles
from terma.context.gather import gather
from terma.errors import TermaError, UsageError
from terma.offline.explain.explainer import explain, rules
from terma.offline.explain.model import Failure
from terma.types import CaptureRequest
from tests.docs.pages import ROOT, blocks

PAGE = "docs/plugins.md"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "terma"


def put(config: Path, folder: str, name: str, text: str) -> Path:
    file = config / folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def shout(config: Path) -> Path:
    return put(config, "backends", "shout.py", blocks(PAGE, "## A backend")[0][1])


async def answer(spec: ModelSpec) -> list[object]:
    request = ChatRequest(spec=spec, messages=(ChatMessage("user", "how are you?"),))
    return [event async for event in find(spec.provider).chat(request)]


def test_the_page_lists_every_folder_and_group() -> None:
    table = (ROOT / PAGE).read_text(encoding="utf-8")
    for folder in added.OPEN.values():
        assert f"`{folder}/NAME.py`" in table
        assert f"`terma.{folder}`" in table


def test_a_backend_answers_for_the_model_that_names_it(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shout(config)
    settings = put(config, ".", "config.toml", blocks(PAGE, "## A backend")[1][1])
    programs = config / "bin"
    programs.mkdir()
    (programs / "shout").write_text('#!/bin/sh\necho "$2 heard:"; cat\n')
    (programs / "shout").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    choice = asyncio.run(Engines().choose(layers.load(settings, {}).settings, {}))
    assert choice.spec is not None
    assert (choice.engine, choice.spec.model) == ("shout", "loud-7b")
    said = asyncio.run(answer(choice.spec))
    assert "".join(one.text for one in said if isinstance(one, TextDelta)) == "loud-7b heard:\nhow are you?"
    assert said[-1] == Finish("stop")
    assert backends.of("shout") in list(registry.loaded(backends.PACKAGE)), "the agent closes it at its end"


def test_a_backend_that_is_set_as_the_engine_is_not_replaced(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shout(config)
    monkeypatch.setenv("PATH", "/nonexistent")
    settings = layers.load(config / "none.toml", {"TERMA_ENGINE": "shout", "TERMA_MODEL": "a/b"}).settings
    choice = asyncio.run(Engines().choose(settings, {"OPENAI_API_KEY": "sk-x"}))
    assert choice.engine == "shout"
    assert choice.spec is not None
    with pytest.raises(ModelError, match="there is no program shout"):
        asyncio.run(answer(choice.spec))
    unset = dataclasses.replace(settings, engine="nowhere")
    assert asyncio.run(Engines().choose(unset, {})).engine == "nowhere", "which fails with its name"


def test_a_backend_that_is_none_is_named_with_those_there_are(config: Path) -> None:
    settings = put(config, ".", "config.toml", blocks(PAGE, "## A backend")[1][1])
    with pytest.raises(TermaError, match=r"no backend 'shout': choose one of auto, litellm, openai_http"):
        layers.load(settings, {})


def test_a_terminal_is_read_where_its_variable_is_set(config: Path, tmp_path: Path) -> None:
    put(config, "terminals", "typescript.py", blocks(PAGE, "## A terminal")[0][1])
    record = tmp_path / "typescript"
    record.write_text("$ make test\nmake: *** No rule to make target 'test'.  Stop.\n$ ")
    request = CaptureRequest({"TYPESCRIPT": str(record)}, command="make test", status=2, columns=80)
    found = asyncio.run(gather(request))
    assert (found.source, found.found) == ("typescript", True)
    assert found.text == "make: *** No rule to make target 'test'.  Stop."
    assert asyncio.run(gather(dataclasses.replace(request, env={}))).source == ""


@pytest.mark.parametrize("shell", [["zsh", "-f"], ["zsh", "-fo", "warn_create_global"], ["bash", "--norc"]])
def test_the_shells_send_the_variables_that_are_named(shell: list[str]) -> None:
    said = subprocess.run(
        [*shell, "-c", f'. {ROOT}/shell_hooks/wire.sh; echo "${{_terma_terminal[@]}}"'],
        env={"PATH": "/usr/bin:/bin", "TERMA_TERMINAL_VARIABLES": " TYPESCRIPT  $(id) 9X\tFOO_PANE "},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == [*surroundings.TERMINAL, "TYPESCRIPT", "FOO_PANE"]
    assert said.stderr == ""
    environ = {"TERMA_TERMINAL_VARIABLES": "TYPESCRIPT", "TYPESCRIPT": "/t", "TMUX_PANE": "%1"}
    assert surroundings.terminal_fields(environ) == {"env.TMUX_PANE": "%1", "env.TYPESCRIPT": "/t"}


def test_rules_explain_and_mend_and_count_from_the_next_question_on(config: Path) -> None:
    failure = Failure(
        "deploy --region eu-1 web", 1, "deploy: region eu-1 is retired, use eu-4", "/nonexistent"
    )
    assert explain(failure).rule != "deploy.region"
    text = blocks(PAGE, "## Rules")[0][1]
    put(config, "explain", "deploy.py", text)
    found = explain(failure)
    assert found.text.startswith("eu-1 takes no deployments any more: eu-4 has taken over.")
    assert [fix.command for fix in found.fixes] == ["deploy --region eu-4 web"]
    assert explain(dataclasses.replace(failure, command="make x")).rule != "deploy.region"
    (config / "explain" / "deploy.py").unlink()
    assert explain(failure).rule != "deploy.region"


@pytest.mark.parametrize("mode", [0o666, 0o646])
def test_a_file_that_others_may_write_is_refused_in_a_line(config: Path, mode: int) -> None:
    shout(config).chmod(mode)
    with pytest.raises(TermaError, match=r"others may write .*shout.py: chmod go-w it"):
        find("shout")
    put(config, "terminals", "typescript.py", blocks(PAGE, "## A terminal")[0][1]).chmod(mode)
    trouble = asyncio.run(gather(CaptureRequest({"TYPESCRIPT": "/etc/hostname"}))).trouble
    assert "others may write" in trouble
    assert "\n" not in trouble
    ours = len(rules())
    put(config, "explain", "deploy.py", blocks(PAGE, "## Rules")[0][1]).chmod(mode)
    assert len(rules()) == ours
    told: list[str] = []
    assert not [name for name, _ in added.every("terma.offline.explain.families", told.append)]
    assert len(told) == 1
    assert "others may write" in told[0]


def test_a_folder_that_others_may_write_is_refused(config: Path) -> None:
    shout(config).parent.chmod(0o777)
    with pytest.raises(TermaError, match=r"others may write .*backends: chmod go-w it"):
        find("shout")


def test_another_distribution_adds_each_by_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs_shout.py").write_text(
        blocks(PAGE, "## A backend")[0][1].replace('"shout"', '"theirs"', 1)
    )
    (tmp_path / "theirs_rules.py").write_text(blocks(PAGE, "## Rules")[0][1].replace("deploy.", "theirs."))
    info = tmp_path / "theirs-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(
        "[terma.backends]\ntheirs = theirs_shout:PLUGIN\n[terma.explain]\ntheirs = theirs_rules\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert backends.known("theirs")
    assert find("theirs").name == "theirs"
    assert "theirs.region" in {
        rule.name
        for _, family in added.every("terma.offline.explain.families", print)
        for rule in family.RULES
    }
    with pytest.raises(UsageError, match="there is no 'another'"):
        find("another")


def test_looking_for_them_loads_no_metadata_library() -> None:
    code = "import sys; from terma import registry; registry.every_name('terma.models'); print(*sys.modules)"
    said = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert {"importlib.metadata", "email", "zipfile"} & (
        set(said.stdout.split()) - set(bare.stdout.split())
    ) == set()


def test_doctor_names_what_was_added_and_what_is_left_out(config: Path) -> None:
    shout(config)
    put(config, "explain", "broken.py", "RULES = (\n")
    put(config, "tools", "none.py", "x = 1\n")
    found = {(check.status, check.detail.partition(" is left out")[0]) for check in diagnosis._added()}
    assert ("ok", "backends: shout") in found
    assert ("note", f"explain: {config}/explain/broken.py") in found
    assert ("note", f"tools: {config}/tools/none.py") in found
    assert len(found) == 3


def test_a_role_that_others_may_write_is_refused(config: Path) -> None:
    file = put(config, "roles", "logs.md", "You read logs.\n")
    assert roles.load("logs", config / "roles").text == "You read logs."
    file.chmod(0o666)
    with pytest.raises(TermaError, match="others may write"):
        roles.load("logs", config / "roles")
