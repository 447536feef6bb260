"""The keys in prompt_toolkit: which ones terma takes, when, and how they are given back."""

from __future__ import annotations

from typing import Any

from xontrib_terma.prompt import Prompt
from xontrib_terma.question import asks

DEFAULT = ("c-t",)
BACK = ("escape", "t")
EXPLAIN = ("escape", "e")


class Editor:
    """terma's part of one prompt session: the bindings, and the line of defence behind them."""

    def __init__(self, session: Any, prompter: Any, bindings: Any) -> None:
        self._session, self._bindings = session, bindings
        self.prompt = Prompt(session, prompter)
        before = list(bindings.bindings)
        self.keys = _keys(session, "TERMA_KEY", DEFAULT)
        self.prompt.key = shown(self.keys)
        self._bind()
        mine = [binding for binding in bindings.bindings if not any(binding is old for old in before)]
        self._mine = mine
        self._is_settled = False
        session.undo(self._unbind)
        _refuse_half_lines(session, prompter.default_buffer, self.prompt)
        line = prompter.default_buffer
        _watch(session, line.on_text_changed, self.prompt.look)
        _watch(session, line.on_cursor_position_changed, self.prompt.look)
        _watch(session, line.on_text_changed, self._complete)
        self._completes = False

    def new_prompt(self) -> None:
        """Before xonsh shows a prompt."""
        if not self._is_settled:
            self._is_settled = (
                True  # xonsh creates its xontribs' bindings in no order; the last one has the key
            )
            self._bindings.bindings[:] = [*self._others(), *self._mine]
            self._bindings._clear_cache()
        self.prompt.begin()

    def _others(self) -> list[Any]:
        """The bindings of xonsh, of other xontribs and of the person."""
        return [each for each in self._bindings.bindings if not any(each is own for own in self._mine)]

    def _complete(self, buffer: Any) -> None:
        """The completer comes with the first `terma` on the line: xonsh loads its own with it, which takes it 20 ms."""
        if not self._completes and "terma" in buffer.text:
            from xontrib_terma import completer

            self._completes = True
            completer.add(self._session)

    def _unbind(self) -> None:
        self.prompt.end()
        self._bindings.bindings[:] = self._others()  # .remove(handler) would miss one with the same handler
        self._bindings._clear_cache()

    def _bind(self) -> None:
        from prompt_toolkit.application.current import get_app
        from prompt_toolkit.enums import DEFAULT_BUFFER
        from prompt_toolkit.filters import Condition, emacs_insert_mode, has_focus, vi_insert_mode

        prompt, add = self.prompt, self._bindings.add
        line = has_focus(DEFAULT_BUFFER)
        busy = Condition(lambda: prompt.is_busy)
        held = Condition(lambda: prompt.is_busy or prompt.is_guarded)
        question = Condition(lambda: asks(get_app().current_buffer.text))
        free = Condition(lambda: prompt.has_something_to_ask() or not self._has_owner())

        def never(_: Any) -> bool:
            return False  # a swallowed key is no step for undo

        def press(event: Any) -> None:
            from xontrib_terma import displaced

            prompt.press(event.app, displaced.find(event, self._mine))

        add(*self.keys, filter=line & free, save_before=prompt.is_new)(press)
        for key in ("c-c", "escape", "c-g"):
            add(key, filter=line & busy, eager=True, save_before=never)(lambda event: prompt.cancel())
        stands = Condition(lambda: prompt.is_untouched)
        add("c-c", filter=line & stands, eager=True, save_before=never)(lambda event: prompt.cancel())
        add(*_keys(self._session, "TERMA_BACK_KEY", BACK), filter=line & stands, save_before=never)(
            lambda event: prompt.step_back(event.app)
        )
        self._bind_explanation(line & ~busy)
        listing = Condition(lambda: prompt.list.is_open)
        for key in ("c-c", "escape", "c-g"):
            add(key, filter=line & listing, eager=True, save_before=never)(lambda event: prompt.cancel())
        for key, step in (("up", -1), ("c-p", -1), ("down", 1), ("c-n", 1)):
            add(key, filter=line & listing, eager=True, save_before=never)(
                lambda _, step=step: prompt.move(step)
            )
        for number in range(9):
            there = Condition(lambda number=number: number < len(prompt.list.items))  # type: ignore[misc]
            add(str(number + 1), filter=line & listing & there, eager=True, save_before=never)(
                lambda _, number=number: prompt.take(number)
            )
        if why := _keys(self._session, "TERMA_WHY_KEY", ()):
            add(*why, filter=line & ~held)(_ask_why)
        for key in ("enter", "c-j"):
            add(key, filter=line & held, eager=True, save_before=never)(lambda event: prompt.hold())
            # No newline behind a colon or a backslash: these are words.
            insert = line & question & (emacs_insert_mode | vi_insert_mode) & ~held
            add(key, filter=insert)(lambda event: event.current_buffer.validate_and_handle())
            add(key, filter=line & listing, eager=True, save_before=never)(lambda event: prompt.take())

    def _bind_explanation(self, when: Any) -> None:
        """$TERMA_EXPLAIN_KEY: Alt+E where it is not set, no key where it is empty. In vi's modes Escape and a letter
        are two keys of vi's own: there only a key that the person has chosen is taken."""
        from prompt_toolkit.filters import emacs_mode

        def explain(event: Any) -> None:
            from xontrib_terma import displaced

            self.prompt.telling.press(event.app, displaced.find(event, self._mine))

        told = self._session.xsh.env.get("TERMA_EXPLAIN_KEY")
        if told is None:
            self._bindings.add(*EXPLAIN, filter=when & emacs_mode, save_before=lambda _: False)(explain)
        elif str(told).strip():
            keys = _keys(self._session, "TERMA_EXPLAIN_KEY", EXPLAIN)
            self._bindings.add(*keys, filter=when, save_before=lambda _: False)(explain)

    def _has_owner(self) -> bool:
        """Whether another xontrib or the person has bound the key."""
        others = self._bindings.get_bindings_for_keys(self.keys)
        return any(not any(binding is own for own in self._mine) and binding.filter() for binding in others)


