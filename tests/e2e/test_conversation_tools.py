"""The tools with the real agent behind them: sessions that live on, the last failure, files whose secrets stay here."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from terma import tools
from terma.errors import TermaError
from terma.repl.setup.agent import Agent
from terma.repl.setup.tool_environment import ToolEnvironment
from tests.conftest import WAIT, RunningAgent
from tests.unit.conversation.scripted import (
    FakeShell,
    Person,
    ScriptedModel,
    Stage,
    call,
    calls,
    says,
)

TOKEN = "ghp_" + "a1B2" * 9


class In(FakeShell):
    def __init__(self, cwd: Path) -> None:
        super().__init__()
        self._cwd = str(cwd)

    @property
    def cwd(self) -> str:
        return self._cwd


@pytest.fixture
def here(agent: RunningAgent, monkeypatch: pytest.MonkeyPatch) -> RunningAgent:
    """The agent, with this process as its client."""
    for name, value in agent.env.items():
        monkeypatch.setenv(name, value)
    return agent


@asynccontextmanager
async def talk(cwd: Path, *scripts: Any, fields: dict[str, str] | None = None) -> AsyncIterator[Stage]:
    """A conversation whose tools have a real world."""
    agent = Agent()
    made = Stage(ScriptedModel(*scripts, says("Done.")), Person(), In(cwd), tools=tools.load())
    known = {"shell": "bash", "cwd": str(cwd), "path": os.environ["PATH"]} | (fields or {})
    made.talk.world = ToolEnvironment(
        made.shell, agent, made.screen, known, made.talk._writer.secrets.hide_lines
    )
    made.talk.enrich, made.talk.begins = made.talk.world.enriched, made.talk.world.look
    try:
        yield made
    finally:
        await agent.close()


def ask(cwd: Path, *scripts: Any, **more: Any) -> Stage:
    async def go() -> Stage:
        async with talk(cwd, *scripts, **more) as made:
            closed = await made.talk.ask("go on")
            assert closed.reason == "answered", closed
            return made

    return asyncio.run(go())


def test_a_session_is_started_used_read_searched_and_ended(here, tmp_path):
    create = calls(call("session_create", session="py", command=["bash", "--norc"]))
    run = calls(call("session_exec", session="py", input="cd / && echo $((6 * 7)) && pwd"))
    again = calls(call("session_exec", session="py", input="pwd; (exit 3)"))
    search = calls(call("session_search", session="py", pattern="4[2]$"))
    listed, kill = calls(call("session_list")), calls(call("session_kill", session="py"))
    made = ask(tmp_path, create, run, again, search, listed)
    assert "session_exec" not in made.model.tools[0]
    assert all("session_exec" in told for told in made.model.tools[1:]), "what a session is for comes with it"
    another = ask(tmp_path, says("It waits."))
    assert "session_read" in another.model.tools[0], "one that came from elsewhere counts as well"
    gone = ask(tmp_path, kill, calls(call("session_list"))).screen.results[1]
    created, ran, later, found, there = made.screen.results
    assert '"py"' in created
    assert "42\n/" in ran
    assert json.loads(later.partition("\n")[0])["exit_status"] == 3
    assert '"text": "42"' in found
    assert '"py"' in there
    assert '"py"' not in gone
    assert [proposal.command for proposal in made.person.asked][:2] == [
        "bash --norc",
        "cd / && echo $((6 * 7)) && pwd",
    ]


def test_what_a_session_says_wrong_is_told_to_the_model(here, tmp_path):
    made = ask(tmp_path, calls(call("session_exec", session="nobody", input="ls")))
    assert made.screen.results[0].startswith("error: ")
    assert "nobody" in made.screen.results[0]


def test_cancelling_a_wait_leaves_the_session_alive(here, tmp_path):
    async def go() -> None:
        create = calls(call("session_create", session="s", command=["bash", "--norc"]))
        wait = calls(call("session_exec", session="s", input="sleep 600", timeout=500))
        async with talk(tmp_path, create, wait) as made:
            task = asyncio.create_task(made.talk.ask("go on"))
            async with asyncio.timeout(WAIT):
                while len(made.person.asked) < 2:  # noqa: ASYNC110 - a person has no event
                    await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
            task.cancel()
            async with asyncio.timeout(WAIT):
                await asyncio.wait([task])
            assert task.cancelled()
            listed = await made.talk.world.ask("session_list", {"args": "{}"})
            assert '"s"' in json.dumps(listed)
            await made.talk.world.ask("session_kill", {"args": json.dumps({"session": "s"})})

    asyncio.run(go())


def test_the_last_failure_is_what_the_shell_handed_over(here, tmp_path):
    last = {"command": "make tset", "status": "2", "output": f"No rule to make target\nTOKEN={TOKEN}"}
    made = ask(tmp_path, calls(call("last_failure")), fields=last)
    (told,) = made.screen.results
    assert "Command: make tset" in told
    assert "Exit status: 2" in told
    assert TOKEN not in told


def test_a_files_secrets_do_not_reach_the_model_and_can_be_used(here, tmp_path):
    (tmp_path / "config.toml").write_text(f'token = "{TOKEN}"\n')
    use = calls(call("run_command", command="gh login <SECRET_1>", description="logs in"))
    made = ask(tmp_path, calls(call("read_file", path="config.toml")), use)
    assert TOKEN not in str(made.model.seen)
    assert "<SECRET_1>" in made.screen.results[0]
    assert made.shell.ran == [f"gh login {TOKEN}"]


def test_what_the_machine_lacks_is_said_before_the_decision(here, tmp_path):
    made = ask(tmp_path, calls(call("run_command", command="frobnicate-the-disk --now", description="x")))
    assert any("frobnicate-the-disk" in missing for missing in made.person.asked[0].missing)


# The agent, asked from an event loop.


def test_several_asks_at_once_and_a_slow_one_holds_up_nobody(here):
    here.will_do({"delta": "slow"}, {"wait": 600}, match="slow")
    here.will_say("quick", match="quick")

    async def go() -> None:
        agent = Agent()
        slow = agent.ask("translate", {"buffer": "slow", "cwd": "/", "engine": "scripted"})
        async with aclosing(slow):
            first = await anext(slow)
            assert first[0] in ("note", "delta")
            answers = await asyncio.gather(
                *(
                    agent.ask_json("suggest", {"words": "quick", "cwd": "/", "engine": "scripted"})
                    for _ in range(20)
                )
            )
            assert {answer["command"] for answer in answers} == {"quick"}
        await agent.close()

    asyncio.run(go())


def test_leaving_an_answer_ends_it_at_the_agent(here):
    here.will_do({"delta": "slow"}, {"wait": 600}, match="slow")

    async def go() -> None:
        agent = Agent()
        async with aclosing(
            agent.ask("translate", {"buffer": "slow", "cwd": "/", "engine": "scripted"})
        ) as frames:
            async for frame in frames:
                if frame[0] == "delta":
                    break
        async with asyncio.timeout(WAIT):
            while (await agent.ask_json("status", {}))["answering"] > 1:  # noqa: ASYNC110 - asked, not told
                await asyncio.sleep(0.02)
        await agent.close()

    asyncio.run(go())


def test_a_kept_connection_whose_agent_was_replaced_is_replaced(here):
    async def go() -> None:
        agent = Agent()
        first = await agent.ask_json("status", {})
        await asyncio.to_thread(here.kill)
        second = await agent.ask_json("status", {})
        assert first["pid"] != second["pid"]
        await agent.close()

    asyncio.run(go())


def test_a_refusal_keeps_its_code_and_the_connection_goes_on(here):
    async def go() -> None:
        agent = Agent()
        with pytest.raises(TermaError) as refused:
            await agent.ask_json("no_such_kind", {})
        assert refused.value.code == "usage"
        assert (await agent.ask_json("status", {}))["pid"]
        await agent.close()

    asyncio.run(go())


def test_a_directory_that_is_not_ours_is_refused(home, monkeypatch):
    for name, value in home.env.items():
        monkeypatch.setenv(name, value)
    home.runtime.chmod(0o777)

    async def go() -> None:
        agent = Agent()
        with pytest.raises(TermaError):
            await agent.ask_json("status", {})
        await agent.close()

    asyncio.run(go())
