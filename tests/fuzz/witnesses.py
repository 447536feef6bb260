"""Real shells that say whether a string runs what it may not: stubs that write their name down."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

_SECONDS = 10.0  # for one process with a batch of strings
_STUB = '#!/bin/sh\necho "$__I ${0##*/}" >> "$__LOG"\n'
_QUIET = ("ls", "cat", "echo", "touch_", "a", "x")
_FUNCTIONS = """
shred() { echo "$__I shred" >> "$__LOG"; }
touch() { echo "$__I touch" >> "$__LOG"; }
ls() { :; }
"""
_FISH = """
function shred; echo "$__I shred" >> "$__LOG"; end
function touch; echo "$__I touch" >> "$__LOG"; end
function ls; end
"""


@dataclass(frozen=True, slots=True)
class Shell:
    """`command` starts it with a script as its last argument, or, where it reads `typed` lines, as standard input."""

    name: str
    command: tuple[str, ...]
    typed: bool = False


SHELLS = {
    shell.name: shell
    for shell in (
        Shell("bash", ("bash", "--norc", "--noprofile")),
        Shell("zsh", ("zsh", "-f")),
        Shell("zsh prompt", ("zsh", "-f", "-i", "-s"), typed=True),
        Shell("sh", ("dash",)),
        Shell("fish", ("fish", "--no-config", "--private")),
    )
}


class Witness:
    """Runs batches of strings in one shell, in an empty directory, with stubs alone in PATH."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._home = Path(tempfile.mkdtemp(prefix="terma-fuzz-"))
        stubs = self._home / "bin"
        stubs.mkdir()
        for name in ("shred", "touch"):
            (stubs / name).write_text(_STUB, encoding="utf-8")
            (stubs / name).chmod(0o755)
        for name in _QUIET:
            shutil.copy(
                "/bin/true", stubs / name
            )  # a link would let `> =name` in a string empty the machine's own
        self._log = self._home / "log"
        self._number = 0

    def __enter__(self) -> Witness:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, where: TracebackType | None) -> None:
        shutil.rmtree(self._home, ignore_errors=True)

    def ran(self, strings: Sequence[str]) -> list[frozenset[str]]:
        """For each string which of shred and touch ran."""
        found, ended = self._batch(strings)
        if (
            self._shell.typed and len(strings) > 1
        ):  # one that swallows the next, or leaves something, is asked alone
            doubtful = {*range(len(strings))} - ended
            for at in (
                doubtful | {at - 1 for at in doubtful if at} | {at for at, ran in enumerate(found) if ran}
            ):
                found[at] = self._batch([strings[at]])[0][0]
        elif (
            len(ended) < len(strings) and len(strings) > 1
        ):  # one did not come to an end: the others are asked again
            hung = min({*range(len(strings))} - ended)
            return found[: hung + 1] + (self.ran(strings[hung + 1 :]) if strings[hung + 1 :] else [])
        return found

    def _batch(self, strings: Sequence[str]) -> tuple[list[frozenset[str]], set[int]]:
        self._log.write_text("", encoding="utf-8")
        self._number += 1
        scratch = self._home / f"scratch{self._number}"
        scratch.mkdir()
        script = self._script(strings)
        command: list[str] = [*self._shell.command]
        given: bytes | None = None
        if self._shell.typed:
            given = script.encode("utf-8", "replace")
        else:
            path = self._home / "script"
            path.write_text(script, encoding="utf-8", errors="replace")
            command.append(str(path))
        self._run(command, given, scratch, _SECONDS if len(strings) > 1 else _SECONDS / 4)
        shutil.rmtree(scratch, ignore_errors=True)
        found: list[set[str]] = [set() for _ in strings]
        ended: set[int] = set()
        for line in self._log.read_text(encoding="utf-8", errors="replace").splitlines():
            number, _, name = line.partition(" ")
            if number.isdigit() and int(number) < len(strings):
                found[int(number)].add(name) if name != "end" else ended.add(int(number))
        return [frozenset(one) for one in found], ended

    def _run(self, command: list[str], given: bytes | None, scratch: Path, seconds: float) -> None:
        environment = {
            "PATH": str(self._home / "bin"),
            "HOME": str(scratch),
            "__LOG": str(self._log),
            "LC_ALL": "C.UTF-8",
            "FUNCNEST": "20",
            "TERM": "dumb",
            "XDG_CONFIG_HOME": str(scratch),
            "XDG_DATA_HOME": str(scratch),
        }
        program = shutil.which(command[0]) or command[0]
        limits = f'ulimit -t 20 -f 2000 -v 2000000; exec {program} "$@"'
        with subprocess.Popen(
            ["/bin/bash", "-c", limits, "limits", *command[1:]],
            stdin=subprocess.PIPE if given is not None else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=scratch,
            env=environment,
            start_new_session=True,
        ) as process:
            try:
                process.communicate(given, timeout=seconds)
            except subprocess.TimeoutExpired:
                pass
            finally:
                with_children(process.pid)

    def _script(self, strings: Sequence[str]) -> str:
        if self._shell.typed:
            lines = [_FUNCTIONS, "unsetopt beep; export __I"]
            for at, string in enumerate(strings):
                lines += [f"__I={at}", string, f'\\builtin echo "{at} end" >>| "$__LOG"']
            return "\n".join(lines) + "\n"
        if self._shell.name == "fish":
            lines = [_FISH, "set -gx __I 0"]
            for at, string in enumerate(strings):
                held = string.replace("\\", "\\\\").replace("'", "\\'")
                lines.append(f"set __I {at}; eval '{held}' >/dev/null 2>/dev/null </dev/null")
                lines.append(f'builtin echo "{at} end" >> "$__LOG"')
            return "\n".join(lines) + "\n"
        lines = [_FUNCTIONS, "export __I"]
        for at, string in enumerate(strings):
            held = string.replace("'", "'\\''")
            lines.append(f"__I={at}; __S='{held}'; (ulimit -t 1; eval \"$__S\") </dev/null >/dev/null 2>&1")
            lines.append(f'echo "{at} end" >> "$__LOG"')
        return "\n".join(lines) + "\n"


def with_children(process: int) -> None:
    """End what a batch left running."""
    try:
        os.killpg(process, 9)
    except ProcessLookupError:
        return
