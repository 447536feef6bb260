"""`terma local`: a model on this machine, installed with one command, started when it is asked, gone when idle."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import Any

from terma.quiet import yes

HELP = "install, start, stop and remove a model that runs on this machine"
ACTIONS = {
    "install": "install llama.cpp and a model in a private place; goes on where it was interrupted",
    "list": "the models that can be had by name, and the one that fits this machine",
    "status": "say what is installed and whether it runs",
    "start": "start it now; otherwise the first question does",
    "stop": "end it",
    "remove": "delete the runtime and the model",
}
USE = "terma config set model local"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text in ACTIONS.items():
        action = actions.add_parser(name, help=text, description=text)
        if name == "install":
            action.add_argument(
                "name", nargs="?", default="", metavar="NAME",
                help="of terma local list (default: what is there, else what fits this machine)",
            )  # fmt: skip
            action.add_argument(
                "--model",
                default="",
                metavar="FILE|URL#sha256=HEX",
                help="a GGUF file, or an https address of one with its hash",
            )
            action.add_argument("--hub", default="", metavar="URL", help="another hub of models, https")
            action.add_argument("--ollama", action="store_true", help="let Ollama fetch and serve it")
            action.add_argument("-y", "--yes", action="store_true", help="do not ask before it is fetched")
            choice = action.add_mutually_exclusive_group()
            choice.add_argument(
                "--use", action="store_true", default=None,
                help="let it answer where nothing else is set or found",
            )  # fmt: skip
            choice.add_argument(
                "--no-use", dest="use", action="store_false", help="only where the settings name it"
            )
        if name == "status":
            action.add_argument("--json", action="store_true", help="for programs: one JSON object")
        if name == "remove":
            action.add_argument("-y", "--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Exit status 0; 1 when `status` finds nothing installed or `remove` was not wanted. Raises TermaError."""
    match args.action:
        case "install":
            return _install(args)
        case "list":
            _list()
        case "start":
            _start()
        case "stop":
            from terma.local import process

            print("stopped" if process.stop() else "it was not running")
        case "status":
            return _status(args.json)
        case "remove":
            return _remove(args.yes)
    return 0


def _install(args: argparse.Namespace) -> int:
    """Exit status 1 where the person did not want what was offered."""
    from terma.local import choosing

    if args.ollama:
        _say(f"pulled: {choosing.by_ollama(args.name)}; terma models says how to let it answer")
        return 0
    wanted = choosing.wanted(args.name, args.model, args.hub, _say)
    if wanted.size and sys.stdin.isatty() and not args.yes and not yes("fetch it?"):
        _say("nothing was fetched; terma local list shows the others")
        return 1
    _installed(wanted.source, args.use)
    return 0


def _installed(model: str, use: bool | None) -> None:
    from terma.local import installing, places, process
    from terma.local.bar import Bar

    before = places.installed()
    bar = Bar("model")
    try:
        what = installing.install(model, use, _say, bar)
    except KeyboardInterrupt:
        bar.close()
        print("terma: interrupted; the same command goes on with what is there", file=sys.stderr)
        raise
    finally:
        bar.close()
    if before is not None and before.model != what.model:
        process.stop()  # the next question starts it with the new one
    _say(f"installed: {what.name}, {what.size / 1e6:.0f} MB, with xllamacpp {what.runtime}")
    helps = (
        what.name != installing.DEFAULT
    )  # the demonstration answers where the settings name it, and nowhere else
    ask = helps and use is None and not what.auto and sys.stdin.isatty() and sys.stdout.isatty()
    if ask and yes("let it answer where no model is set and no key or other server is found?"):
        what = installing.install("", True, _say, bar)
    _say("it answers where nothing else is set or found" if what.auto else f"to use it: {USE}")


def _list() -> None:
    from terma.errors import TermaError
    from terma.local import catalogue

    here = catalogue.machine()
    try:
        fits = catalogue.chosen(here).name
    except TermaError:
        fits = ""
    for one in catalogue.models():
        mark = "*" if one.name == fits else " "
        print(f"{mark} {one.name:<18} {one.parameters:>4.1f} billion {one.memory:>4.1f} GB")
    print(f"  {catalogue.DEMONSTRATION:<18}  0.1 billion  0.3 GB")
    print(f"* fits this machine: {here.memory:.0f} GB, {here.cores} cores")
    print("terma local install NAME fetches one")


def _start() -> None:
    import asyncio

    from terma.local import process

    found = asyncio.run(process.ensure())
    print(f"running: process {found.pid}, {found.base}")


def facts() -> dict[str, Any]:
    """All that `status` knows; sizes in bytes."""
    from terma.local import places, process

    what, live = places.installed(), places.running()
    return {
        "installed": what is not None,
        "runtime": what.runtime if what else "",
        "model": what.name if what else "",
        "file": what.model if what else "",
        "size": what.size if what else 0,
        "sha256": what.sha256 if what else "",
        "source": what.source if what else "",
        "auto": bool(what and what.auto),
        "running": live is not None,
        "pid": live.pid if live else 0,
        "address": live.base if live else "",
        "rss": places.memory(live.pid) if live else 0,
        "context": live.context if live else 0,
        "idle": process.idle(),
    }


def _status(as_json: bool) -> int:
    known = facts()
    if as_json:
        print(json.dumps(known, ensure_ascii=False))
    elif not known["installed"]:
        print("no local model is installed; terma local install does that")
    else:
        print(f"installed  {known['model']}, {known['size'] / 1e6:.0f} MB, with xllamacpp {known['runtime']}")
        print(f"file       {known['file']}")
        print(f"from       {known['source']}")
        print(f"used       {'where nothing else is set or found' if known['auto'] else f'where set: {USE}'}")
        if known["running"]:
            print(f"running    process {known['pid']}, {known['rss'] / 2**20:.0f} MB, {known['address']}")
            if known["context"]:
                print(f"reads      {known['context']} tokens, the question and its answer together")
        else:
            print(f"running    no; the first question starts it, {known['idle'] / 60:g} idle minutes end it")
    return 0 if known["installed"] else 1


def _remove(sure: bool) -> int:
    from terma.local import installing, places, process

    home = places.folder()
    if not home.exists():
        print("nothing is installed")
        return 0
    print(f"removes {home}: {installing.size_of(home) / 1e6:.0f} MB, the runtime and the model")
    if not sure and not yes("remove it?"):
        print("nothing was removed; --yes does it without asking")
        return 1
    process.stop()
    print(f"removed, {installing.remove() / 1e6:.0f} MB are free again")
    return 0


def _say(line: str) -> None:
    """A line, broken between its words where the window is narrower; a path stays whole."""
    from terma.local.bar import columns

    if sys.stdout.isatty():
        line = textwrap.fill(line, columns(sys.stdout), break_long_words=False, break_on_hyphens=False)
    print(line, flush=True)  # before what pip prints
