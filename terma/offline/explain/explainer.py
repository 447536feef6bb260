"""From a failure to an explanation: the first rule that holds speaks; where none does, the telling lines do."""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import ModuleType

from terma import added, registry
from terma.offline.explain import trust
from terma.offline.explain.case import NO_PROGRAM, Case
from terma.offline.explain.claims import hold, without_guess
from terma.offline.explain.contents import spoken
from terma.offline.explain.evidence.tidy import without_near_names
from terma.offline.explain.far import far, only_said
from terma.offline.explain.finders import further
from terma.offline.explain.finding import Finding
from terma.offline.explain.focus import focused
from terma.offline.explain.looks import look
from terma.offline.explain.mends import mended
from terma.offline.explain.model import Explanation, Failure
from terma.offline.explain.moved import where_it_failed
from terma.offline.explain.neighbours import lying_near, misnamed
from terma.offline.explain.proof import Proved, proved
from terma.offline.explain.questions import NOT_TOLD, answer, tells
from terma.offline.explain.raised import named_as_here
from terma.offline.explain.read_data import told_of_data
from terma.offline.explain.rule import Rank, Rule, has_hole
from terma.offline.explain.seen import seen
from terma.offline.explain.shapes import certain
from terma.offline.explain.showing import shown
from terma.offline.explain.unrecognised import NO_MORE, unrecognised
from terma.text import sanitize
from terma.types import Fix, WhyQuery

MAX_COMMAND, MAX_OUTPUT, MAX_LINE = 4096, 12288, 320  # code points; a capture brings about 8,000
# Seconds of this thread's own work, however busy the machine is: the search through the rules takes some milliseconds
# but for output made to hurt.
BUDGET = 0.5
MAX_FIXES = 4
_GUESS = re.compile(r" Possibly, but not sure enough to be offered: `[^`]*`\.")
# What is said where a mode bars a stranger, and is untrue of an owner.
_ROOT_MAY = re.compile(r" Your user may not do that; root may \(\w+\)\.")
_FAMILIES = "terma.offline.explain.families"


def rules() -> tuple[Rule, ...]:
    """Every rule of every family, ours and the person's own, in the order in which they are tried."""
    return _rules(added.stamp(_FAMILIES))


@lru_cache(maxsize=1)
def _rules(_stamp: tuple[object, ...]) -> tuple[Rule, ...]:
    families = [*registry.modules(_FAMILIES)]
    families += (family for _, family in added.every(_FAMILIES, lambda _line: None, of_family))
    found = itertools.chain.from_iterable(map(of_family, families))
    return tuple(sorted(found, key=lambda rule: rule.rank))


def of_family(family: ModuleType) -> list[Rule]:
    """The RULES of a family; where it has PROGRAMS it speaks of those alone. Raises what a broken one raises."""
    programs = getattr(family, "PROGRAMS", "")
    return [replace(rule, program=rule.program or programs) for rule in family.RULES]


def explain(failure: Failure | WhyQuery) -> Explanation:
    """What went wrong and what to type, a question answered first. Never raises, never runs the failed command.

    It reads names around `failure.cwd`, and the machine's own facts where a rule asks for them (`machine/`); a tool's
    --help is read only for programs of a fixed list."""
    failure = clean(Failure.of(failure) if isinstance(failure, WhyQuery) else failure)
    case = _of_its_own_words(where_it_failed(Case(failure)))
    there = far(case)
    found = only_said(_recognised(there), there.where) if there else _looked_up(case, _recognised(case))
    asked = _answer(case)
    if asked == NOT_TOLD and tells(found.text, failure.question):
        asked = ""  # the explanation does
    text = f"{asked} {found.text.replace(f' {asked}', '')}" if asked else found.text
    looks = () if there or found.fixes else _looks(case)
    if not there:
        text = _with_seen(case, found, text)
    return replace(found, text=named_as_here(case, text) + shown(case, found.at), looks=looks)


