"""`?why` and all that stands behind it, verbatim: the line is turned into a call with one literal, so nothing in it is
ever parsed; the history keeps what was typed."""

from __future__ import annotations

from typing import Any

CALL = "_terma_why"


def asks(line: str) -> bool:
    """Whether a line is a question to terma."""
    return line.lstrip().startswith("?why")


class Question:
    """The transformer of one session."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._typed: dict[str, str] = {}  # what is run: what was typed
        self._wrapped: set[int] = set()

    def transform(self, line: str) -> str:
        """The line to compile. xonsh asks several times for one line, and asks again about the answer."""
        if not asks(line):
            return line
        typed = line.rstrip("\n")
        call = f"{CALL} @({typed.strip()!r})\n"
        self._typed = {call.rstrip("\n"): typed}
        self._watch_history()
        return call

    def _watch_history(self) -> None:
        """Put ours around `history.append`, the one place that every backend passes."""
        history = self._session.xsh.history
        if history is None or ("append" in vars(history) and id(history) in self._wrapped):
            return
        before, inner = vars(history).get("append"), history.append

        def append(cmd: dict[str, Any]) -> Any:
            typed = self._typed.get(str(cmd.get("inp", "")).rstrip("\n"))
            if typed is not None:
                cmd["inp"] = typed + "\n"
            return inner(cmd)

        def back() -> None:
            if vars(history).get("append") is append:
                if before is None:
                    del history.append
                else:
                    history.append = before

        history.append = append
        self._wrapped.add(id(history))
        self._session.undo(back)
