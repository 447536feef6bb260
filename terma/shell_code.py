"""The shells' own code, as `terma init` gives it out: the parts in their order, with the one path they need.

For `eval "$(terma init zsh)"` it is one text. For a start-up without Python it is written to files: zsh reads
a compiled one, which is some 20 times faster than the text (2.2 ms against 0.1).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import terma
from terma import paths
from terma.errors import TermaError, UsageError
from terma.printing import spelled

SHELLS = ("zsh", "bash")
ENTRY = {"zsh": "terma.plugin.zsh", "bash": "terma.bash"}
SUFFIX = {"zsh": ".zsh", "bash": ".bash"}
_RELAY_MARK = (
    "'@TERMA_RELAY@'"  # in bash/transport.bash; the relay travels as text, so no path of it can break
)
_LOOP = re.compile(r"^[ \t]*for _terma_part in ([\w -]+); do$", re.MULTILINE)
_GUARD = re.compile(r"^if (\[\[ .+ \]\]); then$", re.MULTILINE)
# The code is parsed with no alias of the person's in force, and in zsh with no option of theirs either.
_WITHOUT_ALIASES = {
    "zsh": "'builtin' 'emulate' 'zsh' '-o' 'no_aliases' '-c' {code}\n'builtin' 'eval' \"${{_terma_open-}}\"\n",
    "bash": "_terma_aliases=-u\n'builtin' 'shopt' -q expand_aliases && _terma_aliases=-s\n"
    "'builtin' 'shopt' -u expand_aliases\n'builtin' 'eval' {code}\n"
    "'builtin' 'shopt' \"$_terma_aliases\" expand_aliases\n'builtin' 'unset' _terma_aliases\n",
}
_BASH_EAGER = frozenset(
    {"hooks", "hinting", "bind"}
)  # what a prompt needs; the rest is read at the first press


@dataclass(frozen=True, slots=True)
class Installed:
    """Files that stand ready: `entry` is what the start-up file reads, `files` are all of them."""

    entry: Path
    files: tuple[Path, ...]


def root() -> Path:
    """Where zsh/, bash/ and shell_hooks/ lie: inside an installed package, beside it in a checkout."""
    package = Path(terma.__file__).parent
    inside = package / "_shell"
    return inside if inside.is_dir() else package.parent


def launcher() -> str:
    """The absolute path of this `terma`, links not followed: pipx and uv move what is behind them."""
    own = Path(sys.argv[0])
    if own.name == "terma" and own.is_file():
        return str(own.absolute())
    beside = Path(sys.executable).parent / "terma"
    return str(beside) if beside.is_file() else shutil.which("terma") or str(beside)


def parts(shell: str) -> list[Path]:
    """The files of `shell` in the order in which its entry file reads them, shell_hooks/wire.sh first.

    Raises UsageError for a shell that terma has no code for."""
    if shell not in SHELLS:
        raise UsageError(f"there is no code for the shell {shell!r}", f"there is for: {', '.join(SHELLS)}")
    entry = root() / shell / ENTRY[shell]
    try:
        names = _LOOP.search(entry.read_text(encoding="utf-8"))
    except OSError as error:
        raise TermaError(f"the installation has no {shell} code", "install terma again") from error
    if names is None:
        raise TermaError(f"{entry} does not name its parts", "install terma again")
    files = [root() / shell / f"{name}{SUFFIX[shell]}" for name in names[1].split()]
    return [root() / "shell_hooks" / "wire.sh", *files]


def init_code(shell: str, binary: str) -> str:
    """All of it as one text for `eval`; `binary` is how the shell will call terma."""
    return (
        f"{_head(shell, binary)}{_WITHOUT_ALIASES[shell].format(code=quote(_body(shell)))}fi\n{_dumb(shell)}"
    )


def install(shell: str, binary: str) -> Installed:
    """Write the code where the start-up file of `shell` can read it. Raises OSError."""
    directory = paths.data_dir()
    entry = directory / f"terma{SUFFIX[shell]}"
    if shell == "bash":
        rest = directory / "terma-core.bash"
        eager = quote(_body(shell, _BASH_EAGER)) + f"\n_terma_core={quote(str(rest))}"
        text = f"{_head(shell, binary)}{_WITHOUT_ALIASES[shell].format(code=eager)}fi\n{_dumb(shell)}"
        paths.write_atomic(rest, _body(shell, _BASH_EAGER, inside=False).encode(), 0o600)
        paths.write_atomic(entry, text.encode(), 0o600)
        return Installed(entry, (entry, rest))
    core = directory / "terma-core.zsh"
    source = quote(f"builtin source {quote(str(core))}")
    stub = f"{_head(shell, binary)}{_WITHOUT_ALIASES[shell].format(code=source)}fi\n{_dumb(shell)}"
    compiled = core.with_name(core.name + ".zwc")
    compiled.unlink(missing_ok=True)  # never newer than what it was made from
    paths.write_atomic(core, _body(shell).encode(), 0o600)
    _compile(core)
    paths.write_atomic(entry, stub.encode(), 0o600)
    return Installed(entry, (entry, core, compiled))


def refresh() -> list[str]:
    """Rewrite installed files that an upgrade left behind; the shells for which that was done.

    Another terma's files (of a checkout that is tried out, say) are not ours to change."""
    done = []
    for shell in SHELLS:
        entry = paths.data_dir() / f"terma{SUFFIX[shell]}"
        try:
            text = entry.read_text(encoding="utf-8")
            newest = max(part.stat().st_mtime for part in parts(shell))
            current = text.startswith(_stamp(shell)) and entry.stat().st_mtime >= newest
        except OSError:
            continue
        if not current and _names(launcher()) in text:
            install(shell, launcher())
            done.append(shell)
    return done


