"""A rule: how a failure is recognised, what is said of it, and what to type; a row of data plus small functions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from terma.offline.explain.case import Case
from terma.offline.explain.claims import Claim, Kind, lines_with
from terma.offline.explain.line import quote
from terma.offline.explain.own_words import are_the_systems, spoken_by
from terma.offline.explain.pathnames import subject

MAX_OUTPUT = 40000  # code points of output, so matches that a search may step over
# Families that are bound to no program: they read only lines that tell the failure, and none about a place in a source.
GENERIC = frozenset(("files", "permission", "network", "options"))
_OF_PATHS = frozenset(("files", "permission"))
# Where a name was to stand and does not; what the output has itself is no hole.
_HOLE = re.compile(r"^\s|\S{1,4} {2,}\S{1,4}|\S{1,4} [.,](?=\s+[A-Z]|$)|(?:^|\s)(?:''|‘’)(?=\s|[.,]|$)")
Facts = Mapping[str, str]
Text = str | Callable[[Case, Facts], str]
Fixes = tuple[str, ...] | Callable[[Case, Facts], Iterable[str]]


class Rank(IntEnum):
    """Where each band of ranks begins: a band is tried as a whole before the next; within it the number orders."""

    LOOKED_UP = 10  # what a look at the file or at the machine decides, whatever the words are
    TOOL = 16  # one tool's own words
    TOPIC = 30  # what several tools of a topic say: compilers, git's remotes, a refused write
    COMMON = 40  # messages that most programs share
    ADVICE = 60  # what the output itself advises, and the widest patterns
    INFERRED = 80  # nothing was said: what status, command and machine let one infer

    @classmethod
    def of(cls, number: int) -> Rank:
        """The band that `number` lies in."""
        return max((band for band in cls if band <= number), default=cls.LOOKED_UP)


@dataclass(frozen=True, slots=True)
class Rule:
    """One recognised failure.

    `sign` is a lower-case piece of the output (several: any of them) that makes the rule worth trying; `pattern` is
    searched in the output, and its named groups are the facts. `program` lists the programs it is for, `status` the
    exit statuses; empty means any. `text` and `fixes` are templates of facts, `{command}`, `{program}`, `{status}`, or
    functions. In a fix, facts are quoted for the shell. An empty text means that the rule does not hold after all.
    Rules of lower `rank` are tried first, in the bands of `Rank`. `rewrites`: what it changes in a command follows from
    what it knows of that program, so its fixes need not be named wrong by the output. `speakers`: who may say it, where
    another program may have started them: the program of the command, or the first word of the line. `typed` are the
    facts that were typed, by what it says, `blames` what of the command is at fault: the gate holds them against it.
    """

    name: str
    sign: str | tuple[str, ...]
    pattern: str
    text: Text
    fixes: Fixes = ()
    program: str = ""
    status: tuple[int, ...] = ()
    rank: int = 50
    rewrites: bool = False
    speakers: str = ""
    typed: tuple[str, ...] = ()
    blames: Kind | None = None

    @property
    def band(self) -> Rank:
        """The band that its rank lies in."""
        return Rank.of(self.rank)

    @property
    def bound(self) -> bool:
        """Whether its fixes follow from knowledge of the program, and not from the output alone."""
        return self.rewrites or bool(self.program)

    @property
    def _signs(self) -> tuple[str, ...]:
        return (self.sign,) if isinstance(self.sign, str) else self.sign

    def facts(self, case: Case) -> Facts | None:
        """The facts of this failure, or None when the rule is not for it."""
        signs = self._signs
        if signs and not any(sign in case.low for sign in signs):  # `low` holds the joined lines as well
            return None
        if self.status and case.status not in self.status:
            return None
        of_words = self.name.startswith("options.")  # what was typed is refused, and not by the system
        if not self.program and not of_words and not are_the_systems(case.low, signs):
            return None
        if self.speakers and not spoken_by(case.low, case.program, frozenset(self.speakers.split()), signs):
            return None
        part = case.part_of(self.program.split()) if self.program else case.part
        if part < 0 < len(self.program):
            return None
        known = {"command": case.command, "program": case.program, "status": str(case.status)}
        found = self._match(case)
        if self.pattern and found is None:
            return None
        case.turn_to(part)
        known["program"] = case.program
        if found is None:
            return known
        told = known | {name: (value or "").strip() for name, value in found.groupdict().items()}
        return self._of_a_path(case, told, found)

    def _of_a_path(self, case: Case, told: Facts, found: re.Match[str]) -> Facts | None:
        """`told` with the path that the line does complain of; None where a rule of files has none to speak of."""
        family = self.name.partition(".")[0]
        if family not in _OF_PATHS or self.program or not told.get("path"):
            return told
        begin = found.string.rfind("\n", 0, found.start("path")) + 1
        line = found.string[begin:].partition("\n")[0]
        path = subject(case, told["path"], line)
        return None if not path and family == "files" else {**told, "path": path}

    def _match(self, case: Case) -> re.Match[str] | None:
        """The pattern in the output as it stood, else where its broken lines are joined."""
        if not self.pattern:
            return None
        if self.name.partition(".")[0] in GENERIC and not self.bound:
            return _search(self.pattern, case.about_command, self._signs)
        if self.name.startswith("shell.") and not case.shell_spoke:
            return None
        beside = self._signs if "(?P<line>" in self.pattern and "(?P<path>" in self.pattern else ()
        found = _search(self.pattern, case.output, beside)  # what is said of a place stands in its row
        if (found is None or not found.group()) and case.evidence.flat != case.output:
            found = _search(self.pattern, case.evidence.flat, beside) or found
        return found

    def claims(self, case: Case, facts: Facts) -> list[Claim]:
        """What is claimed of this failure beside the message, for the gate: what was typed, what of the command is at
        fault, and, of what is bound to no program, that the output tells it where it tells the failure."""
        found = [Claim(Kind.TYPED, facts[name]) for name in self.typed if facts.get(name)]
        found += [Claim(self.blames)] if self.blames else []
        if self.program or not any(self._signs) or "usage" in self.name:
            return found
        return [*found, Claim(Kind.TOLD, at=self.told_at(case))]

    def told_at(self, case: Case) -> tuple[int, ...]:
        """The lines of the evidence that the rule was read from: those of its match, else those that hold a sign."""
        match = self._match(case)
        if match is not None and match.group():
            text = match.string
            begin = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            return lines_with(case, text[begin : end if end >= 0 else len(text)])
        rows = enumerate(map(str.lower, case.evidence.lines))
        return tuple(index for index, row in rows if any(sign in row for sign in self._signs))

    def say(self, case: Case, facts: Facts) -> str:
        """The explanation, "" when the rule does not hold."""
        return self.text(case, facts) if callable(self.text) else _filled(self.text, facts)

    def propose(self, case: Case, facts: Facts) -> list[str]:
        """The commands to type instead, best first; may hold empty strings and repeats."""
        if callable(self.fixes):
            return list(self.fixes(case, facts))
        quoted = {k: v if k == "command" else quote(v) for k, v in facts.items()}
        return [template.format_map(quoted) for template in self.fixes]


def _filled(template: str, facts: Facts) -> str:
    """The template with its facts; a sentence of which every fact is missing is left out, for it would have a hole."""
    kept = []
    for sentence in re.split(r"(?<=[.?!]) (?=[A-Z{])", template):
        names = re.findall(r"(?<!\{)\{(\w+)\}", sentence)
        if not names or any(facts.get(name) for name in names):
            kept.append(sentence.format_map(facts))
    said = " ".join(kept)
    holes = any(not facts.get(name) for name in re.findall(r"(?<!\{)\{(\w+)\}", template))
    return re.sub(r" \(\)| +(?=[.,;:](?:\s|$))", "", said).strip() if holes else said


def has_hole(case: Case, text: str) -> bool:
    """Whether a name is missing in `text`: what is said of it is no claim, and the output says more."""
    said = f"{case.output}\n{case.evidence.flat}\n{case.command}"
    return any(hole.group() not in said for hole in _HOLE.finditer(text))


def _search(pattern: str, output: str, signs: tuple[str, ...] = ()) -> re.Match[str] | None:
    """The first match that holds something; an all-optional pattern may match nothing, and that counts last. Where
    `signs` are given, a match beside one in its line comes first, and nothing before what stands in another line: a
    stack frame or a note has hosts and numbers too. Names that are whole come before such as hold half a bracket."""
    empty = other = torn = None
    for match in itertools.islice(re.finditer(pattern, output, re.IGNORECASE | re.MULTILINE), MAX_OUTPUT):
        if match.group() and (not signs or _beside(match, output, signs)):
            if _is_whole(match):
                return match
            torn = torn or match
        elif match.group():
            other = other or match
        else:
            empty = empty or match
    return torn or empty or other


def _is_whole(match: re.Match[str]) -> bool:
    """Whether no word among its facts opens a bracket that it does not close, and no number is a piece of a longer one
    or of an address."""
    spans = [(value, match.start(at), match.end(at)) for at, value in enumerate(match.groups(), 1) if value]
    return all(
        value.count("(") == value.count(")") and value.count("[") == value.count("]")
        for value, _, _ in spans
        if not re.search(r"\s", value)
    ) and not any(
        re.search(r"\d\.?$", match.string[:start][-2:]) or re.match(r"\.?\d", match.string[end:][:2])
        for value, start, end in spans
        if value.isdigit()
    )


def _beside(match: re.Match[str], output: str, signs: tuple[str, ...]) -> bool:
    """Whether one of `signs` stands in a line that `match` touches."""
    begin = output.rfind("\n", 0, match.start()) + 1
    end = output.find("\n", match.end())
    lines = output[begin : end if end >= 0 else len(output)].lower()
    return any(sign in lines for sign in signs)


def sudo(case: Case, _facts: Facts) -> list[str]:
    """The same, as root."""
    return [case.with_sudo()]
