"""What became of suggestions on this machine: accepted, changed or taken back; kept in one private file, sent nowhere.

It only orders what the embedded engine would offer anyway: a command that was taken twice more often than it was passed
over comes first for the same words. Nothing becomes certain by it that was not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from terma import paths, reading
from terma.agent.unsettled import Unsettled
from terma.records import dataclass
from terma.types import Candidate

MAX_ENTRIES = 500
MAX_BYTES = 1_000_000
MAX_LENGTH = 1_000  # code points of words or of a command
OFTEN = 2  # more times taken than passed over, from which a command moves: one mistake is none
NOTE = "chosen here before"


@dataclass(frozen=True, slots=True)
class Entry:
    """One command for one sentence. `times` is how much more often it was taken than passed over, `changed` what it
    was last changed to before Enter; `when` is in seconds since the epoch."""

    words: str
    command: str
    times: int = 0
    changed: str = ""
    when: float = 0.0


class Learned:
    """The file. Read again when somebody else wrote it; never raises for what is damaged, which is then forgotten."""

    def __init__(self, file: Path | None = None, has_secret: Callable[[str], bool] | None = None) -> None:
        self._file = file
        self._has_secret = has_secret or has_secrets
        self._stamp: tuple[int, int] | None = None
        self._entries: dict[tuple[str, str], Entry] = {}
        self._forgotten = 0.0

    @property
    def forgotten(self) -> float:
        """When all was forgotten last, in seconds since the epoch: nothing from before is learned any more."""
        self._read()
        return self._forgotten

    @property
    def file(self) -> Path:
        return self._file or paths.state_dir() / "learned.json"

    @property
    def _beside(self) -> Path | None:
        """What is not settled yet stands beside a file of one's own, too."""
        return self._file.with_name("unsettled.json") if self._file is not None else None

    def entries(self) -> list[Entry]:
        """All, the newest first."""
        self._read()
        return sorted(self._entries.values(), key=lambda one: -one.when)

    def prefer(self, words: str, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """The same candidates; those that were often taken for these words first, those often passed over last."""
        self._read()
        said = folded(words)

        def moved(one: Candidate) -> int:
            known = self._entries.get((said, folded(one.command)))
            return known.times if known and abs(known.times) >= OFTEN else 0

        ordered = sorted(candidates, key=moved, reverse=True)
        if ordered and ordered[0] is not candidates[0] and moved(ordered[0]) > 0:
            note = " · ".join(filter(None, (ordered[0].note, NOTE)))
            ordered[0] = replace(ordered[0], note=note)
        return tuple(ordered)

    def accepted(self, words: str, command: str) -> None:
        """The person ran `command` for `words`: others for the same words were passed over."""
        self._count(words, {command: 1}, others=-1)

    def changed(self, words: str, shown: str, ran: str) -> None:
        """`shown` was on the line, and `ran` was run."""
        self._count(words, {shown: -1, ran: 1}, changed={shown: ran})

    def undone(self, words: str, shown: str) -> None:
        """`shown` was on the line, and was taken back."""
        self._count(words, {shown: -1})

    def forget(self, which: Iterable[Entry] | None = None) -> int:
        """Forget these, or all; how many that were."""
        self._read()
        before = len(self._entries)
        if which is None:
            self._forgotten = time.time()
            Unsettled(self._beside).forget()
        gone = self._entries if which is None else {(one.words, folded(one.command)) for one in which}
        self._entries = {key: one for key, one in self._entries.items() if key not in gone}
        self._write()
        return before - len(self._entries)

    def _count(
        self, words: str, by: dict[str, int], *, others: int = 0, changed: dict[str, str] | None = None
    ) -> None:
        said = folded(words)
        texts = [said, *by, *(changed or {}).values()]
        if not said or any(len(text) > MAX_LENGTH or self._has_secret(text) for text in texts):
            return  # not even a redacted form is written down
        self._read()
        mine = {folded(command) for command in by}
        for key, one in list(self._entries.items()):
            if others and key[0] == said and key[1] not in mine:
                self._entries[key] = replace(one, times=max(one.times + others, min(one.times, 0)))
        for command, more in by.items():
            key = (said, folded(command))
            known = self._entries.pop(key, Entry(said, command))
            to = (changed or {}).get(command, known.changed)
            times = max(
                -2 * OFTEN, min(known.times + more, 2 * OFTEN)
            )  # a habit that changed is soon unlearned
            self._entries[key] = replace(known, times=times, changed=to, when=time.time())
        while len(self._entries) > MAX_ENTRIES:
            del self._entries[min(self._entries, key=lambda each: self._entries[each].when)]
        self._write()

    def _read(self) -> None:
        stamp = None
        with suppress(OSError):
            info = self.file.stat()
            stamp = (info.st_mtime_ns, info.st_ino)
        if stamp == self._stamp:
            return
        self._stamp, self._entries, self._forgotten = stamp, {}, 0.0
        if stamp is None:
            return
        with suppress(OSError, ValueError, TypeError, AttributeError):
            data = json.loads(reading.text(self.file, MAX_BYTES))
            self._forgotten = float(data.get("forgotten", 0.0))
            found = [Entry(**one) for one in data["entries"]]
            self._entries = {(one.words, folded(one.command)): one for one in found[:MAX_ENTRIES]}

    def _write(self) -> None:
        entries = [asdict(one) for one in self._entries.values()]
        data = json.dumps({"version": 1, "forgotten": self._forgotten, "entries": entries}, indent=1)
        with suppress(OSError):  # a full disk is no reason to give no answer
            paths.write_atomic(self.file, data.encode())
            info = self.file.stat()
            self._stamp = (info.st_mtime_ns, info.st_ino)


def folded(text: str) -> str:
    """Words or a command, to compare with others."""
    return " ".join(text.split())


def has_secrets(text: str) -> bool:
    """Whether redaction would take something out."""
    from terma.redact import redact

    return redact(text).text != text
