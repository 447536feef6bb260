"""Words of which nobody knows before the line runs what they name: the program, an option, a script, an element."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile, takewhile

from terma import regex as re
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules.code import PLACES, SETUP
from terma.risk.values import substitutions
from terma.risk.wrapper_table import SHELLS

_HONEST_VARIABLES = {"EDITOR", "VISUAL", "PAGER", "SHELL", "BROWSER", "@", "0", "PYTHON", "CC"}
_SUBSCRIPT = re.compile(r"\[[^\]]*(?:\$\(|`)")
_ELEMENT = re.compile(r"[A-Za-z_]\w*\[.*(?:\$\(|`).*\]", re.S)
_READS = {"read", "mapfile", "readarray"}
_OPTION_BY_PATTERN = re.compile(r"-(?:-[\w-]*|[A-Za-z]{2,}|)[*?\[]")
_SCRIPT_FOLLOWS, _LISTED = re.compile(r"-[a-zA-Z]*c"), Word("{}")
_COUNTING = set(
    "let declare typeset local export readonly integer float test [ [[ printf read unset wait mapfile readarray"
    " for".split()
)


def unknown_words(call: Call) -> Findings:
    """What is said of `call`, which has a program, for words of its own."""
    yield from _program(call)
    yield from _option_names(call)
    yield from _script_of_a_list(call)


def in_subscripts(call: Call) -> Findings:
    """`test -v 'a[$(CMD)]'`: what the shell counts with is read once more, quotes or not."""
    counted = [word.text for word in (*(call.words if call.name in _COUNTING else ()), *call.assigned)]
    if call.name in _READS and call.feed is not None and call.feed.text:
        counted.append(call.feed.text)
    # an element of an array by its name: whatever takes the name of a variable expands it again
    says = call.name == "echo" or (call.name == "print" and "-v" not in call.flags())
    named = not says and any(_ELEMENT.fullmatch(word.text) for word in call.args)
    if named or any(map(_SUBSCRIPT.search, counted)):
        yield Finding("medium", "may run code that stands in brackets", "runs-unknown-code")


def _program(call: Call) -> Findings:
    """`$(…)` or `$CMD` in the place of the program: nobody can say what runs."""
    program = call.words[0]
    if program.programs and not _below_known(program):
        yield Finding("medium", "runs what another command prints", "runs-unknown-code")
    elif program.dynamic and not program.programs:
        variable = re.search(r"\$\{?(\w+|@)", program.text)
        if variable is None or variable[1] not in _HONEST_VARIABLES:
            yield Finding("medium", "runs whatever a variable holds", "runs-unknown-code")
    if program.globs:
        yield Finding("medium", "runs whatever a pattern stands for", "runs-unknown-code")


def _option_names(call: Call) -> Findings:
    """`find . -exec* …`: the files here say of which option the pattern is the name. A value may be one:
    `--include=*.py`, `-x*.o`."""
    if any(word.globs and _OPTION_BY_PATTERN.match(word.text) for word in _options(call)):
        yield Finding("medium", "takes whatever option a pattern stands for", "unread")


def _script_of_a_list(call: Call) -> Findings:
    """`xargs sh -c`, `find … -exec sh -c {} ';'`: each thing on the list is run as a line of its own."""
    if not call.bulk or call.name not in SHELLS:
        return
    rest = dropwhile(lambda word: not _SCRIPT_FOLLOWS.fullmatch(word.text), call.args)
    if next(rest, None) is not None and next(rest, _LISTED).text == _LISTED.text:
        yield Finding("medium", "runs each line of a list", "runs-unknown-code")


def _options(call: Call) -> Iterator[Word]:
    """The arguments before `--`."""
    return takewhile(lambda word: word.text != "--", call.args)


def _below_known(program: Word) -> bool:
    """Whether a word such as `$(go env GOPATH)/bin/tool` names a program below a folder that a known tool prints, or is
    the set-up that such a tool prints."""
    found = [*substitutions(program.text)]
    if len(found) != 1 or found[0][0]:
        return False
    rest = program.text[found[0][1] :]
    return (
        program.programs <= PLACES and rest[:1] == "/" and "$" not in rest
        if rest
        else program.programs <= SETUP
    )
