"""Questions what a command, or a sign of the shell, does: which of their words are the command, and the answer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from terma.agent.chat.unanswered import NARROWING, of_one_case
from terma.offline.lexicon import STOP
from terma.pieces import Asked, explain
from terma.pieces.model import NO_PROGRAM, Piece
from terma.pieces.programs import DYNAMIC
from terma.pieces.signs import sign
from terma.text import one_line
from terma.types import Query

_POLITE = r"(?:please,?\s+|(?:can|could|would|will) you\s+(?:please\s+)?|and\s+|so\s+|ok(?:ay)?,?\s+)*"
_WHAT = (
    r"(?:what\s+)?(?:(?:the|this|these|a) (?:command|flags?|options?|line|sign|symbol|operator"
    r"|numbers?|digits?|letters?|parts?)(?:\s+in|:)?\s+)?"
)
_DO = r"(?:do(?:es)?|means?|stands? for|would do|will do)"
_RUN = r"(?:run(?:ning)?|execut(?:e|ing)|do(?:ing)?|us(?:e|ing)|typ(?:e|ing)|enter(?:ing)?|call(?:ing)?)"
_FORMS = tuple(
    re.compile(rf"(?is)^\W*{_POLITE}(?:{form})$")
    for form in (
        rf"(?:explain|describe):?\s+(?:to me:?\s+)?{_WHAT}(?P<c>.+?)(?:\s+{_DO})?",
        rf"(?:tell|show) me:?\s+what\s+{_WHAT}(?P<c>.+?)\s+{_DO}",
        rf"what(?:'ll| would| will|) happens? (?:if|when) (?:i|you|we|one|somebody) {_RUN}\s+(?P<c>.+?)",
        rf"(?:explain|describe|show me|tell me):?\s+how\s+{_WHAT}(?P<c>.+?)\s+works?",
        rf"how (?:does|do)\s+{_WHAT}(?P<c>.+?)\s+work",
        rf"what (?:does|do|is|are|was|'s|would|will|did|might|could)\s+{_WHAT}(?P<c>.+?)"
        rf"(?:\s+(?:{_DO}|mean|for))?",
        rf"what's\s+{_WHAT}(?P<c>.+?)(?:\s+for)?",
        rf"what\s+{_WHAT}(?P<c>.+?)\s+(?:does|means)",
        rf"(?:what(?:'s| is)\s+)?(?:the )?meaning of\s+{_WHAT}(?P<c>.+?)",
        rf"(?P<safe>is it (?:safe|ok(?:ay)?|fine|risky|dangerous|harmful|a good idea)) to {_RUN}\s+(?P<c>.+?)",
        rf"(?P<safe>is)\s+{_WHAT}(?P<c>.+?)\s+(?:safe|risky|dangerous|harmful)(?: to {_RUN})?",
    )
)
_LOOSE = re.compile(r"(?i)^\W*(?:what(?: is\b| are\b| was\b|'s\b).*(?<! for)\Z|.*\bhow\b)")
_DOES = re.compile(rf"(?i)^\W*{_POLITE}what (?:do|does|would|will|did|might|could)\s")
_WORDED = re.compile(r"(?i)\b(?:mean|means|meaning)\b|^\W*what do \S+ (?:and|or) ")
_VERB = re.compile(r"(?<![;\n])\s+(?:do|does)\s+(?=\S)")  # not a loop's
_BEHIND = re.compile(
    r"(?i),?\s+(?:please|thanks?(?: you)?|(?:to|for) me|in (?:(?:plain|simple|other) )?(?:words|english|terms|detail)"
    r"|briefly|shortly|exactly|actually|step by step|piece by piece)[\s.?!]*\Z"
)
_BOTH = re.compile(
    r"(?i)\b(?:difference|compare)\b.*?\s(?:between\s+)?(\S+)\s+(?:and|to|with|vs\.?|versus)\s+(\S+?)[\s?.!]*\Z"
)
_WHERE = {"here", "there", "now", "then"}  # what follows a verb
_ENDS = re.compile(r"(?:\s+[?!]|(?<=[^\s$])[?!.])+\Z")
_QUOTES = ("`", "'", '"', "“", "‘")
_OTHER = {"“": "”", "‘": "’"}


@dataclass(frozen=True, slots=True)
class CommandQuestion:
    """`loose`: the sentence asks of many things what they are; `safety`: it asks whether that does harm; `verbed`: its
    own verb may stand behind the command ("what does ls -l show")."""

    command: str
    loose: bool = False
    safety: bool = False
    verbed: bool = False
    worded: bool = False


def wanted(question: str) -> Iterator[CommandQuestion]:
    """Readings of the question, the likeliest first."""
    text = question.strip()
    while (shorter := _BEHIND.sub("", text)) != text:
        text = shorter
    readings = [_ENDS.sub("", text)]
    if len(readings[0].split()) < len(text.split()):
        readings.append(text)  # "explain !!": what stands at the end may be the sign that is asked about
    for whole in dict.fromkeys(readings):
        for form in _FORMS:
            found = form.match(whole)
            command = unquoted(found["c"]) if found else ""
            if found and command:
                groups = found.groupdict()
                worded = bool(_WORDED.search(whole))
                verbed = bool(_DOES.match(whole)) and found.end("c") == len(whole.rstrip())
                yield CommandQuestion(
                    command, bool(_LOOSE.search(whole)), bool(groups.get("safe")), verbed, worded
                )


def pair(question: str) -> tuple[str, str] | None:
    """The two whose difference is asked for, each one word."""
    found = _BOTH.search(question)
    return (unquoted(found[1]), unquoted(found[2])) if found else None


def unquoted(text: str) -> str:
    """Without the quotes around all of it."""
    text = text.strip()
    for mark in _QUOTES:
        end = _OTHER.get(mark, mark)
        if len(text) > 1 and text[0] == mark and text[-1] == end and text.count(end) == 1 + (mark == end):
            return text[1:-1].strip()
    return text


def explained(question: str, query: Query) -> str:
    """What the command of the question does, piece by piece; "" where none is asked about, or nothing is known."""
    asked = Asked("", query.shell, query.path, query.cwd or "/")
    if two := pair(question):
        signs = [sign(one, asked) for one in two]
        if all(signs):
            return "\n".join(f"- `{one[0]}`: {one[1]}" for one in signs if one)
        each = [told_of(CommandQuestion(one), asked) for one in two if one[:1].isalnum()]
        if len(each) == 2 and all(each):
            return "\n".join(
                [*each, "", "That is what is known here of each; which is better for what is not."]
            )
    readings = (told_of(one, asked) for one in wanted(question))
    return next(filter(None, readings), "")


def told_of(one: CommandQuestion, asked: Asked) -> str:
    if found := sign(one.command, asked):
        return f"- `{found[0]}`: {found[1]}"
    if one.safety and " " not in one.command:
        return ""  # a program alone is neither
    if one.loose and " " in one.command and "-" not in one.command:
        return ""  # "what is time in Tokyo": a program's name may begin a sentence
    if one.verbed and (verb := _VERB.search(one.command)):
        line, rest = one.command[: verb.start()], one.command[verb.end() :]
        return of_one_case(told_of(replace(one, command=line, verbed=False), asked), rest)
    told = explain(replace(asked, line=one.command))
    if one.worded and len(told.pieces) > 1 and _is_word(told.pieces[1], asked.cwd):
        return ""  # "what does command not found mean": the words of a message
    line, rest = one.command, ""
    if one.verbed and (shorter := _without_verb(told.pieces, line, asked.cwd)):
        line, rest = shorter, line[len(shorter) :]
        if found := sign(line, asked):
            return f"- `{found[0]}`: {found[1]}"
        told = explain(replace(asked, line=line))
    if case := _case(told.pieces, asked.cwd):
        told, rest = explain(replace(asked, line=line[: case.start].rstrip())), line[case.start :]
    if told.pieces and told.pieces[0].says == DYNAMIC and " " not in line:
        return ""  # a pattern alone runs nothing that is known
    known = [piece for piece in told.pieces if piece.says and piece.says != NO_PROGRAM]
    if not known or known[0].start > 0:
        return ""
    if len(known) == 1 < len(told.pieces) and "-" not in one.command:
        return ""  # words behind a word that is a program's name, too
    shown = [piece for piece in told.pieces if piece.says or piece.kind == "option"]
    rows = [f"{'  ' * piece.depth}- `{one_line(piece.text)}`: {piece.told}" for piece in shown]
    if told.level != "low":
        rows.append(f"\n{told.level} risk: {'; '.join(told.reasons)}")
    elif one.safety and all(piece.says and piece.says != NO_PROGRAM for piece in told.pieces):
        rows.append("\nlow risk: nothing is known of it that deletes, overwrites or sends anything")
    elif one.safety:
        rows.append("\nNot all of it is known here, so nothing is said of its risk.")
    return of_one_case("\n".join(rows), rest)


def _case(pieces: Sequence[Piece], cwd: str) -> Piece | None:
    """The word with which the question begins to ask of one case alone ("rm without arguments")."""
    return next((one for one in pieces[1:] if one.text in NARROWING and _is_word(one, cwd)), None)


def _without_verb(pieces: Sequence[Piece], command: str, cwd: str) -> str:
    """The command without the sentence's verb, and what follows that: plain words that would be operands, and are no
    file's name. "" where there is none."""
    plain: list[Piece] = []
    for piece in reversed(pieces):
        if not _is_word(piece, cwd):
            break
        plain.insert(0, piece)
    if not plain:
        return ""
    behind = (at for at, piece in enumerate(plain) if piece.text.lower() in STOP | _WHERE)
    small = next(behind, len(plain))
    return command[: plain[max(0, small - 1)].start].rstrip()


def _is_word(piece: Piece, cwd: str) -> bool:
    """Whether it is a plain word that would be an operand, or a program that is not here, and no file's name."""
    plain = piece.kind == "operand" or piece.says == NO_PROGRAM
    return plain and piece.text.isalpha() and not os.path.lexists(f"{cwd}/{piece.text}")