def _ask_why(event: Any) -> None:
    """`?why` by a key, with what stands on the line as the question."""
    from prompt_toolkit.document import Document

    buffer = event.current_buffer
    line = f"?why {buffer.text.strip()}".strip()
    buffer.set_document(Document(line, len(line)))
    buffer.validate_and_handle()


def _keys(session: Any, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """A setting that names a key, as prompt_toolkit wants it."""
    import sys

    from prompt_toolkit.key_binding.key_bindings import _parse_key

    told = str(session.xsh.env.get(name) or "")
    try:
        return tuple(_parse_key(key) for key in key_names(told)) or default
    except ValueError:
        print(f"terma: ${name} names no key: {told!r}; try 'c-x c-t'", file=sys.stderr)
        return default


def shown(keys: tuple[str, ...]) -> str:
    """Keys as a person reads them: `Ctrl+T`, `Ctrl+X Ctrl+T`."""
    names = [str(getattr(key, "value", key)) for key in keys]
    return " ".join(f"Ctrl+{name[2:].upper()}" if name.startswith("c-") else name for name in names)


def key_names(told: str) -> list[str]:
    """`c-x c-t`, `C-x C-t` and zsh's `^X^T`, `^[h` as the names of prompt_toolkit."""
    if "^" not in told or len(told) < 2:
        return [word[0].lower() + word[1:] if word[1:2] == "-" else word for word in told.split()]
    names: list[str] = []
    rest = told.replace(" ", "")
    while rest:
        if rest.startswith("^["):
            names.append("escape")
            rest = rest[2:]
        elif rest[0] == "^" and len(rest) > 1:
            names.append(f"c-{rest[1].lower()}")
            rest = rest[2:]
        else:
            names.append(rest[0])
            rest = rest[1:]
    return names


def _refuse_half_lines(session: Any, buffer: Any, prompt: Prompt) -> None:
    """Whatever key accepts a line, none does while it is half-written or has just changed under the fingers."""
    before, inner = vars(buffer).get("validate_and_handle"), buffer.validate_and_handle

    def validate_and_handle() -> None:
        if prompt.is_busy or prompt.is_guarded:
            prompt.hold()
        else:
            inner()

    def back() -> None:
        if vars(buffer).get("validate_and_handle") is validate_and_handle:
            if before is None:
                del buffer.validate_and_handle
            else:
                buffer.validate_and_handle = before

    buffer.validate_and_handle = validate_and_handle
    session.undo(back)


def _watch(session: Any, event: Any, look: Any) -> None:
    """Call `look` at each `event` of the line."""
    event.add_handler(look)
    session.undo(lambda: event.remove_handler(look))
