"""`terma config` as a person uses it: nothing is lost, nothing is half written, no secret is shown."""

from __future__ import annotations

import json
import subprocess

import pytest


@pytest.fixture
def terma(home):
    def run(*args: str, ok: bool = True, **env: str) -> str:
        done = subprocess.run(
            [home.env["TERMA_BIN"], *args],
            env=home.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode == 0) is ok, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if ok else done.stderr

    return run


def test_init_writes_every_setting_once_and_only_when_asked(terma, home):
    file = home.home / ".config/terma/config.toml"
    terma("config", "show")
    assert not file.exists()
    assert terma("config", "init").strip() == str(file) == terma("config", "path").strip()
    assert file.stat().st_mode & 0o777 == 0o600
    assert "is there already" in terma("config", "init", ok=False)
    shown = json.loads(terma("config", "show", "--json"))
    text = file.read_text()
    assert all(f"# {key.rpartition('.')[2]} = " in text for key in shown)
    assert {entry["origin"] for entry in shown.values()} == {"default"}


def test_set_keeps_comments_and_refuses_what_does_not_hold(terma, home):
    file = home.home / ".config/terma/config.toml"
    terma("config", "init")
    terma("config", "set", "timeouts.connect", "3")
    text = file.read_text()
    assert "# retries = 2" in text
    assert json.loads(terma("config", "show", "--json"))["timeouts.connect"]["value"] == 3
    assert "timeouts.connect: expected" in terma("config", "set", "timeouts.connect", "soon", ok=False)
    assert "did you mean" in terma("config", "set", "timeouts.conect", "3", ok=False)
    assert file.read_text() == text


def test_secrets_are_masked_and_values_have_an_origin(terma):
    terma("config", "set", "models.x.model", "m")
    terma("config", "set", "models.x.api_key", "very-secret")
    shown = terma("config", "show", TERMA_RETRIES="5")
    assert "very-secret" not in shown
    assert "TERMA_RETRIES" in shown
    assert "config.toml:" in shown


def test_an_edit_that_does_not_hold_changes_nothing_and_loses_nothing(terma, home):
    terma("config", "set", "retries", "3")
    said = terma("config", "edit", ok=False, EDITOR="sed -i s/retries/retires/")
    assert "there is no setting retires" in said
    assert json.loads(terma("config", "show", "--json"))["retries"]["value"] == 3
    assert "retires" in (home.home / ".config/terma/config.edit.toml").read_text()
    terma("config", "edit", EDITOR="sed -i s/3/4/")
    assert json.loads(terma("config", "show", "--json"))["retries"]["value"] == 4


def test_roles_are_listed_and_printed(terma):
    assert "shell" in terma("roles")
    assert "command lines" in terma("roles", "shell")
    assert "the roles are: " in terma("roles", "nope", ok=False)
    assert terma("roles", "shell").startswith("---\ndescription: turns a sentence")


def test_a_role_that_cannot_be_read_is_named_and_the_others_are_listed(terma, home):
    folder = home.home / ".config/terma/roles"
    folder.mkdir(parents=True)
    (folder / "bad.md").write_text("---\ncolour: red\n---\nBe red.\n")
    (folder / "binary.md").write_bytes(b"\xff\xfe\x1b[31m")
    (folder / "place.md").mkdir()
    (folder / "poet.md").write_text("---\ndescription: in verse\n---\nAnswer in verse.\n")
    rows = {line.split()[0]: line for line in terma("roles").splitlines()}
    assert f"cannot be used: {folder}/bad.md:2: no role has 'colour'" in rows["bad"]
    assert "not UTF-8" in rows["binary"]
    assert "cannot be used" in rows["place"]
    assert rows["poet"].endswith("in verse (yours)")
    assert {"assistant", "debug", "shell", "why"} <= set(rows)


def test_our_roles_are_copied_once_and_yours_are_left(terma, home):
    folder = home.home / ".config/terma/roles"
    folder.mkdir(parents=True)
    (folder / "why.md").write_text("Explain in verse.\n")
    written = terma("roles", "init").split()
    assert str(folder / "shell.md") in written
    assert terma("roles", "why") == "Explain in verse.\n"
    assert "(yours)" in terma("roles")
    (folder / "shell.md").write_text("Mine.\n")
    assert "nothing to copy" in terma("roles", "init")
    assert terma("roles", "shell") == "Mine.\n"
