"""The programs that a line runs: those that are on no PATH, and in no shell."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from terma.machine.programs import USUAL_FUNCTIONS, is_builtin, where
from terma.risk.model import Call

_NAME = re.compile(r"[\w./~+@-][\w./~+@:-]*")
_INSTALLERS = frozenset(
    "apt apt-get aptitude dnf yum pacman yay paru zypper apk brew port pkg emerge xbps-install snap"
    " flatpak nix-env nix pip pip2 pip3 pipx uv npm yarn pnpm bun corepack cargo go gem cpan cpanm"
    " luarocks conda mamba micromamba rustup asdf mise opam stack cabal make cmake ninja ln install dpkg"
    " rpm winget".split()
)
_CHANGE_SHELL = frozenset("source . eval alias hash export typeset declare autoload module use".split())
_AS_ROOT = re.compile(r"\b(sudo|doas|pkexec|su|run0)\b")
ROOTS_PATH = "/usr/local/sbin:/usr/sbin:/sbin"  # which sudo adds, and many a person's PATH leaves out
_MAKES_NOTHING = frozenset("echo ls pwd cat true printf clear sudo env time nohup".split())
_ASKS = frozenset("command which type whence hash".split())


class Programs:
    """The programs of one line, in order: what it installs, asks about or sources may change what is there."""

    def __init__(self, source: str, path: str, cwd: str, shell: str, known: Collection[str]) -> None:
        self._path = f"{path}:{ROOTS_PATH}" if _AS_ROOT.search(source) else path
        self._cwd = cwd
        self._shell = shell
        self._known = set(known)
        self._open = bool(re.search(r"\bPATH=", source))
        self._files_made = False
        self._found: dict[tuple[str, str], str] = {}

    def file(self, call: Call) -> str:
        """The file that `call` runs, "" when none was found."""
        name = call.words[0].text
        if not self._own_directory(name):
            return ""
        if (name, self._cwd) not in self._found:
            self._found[name, self._cwd] = where(name, self._path, self._cwd)
        return self._found[name, self._cwd]

    def missing(self, call: Call, file: str) -> Iterator[str]:
        """The name of the program when it is certainly not there; then what the call does itself is noted."""
        word = call.words[0]
        literal = not word.dynamic and not word.globs and bool(_NAME.fullmatch(word.text))
        if not file and literal and not call.elsewhere and not self._open and not self._other(word.text):
            yield word.text
        self._note(call)

    def _other(self, name: str) -> bool:
        """Whether `name` may well be something without a file of that name."""
        if name in self._known or name in USUAL_FUNCTIONS or is_builtin(name, self._shell):
            return True
        if "/" in name and (self._files_made or not self._own_directory(name)):
            return True
        place = Path(self._cwd or "/") / os.path.expanduser(name)  # noqa: PTH111 a word need not be a path
        return place.is_dir()  # shells enter one by its name alone

    def _own_directory(self, name: str) -> bool:
        """Whether a relative path means something here."""
        return "/" not in name or name.startswith(("/", "~/")) or bool(self._cwd)

    def _note(self, call: Call) -> None:
        texts = [word.text for word in call.args]
        if call.name in _CHANGE_SHELL or call.name in _INSTALLERS:
            self._open = True
        if (call.name in ("bash", "sh", "zsh") and not texts) or (
            call.feed is not None and call.name in ("bash", "sh")
        ):
            self._open = True  # `curl … | sh` installs
        if call.name in _ASKS:
            self._known.update(texts)
        if call.name in ("cd", "pushd", "popd"):
            self._cwd = ""
        if call.name not in _MAKES_NOTHING:
            self._files_made = True
