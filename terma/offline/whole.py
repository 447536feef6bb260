"""A folder is taken with what is in it: "delete build" is `rm -r build` where `build` is a folder here, for without the
option `rm`, `cp`, `scp`, `zip` and `grep` do not look into it. What was asked does not change by that."""

from __future__ import annotations

from terma.offline.draft import Context
from terma.offline.folder_options import PROGRAMS, not_taken
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree


def whole(command: str, context: Context) -> str:
    """The command, with `-r` where an `rm` or a `cp` of it works on a folder that is here."""
    if not any(name in command for name in PROGRAMS):
        return command
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return command
    ends = [
        words[0].end
        for one in tree.commands(script)
        if isinstance(one, tree.Simple)
        and (words := one.words[1:] if one.words and one.words[0].text == "sudo" else one.words)
        and _lacks_it([word.text for word in words], context)
    ]
    for end in reversed(ends):
        command = f"{command[:end]} -r{command[end:]}"
    return command


def _lacks_it(words: list[str], context: Context) -> bool:
    """Whether the program names a folder that is here, and has no option to take it."""
    program, *texts = words
    options = [text for text in texts if text.startswith("-")]
    operands = [text for text in texts if not text.startswith("-")]
    return any(context.names().get(name.rstrip("/")) for name in not_taken(program, options, operands))
