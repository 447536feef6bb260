"""What `create` asks for, out of the arguments of its request."""

from __future__ import annotations

from terma.agent.sessions.output import Arguments, number
from terma.config.settings import Sessions as Usual
from terma.errors import UsageError
from terma.sessions import shells
from terma.sessions.manager import NewSession
from terma.sessions.ring import MEGABYTE


def wanted(args: Arguments, usual: Usual) -> NewSession:
    """Raises UsageError for a variable or a kind that is none."""
    environment = dict(args.get("environment") or {})
    for pair in args.get("env") or ():
        key, equals, value = str(pair).partition("=")
        if not equals or not key:
            raise UsageError(f"{pair!r} is no NAME=VALUE", "--env NAME=VALUE")
        environment[key] = value
    storage = str(args.get("storage") or usual.storage)
    megabytes = usual.files if storage == "file" else usual.memory
    made = NewSession(
        name=str(args["session"]),
        command=[str(word) for word in args.get("command") or ()],
        environment=environment,
        cwd=str(args.get("cwd") or "/"),
        columns=number(args, "cols", 120),
        rows=number(args, "rows", 32),
        kind=str(args.get("kind") or "auto"),
        storage=storage,
        capacity=number(args, "capacity", int(megabytes * MEGABYTE)),
        ttl=number(args, "ttl", usual.ttl),
        tui=bool(args.get("tui")),
    )
    if made.kind != "auto" and made.kind not in shells.KINDS:
        raise UsageError(f"there is no kind {made.kind!r}", f"auto, {', '.join(shells.KINDS)}")
    return made
