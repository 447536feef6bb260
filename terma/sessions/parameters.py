"""What an operation on sessions takes: how its arguments are described, checked, and told to MCP as a schema."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from terma.errors import UsageError

DEFAULT_TIMEOUT = 30.0  # seconds


class Parameter(NamedTuple):  # no dataclass: that module alone is a quarter of a command's start
    """One argument. `kind` is string, integer, number, boolean or array (of strings).

    `positional` says how the command line takes it: "" as an option, "one", "some" or "rest" (any number, behind --);
    `only` limits it to "cli" or "mcp". `dash`: there - stands for standard input."""

    name: str
    kind: str
    help: str
    default: Any = None
    positional: str = ""
    choices: tuple[str, ...] = ()
    only: str = ""
    dash: bool = False

    @property
    def required(self) -> bool:
        return self.positional in ("one", "some")

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def on_command_line(self) -> str:
        """Its help, for who types it."""
        return f"{self.help}; - reads standard input" if self.dash else self.help


class Operation(NamedTuple):
    """`terma session NAME` and the MCP tool session_NAME. `words` explains it to a model, `summary` to everyone."""

    name: str
    summary: str
    words: str
    parameters: tuple[Parameter, ...]
    read_only: bool = False
    destructive: bool = False
    only: str = ""
    consumes: bool = False  # it moves the reader's place: the same call answers otherwise the next time


_WANTED = {
    "string": "text",
    "integer": "a whole number, 0 or more",
    "number": "a number, 0 or more",
    "boolean": "true or false",
    "array": "a list of texts",
}


def checked(operation: Operation, arguments: Mapping[str, Any], hint: str = "") -> dict[str, Any]:
    """The arguments that were given, each as its parameter wants it. Raises UsageError for others, and for what is
    missing; `hint` says what is taken. One text counts as a list of one."""
    args = {key: value for key, value in arguments.items() if value is not None}
    help_ = hint or f"terma session {operation.name} --help"
    unknown = set(args) - {parameter.name for parameter in operation.parameters}
    if unknown:
        raise UsageError(f"{operation.name} takes no {', '.join(sorted(unknown))}", help_)
    for parameter in operation.parameters:
        if parameter.name not in args:
            if parameter.required:
                raise UsageError(f"{operation.name} wants {parameter.name}", help_)
            continue
        value = args[parameter.name]
        if parameter.kind == "array" and isinstance(value, str):
            value = args[parameter.name] = [value]
        if not _fits(parameter.kind, value):
            raise UsageError(f"{parameter.name} wants {_WANTED[parameter.kind]}, not {value!r}"[:200], help_)
        if parameter.choices and value not in parameter.choices:
            raise UsageError(
                f"{parameter.name} wants {', '.join(parameter.choices)}, not {value!r}"[:200], help_
            )
    return args


def _fits(kind: str, value: Any) -> bool:
    if kind == "array":
        return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    if kind in ("string", "boolean"):
        return isinstance(value, str if kind == "string" else bool)
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return number and value >= 0 and (kind == "number" or value == int(value))


def schema(operation: Operation) -> dict[str, Any]:
    """The JSON schema of its arguments, for MCP."""
    properties: dict[str, Any] = {}
    for parameter in operation.parameters:
        if parameter.only == "cli":
            continue
        one: dict[str, Any] = {"type": parameter.kind, "description": parameter.help}
        if parameter.kind == "array":
            one["items"] = {"type": "string"}
        if parameter.choices:
            one["enum"] = list(parameter.choices)
        if parameter.default is not None:
            one["default"] = parameter.default
        properties[parameter.name] = one
    required = [parameter.name for parameter in operation.parameters if parameter.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
