"""The one definition of what can be asked about sessions: the command line, the MCP tools and the documentation all
come from here, so they cannot say different things.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from terma.errors import UsageError

DEFAULT_TIMEOUT = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument. `kind` is string, integer, number, boolean or array (of strings).

    `positional` says how the command line takes it: "" as an option, "one", "some" or "rest" (any number, behind --);
    `only` limits it to "cli" or "mcp"."""

    name: str
    kind: str
    help: str
    default: Any = None
    positional: str = ""
    choices: tuple[str, ...] = ()
    only: str = ""

    @property
    def required(self) -> bool:
        return self.positional in ("one", "some")

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Operation:
    """`terma session NAME` and the MCP tool session_NAME. `words` explains it to a model, `summary` to everyone."""

    name: str
    summary: str
    words: str
    parameters: tuple[Parameter, ...]
    read_only: bool = False
    destructive: bool = False
    only: str = ""


_SESSION = Parameter("session", "string", "the session's name", positional="one")
_TIMEOUT = Parameter(
    "timeout", "number", f"seconds to wait at most (default: {DEFAULT_TIMEOUT:g})", DEFAULT_TIMEOUT
)
_WAIT = Parameter("wait", "string", "wait until this regular expression matches the output, behind the echo")
_SETTLE = Parameter("settle", "integer", "wait until nothing was printed for this many milliseconds")
_RAW = Parameter(
    "raw", "boolean", "the bytes as they were printed, escape sequences and all", False, only="cli"
)
_LIMIT = Parameter(
    "limit", "integer", "characters of output at most; the middle is left out", 30000, only="mcp"
)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "create",
        "start a program on a terminal that lives on",
        "Start a shell (default), a REPL or any program on a persistent terminal. State (directory, variables, "
        "logins) is kept between calls.",
        (
            _SESSION,
            Parameter(
                "command", "array", "the program and its arguments (default: your shell)", positional="rest"
            ),
            Parameter("cwd", "string", "its working directory (default: the caller's)"),
            Parameter("env", "array", "NAME=VALUE to set in its environment"),
            Parameter("cols", "integer", "columns of its terminal", 120),
            Parameter("rows", "integer", "rows of its terminal", 32),
            Parameter("tui", "boolean", "keep its screen, for full-screen programs: read --snapshot", False),
            Parameter("if_not_exists", "boolean", "it is fine when the session exists already", False),
            Parameter(
                "kind",
                "string",
                "what reads the commands, where the program does not tell (sh: any POSIX shell, over ssh too)",
                choices=("auto", "zsh", "bash", "fish", "python", "sh", "none"),
                default="auto",
            ),
            Parameter(
                "storage", "string", "where output is kept", choices=("memory", "file"), default="memory"
            ),
            Parameter(
                "capacity", "integer", "bytes of output that are kept (default: 10 MB, in files 64 MB)"
            ),
            Parameter("ttl", "integer", "seconds until it is forgotten after its end", 3600),
        ),
    ),
    Operation(
        "exec",
        "run a command in it and wait for its end",
        "Run one command (or several lines) and return its output and exit status. In a program that is no known "
        "shell or REPL, it ends when the program waits for input again. state=needs_input or password: answer with "
        "session_send. ended_by=timeout: it runs on; session_read has the rest.",
        (
            _SESSION,
            Parameter("input", "string", "what to run; - reads standard input", positional="one"),
            _WAIT,
            _SETTLE,
            _TIMEOUT,
            _RAW,
            _LIMIT,
        ),
        destructive=True,
    ),
    Operation(
        "send",
        "type text or keys into it, without waiting",
        "Type into the program: an answer to its question, or keys. With keys: \\r Enter, \\t, \\e, \\x03 Ctrl+C.",
        (
            _SESSION,
            Parameter(
                "text",
                "array",
                "text to type, one after the other; - reads standard input",
                positional="some",
            ),
            Parameter("enter", "boolean", "press Enter after the text", False),
            Parameter("keys", "boolean", "the text holds escapes: \\r \\n \\t \\e \\xHH \\uHHHH", False),
            Parameter("base64", "boolean", "the text is base64", False),
        ),
        destructive=True,
    ),
    Operation(
        "read",
        "show what it printed",
        "Output since the last read (default), all of it, its first or last lines, or the screen of a full-screen "
        "program. With wait or settle it waits first.",
        (
            _SESSION,
            Parameter("all", "boolean", "everything that is kept", False),
            Parameter("head", "integer", "the first N lines"),
            Parameter("tail", "integer", "the last N lines"),
            Parameter("since", "integer", "from this position on"),
            Parameter("cursor", "string", "read on behalf of this reader: each has its own place", ""),
            Parameter("snapshot", "boolean", "the screen as it looks now (made with --tui)", False),
            Parameter(
                "form",
                "string",
                "how the screen is shown: text, text with its colours, or a picture",
                choices=("plain", "ansi", "png"),
                default="plain",
            ),
            Parameter("follow", "boolean", "go on until it exits", False, only="cli"),
            _WAIT,
            _SETTLE,
            _TIMEOUT,
            _RAW,
            _LIMIT,
        ),
        read_only=True,
    ),
    Operation(
        "search",
        "find lines of its output",
        "Lines of the output that match a regular expression, with their context.",
        (
            _SESSION,
            Parameter("pattern", "string", "a regular expression", positional="one"),
            Parameter("context", "integer", "lines around each", 0),
            Parameter("ignore_case", "boolean", "upper and lower case are alike", False),
            Parameter("max", "integer", "matches at most", 100),
        ),
        read_only=True,
    ),
    Operation("list", "show the sessions there are", "All sessions with their state.", (), read_only=True),
    Operation(
        "info",
        "show all about one",
        "State, process, times, sizes, cursors and exit status of one session.",
        (_SESSION, Parameter("size", "boolean", "its position alone: how much it has printed", False)),
        read_only=True,
    ),
    Operation(
        "resize",
        "give its terminal another size",
        "Change the size of its terminal.",
        (
            _SESSION,
            Parameter("cols", "integer", "columns", positional="one"),
            Parameter("rows", "integer", "rows", positional="one"),
        ),
    ),
    Operation(
        "clear",
        "drop its output",
        "Drop the output that is kept; positions go on.",
        (_SESSION,),
        destructive=True,
    ),
    Operation(
        "stop",
        "end its program and all that it started; keep the output",
        "End the program and everything it started. The output can still be read.",
        (_SESSION, Parameter("grace", "number", "seconds until it is ended by force", 2.0)),
        destructive=True,
    ),
    Operation(
        "kill",
        "end its program and all that it started; delete everything",
        "End the program and everything it started, at once, and delete the session with its output.",
        (_SESSION,),
        destructive=True,
    ),
    Operation(
        "attach",
        "put this terminal in its place; Ctrl+] comes back",
        "",
        (_SESSION, Parameter("watch", "boolean", "look on without typing", False)),
        only="cli",
    ),
)
BY_NAME = {operation.name: operation for operation in OPERATIONS}


_WANTED = {
    "string": "text",
    "integer": "a whole number, 0 or more",
    "number": "a number, 0 or more",
    "boolean": "true or false",
    "array": "a list of texts",
}


def checked(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given, each as its parameter wants it. Raises UsageError for others, and for what is
    missing. One text counts as a list of one."""
    args = {key: value for key, value in arguments.items() if value is not None}
    help_ = f"terma session {operation.name} --help"
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
