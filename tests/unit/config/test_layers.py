"""Settings come from a file and the environment; what is wrong is told with its place and what was expected."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path

import pytest

from terma.config import Model, Settings
from terma.config.layers import load
from terma.config.reader import Reader, build, plain
from terma.config.toml_lines import lines_of
from terma.errors import ConfigError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def write(file: Path, text: str) -> Path:
    file.write_text(text)
    file.chmod(0o600)
    return file


def test_without_a_file_the_defaults_hold(file: Path):
    assert load(file, {}).settings == Settings()


def test_flags_win_over_variables_over_the_file(file: Path):
    write(file, 'engine = "offline"\nretries = 1\n[timeouts]\nconnect = 1\nfirst_token = 9\n')
    found = load(file, {"TERMA_RETRIES": "4", "TERMA_TIMEOUTS__CONNECT": "2.5"}, {"retries": 5})
    assert (found.settings.engine, found.settings.retries) == ("offline", 5)
    assert (found.settings.timeouts.connect, found.settings.timeouts.first_token) == (2.5, 9)
    assert found.origins[("retries",)] == "flag"
    assert found.origins[("timeouts", "connect")] == "TERMA_TIMEOUTS__CONNECT"
    assert found.origins[("timeouts", "first_token")] == "config.toml:5"


@pytest.mark.parametrize(
    ("text", "line", "words", "hint"),
    [
        ("retries = 1\nengin = 'x'\n", 2, "there is no setting engin", "did you mean engine?"),
        ("\n[timeouts]\nconnect = 'soon'\n", 3, 'timeouts.connect: expected a valid number, not "soon"', ""),
        (
            "[timeouts]\nconect = 1\n",
            2,
            "there is no setting timeouts.conect",
            "did you mean timeouts.connect?",
        ),
        (
            "[models.x]\nmodel = 'm'\napi_key = 'a'\napi_key_env = 'B'\n",
            4,
            "models.x: has more than one of",
            "",
        ),
        ("[models.x]\nmodel = 3\n", 2, "models.x.model: expected a valid string, not 3", ""),
        ("[models.x]\napi_base = 'http://h'\n", 1, "models.x.model: is missing", ""),
        ("[limits]\ndaily_cost = -1\n", 2, "limits: limits are 0 or more", ""),
        ("[limits]\ndaily_cost = 1\ndaily_tokens = -1\n", 3, "limits: limits are 0 or more", ""),
        ("retries = 1\nmodel = 'nowhere'\n", 2, "'nowhere' is neither a table", ""),
        ("retries = 1\nfallbacks = [\n  'a/b',\n  3,\n]\n", 4, "fallbacks.1: expected a valid string", ""),
        ("\ntimeouts = { connect = 1, first_token = 'x' }\n", 2, "timeouts.first_token: expected", ""),
        ("[models.y]\nmodel = 'm'\n[models.x]\nmodle = 'm'\n", 4, "there is no setting models.x.modle", ""),
    ],
)
def test_a_wrong_setting_is_told_with_its_line(file: Path, text: str, line: int, words: str, hint: str):
    with pytest.raises(ConfigError) as caught:
        load(write(file, text), {})
    assert caught.value.message.startswith(f"{file}:{line}: ")
    assert words in caught.value.message
    assert hint in caught.value.hint


def test_broken_toml_is_told_with_its_line(file: Path):
    with pytest.raises(ConfigError, match=r"config\.toml: line 2: "):
        load(write(file, "retries = 1\nengine = = 2\n"), {})


def test_a_wrong_variable_is_told_by_its_name(file: Path):
    with pytest.raises(ConfigError, match=r"^TERMA_RETRIES: retries: expected a valid integer"):
        load(file, {"TERMA_RETRIES": "many"})


def test_a_key_in_a_file_that_others_can_read_is_refused_and_not_told(file: Path):
    write(file, "[models.x]\nmodel = 'm'\napi_key = 'very-secret'\n").chmod(0o644)
    with pytest.raises(ConfigError, match="others can read it") as caught:
        load(file, {})
    assert "very-secret" not in caught.value.message
    assert caught.value.hint == f"chmod 600 {file}"


def test_a_key_of_the_wrong_kind_is_not_told(file: Path):
    with pytest.raises(ConfigError) as caught:
        load(write(file, "[models.x]\nmodel = 'm'\napi_key = [7312]\n"), {})
    assert "7312" not in caught.value.message


def test_lists_in_variables_may_have_commas(file: Path):
    found = load(file, {"TERMA_FALLBACKS": "a/b, c/d", "TERMA_LOCAL_PORTS": "[1, 8080]"}).settings
    assert found.fallbacks == ("a/b", "c/d")
    assert found.local_ports == (8080,)


def test_variables_that_are_no_settings_are_let_be(file: Path):
    given = {
        "TERMA_KEY": "^X",
        "TERMA_BIN": "/x",
        "TERMA_LAST_COMMAND": "y",
        "TERMA_UNKNOWN": "z",
        "OTHER": "1",
    }
    assert load(file, given).settings == Settings()


def test_an_explicit_engine_without_its_model_is_an_error(file: Path):
    with pytest.raises(ConfigError, match=r'^TERMA_ENGINE: engine = "litellm" needs a model'):
        load(file, {"TERMA_ENGINE": "litellm"})


TEXT = """\
a = 1
words = '''
[t]
b = 0
'''
[t]  # [x]
b = { c = 1, "d.e" = [1,
  2.5, "x]"] }
