"""One failure under examination: its command cut into words, the part that failed, and that part changed."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from terma.machine import manual
from terma.machine.options import options_of
from terma.offline.explain.evidence import Evidence, Weight, extract
from terma.offline.explain.failing import Pipeline, failing, pipelines, status_of
from terma.offline.explain.line import Word, only_file, program_at, quote, words_of
from terma.offline.explain.model import Failure
from terma.offline.explain.suboptions import OPTIONS
from terma.offline.explain.surroundings import BUILTINS, Surroundings

INTERPRETER = re.compile(
    r"(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|tclsh|wish|Rscript|julia|bash|sh|zsh|dash|ksh|fish)[\d.]*"
)
NO_PROGRAM = 127  # the status of a shell that finds none
# What only the shell itself can do: sudo finds no such program.
SHELL_ONLY = BUILTINS - set("echo type read test printf pwd kill time env true false [".split())


class Case(Surroundings):
    """A Failure with what can be found out about it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.cwd, failure.path)
        self.failure = failure
        self.command, self.status, self.output = failure.command, failure.status, failure.output
        self.only_contents = (
            False  # whether all that was printed is what the files hold that were to be shown
        )

    @cached_property
    def low(self) -> str:
        """The output in lower case, as it stood and with its broken lines joined."""
        flat = self.evidence.flat
        return (self.output if flat == self.output else f"{self.output}\n{flat}").lower()

    @cached_property
    def evidence(self) -> Evidence:
        """What the output shows by its shapes."""
        names = frozenset(
            filter(None, (self.program_of(part) for part in {word.part for word in self.words}))
        )
        file = only_file(self.command, self.words, self.is_file)
        here = self.is_regular, self.runs
        return extract(self.output, names, self.cwd, self.failure.columns, *here, file)

    @cached_property
    def about_command(self) -> str:
        """The lines that tell what went wrong, without those about a place in a source: a rule that knows no program
        may read these alone. A shell's own scripts are no such source."""
        found = self.evidence
        sources = {
            p.index
            for p in found.places
            if not p.file.endswith((".sh", ".bash", ".zsh")) and not self._ran(p.file)
        }
        kept = (
            line
            for index, (line, weight) in enumerate(zip(found.lines, found.weights, strict=True))
            if weight >= Weight.NOTE and not (index in sources and weight == Weight.ERROR)
        )
        return "\n".join(kept) or found.line

    @cached_property
    def shell_spoke(self) -> bool:
        """Whether a shell complains itself: by its name, or by a line of a script of its own."""
        return (
            bool(
                re.search(
                    r"(?m)^(?:-?\w{0,3}sh(?::| \()|[^\s:]+: (?:line )?\d+: |(?:Syntax|Parse)? ?error)",
                    self.output,
                )
            )
            or not self.output
        )

    def _ran(self, file: str) -> bool:
        """Whether `file` is a script that the command gave to a shell."""
        shells = {"bash", "sh", "zsh", "dash", "ksh", "source", "."}
        if not file.startswith("./") and self.program not in shells:
            return False
        return any(word.value.removeprefix("./") == file.removeprefix("./") for word in self.words)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return words_of(self.command)

    @cached_property
    def pipelines(self) -> tuple[Pipeline, ...]:
        return pipelines(self.command, self.words, self.failure.shell)

    @cached_property
    def goes_on(self) -> bool:
        """Whether the line is a list that goes on when a command of it fails, so that its status tells of the last."""
        return any(line.joint in (";", "&", "||") for line in self.pipelines)

    @cached_property
    def suspects(self) -> tuple[int, ...]:
        """The simple commands that may have failed, by the statuses; all of them where nothing rules one out."""
        told = failing(self.pipelines, self.status, self.failure.statuses, self._was_named)
        return told or tuple(sorted({word.part for word in self.words}))

    @cached_property
    def part(self) -> int:
        """Which simple command failed: of the suspects the one whose words the output names."""
        gone = [part for part in self.suspects if self._not_found(part)]
        if len(gone) == 1:  # the others broke off because nobody read, or nothing came
            return gone[0]
        named = [part for part in self.suspects if self._spoke(part)]
        if (broke := self._broke_off) >= 0:
            return broke
        if named:
            return max(named, key=lambda part: (self._quoted(part), part))
        return self.suspects[0] if self.suspects else 0

    @cached_property
    def _broke_off(self) -> int:
        """The part at a word of which a shell gave the whole line up, so that no later one ran; -1 where none did."""
        own = re.fullmatch(rf"{re.escape(self.failure.shell or 'sh')}: (.*)", self.output.strip())
        if not own or len(self.suspects) != 1:
            return -1
        said = set(own[1].split())
        hit = {word.part for word in self.words if {word.value, word.value.removeprefix("=")} & said}
        return hit.pop() if len(hit) == 1 and hit.isdisjoint(self.suspects) else -1

    def _not_found(self, part: int) -> bool:
        """Whether a shell found no program for `part` of a pipe or a list: by its status, and by what was printed."""
        return len(self.suspects) > 1 and self._is_missing(part)

    def _was_named(self, part: int) -> bool:
        """Whether the output names the program of `part`, or a shell that did not find it does."""
        return self._spoke(part) or self._is_missing(part)

    def _is_missing(self, part: int) -> bool:
        own = status_of(self.pipelines, part, self.failure.statuses)
        if (self.status if own is None else own) != NO_PROGRAM:
            return False
        name = re.escape(self.program_of(part))
        return bool(re.search(rf"{name}: (?:command )?not found|not found: {name}(?!\S)", self.output))

    @cached_property
    def ended(self) -> int:
        """The exit status of the part that failed; that of the line where nothing more is known."""
        own = status_of(self.pipelines, self.part, self.failure.statuses) if self.blamed else None
        return self.status if own is None else own

    @cached_property
    def blamed(self) -> bool:
        """Whether something tells which command failed: it is the only suspect, or the output names it."""
        return len(self.suspects) <= 1 or any(
            self._spoke(part) or self._not_found(part) for part in self.suspects
        )

    def _spoke(self, part: int) -> bool:
        name = self.program_of(part)
        return bool(name) and bool(re.search(rf"(?m)^(?:\S*/)?{re.escape(name)}(?: |:)", self.output))

    def _quoted(self, part: int) -> int:
        """How many words of this part the output repeats."""
        said = set(re.split(r"[\s:,;()'\"`‘’“”]+", self.output))
        return sum(
            word.value in said for word in self.words if word.part == part and not word.value.startswith("-")
        )

    @cached_property
    def told(self) -> bool:
        """Whether the output names the program that failed."""
        return self._spoke(self.part)

    def part_of(self, names: list[str]) -> int:
        """The part whose program is one of `names`, -1 when none is: another than the one that failed only when the
        output does not say which that was."""
        if self.program in names:
            return self.part
        if self.told:
            return -1
        parts = sorted({word.part for word in self.words}, reverse=True)
        return next((part for part in parts if self.program_of(part) in names), -1)

    def turn_to(self, part: int) -> None:
        """Take `part` for the one that failed."""
        if part != self.part:
            for name in (
                "program",
                "program_file",
                "manual",
                "arguments",
                "args",
                "operands",
                "script",
                "speaker",
            ):
                self.__dict__.pop(name, None)
            self.part = part

    def program_of(self, part: int) -> str:
        """The program of a simple command of the line, without its path and without sudo and the like."""
        index = program_at(self.words, part)
        return self.words[index].value.rpartition("/")[2] if index >= 0 else ""

    @cached_property
    def program(self) -> str:
        """The program that failed, without its path and without sudo and the like."""
        return self.program_of(self.part)

    @cached_property
    def program_file(self) -> str:
        """The file of the program that failed: the one typed by its path, else the one of PATH; "" for none."""
        index = program_at(self.words, self.part)
        typed = self.words[index].value if index >= 0 else ""
        by_path = "/" in typed and typed.rpartition("/")[2] == self.program and self.is_file(typed)
        return str(self.at(typed)) if by_path else self.file_of(self.program)

    @cached_property
    def manual(self) -> str:
        """The manual page of the program that failed, as plain text; "" where there is none."""
        return manual.page(self.program, Path(self.program_file)) if self.program_file else ""

    @cached_property
    def arguments(self) -> tuple[Word, ...]:
        """The words after the program, redirections left out."""
        index = program_at(self.words, self.part)
        return tuple(w for w in self.words[index + 1 :] if w.part == self.part and not w.after)

    @cached_property
    def script(self) -> str:
        """The file that an interpreter was given to run, as typed; "" for none. What stands behind it is its own."""
        first = next(iter(self.args), "")
        runs = INTERPRETER.fullmatch(self.program) and not first.startswith("-")
        return first if runs and self.is_file(first) else ""

    @cached_property
    def speaker(self) -> str:
        """Who takes the arguments of the command: the script that an interpreter runs, else the program."""
        return self.script.rpartition("/")[2] or self.program

    @cached_property
    def args(self) -> tuple[str, ...]:
        return tuple(word.value for word in self.arguments)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The arguments that are no options."""
        return tuple(value for value in self.args if not value.startswith("-"))

    def swap(self, old: str, new: str, *, raw: bool = False) -> str:
        """The command with the word `old` (or the place where it stands inside a word) changed to `new`; "" if absent.

        `raw` inserts `new` as shell text."""
        text = new if raw else quote(new)
        mine = sorted(self.words, key=lambda word: word.part != self.part)
        for word in mine:
            if word.value == old or (word.value[:2] == "~/" and _from_home(word.value) == old):
                if word.value != old and new.startswith(_from_home("~/")):
                    text = quote("~/" + new.removeprefix(_from_home("~/")).lstrip("/"))
                return self.command[: word.start] + text + self.command[word.end :]
        for word in mine:
            typed = self.command[word.start : word.end]
            if old and old in typed and quote(new) == new:
                return self.command[: word.start] + typed.replace(old, new, 1) + self.command[word.end :]
        return ""

    def insert(self, text: str, after: str = "") -> str:
        """The command with `text` (shell text) right after the program, or after the argument `after`."""
        index = program_at(self.words, self.part)
        if index < 0:
            return ""
        place = self.words[index].end
        if after:
            place = next((word.end for word in self.arguments if word.value == after), place)
        return f"{self.command[:place]} {text}{self.command[place:]}"

    def append(self, text: str) -> str:
        """The command with `text` at the end of the part that failed."""
        mine = [word for word in self.words if word.part == self.part and not word.after]
        if not mine:
            return ""
        return f"{self.command[: mine[-1].end]} {text}{self.command[mine[-1].end :]}"

    @property
    def failed_text(self) -> str:
        """The simple command that failed, as typed; the whole line where nothing tells which one did."""
        mine = [word for word in self.words if word.part == self.part]
        return self.command[mine[0].start : mine[-1].end] if mine and self.blamed else self.command.strip()

    @property
    def spoke_text(self) -> str:
        """The one simple command whose program the output names, as typed, whether or not it gave the status; "" where
        none or several do."""
        spoke = [part for part in sorted({word.part for word in self.words}) if self._spoke(part)]
        mine = [word for word in self.words if len(spoke) == 1 and word.part == spoke[0]]
        return self.command[mine[0].start : mine[-1].end] if mine else ""

    @property
    def rest(self) -> str:
        """The command from the pipeline on that failed: what stands before it has done its work. The whole line where
        that cannot be told, or where an earlier part sets what a later one reads."""
        for line in self.pipelines if self.blamed else ():
            if self.part in line.parts:
                before = [word.value for word in self.words if word.part < line.parts[0]]
                if "=" in "".join(before[:1]) or not before:
                    return self.command.strip()
                start = next((word.start for word in self.words if word.part == line.parts[0]), 0)
                return self.command[start:].strip()
        return self.command.strip()

    def with_sudo(self) -> str:
        """The command with the failing part run by root; "" when it already is."""
        mine = [word for word in self.words if word.part == self.part]
        if not mine or mine[0].value in ("sudo", "doas") or self.program in SHELL_ONLY:
            return ""
        return f"{self.command[: mine[0].start]}sudo {self.command[mine[0].start :]}"

    def options(self) -> list[str]:
        """The long options of the program that failed, as far as this machine or our own list knows them."""
        sub = f"{self.program} {self.operands[0]}" if self.operands else ""
        told = OPTIONS.get(sub) or OPTIONS.get(self.program)
        if told:
            return told.split()
        return sorted(options_of(self.program, self.program_file))


def _from_home(path: str) -> str:
    """`~/PATH` as a shell hands it to a program."""
    return str(Path(path).expanduser())
