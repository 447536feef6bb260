"""Skills for agents: there, installed as agents look for them, and no option in them that does not exist."""

from __future__ import annotations

import re

import pytest

from terma.errors import UsageError
from terma.sessions import skills
from terma.sessions.operations import BY_NAME, OPERATIONS


def test_each_begins_as_agents_read_it():
    assert len(skills.names()) == 3
    for name in skills.names():
        assert skills.text(name).startswith(f"---\nname: {name}\ndescription: ")
        assert len(skills.description(name)) > 40
    with pytest.raises(UsageError, match="no skill"):
        skills.text("../errors")


def test_what_is_installed_is_what_is_shown(tmp_path):
    written = skills.install(tmp_path / "skills")
    assert {path.parent.name: path.read_text() for path in written} == {
        name: skills.text(name) for name in skills.names()
    }
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        skills.install(blocked)


@pytest.mark.parametrize("name", ["terma-sessions", "terma-tui-testing"])
def test_every_command_in_them_exists_with_its_options(name):
    lines = re.findall(r"terma session ([a-z]+)([^`\n]*)", skills.text(name))
    assert lines
    for operation, rest in lines:
        flags = {parameter.flag for parameter in BY_NAME[operation].parameters} | {"--json"}
        assert set(re.findall(r"(?<=\s)--[a-z][a-z-]*", rest)) <= flags, (operation, rest)


def test_the_reference_has_every_operation_and_option():
    text = skills.text(skills.REFERENCE)
    for operation in OPERATIONS:
        assert f"## {operation.name}" in text
        for parameter in operation.parameters:
            assert parameter.help in text
