"""The places that may have an output are asked in order, and none of them can stop the question."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from terma import registry
from terma.context.gather import gather, screen
from terma.errors import TermaError
from terma.types import Capture, CaptureRequest, Output, Source

REQUEST = CaptureRequest({}, command="make", asked="?why")
SHOWN = "$ make\nmake: error\n$ ?why"


class Place:
    """A source that does what the test says; `asked` is set when it is asked."""

    def __init__(self, name: str, does: Callable[[CaptureRequest], Awaitable[Capture | None]]) -> None:
        self.name, self.priority, self.asked = name, 1, asyncio.Event()
        self._does = does

    async def capture(self, request: CaptureRequest) -> Capture | None:
        self.asked.set()
        return await self._does(request)


def shows(text: str, *, exact: bool = False) -> Place:
    async def capture(_: CaptureRequest) -> Capture | None:
        return Capture("shows", text, exact=exact)

    return Place("shows", capture)


def broken(error: BaseException) -> Place:
    async def capture(_: CaptureRequest) -> Capture | None:
        raise error

    return Place("broken", capture)


async def _nothing(_: CaptureRequest) -> Capture | None:
    return None


async def _hangs(_: CaptureRequest) -> Capture | None:
    await asyncio.Event().wait()
    return None


def ask(*places: Place, request: CaptureRequest = REQUEST, limit: float = 5.0) -> Output:
    return asyncio.run(gather(request, places, limit))


def test_the_first_that_shows_the_command_is_the_last_one_asked() -> None:
    after = shows(SHOWN)
    assert ask(Place("not here", _nothing), shows(SHOWN), after) == Output("make: error", "shows", found=True)
    assert not after.asked.is_set()


def test_what_is_exact_is_not_cut() -> None:
    assert ask(shows("$ make\r\nprinted\r\n", exact=True)).text == "$ make\nprinted"


def test_one_that_hangs_is_cut_off_and_the_next_one_asked() -> None:
    seen = ask(Place("slow", _hangs), shows(SHOWN), limit=0.05)
    assert seen == Output("make: error", "shows", found=True)


def test_one_that_hangs_is_named_when_no_other_helps() -> None:
    assert ask(Place("slow", _hangs), limit=0.05) == Output(trouble="slow did not answer within 50 ms")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TermaError("it is gone", "start it"), "broken: it is gone (start it)"),
        (TermaError("a\nb\x1b[31m\u202e"), "broken: a b"),
        (ConnectionRefusedError(111, "Connection refused"), "broken: Connection refused"),
        (ValueError("secret"), "broken: it failed with ValueError"),
    ],
)
def test_one_that_is_broken_leaves_one_line(error: Exception, said: str) -> None:
    assert ask(broken(error)) == Output(trouble=said)


def test_trouble_is_not_told_when_another_showed_the_command() -> None:
    assert ask(broken(OSError("gone")), shows(SHOWN)).trouble == ""


def test_a_terminal_that_does_not_show_the_command_gives_way_to_one_that_does() -> None:
    assert ask(shows("$ ls\na\n$ ?why"), shows(SHOWN)).text == "make: error"


def test_when_none_shows_the_command_the_first_gives_its_end() -> None:
    seen = ask(shows("first\n$ ?why"), shows("second\n$ ?why"))
    assert (seen.text, seen.source, seen.found) == ("first", "shows", False)


def test_a_cleared_screen_is_not_called_output() -> None:
    seen = ask(shows("$ ?why\n"))
    assert not seen.deep
    assert seen.trouble == "shows shows nothing above the prompt: the screen was cleared"


def test_a_command_that_printed_nothing_was_seen_all_the_same() -> None:
    seen = ask(shows("$ false\n$ ?why"), request=CaptureRequest({}, command="false", asked="?why"))
    assert (seen.text, seen.found, seen.deep) == ("", True, True)


@pytest.mark.parametrize(
    ("command", "shown", "own"),
    [
        ("false", "$ false\n?why\n$ ?why", ""),
        ("make", "$ make\nmake: error\n?why\n$ ?why\nterma: starting", "make: error"),
        ("echo '?why'", "$ echo '?why'\n?why\n$ ?why", "?why"),
        ("make", "$ make\nsay ?why\n$ ?why", "say ?why"),
    ],
)
def test_a_question_that_was_typed_ahead_is_no_output(command: str, shown: str, own: str) -> None:
    assert ask(shows(shown), request=CaptureRequest({}, command=command, asked="?why")).text == own


def test_one_that_the_terminal_wrapped_is_none_either() -> None:
    request = CaptureRequest(
        {}, shell="zsh", command="make", asked="?why does it not stand on one row", columns=24
    )
    marked = (
        "\x1b]133;A\x07$ \x1b]133;B\x07make\n\x1b]133;C\x07make: error\n?why does it not stand on\n one row\n"
        "\x1b]133;D;2\x07\x1b]133;A\x07$ \x1b]133;B\x07?why does it not stand on one row\n\x1b]133;C\x07"
    )
    assert ask(shows(marked), request=request).text == "make: error"


def test_nothing_here_is_no_trouble() -> None:
    assert ask(Place("not here", _nothing)) == Output()


def test_cancelling_goes_through() -> None:
    async def run() -> None:
        slow = Place("slow", _hangs)
        task = asyncio.create_task(gather(REQUEST, [slow], 60.0))
        await slow.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_our_sources_are_here_in_this_order_and_say_at_once_when_they_are_not() -> None:
    package = "terma.context.sources"
    sources: list[Source] = [registry.load(package, name) for name in registry.names(package)]
    sources.sort(key=lambda source: source.priority)
    assert [source.name for source in sources] == "recording tmux zellij screen kitty wezterm".split()

    async def run() -> list[Capture | None]:
        return [await source.capture(CaptureRequest({"TERM": "xterm-256color"})) for source in sources]

    assert asyncio.run(run()) == [None] * 6
    assert asyncio.run(gather(CaptureRequest({}))) == Output()


GREETING = "offline · commands run, words are answered · /help · Ctrl+D leaves"
DRAWN = "\n~/src ❯ what did I run?\n\n\noffline"


@pytest.mark.parametrize(
    "shown", [GREETING, f"{GREETING[:44]}\n{GREETING[44:]}", f"\x1b[2m{GREETING}\x1b[0m"]
)
def test_what_a_conversation_has_drawn_since_is_no_command_of_its_terminal(shown: str) -> None:
    before = "$ make\nmake: error\n$ terma\n"
    request = replace(REQUEST, asked="", command="", greeting=GREETING)
    found = asyncio.run(screen(request, [shows(before + shown + DRAWN)]))
    assert [(one.command, one.output) for one in found.past] == [("make", "make: error")]
    alone = asyncio.run(screen(request, [shows(f"$ terma\n{shown}{DRAWN}")]))
    assert alone.past == ()
    assert alone.tail == ""
