"""What a redirect does, and whether a file that it would empty is there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from terma.shell_syntax import nodes as tree

_STREAMS = {
    "0": "the input",
    "1": "the output",
    "2": "the error messages",
    "": "the output",
    "&": "the output and the error messages",
}


def redirect(one: tree.Redirect, cwd: str) -> str:
    """In words; "" for one that is not known. `cwd` "" when nobody knows where it would be."""
    operator, target = one.operator.replace("!", "|"), one.target.text
    stream = _STREAMS.get(one.descriptor, f"stream {one.descriptor}")
    if one.descriptor[:1] == "{":  # the shell chooses the number
        stream = f"a new stream, whose number {one.descriptor.strip('{}')} holds,"
        if target == "-":
            return f"the stream whose number {one.descriptor.strip('{}')} holds is closed"
    if one.document is not None:
        return f"its input is the text up to {one.document.delimiter}"
    if operator == "<<<":
        return "its input is this text"
    if operator == "<":
        what = "its input" if one.descriptor in ("", "0") else stream
        return f"{what} comes from {target}"
    if operator == "<>":
        return f"reads and writes {target}"
    if operator in (">&", "<&") and (target.isdecimal() or target == "-"):
        goes = _STREAMS.get(target, f"stream {target}")
        return (
            f"{stream} is closed"
            if target == "-"
            else f"{stream} {'go' if one.descriptor == '2' else 'goes'} where "
            f"{goes} {'go' if target == '2' else 'goes'}"
        )
    both = operator.startswith("&>") or operator in (">&", ">&|", ">>&")
    what = _STREAMS["&"] if both else stream
    verb = "go" if both or one.descriptor == "2" else "goes"
    if target == "/dev/null":
        return f"{what} {'are' if verb == 'go' else 'is'} thrown away"
    if ">>" in operator:
        return f"{what} {verb} to the end of {target}"
    if operator in (">", ">|", "&>", "&>|", ">&", ">&|"):
        return f"{what} {verb} into {target}{_is_there(target, cwd)}"
    return ""


def _is_there(target: str, cwd: str) -> str:
    if not cwd or "$" in target or "`" in target:
        return ""
    path = Path(cwd) / os.path.expanduser(target)  # noqa: PTH111 a word need not be a path
    with suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size:
            return ", which is there and is emptied first"
    return ""
