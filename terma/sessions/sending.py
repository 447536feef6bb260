"""What `session send` types: text, several texts, base64, or keys written as escapes."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

from terma.errors import UsageError
from terma.sessions import keynames

_SEND = 16 * 1024  # bytes of keys in one request
_ESCAPES = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([rnteabf0\\]))")
_NAMED = {
    "r": "\r",
    "n": "\n",
    "t": "\t",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "0": "\0",
    "\\": "\\",
}
Request = Callable[[dict[str, Any]], dict[str, Any]]


def typed(args: Mapping[str, Any]) -> list[bytes]:
    """The keys that `args` asks for, decoded, one piece for each text, Enter among them. Raises UsageError."""
    pieces = _pieces(args)
    return [*pieces, b"\r"] if args.get("enter") else pieces


def send(request: Request, args: Mapping[str, Any]) -> dict[str, Any]:
    """Type what `args` asks for; `request` sends one piece of it. The agent's last answer. Raises UsageError."""
    pieces = _pieces(args)
    paste = not (args.get("base64") or args.get("keys"))
    seen = {"seen": args["seen"]} if args.get("seen") else {}  # holds until the first piece is typed
    result: dict[str, Any] = {}
    for piece in pieces:
        step = len(piece) if paste and len(piece) <= _SEND else _SEND
        for at in range(0, len(piece), max(step, 1)):
            part, whole = piece[at : at + step], paste and len(piece) <= _SEND
            result = _keys(request, args, part, whole, seen)
            seen = {}
    if args.get("enter") or not any(pieces):  # where nothing is to be typed, it is only looked at
        result = _keys(request, args, b"\r" if args.get("enter") else b"", False, seen)
    return result | {"sent": sum(map(len, pieces)) + bool(args.get("enter"))}


def entered(args: Mapping[str, Any]) -> str:
    """The line that is typed and entered: a terminal repeats it. "" where keys are typed, or nothing is entered."""
    text = b"".join(typed(args)).decode("utf-8", "replace")
    line = text.removesuffix("\r").removesuffix("\n")
    return "" if line == text or not line.replace("\n", " ").isprintable() else line


def _pieces(args: Mapping[str, Any]) -> list[bytes]:
    texts = [str(text) for text in args.get("text") or ()]
    if args.get("base64"):
        try:
            return [base64.b64decode(text, validate=True) for text in texts]
        except ValueError as error:
            raise UsageError("the text is not base64", "leave --base64 away for plain text") from error
    decoded = [keynames.decoded(text, _unescaped) for text in texts] if args.get("keys") else texts
    return [text.encode("utf-8", "surrogateescape") for text in decoded]


def _keys(
    request: Request, args: Mapping[str, Any], data: bytes, paste: bool, seen: Mapping[str, str]
) -> dict[str, Any]:
    fields = {"session": args["session"], "data": base64.b64encode(data).decode(), "paste": paste}
    fields["keys"] = bool(args.get("keys"))
    return request({**fields, **seen})


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        return chr(int(code, 16)) if code else _NAMED[found[3]]

    return _ESCAPES.sub(one, text)
