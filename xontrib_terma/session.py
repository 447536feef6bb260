"""One loaded xontrib: what it registers in xonsh, each with its way back, and what its parts share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from xontrib_terma.remember import Memory

Undo = Callable[[], None]
DUMB = """terma: TERM=dumb cannot be drawn on, so its key and ?why are not here;
  terma suggest "your words" and terma "a question" work"""
# name: what xonsh shows as its documentation
SETTINGS = {
    "TERMA_KEY": "The key that turns words into a command: `c-t` (default), `c-x c-t`, `^X^T`. Read at load.",
    "TERMA_WHY_KEY": "A key that asks ?why, with what stands on the line as the question. Default: none. Read at load.",
    "TERMA_BACK_KEY": "The key for the candidate before, on an answer: `escape t` (Alt+T, default). Read at load.",
    "TERMA_ENGINE": "What answers terma's questions: `auto` (default), `offline`, or a model's name.",
    "TERMA_XONSH_STYLE": "`python` lets terma answer with Python where that is natural; `subprocess` (default).",
    "TERMA_HINTS": "`1`: behind a failure a command that terma is sure of is shown; `0`: not. Default: the settings.",
    "TERMA_SOCKET": "The socket of terma's agent, an absolute path. Default: in $XDG_RUNTIME_DIR, else in $TMPDIR.",
    "TERMA_BIN": "The `terma` command to run. Default: the one on $PATH.",
    "TERMA_WHY_TIMEOUT": "Seconds after which a silent agent is given up by `?why`. Default: 60.",
    "TERMA_DISABLE": "Set before loading: terma stays out of this shell.",
}


class Session:
    """`xsh` is xonsh's XSH; `memory` holds the last command; `fixes` what the last explanation offers, with risks."""

    def __init__(self, xsh: Any) -> None:
        self.xsh = xsh
        self.memory = Memory(xsh)
        self.fixes: list[tuple[str, str]] = []  # command, "" or "⚠ high: why · "
        self.calls = 0  # of `terma …`
        self.said: dict[str, list[str]] = {}  # words of `terma …` on their way to the alias that answers
        self.editor: Any = None  # xontrib_terma.keys.Editor, where prompt_toolkit is in use
        self._undo: list[Undo] = []
        self._has_told = False  # that this shell has no key
        # What is run for terma is settled at load: a directory's environment comes later.
        self._program = str(xsh.env.get("TERMA_BIN") or "")

    def load(self) -> bool:
        """Register everything. In a script, or with $TERMA_DISABLE, nothing. Whether it is loaded."""
        env = self.xsh.env
        if not env.get("XONSH_INTERACTIVE") or env.get("TERMA_DISABLE"):
            return False
        if env.get("TERM") == "dumb":
            self._tell_dumb()
            return False
        self._document()
        self._add_aliases()
        self._add_events()
        self._add_marks()
        return True

    def _tell_dumb(self) -> None:
        """What works on a terminal that cannot be drawn on, at the first prompt and for each `?why`."""
        from xontrib_terma.question import Question

        question = Question(self)

        def why(args: list[str], stdin: Any = None, stdout: Any = None, stderr: Any = None) -> int:
            print(DUMB, file=stderr or sys.stderr)
            return 1

        def transform(cmd: str, **_: Any) -> str:
            return question.transform(cmd)

        self.alias("_terma_why", why)
        self.on("on_transform_command", transform)

        def pre_prompt(**_: Any) -> None:
            if not self._has_told:
                self._has_told = True
                print(DUMB, file=sys.stderr)

        self.on("on_pre_prompt", pre_prompt)

    def unload(self) -> None:
        """Put everything back, the newest first. What somebody else has changed since stays theirs."""
        while self._undo:
            self._undo.pop()()

    def undo(self, back: Undo) -> None:
        """`back` is called by unload."""
        self._undo.append(back)

    def environment(self) -> Mapping[str, str]:
        """xonsh's environment as a program would get it: os.environ need not know what was set with `$NAME = …`."""
        found = {str(name): str(value) for name, value in self.xsh.env.detype().items()}
        found.pop("TERMA_BIN", None)
        return found | ({"TERMA_BIN": self._program} if self._program else {})

    def on(self, name: str, handler: Callable[..., Any]) -> None:
        """Register a plain function for an event."""
        event = getattr(self.xsh.builtins.events, name)
        event(handler)
        self.undo(lambda: event.discard(handler))

    def alias(self, name: str, function: Callable[..., Any]) -> None:
        """Register an alias, unless the person has one of that name."""
        aliases = self.xsh.aliases
        if name in aliases:
            return
        aliases[name] = function
        mine = aliases[name]

        def back() -> None:
            if name in aliases and aliases[name] is mine:
                del aliases[name]

        self.undo(back)

    def _document(self) -> None:
        env = self.xsh.env
        for name, text in SETTINGS.items():
            if env.is_configurable(name):
                continue
            env.register(name, doc=text)
            self.undo(lambda name=name: env.deregister(name))  # type: ignore[misc]

    def _add_aliases(self) -> None:
        def terma(args: list[str], **_: Any) -> list[str]:
            from xontrib_terma.dispatch import route

            return route(self, args)

        def say(
            args: list[str], stdin: Any = None, stdout: Any = None, stderr: Any = None, spec: Any = None
        ) -> int:
            from xontrib_terma.alias import say

            return say(self, args, stdout, stderr, spec)

        def why(args: list[str], stdin: Any = None, stdout: Any = None, stderr: Any = None) -> int:
            from xontrib_terma.alias import why

            return why(self, args[0] if args else "", stdout, stderr)

        terma.return_what = "command"  # type: ignore[attr-defined]
        why.__xonsh_threadable__ = False  # type: ignore[attr-defined]
        self.alias("terma", terma)
        self.alias("_terma_say", say)
        self.alias("_terma_why", why)

    def _add_events(self) -> None:
        from xontrib_terma.question import Question

        question, memory = Question(self), self.memory

        def transform(cmd: str, **_: Any) -> str:
            memory.read(cmd)
            return question.transform(cmd)

        def post_prompt(**_: Any) -> None:
            memory.accepted()

        def pre_prompt(**_: Any) -> None:
            if memory.settle():
                self.fixes.clear()
            if self.editor is not None:
                self.editor.new_prompt()
            elif not self._has_told:
                self._has_told = True
                print("terma: its key needs $SHELL_TYPE = 'prompt_toolkit'; ?why works here", file=sys.stderr)

        def pre_command(cmd: str, **_: Any) -> None:
            if memory.begin(cmd):
                self.fixes.clear()

        def post_command(cmd: str, rtn: int | None, out: str | None, ts: list[float], **_: Any) -> None:
            memory.end(cmd, rtn, out, ts)

        def not_found(**_: Any) -> None:
            memory.miss()

        def ptk_create(prompter: Any = None, bindings: Any = None, **_: Any) -> None:
            from xontrib_terma.keys import Editor

            self.editor = Editor(self, prompter, bindings)

        self.on("on_transform_command", transform)
        self.on("on_post_prompt", post_prompt)
        self.on("on_pre_prompt", pre_prompt)
        self.on("on_precommand", pre_command)
        self.on("on_postcommand", post_command)
        self.on("on_command_not_found", not_found)
        self.on("on_ptk_create", ptk_create)  # fires at once where prompt_toolkit is there already

    def _add_marks(self) -> None:
        if self.xsh.env.get("TERMA_RECORDING"):
            from xontrib_terma import marks

            marks.add(self)
