"""From shell text to findings: every command in it, and every command that those start."""

from __future__ import annotations

import keyword
from dataclasses import replace

from terma import lookalikes
from terma import regex as re
from terma.risk import overwrite
from terma.risk.embedded_commands import embedded, loads_code
from terma.risk.flow import shown_at_end, traced
from terma.risk.model import Call, Feed, Finding, Findings
from terma.risk.moving import places
from terma.risk.persisted import later
from terma.risk.rules import at_rest, findings, handed
from terma.risk.rules.container_runs import makes_its_own_container, outside
from terma.risk.rules.disclosed import shown
from terma.risk.rules.languages import started
from terma.risk.sources import gives
from terma.risk.syntax import Reading, read_as
from terma.risk.unknown_words import in_subscripts, unknown_words
from terma.risk.wrapper_table import SHELLS, WRAPPERS
from terma.risk.wrappers import inner_calls, scripts, split_words
from terma.shell_syntax import ANY_GIVEN, ANY_TYPED, BASH, ZSH, Dialect, ShellSyntaxError, readings
from terma.shell_syntax.alike import read_alike
from terma.text import one_line

_DEEPEST = 6  # scripts within scripts; deeper nesting is nobody's honest command
_LONGEST = 16_000  # code points; some 50 ms
_MOST_PARTS = 500
UNREADABLE = Finding("medium", "cannot be read in full", "unread")
_FAR = {"ssh", "su", "vagrant", "adb", "ansible"}  # who knows which shell is there
_OWN = {"eval", "trap", "alias", "complete", "source", "."}  # text for the shell that reads the line
# A line that every shell reads alike, and words with which others begin something else.
_PLAIN = re.compile(r"[ \t]*[A-Za-z0-9_./=:,@%+-]+(?:[ \t]+[A-Za-z0-9_./=:,@%+-]+)*[ \t]*")
_OTHER_KEYWORDS = set(
    "and begin break builtin case command continue else end exec for function if not or return switch time"
    " while".split()
)
_CUTS = re.compile(r"[;&|\n(){}`]+")
_NOWHERE = re.compile(r"/dev/(?:null$|tcp/|udp/)|\d+$|-$")


def looks(source: str) -> Findings:
    """Another command than it looks."""
    if told := lookalikes.reason(source):
        yield Finding("medium", told, "disguised")


def judge(source: str, cwd: str, shell: str = "") -> Findings:
    """Every finding in `source`, in order, repetitions included, as `shell` reads it; "" is any that is spoken here."""
    dialects = readings(shell)
    if not dialects:
        yield from _unspoken(source, cwd, shell)
        return
    yield from _Judging(cwd).script(source, dialects)


def _unspoken(source: str, cwd: str, shell: str) -> Findings:
    """A shell that is not read here: only a line of plain words says the same in all of them."""
    yield from _Judging(cwd).script(source, (BASH,))
    first = source.split(maxsplit=1)[0]
    if not _PLAIN.fullmatch(source) or first in _OTHER_KEYWORDS or keyword.iskeyword(first):
        yield Finding("medium", f"cannot be read as {one_line(shell, 20)} reads it", "unread")


def findings_as(source: str, dialects: tuple[Dialect, ...], cwd: str = "") -> Findings:
    """Every finding in `source` as these dialects read it."""
    return _Judging(cwd).script(source, dialects)


def outline(reading: Reading) -> list[object]:
    """What a reading says that runs, and with which words: what two shells may differ in."""
    return [
        (
            [word.text for word in call.words],
            [(one.operator, one.target.text) for one in call.redirects],
            [word.text for word in call.assigned],
        )
        for call in reading.calls
    ]


