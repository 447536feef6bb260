"""What the tools of `terma mcp --eyes` take, as tools/list tells it, and the check of what comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from terma.errors import UsageError

_KINDS: dict[str, Any] = {"string": str, "boolean": bool, "number": (int, float), "array": list}
_WHY = {
    "type": "string",
    "description": "what the step is for, in a few words: the person who decides reads it",
}
TOOLS: dict[str, dict[str, Any]] = {
    "eyes_look": {
        "description": "The other machine's screen as text, without secrets. With until: once that text stands there.",
        "properties": {
            "until": {"type": "string", "description": "text to wait for"},
            "seconds": {
                "type": "number",
                "description": "to wait for it at most",
                "default": 10,
                "maximum": 120,
            },
            "picture": {"type": "boolean", "description": "the picture as well", "default": False},
        },
        "required": [],
    },
    "eyes_type": {
        "description": "Type a command line on the other machine and enter it, once a person has approved it and the "
        "screen shows it. Dangerous lines are never entered.",
        "properties": {
            "text": {"type": "string", "description": "the line"},
            "enter": {"type": "boolean", "description": "false: the characters alone", "default": True},
            "why": _WHY,
        },
        "required": ["text"],
    },
    "eyes_key": {
        "description": "Press one key on the other machine: a character, or Enter Escape Tab Backspace Up Down Left "
        "Right Home End PageUp PageDown Delete F1…F12, with modifiers held.",
        "properties": {
            "key": {"type": "string"},
            "modifiers": {
                "type": "array",
                "items": {"type": "string", "enum": ["ctrl", "shift", "alt", "meta", "altgr"]},
            },
            "why": _WHY,
        },
        "required": ["key"],
    },
    "eyes_click": {
        "description": "Press a button of the pointer at a place of the screen, where the keyboard has a pointer.",
        "properties": {
            "x": {"type": "number", "description": "of the width, 0 to 1", "maximum": 1},
            "y": {"type": "number", "description": "of the height, 0 to 1", "maximum": 1},
            "button": {"type": "string", "enum": ["left", "right", "middle"], "default": "left"},
            "why": _WHY,
        },
        "required": ["x", "y"],
    },
    "eyes_secret": {
        "description": "Type a secret of the person's settings where a password is asked for, once they approved it; "
        "you never see it.",
        "properties": {
            "secret": {"type": "string", "description": "its name in [eyes.secrets]"},
            "why": _WHY,
        },
        "required": ["secret"],
    },
    "eyes_power": {
        "description": "Whether the other machine is on; or press its button, once a person has approved it.",
        "properties": {
            "what": {
                "type": "string",
                "enum": ["status", "on", "off", "hard-off", "reset"],
                "default": "status",
            },
            "why": _WHY,
        },
        "required": [],
    },
}


def listing() -> list[dict[str, Any]]:
    """The tools as tools/list gives them."""
    return [
        {
            "name": name,
            "description": tool["description"],
            "inputSchema": {
                "type": "object",
                "properties": tool["properties"],
                "required": tool["required"],
                "additionalProperties": False,
            },
            "annotations": {
                "readOnlyHint": name == "eyes_look",
                "destructiveHint": name != "eyes_look",
                "openWorldHint": True,
            },
        }
        for name, tool in TOOLS.items()
    ]


def checked(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, where they fit. Raises UsageError, which tells what there is."""
    known: dict[str, Any] = TOOLS[name]["properties"]
    if set(arguments) - set(known) or set(TOOLS[name]["required"]) - set(arguments):
        raise UsageError(f"{name} takes {', '.join(known)}")
    for key, value in arguments.items():
        wanted = known[key]
        kind = _KINDS[wanted["type"]]
        fits = isinstance(value, kind) and (isinstance(value, bool) == (kind is bool))
        fits = fits and value in wanted.get("enum", [value])
        if fits and wanted["type"] == "number":
            fits = 0 <= value <= wanted["maximum"]
        if not fits:
            raise UsageError(f"{name}: {key} does not fit", str(wanted.get("description", "")))
    return dict(arguments)
