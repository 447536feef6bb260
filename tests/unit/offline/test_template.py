"""Command templates: conditions, defaults, and values quoted for the place where they stand."""

from __future__ import annotations

import subprocess

import pytest

from terma.offline.template import Renderer, TemplateError, parse, shell_word

HOSTILE = [
    "a b",
    "it's",
    '"x"',
    "$(reboot)",
    "`id`",
    "a;b",
    "a\\b",
    "-rf",
    "a&b|c",
    "$HOME'",
    "*",
    "~root x",
    "!x",
]


def render(text: str, values: dict[str, str], on: set[str] | None = None) -> str:
    names = frozenset({*values, *(on or ()), "file", "dir", "pattern", "verbose"})
    return Renderer(values, {*values, *(on or ())}).render(parse(text, names))


def test_a_condition_writes_its_text_only_when_its_name_is_on() -> None:
    text = "tar -xf {file}{?dir: -C {dir}}{!dir: -k}{?verbose: -v}"
    assert render(text, {"file": "a.tar"}) == "tar -xf a.tar -k"
    assert render(text, {"file": "a.tar", "dir": "out"}, {"verbose"}) == "tar -xf a.tar -C out -v"


def test_a_default_stands_where_nothing_was_said() -> None:
    assert render("du -sh {dir=.}", {}) == "du -sh ."


def test_a_path_that_says_where_it_is_has_nothing_before_it() -> None:
    for name in ("./a.deb", "/tmp/a.deb", "../a.deb", "~/a.deb"):
        assert render("apt install ./{file}", {"file": name}) == f"apt install {name}"
    assert render("apt install ./{file}", {"file": "a.deb"}) == "apt install ./a.deb"


def test_other_braces_are_text() -> None:
    assert render("awk '{print $1}' {file} ${x%.y} {}", {"file": "a"}) == "awk '{print $1}' a ${x%.y} {}"


def test_an_unfilled_slot_reads_as_a_placeholder() -> None:
    renderer = Renderer({}, set())
    assert renderer.render(parse("cat {file}", frozenset({"file"}))) == "cat {file}"
    assert renderer.missing == ["file"]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("text", ["printf %s {file}", "printf %s '{file}'"])
def test_a_hostile_value_stays_one_word_of_the_shell(text: str, value: str) -> None:
    command = render(text, {"file": value})
    if value == "~root x" and "'" not in text:
        assert command == "printf %s '~root x'"
    done = subprocess.run(
        ["bash", "-c", command.replace("%s", "'%s'", 1)], capture_output=True, text=True, check=False
    )
    assert done.stdout == value, command


def test_a_home_directory_and_a_variable_still_expand() -> None:
    assert shell_word("~/my dir") == "~/'my dir'"
    assert shell_word("$HOME") == '"$HOME"'


@pytest.mark.parametrize("text", ["{?dir: -C {dir}", "x }", "{?a:{?b:}"])
def test_unbalanced_braces_are_named_or_kept_as_text(text: str) -> None:
    if text == "x }":
        assert render(text, {}) == "x }"
    else:
        with pytest.raises(TemplateError):
            parse(text, frozenset({"dir", "a", "b"}))