many = [
  1,

  { q = 'it' },
]
[u."v"]
w.x = 3
when = 1979-05-27 07:32:00
[[several]]
n = 1
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("a",), 1),
        (("words",), 2),
        (("t",), 6),
        (("t", "b"), 7),
        (("t", "b", "c"), 7),
        (("t", "b", "d.e", "0"), 7),
        (("t", "b", "d.e", "2"), 8),
        (("t", "many", "0"), 10),
        (("t", "many", "1", "q"), 12),
        (("u", "v", "w", "x"), 15),
        (("u", "v", "when"), 16),
        (("several", "n"), 18),
        (("t", "gone"), None),
    ],
)
def test_the_line_of_a_key_is_found(path: tuple[str, ...], line: int | None):
    assert tomllib.loads(TEXT)
    assert lines_of(TEXT).get(path) == line


@pytest.mark.parametrize("text", ["", "\n", "# nothing", "]", "= =", "a = [", "a = {b", '"\\U00110000" = 1'])
def test_lines_of_anything_come_to_an_end(text: str):
    assert all(line >= 1 for line in lines_of(text).values())


def test_settings_pass_to_another_process_and_back():
    settings = Settings(models={"x": Model(model="m", headers={"A": "b"})}, fallbacks=("x",), model="x")
    assert build(plain(settings)) == settings


class TestReader:
    def test_a_child_validates_and_the_answer_is_kept_until_the_file_changes(self, file: Path):
        async def read() -> list[int]:
            reader = Reader(write(file, "retries = 1\n"))
            first = await reader.read({})
            again = await reader.read({})
            assert again is first
            write(file, "retries = 33\n".replace("33", "3") + "# longer\n")
            return [first.retries, (await reader.read({})).retries]

        assert asyncio.run(read()) == [1, 3]

    def test_its_errors_are_those_of_the_file(self, file: Path):
        with pytest.raises(ConfigError, match=r"config\.toml:1: there is no setting retires"):
            asyncio.run(Reader(write(file, "retires = 1\n")).read({}))

    def test_without_a_file_no_child_is_needed(self, file: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr("terma.config.reader._validate", None)
        assert asyncio.run(Reader(file).read({"TERMA_ENGINE": "offline"})).engine == "offline"
        with pytest.raises(ConfigError, match="needs a model"):
            asyncio.run(Reader(file).read({"TERMA_ENGINE": "litellm"}))


def test_a_variable_takes_from_the_list_of_allowed_commands_and_adds_nothing(file: Path):
    said = {"TERMA_CONVERSATION__ALLOW": "git status, ls *", "TERMA_CONVERSATION__MAX_STEPS": "3"}
    assert load(file, said).settings.conversation.allow == ()
    write(file, '[conversation]\nallow = ["ls *", "pwd"]\n')
    found = load(file, said)
    assert (found.settings.conversation.allow, found.settings.conversation.max_steps) == (("ls *",), 3)
    assert found.ignored == ("TERMA_CONVERSATION__ALLOW",)
    assert ("conversation", "allow") not in found.origins