def quote(text: str) -> str:
    """`text` as one word, for either shell, without anything that a terminal obeys."""
    if spelled(text) != text:
        plain = set(range(32, 127)) - set(b"'\\")
        odd = (chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in os.fsencode(text))
        return f"$'{''.join(odd)}'"
    return "'" + text.replace("'", "'\\''") + "'"


def _names(binary: str) -> str:
    return f"TERMA_BIN=${{TERMA_BIN:-{quote(binary)}}}\n"


def _stamp(shell: str) -> str:
    return f"# terma {terma.__version__} for {shell}\n"


def _guard(shell: str) -> str:
    """The condition under which the entry file loads anything."""
    found = _GUARD.search((root() / shell / ENTRY[shell]).read_text(encoding="utf-8"))
    return found[1] if found else "[[ -z ${TERMA_DISABLE-} ]]"


def _head(shell: str, binary: str) -> str:
    return (
        f"{_stamp(shell)}# Written by terma init, and rewritten after an upgrade: change nothing here.\n"
        f"if {_guard(shell)}; then\n"
        f"{_names(binary)}"
    )


def _dumb(shell: str) -> str:
    """What is said in a terminal that cannot be drawn on, with a condition of its own."""
    return (root() / shell / f"dumb{SUFFIX[shell]}").read_text(encoding="utf-8")


def _body(shell: str, names: frozenset[str] = frozenset(), inside: bool = True) -> str:
    """The text of all parts, or of those in `names` alone, or (`inside` false) of those that are not."""
    chosen = [part for part in parts(shell) if not names or (part.stem in names) == inside]
    text = "".join(f"{part.read_text(encoding='utf-8').rstrip()}\n\n" for part in chosen)
    if _RELAY_MARK in text:
        relay = (root() / "shell_hooks" / "relay.py").read_text(encoding="utf-8")
        text = text.replace(_RELAY_MARK, quote(relay))
    return text


def _compile(core: Path) -> None:
    """zsh reads a compiled file several times faster; without a zsh at hand the text does as well."""
    zsh = shutil.which("zsh")
    if zsh:
        subprocess.run(
            [
                zsh,
                "-f",
                "-c",
                'zcompile -R -- "$1.new.zwc" "$1" && mv -f -- "$1.new.zwc" "$1.zwc"',
                "zsh",
                core,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
