"""A finished command taken apart: its simple commands with options and operands, and what each does to the world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from terma import regex as re
from terma.offline.trust.programs import LONG_OPTIONS, RUNNERS, SUBCOMMANDS, VALUED
from terma.records import dataclass
from terma.shell_syntax import BASH, ZSH_PROMPT, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

_MOST = 40  # simple commands of one line; a longer one is no answer to a sentence


@dataclass(frozen=True, slots=True)
class Simple:
    """One simple command. `words` are without quotes, the program first; `sub` is its subcommand ("" = none).
    `options` are single (`-l`, `--all`, find's `-name`), `operands` what stands beside them, options' values
    included. `writes` are the targets of `>` and `>>`. `joined` is the operator before it ("" first, "$" inside)."""

    words: tuple[str, ...]
    sub: str
    options: tuple[str, ...]
    operands: tuple[str, ...]
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    joined: str

    @property
    def program(self) -> str:
        return self.words[0].rpartition("/")[2] or self.words[0] if self.words else ""


@lru_cache(maxsize=256)
def simples(command: str) -> tuple[Simple, ...]:
    """Every simple command of the line, those inside `$(…)`, `sh -c`, `find -exec` and after `xargs` too.
    () when it cannot be read."""
    return tuple(islice(_all(command, ""), _MOST))


def _all(line: str, joined: str) -> Iterator[Simple]:
    script = _script(line)
    if script is not None:
        yield from _statements(script, joined)


def _script(line: str) -> tree.Script | None:
    for dialect in (BASH, ZSH_PROMPT):
        try:
            return parse(line, dialect)
        except ShellSyntaxError:
            continue
    return None


def _statements(script: tree.Script, joined: str) -> Iterator[Simple]:
    for statement in script.statements:
        for pipeline, operator in zip(statement.pipelines, (*statement.operators, ""), strict=True):
            for command in pipeline.commands:
                yield from _command(command, joined)
                joined = "|"
            joined = operator
        joined = statement.terminator


def _command(command: tree.Command, joined: str) -> Iterator[Simple]:
    writes = tuple(one.target.text for one in command.redirects if ">" in one.operator)
    reads = tuple(one.target.text for one in command.redirects if one.operator == "<")
    if isinstance(command, tree.Compound):
        if any(target != "/dev/null" for target in writes):
            yield Simple((":",), "", (), (), writes, reads, joined)
        for body in command.bodies:
            yield from _statements(body, joined)
    elif command.words:
        yield from _unwrapped(tuple(word.text for word in command.words), writes, reads, joined)
    elif any(target != "/dev/null" for target in writes):
        yield Simple((":",), "", (), (), writes, reads, joined)
    held = command.assignments if isinstance(command, tree.Simple) else ()
    targets = (one.target for one in command.redirects)
    for word in (*command.words, *targets, *(one.value for one in held)):
        yield from _inside(word.parts)


def _inside(parts: Iterable[tree.Part]) -> Iterator[Simple]:
    """The commands of the substitutions in a word."""
    for part in parts:
        if isinstance(part, tree.CommandSubstitution | tree.ProcessSubstitution):
            yield from _statements(part.script, "$")
        elif isinstance(part, tree.DoubleQuoted | tree.Parameter | tree.ArithmeticExpansion):
            yield from _inside(part.parts)
        elif isinstance(part, tree.Brace):
            yield from _inside(one for alternative in part.alternatives for one in alternative)


def _unwrapped(
    words: tuple[str, ...], writes: tuple[str, ...], reads: tuple[str, ...], joined: str
) -> Iterator[Simple]:
    program = words[0].rpartition("/")[2]
    if program in RUNNERS:
        at = 1
        while at < len(words) and (
            words[at].startswith("-") or (at > 1 and words[at - 1] in RUNNERS[program])
        ):
            at += 1
        if (
            program in ("nice", "timeout", "ionice")
            and at < len(words)
            and re.match(r"[\d.]+[smhd]?$", words[at])
        ):
            at += 1
        if at < len(words) and program != "sudo":
            yield _simple(words[:at], writes, reads, joined)
            yield from _unwrapped(words[at:], (), (), joined or "run")
        elif at < len(words):
            yield from _unwrapped(words[at:], writes, reads, joined)
        else:
            yield _simple(words, writes, reads, joined)
        return
    yield _simple(words, writes, reads, joined)
    if program == "find":
        for i, word in enumerate(words):
            if word in ("-exec", "-execdir", "-ok"):
                end = next((j for j in range(i, len(words)) if words[j] in (";", "+", "\\;")), len(words))
                yield from _unwrapped(words[i + 1 : end], (), (), "exec")
    elif program in ("sh", "bash", "zsh", "ssh", "su") and len(words) > 2:
        script = words[words.index("-c") + 1] if "-c" in words[:-1] else words[-1]
        if (" " in script and program != "su") or "-c" in words[:-1]:
            yield from _all(script, "shell")


@lru_cache(maxsize=512)
def _simple(words: tuple[str, ...], writes: tuple[str, ...], reads: tuple[str, ...], joined: str) -> Simple:
    program = words[0].rpartition("/")[2]
    sub, options, operands = "", [], []
    long = program in LONG_OPTIONS
    valued = VALUED.get(program, frozenset())
    skip = False
    for word in words[1:]:
        if skip:
            operands.append(word)
            skip = False
        elif word.startswith("--") and len(word) > 2:
            name, equals, value = word.partition("=")
            options.append(name)
            if equals:
                operands.append(value)
        elif word[:1] in "-+" and len(word) > 1 and not word[1:2].isdigit():
            if long or not word[1:].isalpha() or word[0] == "+":
                options.append(word if long else word[:2])
                if not long and len(word) > 2:
                    operands.append(word[2:])
            else:
                options += ["-" + letter for letter in word[1:]]
            skip = word in valued
        elif not sub and program in SUBCOMMANDS and not operands and re.match(r"[a-z][\w-]*$", word):
            sub = word
        else:
            operands.append(word)
    return Simple(words, sub, tuple(options), tuple(operands), writes, reads, joined)


_FIND_SIGNED = frozenset(("-size", "-mtime", "-mmin", "-atime", "-ctime", "-amin", "-cmin"))
_SCRIPTED = frozenset(
    "awk gawk sed jq yq perl python3 python sqlite3 psql mysql tr date printf ps stat ffmpeg".split()
)
_PART = re.compile(r"[A-Za-z_%][A-Za-z_]+|[!+*^$&|>,;/-]")


@lru_cache(maxsize=256)
def tokens(command: str, values: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """What the command says, for the table of words and commands: programs, subcommands, options and fixed words,
    each with its program. `values` are the operands that came from the sentence: they say nothing."""
    found: dict[str, None] = {}
    for simple in simples(command):
        found.update(pieces(simple, values))
    return tuple(found)


def pieces(simple: Simple, values: frozenset[str] = frozenset()) -> dict[str, None]:
    """What one simple command says, in order."""
    found: dict[str, None] = {simple.program: None}
    program = f"{simple.program} {simple.sub}".strip()
    if simple.sub:
        found[program] = None
    if simple.joined in ("&&", ";", "||", "&"):
        found[simple.joined] = None
    if any(target not in ("/dev/null", "&1", "&2", "1", "2") for target in simple.writes):
        found[">"] = None
    for option in simple.options:
        found[f"{program} {option}"] = None
    _operands(simple, program, values, found)
    return found


def _operands(simple: Simple, program: str, values: frozenset[str], found: dict[str, None]) -> None:
    words = simple.words
    for i, word in enumerate(words[1:], 1):
        if word in values or (
            word[:1] == "-" and not word[1:2].isdigit() and word.partition("=")[0] in simple.options
        ):
            if (
                word[:1] == "-"
                and "=" in word
                and word.isprintable()
                and word.partition("=")[2] not in values
            ):
                found[f"{program} {word[:40]}"] = None
            continue
        if words[i - 1] in _FIND_SIGNED and simple.program == "find":
            found[f"find {words[i - 1]}{word[:1]}"] = None
        elif word in (simple.sub, "{}", ";", "+", "\\;"):
            continue
        elif len(word) < 24 and " " not in word and word.isprintable():
            found[f"{program} ={word}"] = None
        if simple.program in _SCRIPTED:
            for part in _PART.findall(word)[:16]:
                if part not in values:
                    found[f"{simple.program} ~{part}"] = None


@lru_cache(maxsize=256)
def effect(command: str) -> str:
    """`look`, `change` or `destroy`: the worst that any simple command of the line does."""
    from terma.offline.trust.effects import effect_of

    found = {effect_of(simple) for simple in simples(command)}
    return next((level for level in ("destroy", "change") if level in found), "look" if found else "change")


def harm(command: str) -> str:
    """The same, asked of `risk` too where nothing here says that the command changes anything: half a millisecond, so
    only of what may be offered."""
    from terma.risk import assess

    does = effect(command)
    if does != "look":
        return does
    kinds = set(assess(command).kinds)
    return "destroy" if "deletes" in kinds else "change" if kinds & _ALTERING else "look"


def alters(command: str) -> bool:
    """Whether something is known to be otherwise afterwards, but for a file that output goes into: what is not known is
    not."""
    from terma.risk import assess

    written = {"overwrites"} if any(simple.writes for simple in simples(command)) else set()
    return effect(command) == "destroy" or not (_ALTERING - written | {"deletes"}).isdisjoint(
        assess(command).kinds
    )


# The kinds of risk under which something is not afterwards as it was before.
_ALTERING = frozenset(("changes", "disks", "grants", "history", "overwrites", "persists", "stops"))
