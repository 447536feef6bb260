"""From shell text to simple commands: a line's tree as the calls that the rules look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from terma.records import dataclass
from terma.risk.model import Call, Feed, Move, Redirect, Word
from terma.risk.moving import lost_in, maybe, move_of
from terma.risk.wrapper_table import WRAPPERS
from terma.shell_syntax import BASH, Dialect, ShellSyntaxError, parse, readings
from terma.shell_syntax import nodes as tree
from terma.shell_syntax.braces import expanded

_EXPANSIONS = (
    tree.Parameter,
    tree.CommandSubstitution,
    tree.ArithmeticExpansion,
    tree.ProcessSubstitution,
    tree.CommandPath,
)
_SUBSTITUTIONS = (tree.CommandSubstitution, tree.ProcessSubstitution)


@dataclass(frozen=True, slots=True)
class Reading:
    """`calls` in order, the functions that multiply themselves, and whether other shells have syntax of their own where
    this one reads plain words."""

    calls: tuple[Call, ...]
    bombs: frozenset[str] = frozenset()
    foreign: bool = False


def read(source: str, shell: str = "") -> tuple[list[Call], set[str], bool]:
    """The simple commands of `source` in order, the functions that multiply themselves, and whether all of it could be
    read: as the first of the dialects of `shell` that can."""
    for dialect in (*readings(shell), BASH):
        try:
            reading = read_as(source, dialect)
        except ShellSyntaxError:
            continue
        return [*reading.calls], {*reading.bombs}, True
    return [], set(), False


def read_as(source: str, dialect: Dialect) -> Reading:
    """`source` as `dialect` reads it. Raises ShellSyntaxError."""
    script = parse(source, dialect)
    reader = _Reader()
    reader.script(script, None)
    return Reading(tuple(reader.calls), frozenset(reader.bombs), script.foreign)


_COMPARES = frozenset("-eq -ne -lt -le -gt -ge".split())


class _Reader:
    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.bombs: set[str] = set()
        self.moves: tuple[Move, ...] = ()

    def script(self, script: tree.Script, feed: Feed | None) -> None:
        for statement in script.statements:
            before = self.moves
            for pipeline, operator in zip(statement.pipelines, ("", *statement.operators), strict=False):
                if operator == "||":
                    self.moves = maybe(self.moves)
                here = self.moves
                reaching = feed
                for command in pipeline.commands:
                    start, self.moves = len(self.calls), here
                    self.command(command, reaching)
                    reaching = _output(self.calls[start:], reaching)
                if len(pipeline.commands) > 1 or pipeline.negated:  # zsh runs the last of a pipeline itself
                    self.moves = here + maybe(self.moves[len(here) :])
            # what is joined by && may not have been reached; behind `&` it happens in another shell
            made = self.moves[len(before) :]
            self.moves = before + (() if statement.terminator.startswith("&") else maybe(made))

    def command(self, command: tree.Command, feed: Feed | None) -> None:
        for redirect in command.redirects:
            feed = _from_here(redirect, feed)
        for word in _words_within(command):  # the substitutions in its words run first
            if word.literal is None:
                self.within(word.parts)
        if isinstance(command, tree.Simple):
            call = _call(command, feed, self.moves)
            self.calls.append(call)
            if move := move_of(call):
                self.moves += (replace(move, sure=move.to is not None),)
            return
        inputs = [one.target for one in command.redirects if one.operator == "<" and one.document is None]
        if inputs and not isinstance(command, tree.Simple):  # `done < FILE` is as `cat FILE |`
            feed = Feed(calls=(Call((Word("cat"), *map(_word, inputs))),))
        if command.kind in ("for", "select", "foreach") and command.name:
            self.calls.append(Call((), assigned=(_each(command),)))
        if command.kind == "test" and (counted := _counted(command.words)):
            self.calls.append(Call((Word("[["), *counted), moves=self.moves))
        before = self.moves
        self.bodies(command, feed)
        if command.redirects:
            self.calls.append(Call((), _redirects(command.redirects), moves=before))
        if command.kind == "function" and _multiplies(command):
            self.bombs.add(command.name)

    def bodies(self, command: tree.Compound, feed: Feed | None) -> None:
        """The lists of commands in `command`, each where the one before may have led."""
        before, start = self.moves, len(self.calls)
        for body in command.bodies:
            self.script(body, feed)
            self.moves = before + maybe(self.moves[len(before) :])
        made = len(self.moves) > len(before)
        if lost_in(command, made):
            self.calls[start:] = [
                replace(call, moves=(Move(None), *call.moves)) for call in self.calls[start:]
            ]
            self.moves = (*before, Move(None)) if made else before
        if command.kind == "subshell":
            self.moves = before

    def within(self, parts: Iterable[tree.Part]) -> None:
        """The commands of the substitutions in `parts`."""
        for part in parts:
            if isinstance(part, _SUBSTITUTIONS):
                here = self.moves
                self.script(part.script, None)
                self.moves = here
            else:
                self.within(_inner(part))


def _counted(words: tuple[tree.Word, ...]) -> list[Word]:
    """The operands of `[[ … ]]` that a shell counts with, or takes for the name of a variable."""
    found: list[Word] = []
    for at, word in enumerate(words):
        if word.literal in _COMPARES:
            found += [_word(each) for each in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])]
        elif word.literal in ("-v", "-R"):
            found += [_word(each) for each in words[at + 1 : at + 2]]
    return found


def _inner(part: tree.Part) -> tuple[tree.Part, ...]:
    if isinstance(part, tree.Brace):
        return tuple(one for alternative in part.alternatives for one in alternative)
    if isinstance(part, tree.DoubleQuoted | tree.Parameter | tree.ArithmeticExpansion):
        return part.parts
    return ()


def _words_within(command: tree.Command) -> Iterator[tree.Word]:
    yield from command.words
    for redirect in command.redirects:
        yield redirect.target
        if redirect.document is not None:
            yield tree.Word(redirect.start, redirect.end, redirect.document.parts)
    if isinstance(command, tree.Simple):
        for one in command.assignments:
            yield tree.Word(one.start, one.end, one.subscript)
            yield from (one.value, *(one.array or ())) if not command.words else ()
            if command.words and not _declared(one, command):
                yield from (one.value, *(one.array or ()))


def _declared(one: tree.Assignment, command: tree.Simple) -> bool:
    """Whether the assignment is an argument, and read with the words."""
    return one.start > command.words[0].start


def _call(command: tree.Simple, feed: Feed | None, moves: tuple[Move, ...]) -> Call:
    words = [one for word in command.words for one in _alternatives(word)]
    return Call(
        tuple(words),
        _redirects(command.redirects),
        feed,
        moves=moves,
        assigned=tuple(map(_assigned, command.assignments)),
    )


def _alternatives(word: tree.Word) -> Iterator[Word]:
    """The words that the braces in `word` make; most have none."""
    if not any(isinstance(part, tree.Brace) for part in word.parts):
        yield _word(word)
        return
    for parts in expanded(word.parts):
        yield _word(replace(word, parts=parts), word)


def _each(loop: tree.Compound) -> Word:
    """The variable of a loop as an assignment: of a list of plain words the first, else the list as it is written."""
    held = [_word(word) for word in loop.words]
    plain = bool(held) and not any(word.dynamic or word.globs for word in held)
    many = len(held) != 1 or held[0].globs or held[0].dynamic
    return Word(
        f"{loop.name}={held[0].text if plain else ' '.join(word.text for word in held)}",
        dynamic=not plain,
        programs=frozenset[str]().union(*(word.programs for word in held)),
        origins=frozenset({"many"}) if many else frozenset(),
    )


def _redirects(redirects: Iterable[tree.Redirect]) -> tuple[Redirect, ...]:
    return tuple(
        Redirect(redirect.operator.replace("!", "|"), _word(redirect.target))
        for redirect in redirects
        if redirect.document is None and redirect.operator != "<<<"
    )


def _from_here(redirect: tree.Redirect, feed: Feed | None) -> Feed | None:
    """The input that a here-document or here-string gives, else `feed`."""
    if redirect.document is not None:
        return Feed(text=redirect.document.text)
    if redirect.operator == "<<<":
        word = _word(redirect.target)
        return Feed(word.programs, word.text)
    return feed


def _assigned(one: tree.Assignment) -> Word:
    """`NAME=value` with its value as the program would get it."""
    held = _word(one.value)
    if one.array is not None:
        made = [_word(word) for word in one.array]
        programs = frozenset[str]().union(*(word.programs for word in made))
        text = f"({' '.join(word.text for word in made)})"
        held = Word(text, any(word.dynamic for word in made), programs=programs)
    return replace(held, text=f"{one.name}={held.text}")


def _word(word: tree.Word, whole: tree.Word | None = None) -> Word:
    """`whole`: the word of which this is one of the alternatives."""
    if whole is None and (plain := word.literal) is not None:
        return Word(plain)
    if len(word.parts) == 1 and isinstance(path := word.parts[0], tree.CommandPath) and path.text[1:2] != "=":
        return Word(path.text[1:])  # `=rm` is /bin/rm
    programs: set[str] = set()
    _collect_programs(word.parts, programs)
    bracketed = any(isinstance(part, tree.Glob | tree.Brace) for part in (whole or word).parts)
    return Word(
        text=word.text,
        dynamic=_holds_expansion(word.parts),
        globs=bracketed,
        programs=frozenset(programs),
        process=len(word.parts) == 1 and isinstance(word.parts[0], tree.ProcessSubstitution),
    )


def _holds_expansion(parts: Iterable[tree.Part]) -> bool:
    return any(isinstance(part, _EXPANSIONS) or _holds_expansion(_inner(part)) for part in parts)


def _collect_programs(parts: Iterable[tree.Part], found: set[str]) -> None:
    for part in parts:
        if isinstance(part, _SUBSTITUTIONS):
            inside = _Reader()
            inside.script(part.script, None)
            for call in inside.calls:
                found.update(_programs_of(call))
        else:
            _collect_programs(_inner(part), found)


def _output(calls: list[Call], feed: Feed | None) -> Feed:
    """What a stage of a pipeline writes: who made it, and the text when it is spelled out."""
    programs = set(feed.programs) if feed else set()
    for call in calls:
        programs.update(_programs_of(call))
    text = None
    if calls:
        last = calls[-1]
        if last.name in ("echo", "printf"):
            text = " ".join(word.text for word in last.operands())
        elif last.name in ("cat", "tee") and not last.operands() and last.feed:
            text = last.feed.text
    return Feed(frozenset(programs), text, tuple(calls))


def _programs_of(call: Call) -> Iterator[str]:
    """The names a command may run: its own, and, behind a wrapper such as sudo, any later word."""
    if call.words:
        yield call.name
    if call.name in WRAPPERS:
        for word in call.args:
            yield word.text.rsplit("/", 1)[-1]


def _multiplies(function: tree.Compound) -> bool:
    """Whether a function starts itself more than once, or in the background: a fork bomb."""
    inside = _Reader()
    for body in function.bodies:
        inside.script(body, None)
    itself = sum(call.name == function.name for call in inside.calls)
    return itself > 1 or (itself == 1 and any(map(_in_background, function.bodies)))


def _in_background(script: tree.Script) -> bool:
    for statement in script.statements:
        if statement.terminator.startswith("&"):
            return True
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                if isinstance(command, tree.Compound) and any(map(_in_background, command.bodies)):
                    return True
    return False
