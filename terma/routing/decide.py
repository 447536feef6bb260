"""The decision: evidence of the prefix, of the dictionary, of questions and of the sentence, added up."""

from __future__ import annotations

from collections.abc import Iterator

from terma.routing import commands, questions
from terma.routing.evidence import Known, Route, Signal, weigh
from terma.routing.line import cut, without_comment
from terma.routing.prefix import forced
from terma.routing.weights import of

FORCED = 20.0
CERTAIN = 0.975  # from which Ctrl+T takes a line for a command: more than any labelled sentence has
MAX_LINE = 2_000  # code points that are looked at
MAX_LINES = 20  # of a paste that are looked at


def route(line: str, known: Known) -> Route:
    """Whether `line`, as typed, is a command for the shell or a prompt for the model. Takes a fraction of a millisecond
    once PATH was read. Never raises."""
    kind, rest = forced(line[:MAX_LINE])
    if kind:
        mark = line.lstrip()[0]
        sign = 1 if kind == "command" else -1
        return weigh([Signal("prefix", sign * FORCED, f"{mark!r} in front makes it a {kind}")])
    lines = [text for text in rest.split("\n") if text.strip()] if "\n" in rest else [rest]
    if len(lines) < 2:
        return weigh(_signals("".join(lines).strip(), known))
    return weigh(_pasted(rest, lines[:MAX_LINES], known))


def is_certain_command(found: Route) -> bool:
    """Whether nobody would mean this line as words for a model."""
    against = any(signal.weight < 0 or signal.either for signal in found.signals)
    return found.kind == "command" and found.score >= CERTAIN and not against


def _signals(line: str, known: Known) -> Iterator[Signal]:
    line = without_comment(line)
    if not line:
        return
    yield from questions.weigh_line(line)
    yield from commands.weigh_commands(line, known)


def _pasted(whole: str, lines: list[str], known: Known) -> Iterator[Signal]:
    """Several lines: the first as it is, since a script begins with a command; the others by what each says alone."""
    yield from questions.weigh_line(lines[0].strip())
    yield from commands.weigh_commands(whole.strip(), known)
    if len(cut(whole)) <= 1:
        return  # a quoted text that goes over lines
    said = sum(weigh(_signals(text.strip(), known)).kind == "prompt" for text in lines[1:])
    most = said * 2 > len(lines) - 1
    weight = of("pasted sentences") if most else of("pasted sentence") * said
    yield Signal("structure", weight, f"{said} of the lines below are no commands alone")
