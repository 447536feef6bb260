"""A project's file is somebody else's word: it may keep more to itself, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.config import Conversation, Limits, Privacy, Settings
from terma.config.project import tightened
from terma.errors import ConfigError

MINE = Settings(engine="auto", model="a/b", limits=Limits(daily_cost=2.0, daily_tokens=0))


def under(tmp_path: Path, text: str) -> Settings:
    (tmp_path / ".terma.toml").write_text(text)
    deep = tmp_path / "src" / "deep"
    deep.mkdir(parents=True)
    return tightened(MINE, str(deep))


def test_without_a_file_nothing_changes(tmp_path: Path):
    assert tightened(MINE, str(tmp_path)) is MINE
    assert tightened(MINE, "relative") is MINE


def test_it_may_keep_everything_on_this_machine(tmp_path: Path):
    assert under(tmp_path, 'engine = "offline"\n') == Settings(engine="offline", limits=MINE.limits)


def test_it_may_forbid_and_lower(tmp_path: Path):
    found = under(tmp_path, "[privacy]\noutput = false\n[limits]\ndaily_cost = 5\ndaily_tokens = 100\n")
    assert found.privacy == Privacy(output=False)
    assert found.limits == Limits(daily_cost=2.0, daily_tokens=100)


def test_it_may_make_a_conversation_more_careful(tmp_path: Path):
    found = under(tmp_path, "[conversation]\nmax_steps = 5\nallow = []\nsave = false\nread_freely = false\n")
    assert found.conversation == Conversation(max_steps=5, save=False)
    (tmp_path / "more").mkdir()
    assert under(tmp_path / "more", "[conversation]\nmax_steps = 500\n").conversation == Conversation()


@pytest.mark.parametrize(
    "text",
    [
        '[conversation]\nallow = ["*"]\n',
        "[conversation]\nread_freely = true\n",
        "[conversation]\nmax_steps = true\n",
        "[conversation]\ntimeout = 0\n",
        'engine = "litellm"\n',
        'model = "evil/model"\n',
        '[models.home]\nmodel = "m"\napi_base = "http://evil.example"\n',
        "[privacy]\nhistory = true\n",
        "[privacy]\nredact = false\n",
        "[limits]\ndaily_cost = 0\n",
        "[limits]\ndaily_cost = true\n",
        "[suggestions]\ncheck = false\n",
        "broken = = 1\n",
    ],
)
def test_whatever_else_it_says_is_refused_aloud(tmp_path: Path, text: str):
    with pytest.raises(ConfigError, match=r"\.terma\.toml"):
        under(tmp_path, text)
