"""Goes through the tree of a line and tells its pieces in their order: commands, what joins them, what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from terma.pieces import globs
from terma.pieces.calls import Call, Place, inner_at, own_script, runs_elsewhere
from terma.pieces.compounds import Compounds
from terma.pieces.letters import Written
from terma.pieces.model import Asked, Kind, Piece
from terma.pieces.programs import about_program
from terma.pieces.redirects import redirect
from terma.pieces.sources import OURS, Source
from terma.pieces.variables import is_plain, variables
from terma.pieces.words import Words
from terma.shell_syntax import Dialect, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

DEEPEST = 5
_JOINED = {
    "|": "its output goes on to the next command",
    "|&": "its output and its errors go on to the next command",
    "&&": "only if that worked",
    "||": "only if that failed",
    ";": "then, whatever came of it",
    "&": "in the background: the shell does not wait for it",
    "&!": "in the background, and no longer the shell's job",
    "&|": "in the background, and no longer the shell's job",
}
_LOOKED_UP = ("noglob", "nocorrect")  # behind these the shell itself looks a command up
_HERE = ("alias", "eval", "trap")  # what these are given is read by the shell itself
_DEFINED = "the command that this line defines"
_OWN_STREAMS = "from here on this shell's own input and output go elsewhere"


class Walk(Compounds):
    """`asked` says where the line stands; what it hands to a shell as text is read as `dialect`."""

    def __init__(self, asked: Asked, dialect: Dialect) -> None:
        self.asked = asked
        self.dialect = dialect
        self.line = asked.line
        self.counts = True  # patterns: not once the line went elsewhere
        self.here = True  # false for what runs on another machine or in a container
        self.defined: set[str] = set()  # the commands that the line makes itself

    def script(self, script: tree.Script, depth: int) -> Iterator[Piece]:
        statements = script.statements
        for at, statement in enumerate(statements):
            for place, pipeline in enumerate(statement.pipelines):
                yield from self._pipeline(pipeline, depth)
                end = pipeline.end
                if place < len(statement.operators):
                    yield from self._between(statement.operators[place], end, depth)
            last = at == len(statements) - 1
            if statement.terminator.strip() and (statement.terminator != ";" or not last):
                yield from self._between(statement.terminator, statement.pipelines[-1].end, depth)

    def _between(self, operator: str, start: int, depth: int) -> Iterator[Piece]:
        at = self.line.find(operator, start)
        if at >= 0 and operator in _JOINED:
            yield Piece(at, at + len(operator), operator, "operator", _JOINED[operator], "terma", depth)

    def _pipeline(self, pipeline: tree.Pipeline, depth: int) -> Iterator[Piece]:
        if pipeline.negated:
            yield self._piece(
                pipeline.start,
                pipeline.start + 1,
                "keyword",
                "worked counts as failed, and failed as worked",
                depth,
            )
        if pipeline.timed:
            yield from self._timed(pipeline, depth)
        end = -1
        for command in pipeline.commands:
            if end >= 0:
                bar = "|&" if self.line[end : command.start].strip().startswith("|&") else "|"
                yield from self._between(bar, end, depth)
            yield from self._command(command, depth)
            end = command.end

    def _timed(self, pipeline: tree.Pipeline, depth: int) -> Iterator[Piece]:
        at = self.line.find("time", pipeline.start)
        yield self._piece(at, at + 4, "keyword", "says how long it took", depth)
        end = pipeline.commands[0].start if pipeline.commands else pipeline.end
        if "-p" in self.line[at + 4 : end].split():
            at = self.line.find("-p", at + 4)
            yield self._piece(at, at + 2, "option", "in seconds, as POSIX writes it", depth + 1)

    def _piece(self, start: int, end: int, kind: Kind, says: str, depth: int) -> Piece:
        return Piece(start, end, self.line[start:end], kind, says, "terma" if says else "", depth)

    def _command(self, command: tree.Command, depth: int) -> Iterator[Piece]:
        if isinstance(command, tree.Simple):
            yield from self._simple(command, depth)
        else:
            yield from self._compound(command, depth)

    def _simple(self, command: tree.Simple, depth: int) -> Iterator[Piece]:
        first = command.words[0].start if command.words else -1
        for one in command.assignments:
            if first < 0 or one.start < first:
                yield from self._assignment(one, bool(command.words), depth)
        found: list[Piece] = []
        if command.words:
            lists = {one.start for one in command.assignments if one.array is not None}
            words = tuple(self._written(word, word.start not in lists) for word in command.words)
            found += self._call(words, depth)
            if command.redirects and [word.text for word in command.words] == ["exec"]:
                found[0] = replace(found[0], says=_OWN_STREAMS, source=OURS)
        for redirected in command.redirects:
            found += self._redirect(redirected, depth)
        for word in command.words:
            found += self._inside(word.parts, depth + 1)
        if command.words and command.words[0].text in ("cd", "pushd", "popd", "ssh", "z"):
            self.counts = False
        yield from sorted(found, key=lambda piece: piece.start)

    def _assignment(self, one: tree.Assignment, before: bool, depth: int) -> Iterator[Piece]:
        says = f"the variable {one.name} holds this" + (
            ", for this command alone" if before else " from here on"
        )
        if one.append:
            says = f"added to what the variable {one.name} holds"
        elif one.array is not None:
            says = f"the list {one.name} holds these {len(one.array)}"
        yield self._piece(one.start, one.end, "assignment", says, depth)
        for word in (one.value, *(one.array or ())):
            yield from self._inside(word.parts, depth + 1)

    def _redirect(self, one: tree.Redirect, depth: int) -> list[Piece]:
        says = redirect(one, self.asked.cwd if self.counts else "")
        found = [self._piece(one.start, one.end, "redirect", says, depth + 1)]
        return [*found, *self._inside(one.target.parts, depth + 2)]

    def _call(self, words: tuple[Written, ...], depth: int, typed: bool = True) -> Iterator[Piece]:
        """The command of these words; its name first. `typed`: the shell itself looks it up, and finds what is defined
        and aliases; another program does not."""
        name = words[0]
        says, by, source, alias = self._program(name, typed)
        yield Piece(name.start, name.end, name.raw, "program", says, by, depth)
        if alias and depth < DEEPEST:
            yield from self._alias(alias, name, depth)
        if source is None:
            for word in words[1:]:
                known = word.extra or ("" if word.text[:1] == "-" else f"handed to {name.text}")
                yield Piece(
                    word.start, word.end, word.raw, "operand", known, "terma" if known else "", depth + 1
                )
            return
        call = Call(source.words[0], words)
        place = inner_at(call)
        scripts = tuple(own_script(call))
        held = {word.start for word, _ in scripts}
        told = Words(source, words[1 : place.start], depth, inner=place.start < len(words))
        for piece in told.pieces():
            holds = piece.start in held and piece.kind == "operand"
            yield replace(piece, says="what runs, told below", source=OURS) if holds else piece
        if place.start == len(words) and told.left + 1 < len(words) and depth < DEEPEST:
            place = Place(told.left + 1, len(words))
        if place.start < len(words) and depth < DEEPEST:
            here, self.here = self.here, self.here and not place.elsewhere
            self.counts = self.counts and not place.elsewhere
            typed = alias.endswith(" ") or name.text in _LOOKED_UP
            yield from self._call(words[place.start : place.end], depth + 1, typed)
            self.here = here
            yield from Words(source, words[place.end :], depth).pieces() if place.end < len(words) else ()
        here, self.here = self.here, self.here and not runs_elsewhere(call)
        for word, text in scripts:
            yield from self._text(word, text, depth + 1, typed and call.name in _HERE)
        self.here = here

    def _program(self, name: Written, typed: bool) -> tuple[str, str, Source | None, str]:
        """As `about_program`."""
        if not (typed and self.here):
            return about_program(name, self.asked.bare(), self.here)
        if name.plain and name.text in self.defined:
            return _DEFINED, OURS, None, ""
        return about_program(name, self.asked)

    def _alias(self, alias: str, name: Written, depth: int) -> Iterator[Piece]:
        """What stands behind an alias, each piece at the place of its name."""
        yield from self._elsewhere(alias, name, depth + 1, without=name.text)

    def _text(self, word: Written, text: str, depth: int, typed: bool) -> Iterator[Piece]:
        """A script in a word."""
        if depth <= DEEPEST:
            yield from self._elsewhere(text, word, depth + 1, typed=typed)

    def _elsewhere(
        self, text: str, word: Written, depth: int, without: str = "", *, typed: bool = True
    ) -> Iterator[Piece]:
        try:
            script = parse(text, self.dialect)
        except ShellSyntaxError:
            return
        own = self.asked if typed else self.asked.bare()
        aliases = {key: value for key, value in own.aliases.items() if key != without}
        walk = Walk(replace(own, line=text, aliases=aliases, script=False), self.dialect)
        walk.defined = self.defined if typed else set()
        walk.here = self.here
        walk.counts = self.counts and self.here
        at = self.line.find(text, word.start, word.end)
        for piece in walk.script(script, depth):
            start, end = (at + piece.start, at + piece.end) if at >= 0 else (word.start, word.end)
            yield Piece(start, end, piece.text, piece.kind, piece.says, piece.source, piece.depth)

    def _written(self, word: tree.Word, names: bool = True) -> Written:
        plain = is_plain(word.parts)
        return Written(
            word.text, self.line[word.start : word.end], word.start, word.end, self._extra(word, names), plain
        )

    def _extra(self, word: tree.Word, names: bool = True) -> str:
        """What can be said of the word itself; `names`: its patterns stand for names."""
        said: list[str] = []
        if names and any(isinstance(part, tree.Glob) for part in word.parts):
            counted = globs.says(word, self.asked.cwd) if self.counts else ""
            said.append(counted or "a pattern for names")
        for part in word.parts:
            if isinstance(part, tree.Brace):
                said.append(
                    f"{part.source} stands for {len(part.alternatives)} words"
                    if ".." not in part.source
                    else f"{part.source} counts through"
                )
        said += [f"{source} is {says}" for source, says in variables(word.parts)]
        return "; ".join(dict.fromkeys(said))

    def _inside(self, parts: Iterable[tree.Part], depth: int) -> Iterator[Piece]:
        """The commands in the substitutions of a word."""
        for part in parts:
            if isinstance(part, tree.CommandSubstitution | tree.ProcessSubstitution):
                prints = isinstance(part, tree.CommandSubstitution)
                says = "what this prints stands here" if prints else "a file that holds what this prints"
                if part.source.startswith(">("):
                    says = "a file; what is written to it goes to this"
                yield self._piece(part.start, part.start + 2, "substitution", says, depth)
                if depth <= DEEPEST:
                    yield from self.script(part.script, depth + 1)
            elif isinstance(part, tree.DoubleQuoted | tree.Parameter | tree.ArithmeticExpansion):
                yield from self._inside(part.parts, depth)
            elif isinstance(part, tree.Brace):
                yield from self._inside((one for some in part.alternatives for one in some), depth)
