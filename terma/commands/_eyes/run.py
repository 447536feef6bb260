"""`terma eyes run GOAL`: works towards a goal on a machine whose screen it sees and whose keys it presses."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terma.commands._eyes import _target
from terma.errors import UsageError

if TYPE_CHECKING:
    from terma.config.eyes import Eyes
    from terma.vision.loop import Loop
    from terma.vision.parts import Eye, Outcome
    from terma.vision.resuming import Resumed
    from terma.vision.strategy import Strategy
    from terma.vision.types import Keyboard

_LAST = Path()  # of --resume alone
_TERMINATED = 128 + signal.SIGTERM
HELP = "work towards a goal on the machine that is watched, asking before each key"
DESCRIPTION = """Works towards a goal on another machine: looks at its screen, proposes a step, asks you, types it, and
looks whether it arrived. Dangerous lines are never entered. Everything is logged; terma eyes replay shows it.

  terma eyes run "free some space on /var"
  terma eyes run --session work --dry-run "what fills the disk?"
  terma eyes run --script steps.jsonl "install the service"
  terma eyes run --resume                                       after a cable that was out, or a stop

A script has one JSON object a line: {"kind": "line", "text": "df -h"}, {"kind": "done", "evidence": "/dev/sda"}; with
"when": a regular expression that must be on the screen first, and "why": what you are told when you are asked."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("goal", metavar="GOAL", nargs="?", help="what is to be reached, in your words")
    parser.add_argument(
        "--resume",
        metavar="DIR",
        nargs="?",
        type=Path,
        const=_LAST,
        help="go on with a run that ended (default: the last one): its goal, and what it did",
    )
    parser.add_argument(
        "--session", metavar="NAME", help="work in this session of terma (made with --tui), not a camera"
    )
    _target.add_argument(parser)
    parser.add_argument("--script", metavar="FILE", type=Path, help="follow these steps, without a model")
    parser.add_argument("--strategy", metavar="NAME", help="what decides: an installed plug-in")
    parser.add_argument("--model", metavar="NAME", help="the model that decides (default: the settings')")
    parser.add_argument("--no-images", action="store_true", help="tell the model the text alone")
    parser.add_argument("--dry-run", action="store_true", help="decide and print, and press no key")
    parser.add_argument("--auto", action="store_true", help="do not ask for what [eyes.policy] allow matches")
    parser.add_argument("--steps", type=int, metavar="N", help="steps at most")
    parser.add_argument("--seconds", type=float, metavar="N", help="seconds at most")
    parser.add_argument("--stop-file", type=Path, metavar="FILE", help="end as soon as this file is there")
    parser.add_argument(
        "--heartbeat", type=Path, metavar="FILE", help="end when this file is not touched for 2 s"
    )
    parser.add_argument(
        "--log", type=Path, metavar="DIR", help="where runs are logged (default: the settings')"
    )


def run(args: argparse.Namespace) -> int:
    """0 when the goal was seen to be reached, or a dry run is over; 1; 143 after SIGTERM. Raises TermaError."""
    from terma.commands._eyes import _extras

    _extras.need("vision", "cv2", "numpy")
    try:
        outcome = asyncio.run(_run(args))
    except asyncio.CancelledError:
        return _TERMINATED
    print(f"{outcome.status}: {outcome.reason} ({outcome.steps} steps, {outcome.keys} keys)")
    return 0 if outcome.status in ("completed", "rehearsed") else 1


