"""A line that is one pipeline of simple commands: all else is changed by a model."""

from __future__ import annotations

from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree


def pipeline(command: str) -> list[tree.Simple]:
    """Its commands; [] for all else."""
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return []
    if len(script.statements) != 1 or script.statements[0].terminator or script.foreign:
        return []
    pipelines = script.statements[0].pipelines
    if len(pipelines) != 1 or pipelines[0].negated:
        return []
    found = [one for one in pipelines[0].commands if isinstance(one, tree.Simple) and one.words]
    return found if len(found) == len(pipelines[0].commands) else []
