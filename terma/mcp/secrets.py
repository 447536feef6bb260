"""The secrets of one client: one placeholder in every answer, put back where it is typed into a session."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

from terma.errors import UsageError
from terma.mcp.dressed import forms
from terma.redact import Redactor, in_lines
from terma.redact.find import PLACEHOLDER
from terma.sessions import keynames
from terma.sessions.sending import typed
from terma.text import one_line

_INTO = {"exec": "input", "send": "text"}  # what is typed: the argument of each operation that may hold one
_TYPE = "answer a program's question with it, or use it in a command that writes no file"
_READ_THERE = "let the program read it where it is kept, or the person type it: terma session attach NAME"

_AT_ONCE = "drop it with <C-c>, and type the whole line in one call, with enter"


class Secrets:
    """Takes secrets out of what a client is told. Any thread may ask."""

    def __init__(self) -> None:
        self._redactor = Redactor()
        self._lock = threading.Lock()
        self._given: dict[str, str] = {}  # what was put back: hidden from now on, wherever it stands

    def hide(self, text: str, before: str = "") -> str:
        """`text` without its secrets. `before` stood before it, and is read for what that says of it."""
        with self._lock:
            return self._without_given(self._redactor.redact(text, before).text)

    def give(self, name: str, value: str) -> None:
        """`value` is typed by its name of the settings, and hidden wherever it stands from now on."""
        with self._lock:
            self._given[f"{{{{secret:{name}}}}}"] = value

    def hide_lines(self, text: str) -> str:
        """The same with as many lines as before."""
        with self._lock:
            return self._without_given(in_lines(self._redactor.redact(text)))

    def values_in(self, text: str) -> list[str]:
        """The secrets that stand in `text`."""
        with self._lock:
            found = list(self._redactor.redact(text).secrets.values())
            return found + [value for value in self._given.values() if value in text]

    def hide_all(self, value: Any) -> Any:
        """The same JSON value with secrets taken out of every text in it."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self.hide_all(one) for one in value]
        if isinstance(value, dict):
            return {key: self.hide_all(one) for key, one in value.items()}
        return value

    def count(self, text: str) -> int:
        """How many placeholders of this client stand in `text`."""
        return sum(found[0] in self._redactor.secrets for found in PLACEHOLDER.finditer(text))

    def put_back(
        self, name: str, arguments: dict[str, Any], look: Callable[[], Mapping[str, Any]]
    ) -> dict[str, Any]:
        """The arguments of session operation `name`, with the values of the placeholders that are typed into a
        session. `look` tells about that session and what stands on its line, and is asked where there are any.

        Raises UsageError for a placeholder that stands for nothing here, and where its value would reach a file, be
        read as something else than a value, or wait on a line for keys that nobody has seen yet."""
        held = PLACEHOLDER.search(json.dumps(arguments, ensure_ascii=False))
        if held is None:
            return arguments
        into = _INTO.get(name)
        if into is None or arguments.get("base64") or PLACEHOLDER.search(_beside(arguments, into)):
            raise UsageError(
                f"{held[0]} is put back in what is typed into a session, and nowhere else", _TYPE
            )
        about = look()
        if about.get("storage") == "file":
            raise UsageError(
                f"{held[0]} would be written into the files of this session", "use one in memory"
            )
        given = arguments[into]
        texts = [given] if isinstance(given, str) else list(given)
        keys = bool(arguments.get("keys"))
        names = list(dict.fromkeys(PLACEHOLDER.findall("\n".join(texts))))
        values = {f"<SECRET_{name}>": self._value(f"<SECRET_{name}>") for name in names}
        enter = bool(arguments.get("enter")) or name == "exec"
        line = b"".join(typed({"text": map(_standing, texts), "keys": keys, "enter": enter})).decode()
        _check(_whole(name, line, next(iter(values)), about), values, about)
        with self._lock:
            self._given |= values
        known = [
            PLACEHOLDER.sub(
                lambda found: keynames.literal(values[found[0]]) if keys else values[found[0]], text
            )
            for text in texts
        ]
        return arguments | {into: known[0] if isinstance(given, str) else known, "seen": about["seen"]}

    def _value(self, name: str) -> str:
        with self._lock:
            if name not in self._redactor.secrets:
                raise UsageError(
                    f"{name} stands for nothing here",
                    "placeholders hold as long as the server that gave them",
                )
            return self._redactor.secrets[name]

    def _without_given(self, text: str) -> str:
        for name, value in self._given.items():
            text = text.replace(value, name)
            for form in forms(value):
                text = text.replace(form, name)
        return text


def _whole(name: str, line: str, first: str, about: Mapping[str, Any]) -> str:
    """`line` behind what stands there already. Raises UsageError where that is not known, and where the line is not
    entered: what is typed behind it later would be judged without it."""
    if about["state"] == "password" or about["drawn"]:
        return line
    if not line.endswith(("\r", "\n")):
        raise UsageError(f"{first} would stand on a line that is not entered", _AT_ONCE)
    if name == "exec" and about["cleared"]:
        return line
    if not about["sure"]:
        raise UsageError(f"what stands on the line before {first} is not known", _AT_ONCE)
    return str(about["unentered"]) + line


def _check(line: str, values: Mapping[str, str], about: Mapping[str, Any]) -> None:
    """Raises UsageError where the session of `about` must not get `values` for the names that stand for them in
    `line`, which is all that is typed."""
    from terma.mcp import into_shells  # reads shell text: as large as all the rest of this server

    first, line = next(iter(values)), line.replace("\r\n", "\n").replace("\r", "\n")
    if any("\n" in value for value in values.values()) and not into_shells.at_a_prompt(about):
        raise UsageError(f"{first} stands for several lines: each would be entered", _TYPE)
    if about.get("state") == "password":
        return
    shell = into_shells.at_a_prompt(about)
    if not shell:
        _check_answer(line, first, values, about)
        return
    file = into_shells.file_of(line, shell)
    if file:
        raise UsageError(f"{first} would be written into {one_line(file, 80)}", _TYPE)
    if file is None or any(char < " " and char not in "\n\t" for char in line):
        raise UsageError(f"the line that {first} stands in cannot be read in full", _TYPE)
    keeper = into_shells.might_keep(line, shell, [_standing(name) for name in values])
    if keeper:
        raise UsageError(f"{one_line(keeper, 40)} might write {first} into a file", _READ_THERE)
    filled, named = line, {_standing(name): value for name, value in values.items()}
    for name, value in named.items():
        filled = filled.replace(name, value)
    if not into_shells.stands(line, filled, named, shell):
        raise UsageError(
            f"the shell would not read what {first} stands for as one value there",
            "put it between single quotes, or answer a program's question with it",
        )


def _check_answer(line: str, first: str, values: Mapping[str, str], about: Mapping[str, Any]) -> None:
    """Raises UsageError where `line` is not one value alone that answers a question: what a REPL or an editor reads
    may be written anywhere, and the lines that a REPL was given are kept in a file of its own."""
    alone = line.rstrip("\n") in map(_standing, values)
    if not (alone and about["asks"] and about["state"] in ("needs_input", "unsure")):
        raise UsageError(
            f"no shell reads {first} there, and no question that it alone would answer stands there",
            _READ_THERE,
        )


def _standing(text: str) -> str:
    """`text` with plain words for its placeholders, which a shell would take for redirects. None is another's
    beginning."""
    return PLACEHOLDER.sub(r"terma_secret_\1_", text)


def _beside(arguments: Mapping[str, Any], into: str) -> str:
    return json.dumps([value for name, value in arguments.items() if name != into], ensure_ascii=False)