async def _run(args: argparse.Namespace) -> Outcome:
    from terma.commands._eyes._person import Terminal
    from terma.commands._eyes._runs import above
    from terma.vision.log import RunLog
    from terma.vision.loop import Loop
    from terma.vision.policy import Policy

    settings = _settings(args)
    runs = args.log or above(settings.log)
    before = _before(args, runs)
    asks = sys.stdin.isatty()
    if not (asks or args.auto or args.dry_run):
        raise UsageError(
            "nobody can be asked here", "run it in a terminal, or with --dry-run, or --auto and a list"
        )
    policy = Policy(settings.policy, auto=args.auto)
    strategy = await _strategy(args, before)
    log = RunLog(runs, settings.log.level)
    try:
        async with machine(args, settings) as (eye, keyboard), _guarded(args, keyboard) as (beat, stopped):
            print(f"log: {log.folder}", file=sys.stderr)
            limits, person = settings.limits, Terminal(asks=asks)
            more = {"dry": args.dry_run, "beat": beat, "past": before.past}
            loop = Loop(eye, keyboard, strategy, policy, person, log, limits, **more)
            try:
                return await loop.run(before.goal)
            except asyncio.CancelledError:
                if not stopped:
                    raise
                return _stopped(loop, stopped[0])
    finally:
        log.close()
        close = getattr(strategy, "close", None)
        if close is not None:
            await close()


def _stopped(loop: Loop, why: str) -> Outcome:
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
    return loop.stopped(why)


def _settings(args: argparse.Namespace) -> Eyes:
    settings = _target.settings(args.target)
    given = {"steps": args.steps, "seconds": args.seconds}
    try:
        limits = replace(settings.limits, **{name: one for name, one in given.items() if one is not None})
    except ValueError as error:
        raise UsageError(str(error), "terma eyes run --help") from None
    return replace(settings, limits=limits)


def _before(args: argparse.Namespace, runs: Path) -> Resumed:
    """What is to be reached, and what a run before this one did. Raises UsageError, EyesError."""
    from terma.commands._eyes._runs import last
    from terma.vision.resuming import Resumed, resumed

    if (args.resume is None) == (args.goal is None):
        raise UsageError("a run has a goal, or goes on with another", "terma eyes run GOAL, or --resume")
    if args.resume is None:
        return Resumed(args.goal, (), 0)
    return resumed(last(runs) if args.resume == _LAST else args.resume)


async def _strategy(args: argparse.Namespace, before: Resumed) -> Strategy:
    from terma.commands._eyes import _strategies
    from terma.vision import strategies

    if args.strategy:
        given = strategies.Given(before.goal, args.model, args.script, args.dry_run)
        return strategies.of(args.strategy, given)
    if args.script is not None:
        return _strategies.scripted(args.script, rehearsed=args.dry_run, done=before.done)
    return await _strategies.modelled(args.model, images=not args.no_images)


@contextlib.asynccontextmanager
async def machine(args: argparse.Namespace, settings: Eyes) -> AsyncIterator[tuple[Eye, Keyboard]]:
    """What sees the machine and what types on it."""
    from terma.vision import keyboards
    from terma.vision.keyboards._secrets import Secrets

    wanted = settings.keyboard
    if args.session:
        wanted = replace(wanted, kind="session", address=args.session)
    keyboard = keyboards.of(wanted, Secrets(settings.secrets))
    async with contextlib.AsyncExitStack() as stack:
        eye = await stack.enter_async_context(_eye(args, settings))
        yield eye, await stack.enter_async_context(keyboard)


def _eye(args: argparse.Namespace, settings: Eyes) -> Any:
    if args.session:
        from terma.vision.session_eye import SessionEye

        return SessionEye(args.session)
    from terma.commands._eyes import _camera

    return _camera.opened(settings, args.target)


@contextlib.asynccontextmanager
async def _guarded(args: argparse.Namespace, keyboard: Keyboard) -> AsyncIterator[tuple[Any, list[str]]]:
    """Keys are let go and the run ends on SIGTERM, a stop file, or a heartbeat that is lost; the reason is in the
    list then."""
    from terma.vision.guard import Guard

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    stopped: list[str] = []

    def stop(why: str) -> None:
        stopped.append(why)
        loop.call_soon_threadsafe(task.cancel)

    guard = Guard(keyboard.release_all, stop, args.stop_file, args.heartbeat)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    beating = asyncio.create_task(_beat(guard.beat))
    guard.start()
    try:
        yield guard.beat, stopped
    finally:
        beating.cancel()
        guard.close()
        loop.remove_signal_handler(signal.SIGTERM)


async def _beat(beat: Any) -> None:
    while True:
        beat()
        await asyncio.sleep(0.03)
