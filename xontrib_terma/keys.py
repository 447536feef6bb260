"""The keys in prompt_toolkit: which ones terma takes, when, and how they are given back."""

from __future__ import annotations

from typing import Any

from xontrib_terma.prompt import Prompt
from xontrib_terma.question import asks

DEFAULT = ("c-t",)


class Editor:
    """terma's part of one prompt session: the bindings, and the line of defence behind them."""

    def __init__(self, session: Any, prompter: Any, bindings: Any) -> None:
        self._session, self._bindings = session, bindings
        self.prompt = Prompt(session, prompter)
        before = list(bindings.bindings)
        self.keys = _keys(session)
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
        for key in ("enter", "c-j"):
            add(key, filter=line & held, eager=True, save_before=never)(lambda event: prompt.hold())
            # No newline behind a colon or a backslash: these are words.
            insert = line & question & (emacs_insert_mode | vi_insert_mode) & ~held
            add(key, filter=insert)(lambda event: event.current_buffer.validate_and_handle())

    def _has_owner(self) -> bool:
        """Whether another xontrib or the person has bound the key."""
        others = self._bindings.get_bindings_for_keys(self.keys)
        return any(not any(binding is own for own in self._mine) and binding.filter() for binding in others)


def _keys(session: Any) -> tuple[str, ...]:
    """$TERMA_KEY as prompt_toolkit wants it."""
    import sys

    from prompt_toolkit.key_binding.key_bindings import _parse_key

    told = str(session.xsh.env.get("TERMA_KEY") or "")
    try:
        return tuple(_parse_key(key) for key in key_names(told)) or DEFAULT
    except ValueError:
        print(f"terma: $TERMA_KEY names no key: {told!r}; try 'c-x c-t'", file=sys.stderr)
        return DEFAULT


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
