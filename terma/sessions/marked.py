"""A terminal whose program marks its prompts and commands: what of its output is a command's, where that ends, and how.

Without marks, all of the output is the program's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from terma.marks import Mark, Scanner
from terma.sessions import shells
from terma.sessions.doing import IDLE, MORE, RUNNING, STARTING, TYPED
from terma.sessions.muffled import Muffled, Redrawn
from terma.sessions.spans import Spans
from terma.sessions.terminal import Parts, Terminal

_STOOD = 4096  # bytes before a setup, in which its prompt is looked for
_ECHO = 4096  # bytes in which the echo of a command's first line ends


class Marked(Terminal):
    """`kind` tells how its program marks, with marks that hold `nonce`. `phase` is where it stands among them."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.kind, self.nonce, self.inspector = parts.kind, parts.nonce, parts.inspector
        self.unmarked = False  # it is another shell now, and has said nothing yet
        self.phase = STARTING if self.kind.marked else RUNNING
        self.status: int | None = None  # of the last command that said so
        self.ends = 0
        self.ended_at = 0  # the offset behind the last command's output
        self.prompted_at = 0  # the offset behind the last prompt
        self.wrong = False  # what was entered is no command: it was told so, and stands there still (fish)
        self.begun = False  # what was entered runs, or has run
        self.draft = False  # something stands on the prompt that nobody has entered
        self.watch: Callable[[bytes], None] | None = None  # sees the live stream (a screen)
        self.told: Callable[[str], None] = nobody  # hears marks' letters, X: another shell, "": its end
        self._scanner = Scanner(parts.nonce, screens=False)
        self._spans = Spans(parts.store, hidden=self.kind.marked and not self.kind.far)
        self._muffled = Muffled()
        self._redrawn: Redrawn | None = None
        self._echo = False  # what comes back first is what was typed, up to a newline
        self._prompting = self.kind.marked
        self._lines: deque[bytes] = deque()  # to enter, one at each prompt
        self._image = self.inspector.image(self.process.pid) if self.kind.marked else ""

    def took(self, data: bytes) -> None:
        muffled = bool(self._muffled or self._redrawn)
        if self.watch is not None and not muffled:
            self.watch(data)
        if self._scanner.is_plain(data) and not self._echo and not muffled:
            self.store.write(data)
            return
        for part in self._scanner.scan(data):
            if isinstance(part, Mark):
                self._mark(part)
            elif isinstance(part, bytes):
                self._take(part, unseen=muffled)

    def _take(self, part: bytes, *, unseen: bool) -> None:
        """`unseen`: whoever watches has not been shown this."""
        if self._muffled:
            if not self._muffled.take(part):
                self.unmuffle()
            return
        if self._redrawn:
            if not self._redrawn.take(part):
                self._draw()
            return
        if unseen and self.watch is not None:
            self.watch(part)
        if self._echo and self.phase == TYPED and (end := part.find(b"\n")) >= 0:
            self.store.write(part[: end + 1])
            self._show()
            part = part[end + 1 :]
        self.store.write(part)

    def unmuffle(self) -> None:
        """What was held back is output after all: no mark came."""
        self._draw()
        if held := self._muffled.release():
            self._put(held)

    def _draw(self) -> None:
        """The prompt behind a setup, in the place of the one before."""
        redrawn, self._redrawn = self._redrawn, None
        if redrawn:
            self._put(redrawn.whole())

    def _put(self, data: bytes) -> None:
        if self.watch is not None:
            self.watch(data)
        self.store.write(data)

    def _mark(self, mark: Mark) -> None:
        if "fish" in mark.fields:  # and no POSIX shell: who asks for marks sees that, and asks anew
            self.kind = shells.FAR_FISH
            return
        if self._muffled:
            if earlier := self._muffled.end():
                self._put(earlier)
            self._redrawn = Redrawn(self.store.read(max(self.store.end - _STOOD, 0), _STOOD))
        elif self._redrawn and mark.letter in "BC":
            self._draw()
        self.unmarked = self.unmarked and mark.letter != "B"
        if mark.letter == "D":
            # Before its first prompt no command has ended, nor where a prompt that nothing was entered at is given up.
            if self.phase != STARTING and not (self.phase == IDLE and self.kind.marks_start):
                self.status = mark.status
            self.phase = RUNNING
            self.ends += 1
            self.ended_at = self.store.end
            self._prompting = True
            self._hide()
        elif mark.letter == "A" and mark.fields.get("k") == b"c":
            self.phase, self._prompting = MORE, True
            self.wrong = "wrong" in mark.fields
            if self.wrong:
                self._refused()
            self._hide()
        elif mark.letter == "B" and self._prompting:
            self._at_prompt()
        elif mark.letter == "C":
            self.phase, self._prompting, self.begun = RUNNING, False, True
            self._show()
        self.told(mark.letter)

    def _refused(self) -> None:
        """What was entered is no command, and was told so (fish): what stands behind the first line of its echo is
        output."""
        begun = self._spans.open
        if begun is not None:
            echo = self.store.read(begun, _ECHO)
            self._spans.show(begun + (echo.find(b"\n") + 1 or len(echo)))

    def _at_prompt(self) -> None:
        if self._lines:
            self.phase, self._echo = TYPED, True
            self._keyboard.write(self._lines.popleft())
        elif self.phase != MORE:
            self.phase, self.draft, self._prompting = IDLE, False, False
            self.prompted_at = self.store.end
            self._show()  # what comes now is of programs in the background
            if not self._image:
                self._image = self.inspector.image(self.process.pid)

    @property
    def hidden(self) -> bool:
        """Whether what comes now is a prompt, or what was typed there, and no program's output."""
        return self._spans.hidden

    def _hide(self) -> None:
        self._spans.hide()

    def _show(self) -> None:
        self._echo = False
        self._spans.show()

    def printed(self, at: int, limit: int, until: int) -> tuple[bytes, int]:
        """What programs printed from offset `at` on and before `until`, without prompts and what was typed there;
        where to go on."""
        return self._spans.printed(at, limit, until)

    # for who goes on with it

    @property
    def waiting(self) -> int:
        """Bytes that were heard and not worked off: they may become a mark."""
        return self._scanner.waiting

    @property
    def spans(self) -> Spans:
        return self._spans

    def kept(self) -> dict[str, Any]:
        """Where it stands, as JSON; `go_on` of another one takes this."""
        told: dict[str, Any] = {name: getattr(self, name) for name in _FACTS}
        told |= {
            "kind": self.kind.name,
            "far": self.kind.far,
            "asks": self.kind.asks,
            "nonce": self.nonce,
            "exit": self.exit_status,
            "left": self.left,
        }
        told |= {"echo": self._echo, "prompting": self._prompting, "image": self._image}
        told |= {"lines": [line.decode("latin-1") for line in self._lines], "span": self._spans.open}
        told["redrawn"] = self._redrawn.kept() if self._redrawn else None
        return told | {"muffled": self._muffled.kept(), "modes": self.modes.kept(), "input": self.last_input}

    def go_on(self, kept: Mapping[str, Any], spans: Iterable[Sequence[int]]) -> None:
        """Stand where another one stood."""
        for name in _FACTS:
            setattr(self, name, kept[name])
        self.exit_status = kept["exit"]
        self.left = kept.get("left", False)  # an agent of an earlier version says nothing of it
        self._echo, self._prompting, self._image = kept["echo"], kept["prompting"], kept["image"]
        self._lines = deque(line.encode("latin-1") for line in kept["lines"])
        self._spans.go_on(spans, kept["span"])
        self._muffled.go_on(kept["muffled"])
        if redrawn := kept.get("redrawn"):  # an agent of an earlier version says nothing of it
            self._redrawn = Redrawn(*(part.encode("latin-1") for part in redrawn))
        self.modes.go_on(kept["modes"])
        self.last_input = float(kept["input"])


_FACTS = ("phase", "status", "unmarked", "ends", "ended_at", "wrong", "begun", "draft")


def nobody(_: str) -> None:
    """Hears nothing."""