class _Judging:
    def __init__(self, cwd: str) -> None:
        self.places = (cwd,)

    def script(
        self, source: str, dialects: tuple[Dialect, ...], starter: Call | None = None, depth: int = 0
    ) -> Findings:
        """`starter`: the command that starts it. What any of `dialects` finds counts."""
        if depth > _DEEPEST:
            yield UNREADABLE
            return
        whole, rest = source[:_LONGEST], source[_LONGEST:]
        found: list[Reading] = []
        unread: list[Dialect] = []
        guessed = dialects in (ANY_TYPED, ANY_GIVEN)
        for dialect in dialects[:1] if read_alike(whole) else dialects:
            try:
                found.append(_without_comments(read_as(whole, dialect)))
            except ShellSyntaxError as error:
                # a line that bash refuses as a whole is nobody's who has bash
                if not (guessed and error.refused and "\n" not in whole):
                    unread.append(dialect)
        if rest or not found or _counts(unread, dialects):
            yield UNREADABLE
            yield from self._calls(_by_words(source), dialects, starter, depth)
        if guessed:
            found = [reading for reading in found if not reading.foreign] or found
        if len(found) > 1:
            alike = [outline(reading) for reading in found]
            if any(one != alike[0] for one in alike[1:]):
                yield Finding("medium", "shells read this differently", "unread")
            found = [*dict.fromkeys(replace(reading, foreign=False) for reading in found)]
        for reading in found:
            for _ in reading.bombs:
                yield Finding("high", "fork bomb: starts itself until the machine stops", "stops")
            yield from self._calls([*reading.calls], dialects, starter, depth)

    def _calls(
        self, calls: list[Call], dialects: tuple[Dialect, ...], starter: Call | None, depth: int
    ) -> Findings:
        calls = traced(calls)
        start = self.places if starter is None else starter.places
        if depth and not (starter is not None and (starter.name in SHELLS or starter.name == "eval")):
            start = (*start, "")  # git, find, make: they may start it in another directory
        if starter is not None:  # what the starter is given, the first command inside may read
            first = next((at for at, call in enumerate(calls) if call.words), 0)
            calls = [
                replace(call, feed=call.feed or starter.feed) if at == first else call
                for at, call in enumerate(calls)
            ]
            bulk = starter.bulk or (starter.name in WRAPPERS and WRAPPERS[starter.name].bulk)
            far = starter.elsewhere or starter.name in _FAR
            calls = [
                replace(
                    call, bulk=call.bulk or bulk, elsewhere=call.elsewhere or far, as_root=starter.as_root
                )
                for call in calls
            ]
        for call in calls:
            yield from self._call(replace(call, places=places(call.moves, start)), dialects, depth)
        for call in shown_at_end(calls):
            yield from shown(call)

    def _call(self, call: Call, dialects: tuple[Dialect, ...], depth: int) -> Findings:
        yield from overwrite.redirects(call)
        yield from in_subscripts(call)
        yield from at_rest(call)
        if loads_code(call):
            yield Finding("medium", "loads code of its own into a program", "runs-unknown-code")
        for script in later(call):
            yield from self.script(script, readings("sh"), depth=depth + 1)
        for script in embedded(call):
            yield from self._carried(script, call, depth)
        if not call.words:
            return
        yield from findings(call)
        yield from unknown_words(call)
        contained = makes_its_own_container(call)
        for inner in inner_calls(call):
            # `env -C`, `sudo -D`: it may be started in another directory
            within = self._call(replace(inner, places=(*inner.places, "")), dialects, depth)
            yield from outside(within) if contained else within
        for script in scripts(call):
            yield from self.script(script, _given(call, dialects), call, depth + 1)
        for script in started(call):
            yield from self.script(script, readings("sh"), call, depth + 1)
        for script in handed(call):
            inside = replace(call, feed=None, elsewhere=True)
            within = self.script(script, readings("sh"), inside, depth + 1)
            yield from outside(within) if contained else within
        for script in _branches(call):
            inside = replace(call, feed=Feed(origins=gives(call)), bulk=False)
            yield from self.script(script, dialects, inside, depth + 1)
        for script in _fed_scripts(call):
            yield from self.script(script, _given(call, dialects), replace(call, feed=None), depth + 1)

    def _carried(self, script: str, call: Call, depth: int) -> Findings:
        """A shell without a script that another program starts: what it is fed, nobody sees here."""
        words = split_words(script)
        if words and Call(words).name in SHELLS and all(word.text.startswith("-") for word in words[1:]):
            yield Finding("medium", "starts a shell inside a program", "runs-unknown-code")
        yield from self.script(script, readings("sh"), replace(call, feed=None, assigned=()), depth + 1)


def _counts(unread: list[Dialect], dialects: tuple[Dialect, ...]) -> bool:
    """Whether it matters that some of `dialects` did not read a line. Where nobody knows the shell, sh is the one that
    nobody types at: syntax that it lacks is not meant for it."""
    return bool(unread) and not (len(dialects) > 1 and [one.name for one in unread] == ["sh"])


def _given(call: Call, dialects: tuple[Dialect, ...]) -> tuple[Dialect, ...]:
    """How the text that `call` hands to a shell is read: as that shell does, or as the one that reads the line."""
    if call.name in _OWN:
        families = {dialect.family for dialect in dialects}
        return dialects + tuple(one for one in (BASH, ZSH) if one.family in families and one not in dialects)
    if call.name in SHELLS:
        return readings(call.name, script=True) or ANY_GIVEN
    return ANY_GIVEN if call.name in _FAR else readings("sh")


def _without_comments(reading: Reading) -> Reading:
    """zsh's prompt takes `# …` for a command called `#`, and there is none: it does nothing, and neither does a shell
    that reads what it prints. What it would empty by a redirect stays."""
    nothing = {
        id(call)
        for call in reading.calls
        if call.name == "#" and all(_NOWHERE.match(one.target.text) for one in call.redirects)
    }
    if not nothing:
        return reading
    for call in reading.calls:
        upstream = call.feed.calls if call.feed is not None else ()
        if call.name in SHELLS and upstream and all(id(one) in nothing for one in upstream):
            nothing.add(id(call))
    return replace(reading, calls=tuple(call for call in reading.calls if id(call) not in nothing))


def _branches(call: Call) -> list[str]:
    """`tee >(curl -T - …)`: commands that read what `call` writes."""
    words = (*call.args, *(one.target for one in call.redirects))
    return [word.text[2:-1] for word in words if word.process and word.text.startswith(">(")]


def _fed_scripts(call: Call) -> list[str]:
    """Text that reaches a shell's standard input and can be read here."""
    if call.feed is None or call.feed.text is None:
        return []
    takes = call.name in SHELLS | {"at", "batch", "parallel", "source", "."} or (
        call.name == "xargs" and not call.args
    )
    takes = takes or (call.name == "ssh" and next(iter(scripts(call)), "") == "")
    has_script = any(not word.text.startswith("-") for word in call.args) and call.name in SHELLS
    return [call.feed.text] if takes and not has_script else []


def _by_words(source: str) -> list[Call]:
    """The commands of a text that no shell here can read, cut at its operators: too much beats too little."""
    calls: list[Call] = []
    for part in [*dict.fromkeys(part.strip() for part in _CUTS.split(source))][:_MOST_PARTS]:
        found = split_words(part[:_LONGEST])
        begins = next((at for at, word in enumerate(found) if word.text not in ZSH.reserved), len(found))
        calls += [Call(found[begins:])] if found[begins:] else []
    return calls