def _with_seen(case: Case, found: Explanation, text: str) -> str:
    """`text` with what the machine shows of the thing that was asked for, where it is not told yet."""
    said = (seen(case) or told_of_data(case)) if case.status > 0 else ""
    number = re.search(r"\d{2,}", said)
    if not said or (number and number.group() in text):
        return text
    return f"{text.replace(NO_MORE, '') if found.rule == 'unknown' else text} {said}"


def _looks(case: Case) -> tuple[Fix, ...]:
    """The look that an expert takes where nothing mends the failure, as sure as looks were measured to be."""
    name, command = look(case)
    return (Fix(command, round(trust.confidence(name, "look"), 2), look=True),) if command else ()


def _of_its_own_words(case: Case) -> Case:
    """`case` without what it printed of the files that it was to show: an error in a log is not the command's. Of its
    own complaints those about what was typed."""
    said = spoken(case)
    if said == case.output or case.status == 0:
        said = focused(case)
        return case if said == case.output else Case(replace(case.failure, output=said))
    own = Case(replace(case.failure, output=said))
    own.only_contents = not said.strip()
    return own


def _looked_up(case: Case, found: Explanation) -> Explanation:
    """What a look at the command's shape and the files near by adds: a sentence to every answer, a fix to one that has
    none, and the better fix where the shape itself tells it."""
    if case.status == 0:
        return found
    try:
        if better := _first_that_holds(case, replace(found, fixes=()), certain(case)):
            return better
        name, more = "mends", mended(case) or lying_near(case)
        none = (more is None or not more.fix) and not found.fixes
        if none and (better := _first_that_holds(case, found, further(case))):
            return better
        if none and found.rule == "unknown" and (named := misnamed(case)):
            return _with(case, found, "misnamed", named)
    except Exception:  # a file that cannot be read the way it looks
        if os.environ.get("TERMA_DEBUG"):
            raise
        return found
    return found if more is None else _with(case, found, name, more)


def _first_that_holds(
    case: Case, found: Explanation, more: Iterator[tuple[str, Finding]]
) -> Explanation | None:
    """`found` with the first finding whose fix is proved; None where none is."""
    for name, one in more:
        better = _with(case, found, name, one)
        if better.fixes:
            return better
    return None


def _with(case: Case, found: Explanation, name: str, more: Finding) -> Explanation:
    """`found` with what a look-up says, and its fix where there is none yet."""
    fixes, source = found.fixes, found.source
    text = found.text.replace(NO_MORE, "") if found.rule == "unknown" else found.text
    guessed = f"`{more.fix}`" in text
    if not fixes and (
        not guessed or name.startswith("shape.")
    ):  # a shape knows more than a rule that guessed
        source = name
        fixes = _fixes(proved(case, [more.fix], bound=True).fixes, case, name)
        text = _GUESS.sub("", text) if fixes and guessed else text
    if name == "shape.barred" and fixes:
        text = _ROOT_MAY.sub("", text)
        more = Finding("" if "chmod u+" in text else more.said, more.fix)
    told = re.match(r"There is (\S+)\.$", more.said)
    said = "" if not more.said or (told and told[1] in text) else f" {more.said}"
    return replace(found, text=text + said, fixes=fixes, source=source if fixes else "")


def _answer(case: Case) -> str:
    try:
        return sanitize(answer(case))
    except Exception:  # a fact that cannot be had is left out
        if os.environ.get("TERMA_DEBUG"):
            raise
        return ""


def _recognised(case: Case) -> Explanation:
    """What the first rule that holds says. An advice of the output of which nothing can be typed here gives way to a
    later rule with a fix."""
    tried: Iterable[Rule] = rules()  # the first time they are read, which is no search
    if (
        case.ended == NO_PROGRAM and len(case.failure.statuses) > 1
    ):  # what the others say of a pipe without an end
        tried = sorted(tried, key=lambda rule: not rule.name.startswith("command."))
    end = time.thread_time() + BUDGET
    empty: Explanation | None = None
    for rule in tried:
        if time.thread_time() > end or (empty and rule.band != Rank.ADVICE):
            break
        try:
            found = _by_rule(case, rule)
        except Exception:  # a rule that stumbles over hostile text must not take the others down
            if os.environ.get("TERMA_DEBUG"):
                raise
            continue
        if found and (found.fixes or rule.band != Rank.ADVICE):
            return empty if empty and not found.fixes else found
        empty = empty or found
    return empty or Explanation(unrecognised(case), (), "unknown")


