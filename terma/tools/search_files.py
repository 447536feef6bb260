"""Finds files by name and lines by what they say, in a process of its own that has its time and no more."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from terma import starting
from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, World
from terma.errors import TermaError, UsageError
from terma.text import one_line
from terma.tools._places import resolved, risk

SECONDS = 10.0  # for the process; it ends its search by itself after SHARE of them
SHARE = 0.8
MAX_PATTERN = 500  # code points
MAX_RESULTS = 200
_LESS = "a simpler pattern, or a smaller place"


class SearchFiles:
    """What is hidden, ignored by git, or not text is passed over. A bad expression costs its own process alone."""

    read_only = True
    spec = ToolSpec(
        "search_files",
        "Find files by name, or lines in them. Hidden and ignored files are left out.",
        {
            "type": "object",
            "properties": {
                "pattern": {
                    "type": "string",
                    "description": "regex for lines; without it: names",
                },
                "path": {"type": "string"},
                "glob": {"type": "string", "description": "names, like *.py"},
                "ignore_case": {"type": "boolean"},
                "max": {
                    "type": "integer",
                    "description": f"50, up to {MAX_RESULTS}",
                },
            },
            "required": [],
            "additionalProperties": False,
        },
    )

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        """Raises UsageError for a wrong expression or path."""
        cwd = world.shell.cwd
        place = resolved(str(arguments.get("path") or "."), cwd)
        pattern, glob = str(arguments.get("pattern") or ""), str(arguments.get("glob") or "")
        if max(len(pattern), len(glob)) > MAX_PATTERN:
            raise UsageError(f"a pattern has at most {MAX_PATTERN} characters")
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"{one_line(pattern, 80)!r} is no regular expression: {error}") from error
        shown: dict[str, Any] = {"path": str(place)}
        shown |= {"pattern": one_line(pattern, MAX_PATTERN)} if pattern else {}
        shown |= {"glob": one_line(glob, MAX_PATTERN)} if glob else {}
        shown |= {"ignore_case": True} if arguments.get("ignore_case") else {}
        shown["max"] = min(max(int(arguments.get("max") or 50), 1), MAX_RESULTS)
        what = f"search for {shown['pattern']}" if pattern else "list files"
        return Proposal(
            id=call_id,
            tool=self.spec.name,
            description=f"{what} in {place}",
            risk=risk(place, cwd),
            arguments=shown,
        )

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Raises TermaError."""
        found = await _searched(dict(proposal.arguments))
        if "error" in found:
            raise TermaError(str(found["error"]))
        lines = [str(line) for line in found["lines"]]
        where = proposal.arguments["path"]
        seen = f"{found['files']} files looked at" + (f"; {found['stopped']}" if found["stopped"] else "")
        if found["private"]:
            seen += (
                f"; {found['private']} that hold keys or passwords were passed over: read_file asks for one"
            )
        return "\n".join([*lines, f"({len(lines) or 'no'} results below {where}; {seen})"]), None


# Without site-packages, whose start costs more than most searches, Python does not find terma by itself.
_RUN = "import runpy, sys; sys.path.append(sys.argv[1]); runpy.run_path(sys.argv[2], run_name='__main__')"


async def _searched(wanted: dict[str, Any]) -> dict[str, Any]:
    script = Path(__file__).with_name("_searching.py")
    child = await starting.child(
        sys.executable,
        "-I",
        "-S",
        "-c",
        _RUN,
        str(script.parents[2]),
        str(script),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C is for whoever waits
    )
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await child.communicate(json.dumps(wanted | {"seconds": SHARE * SECONDS}).encode())
        found = json.loads(out)
    except TimeoutError:
        raise TermaError(
            f"the search took longer than {SECONDS:g} seconds", "a simpler pattern, or a smaller place"
        ) from None
    except ValueError:
        raise TermaError("the search broke off", _LESS) from None
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    return dict(found)


PLUGIN = SearchFiles()
