"""Where data on a line comes from and where it goes: variables, pipes, substitutions and files carry it along.

Origins: "secret" (keys, credentials), "private" (what tells much of a person), "environment", "home" (all of a home or
of the machine's settings), "network", "cloned" (fetched as a tree), "decoded" (spelled in letters for letters),
"unpacked" (from a packed or encrypted file), "obscured" (spelled so that nobody reads it), "below" (found by a search
below where the line stands), "temporary" (made on the same line, by mktemp or in a temporary directory), "many" (each
of a list in turn), "renamed" (made of such a name), "built" (an image that the line makes), "mounted" (on another
machine, in a directory that the line mounts), "staged" (what goes into a repository has a secret among it).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Feed, Redirect, Word
from terma.risk.programs import obscured_program
from terma.risk.sources import gives
from terma.risk.syntax import read
from terma.risk.values import expanded, filtered, printed, substitutions
from terma.risk.wrapper_table import SHELLS, WRAPPERS
from terma.risk.wrappers import after
from terma.risk.written import fetches, files_written, made_in_temporary, mounts, stages_a_secret

_DEEPEST = 4  # substitutions in substitutions
_NONE: frozenset[str] = frozenset()
_TEMPORARY = frozenset({"temporary"})
_MOUNTED = frozenset({"mounted"})
_BARE = re.compile(r"\$\{?\w+\}?")  # a variable and nothing else
_PIECES = re.compile(r"[@=<,;]+")
_SPELLERS = {"printf", "rev", "base64", "base32", "xxd", "tr", "openssl", "sed", "awk", "perl", "python3"}
DECLARES = {"export", "declare", "local", "readonly", "typeset"}
_BUILDERS = set(
    "make gmake ninja cmake npm yarn pnpm pip pip3 cargo go docker docker-compose bundle composer rake just".split()
)


def traced(calls: list[Call]) -> list[Call]:
    """`calls` with what is known of their words and their input, in order; the list is as long as it was."""
    return Flow().trace(calls)


class Flow:
    """What a line has said so far: the values of its variables, the contents of its files."""

    def __init__(self, depth: int = 0) -> None:
        self._depth = depth
        self._known: dict[str, Word] = {"SHELL": Word("sh"), "BASH": Word("bash"), "0": Word("sh")}
        self._files: dict[str, tuple[frozenset[str], str | None]] = {}
        self._fetched = ""
        self._staged = False
        self._temporary: set[str] = set()
        self._mounted: set[str] = set()
        self._here = _NONE
        self._said: tuple[frozenset[str], str | None] = (_NONE, None)
        self._done: dict[int, Call] = {}
        self._feeds: dict[int, Feed] = {}

    def trace(self, calls: Iterable[Call]) -> list[Call]:
        found = []
        for raw in calls:
            call = self._one(raw)
            self._done[id(raw)] = call
            found.append(call)
            self._remember(call)
        return found

    def output(self, call: Call) -> tuple[frozenset[str], str | None]:
        """What `call` writes: its origins, and the text where that can be known."""
        text = printed(call)
        if text is None and call.feed is not None and call.feed.text is not None:
            text = filtered(call, call.feed.text)
        return gives(call), text

    def _one(self, raw: Call) -> Call:
        words = self._words(raw)
        assigned = tuple(self._word(word) for word in raw.assigned)
        redirects = tuple(Redirect(one.operator, self._word(one.target)) for one in raw.redirects)
        feed = self._feed(raw.feed)
        for one in redirects:
            if one.operator == "<" and (one.target.holds or one.target.process):
                feed = Feed(one.target.programs, origins=one.target.holds | one.target.origins)
        call = replace(raw, words=words, assigned=assigned, redirects=redirects, feed=feed)
        return self._script(obscured_program(call))

    def _words(self, raw: Call) -> tuple[Word, ...]:
        if not raw.words:
            return ()
        found: list[Word] = []
        for word in raw.words:
            known = self._word(word)
            if known.text != word.text and word.text.startswith("$") and (not found or known.text[:1] == "-"):
                # of nothing no word is left: the next one is the program
                pieces = (
                    re.split(f"[{re.escape(apart)}]+", known.text) if (apart := self._value("IFS")) else None
                )
                for piece in pieces if pieces is not None else known.text.split():
                    found.append(replace(known, text=piece, dynamic="$" in piece))
            else:
                found.append(known)
        if self._fetched and found and _runs_own(found):
            found[0] = replace(found[0], holds=found[0].holds | {self._fetched})
        if self._staged and found[:1] and found[0].text == "git":
            found[0] = replace(found[0], holds=found[0].holds | {"staged"})
        if self._here and found:
            found[0] = replace(found[0], holds=found[0].holds | self._here)
        return tuple(found)

    def _word(self, word: Word) -> Word:
        origins, text = set(word.origins), word.text
        if word.dynamic or word.process:
            text = self._substituted(text, origins)
            for name in re.findall(r"\$\{?(\w+)", text):
                if name in self._known:
                    origins |= self._known[name].origins
            text = expanded(text, self._value)
            if "many" in origins and "$" in word.text and not _BARE.fullmatch(word.text):
                origins.add("renamed")
        elif not self._holds(text) and not self._made_here(text):
            return word
        return replace(
            word,
            text=text,
            dynamic=word.dynamic and ("$" in text or "`" in text),
            origins=frozenset(origins | self._made_here(text)),
            holds=self._holds(text),
        )

    def _made_here(self, text: str) -> frozenset[str]:
        """ "temporary" for what this line itself made in a temporary directory, "mounted" for what lies on another
        machine that it mounted."""
        if text.rstrip("/") in self._temporary:
            return _TEMPORARY
        return _MOUNTED if self._mounted and text.startswith(tuple(self._mounted)) else _NONE

    def _value(self, name: str) -> str | None:
        held = self._known.get(name)
        return None if held is None or held.dynamic else held.text

    def _substituted(self, text: str, origins: set[str]) -> str:
        if self._depth >= _DEEPEST or ("(" not in text and "`" not in text):
            return text
        out, at = "", 0
        for start, end, script in substitutions(text):
            inside = Flow(self._depth + 1)
            inside._known = self._known
            inside._files = self._files
            calls = inside.trace(read(script)[0])
            last = _ends(calls)
            outputs = [inside.output(call) for call in last]
            origins.update(*(found for found, _ in outputs))
            said = outputs[0][1] if len(outputs) == 1 else None
            if said is not None and "$" not in said and any(call.name in _SPELLERS for call in calls):
                origins.add("obscured")
            known = said is not None and text[start] != "<"
            out += text[at:start] + ((said or "").rstrip("\n") if known else text[start:end])
            at = end
        return out + text[at:]

    def _holds(self, text: str) -> frozenset[str]:
        """What stands in the files that a word names, also behind `@`, `=` or `<`."""
        if not text or (text[0] == "-" and "=" not in text and "/" not in text):
            return _NONE
        found: set[str] = set()
        for piece in {text, *_PIECES.split(text)} if _PIECES.search(text) else {text}:
            if piece:
                found |= self._files.get(_base(piece), (_NONE, None))[0]
                if secrecy := paths.secrecy(piece):
                    found.add(secrecy)
                elif paths.whole_home(piece):
                    found.add("home")
                elif paths.is_data(piece):
                    found.add("data")
        return frozenset(found) if found else _NONE

    def _feed(self, feed: Feed | None) -> Feed | None:
        if feed is None:
            return None
        if id(feed) in self._feeds:
            return self._feeds[id(feed)]
        made = feed
        ends = [self._done.get(id(call)) or self._one(call) for call in _ends(list(feed.calls))]
        if ends:
            outputs = [self.output(call) for call in ends]
            texts = [text for _, text in outputs if text is not None]
            origins = frozenset[str]().union(*(origins for origins, _ in outputs))
            traced_calls = tuple(self._done.get(id(call), call) for call in feed.calls)
            text = "\n".join(texts) if texts else None
            made = replace(feed, text=text, origins=origins, calls=traced_calls)
        elif feed.text is not None:
            origins_of_text: set[str] = set()
            text = self._substituted(feed.text, origins_of_text)
            for name in re.findall(r"\$\{?(\w+)", text):
                origins_of_text |= self._known[name].origins if name in self._known else set()
            made = replace(feed, text=expanded(text, self._value), origins=feed.origins | origins_of_text)
        self._feeds[id(feed)] = made
        return made

    def _script(self, call: Call) -> Call:
        """`sh FILE`, where the line itself wrote FILE: the shell is fed what was written."""
        if call.name not in SHELLS | {"source", ".", "crontab", "at", "batch"}:
            return call
        files = [word for word in call.args if not word.text.startswith("-")]
        text = self._files.get(_base(files[0].text), (_NONE, None))[1] if files else None
        if text is None:
            return call
        left = tuple(word for word in call.words if word is not files[0])
        return replace(call, words=left, feed=Feed(text=text, origins=files[0].holds))

    def _remember(self, call: Call) -> None:
        if not call.words or call.name in DECLARES:
            for word in call.assigned:
                name, _, value = word.text.partition("=")
                self._known[name] = replace(word, text=value)
        if call.name in ("cd", "pushd"):
            self._here = (
                frozenset({"here"}) if len(call.words) == 1 or "home" in call.words[-1].holds else _NONE
            )
        elif call.name in ("read", "mapfile", "readarray") and call.feed is not None:
            self._read(call, call.feed)
        inner = call
        while inner.name in WRAPPERS and not WRAPPERS[inner.name].joined:
            rest = after(inner.args, WRAPPERS[inner.name])
            if not rest:
                break
            inner = inner.inner(rest)
        if inner is not call:
            inner = replace(inner, redirects=call.redirects)
        origins, text = self.output(inner) if call.words else self._said
        self._said = origins, text
        for name, held in files_written(inner, call.redirects, origins):
            self._files[_base(name)] = (held, text)
        self._temporary.update(made_in_temporary(inner, call.redirects))
        self._mounted.update(mounts(inner))
        self._fetched = fetches(inner) or self._fetched
        self._staged = self._staged or stages_a_secret(inner)

    def _read(self, call: Call, feed: Feed) -> None:
        text = feed.text.strip() if feed.text is not None else None
        for word in call.operands("-d -p -n -N -t -u -i -a") or (Word("REPLY"),):
            dynamic = text is None or "\n" in text
            several = {"many"} if dynamic and (feed.calls or text is not None) else set()
            self._known[word.text] = Word(text or "", dynamic=dynamic, origins=feed.origins | several)


def _ends(calls: list[Call]) -> list[Call]:
    """Those of `calls` whose output no other of them reads."""
    read_by_others = {id(one) for call in calls if call.feed is not None for one in call.feed.calls}
    named = {name for call in calls for word in (*call.words, *call.assigned) for name in word.programs}
    left = [call for call in calls if id(call) not in read_by_others and call.words]
    return [call for call in left if call.name not in named] or left


def shown_at_end(calls: list[Call]) -> list[Call]:
    """Those of `calls` whose output the terminal gets: it goes to no other program and into no variable."""
    inside = {name for call in calls for word in (*call.words, *call.assigned) for name in word.programs}
    feeds = [call.feed for call in calls if call.feed is not None]
    upstream = {one.words for feed in feeds for one in feed.calls}
    last = [call for call in calls if call.words and call.name not in inside]
    return [call for call in last if not any(call.words == words for words in upstream)]


def _runs_own(words: list[Word]) -> bool:
    """Whether a program that came with a tree is run: by a relative path, or by a tool that builds here."""
    names = [word.text for word in words if not word.text.startswith("-")]
    first = names[0].rsplit("/", 1)[-1] if names else ""
    if first in ("sudo", "doas", "env") and len(names) > 1:
        names, first = names[1:], names[1].rsplit("/", 1)[-1]
    relative = names and "/" in names[0] and names[0][0] not in "/~$"
    script = first in SHELLS | {"python", "python3", "perl", "ruby", "node", "source", "."} and len(names) > 1
    return bool(relative or script or first in _BUILDERS)


def _base(text: str) -> str:
    return text.rstrip("/").rsplit("/", 1)[-1]