def _by_rule(case: Case, rule: Rule) -> Explanation | None:
    """What `rule` says of this failure, with those of its fixes that are proved; None where it does not hold."""
    facts = rule.facts(case)
    text = rule.say(case, facts) if facts is not None else ""
    if facts is None or not text or has_hole(case, text) or not hold(case, rule.claims(case, facts)):
        return None
    found = proved(case, rule.propose(case, facts), rule.rewrites)
    fixes = _fixes(found.fixes, case, rule.name)
    said = _withheld(found) if fixes or not found.fixes else _guessed(found.fixes[0])
    if not found.fixes and not found.withheld:
        text = without_guess(text)
    return Explanation(text + said, fixes, rule.name, at=rule.told_at(case))


def _withheld(found: Proved) -> str:
    """A fix that nobody asked for, in words: it is named, and not inserted."""
    if found.fixes or not found.withheld:
        return ""
    command, danger = found.withheld[0]
    return f" `{sanitize(command)}` would go on all the same, but it {_verb(danger)}: only if you want that."


def _guessed(command: str) -> str:
    """A fix that was seen to be wrong too often, as a possibility."""
    return f" Possibly, but not sure enough to be offered: `{sanitize(command)}`."


def _verb(danger: str) -> str:
    """What the risk rules say of a command ("deletes: drops a table") as the rest of a sentence."""
    return danger.rpartition(": ")[2]


def _tamed(output: str) -> str:
    """The output with over-long lines and blanks shortened: a pattern's time may grow with the square of a line."""
    lines = (
        line if len(line) <= MAX_LINE else line[: MAX_LINE * 3 // 4] + " … " + line[-MAX_LINE // 4 :]
        for line in output.split("\n")
    )
    return re.sub(r"\n{4,}", "\n\n\n", re.sub(r"[ \t]{81,}", " " * 80, "\n".join(lines)))


def clean(failure: Failure) -> Failure:
    """`failure` with its alias written out, and its output cut to what is read, without control characters."""
    output = without_near_names(failure.output) if failure.shell == "xonsh" else failure.output
    if len(output) > MAX_OUTPUT:
        output = output[: MAX_OUTPUT // 4] + "\n" + output[-3 * MAX_OUTPUT // 4 :]
    command = _unaliased(sanitize(failure.command[:MAX_COMMAND]), failure.aliases)
    return replace(failure, command=command, output=_tamed(sanitize(output)))


def _unaliased(command: str, aliases: Mapping[str, str]) -> str:
    """The command with a leading alias written out, when what it stands for is a program with its arguments."""
    first, blank, rest = command.lstrip().partition(" ")
    meaning = aliases.get(first, "")
    return f"{meaning}{blank}{rest}" if meaning and meaning.split()[0] != first else command


def _fixes(commands: Iterable[str], case: Case, rule: str) -> tuple[Fix, ...]:
    """What may be inserted, with its measured confidence; one after the first is right where those before are wrong."""
    fresh: dict[str, str] = {}  # of twins the first
    for command in (sanitize(one).strip() for one in commands):
        if command and command != case.command.strip():
            fresh.setdefault(command.lower(), command)
    found, left = [], 1.0
    for command in list(fresh.values())[:MAX_FIXES]:
        share = trust.confidence(rule, trust.kind_of(case, command))
        if share >= trust.INSERTED:
            found.append(Fix(command, round(share * left, 2)))
            left *= 1 - share
        elif not found:
            return ()  # the best one is a guess, and the others were further from what was meant
    return tuple(found)
