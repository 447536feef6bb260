"""Whether a command leaves something running when it has ended, so that its proposal can say so."""

from __future__ import annotations

from terma.shell_syntax import BASH, ShellSyntaxError, nodes, parse, readings

LONGEST = 4000  # code points that are looked at
_BACKGROUND = ("&", "&!", "&|")


def lasts(command: str, shell: str) -> bool:
    """Whether a part of `command` is put in the background (`&`), as `shell` reads it, and not waited for."""
    if "&" not in command or len(command) > LONGEST:
        return False
    for dialect in (*readings(shell), BASH):  # fish writes `&` as bash does
        try:
            return _in(parse(command, dialect))
        except ShellSyntaxError:
            continue
    return False


def _in(script: nodes.Script) -> bool:
    """The last word counts: `server & wait` leaves nothing."""
    running = False
    for statement in script.statements:
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                running = running or _of(command)
                if (
                    isinstance(command, nodes.Simple)
                    and command.words[:1]
                    and command.words[0].literal == "wait"
                ):
                    running = False
        running = running or statement.terminator in _BACKGROUND
    return running


def _of(command: nodes.Command) -> bool:
    return (
        isinstance(command, nodes.Compound)
        and command.kind != "function"
        and any(_in(body) for body in command.bodies)
    )
