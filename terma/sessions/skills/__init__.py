"""What a coding agent is taught about sessions, as skills: files with a name, a description and a text. The reference
is made of the operations themselves, so that it says what holds.
"""

from __future__ import annotations

import re
from pathlib import Path

from terma import registry
from terma.errors import UsageError
from terma.sessions.operations import OPERATIONS, Operation, Parameter

REFERENCE = "terma-session-reference"
_HEAD = f"""---
name: {REFERENCE}
description: Every operation and option of terma session. Look here when terma-sessions does not say enough.
---

# terma session: reference

`terma session OPERATION NAME …`; with `--json` one JSON object. As an MCP tool: `session_OPERATION` with the same
arguments, but for those marked as the command line's.
"""


def names() -> list[str]:
    """All of them."""
    return sorted([REFERENCE, *(file.stem for file in registry.files(Path(__file__).parent, ".md"))])


def text(name: str) -> str:
    """The whole of one. Raises UsageError for a name that is none."""
    if name not in names():
        raise UsageError(f"there is no skill {name!r}", f"there are {', '.join(names())}")
    if name == REFERENCE:
        return "\n".join([_HEAD, *map(_operation, OPERATIONS)])
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8")


def description(name: str) -> str:
    """When it is of use, in a line."""
    found = re.search(r"^description: (.*)$", text(name), re.M)
    return found[1] if found else ""


def install(folder: Path) -> list[Path]:
    """Write each as NAME/SKILL.md into `folder`, as agents look for them. Raises UsageError where that cannot be."""
    written = []
    try:
        for name in names():
            path = folder / name / "SKILL.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(name), encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise UsageError(
            f"cannot write {error.filename}: {error.strerror}", "choose another folder"
        ) from error
    return written


def _operation(operation: Operation) -> str:
    where = {"cli": " (command line)", "mcp": " (MCP)"}.get(operation.only, "")
    words = operation.words or f"{operation.summary[:1].upper()}{operation.summary[1:]}."
    return "\n".join([f"## {operation.name}{where}\n", words, "", *map(_parameter, operation.parameters), ""])


def _parameter(parameter: Parameter) -> str:
    name = parameter.name.upper() if parameter.positional else parameter.flag
    about = "; ".join(
        part
        for part in (
            parameter.on_command_line,
            f"one of {', '.join(parameter.choices)}" if parameter.choices else "",
            {"cli": "command line only", "mcp": "MCP only"}.get(parameter.only, ""),
        )
        if part
    )
    return f"- `{name}`: {about}"
