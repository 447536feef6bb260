"""The files that a line reads: those that are named outright, and are not there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from terma.risk.model import Call, Word


def _rows(table: str) -> dict[str, str]:
    """`NAME NAME: OPTION OPTION` lines: programs, and their options whose value follows."""
    rows = (row.strip().partition(":") for row in table.strip().splitlines())
    return {name: values.strip() for names, _, values in rows for name in names.split()}


# Every operand is a file that is read.
_ALL = _rows("""
    cat less more rev wc md5sum sha1sum sha256sum sha512sum zcat bunzip2 unxz comm rm rmdir unlink:
    bat: -l -r -m --language --line-range
    head: -n -c --lines --bytes
    tail: -n -c -s --pid --lines --bytes
    sort: -k -t -o -S -T --key --field-separator --output
    nl: -b -w -s -v -n -i -f -h -d -l
    tac: -s
    cut: -d -f -b -c --delimiter --fields --characters --bytes
    od: -A -t -j -N -w
    xxd: -l -s -c -g
    hexdump: -n -s -e -f
    file: -m -f -F
    gunzip gzip: -S
    xz: -F -T -M
    strings: -n -t -e
    base64 fold fmt: -w --wrap --width
    cmp: -n -i
    diff: -U -C -I -x -X -W -F -L --label --exclude --width
    paste: -d --delimiters
    shuf: -n -o -i
    stat: -c --format --printf
    column: -s -o -c -N --table-columns --separator --output-separator --table-name --table-right
    shred: -n -s
    ls: -I -w -T
""")
# The first operand is a pattern, a script or a mode.
_AFTER_FIRST = _rows("""
    grep egrep fgrep: -A -B -C -m -d -D --context --max-count --color
    sed: -l
    awk gawk: -F -v
    jq: --indent --tab
    chmod chown chgrp:
""")
_SCRIPT_IN_OPTION = re.compile(
    r"-[a-zA-Z]*[ef]|--(expression|file|regexp|reference|from-file|args|jsonargs|arg.*|slurpfile|rawfile)\b.*"
)
_INTERPRETERS = frozenset("python python3 bash sh zsh node ruby perl source .".split())
_NO_SCRIPT = re.compile(r"-[a-zA-Z]*[cmeinEs]|-|--.*|-[VWXOQr].*")
_FIRST = {"unzip": "-d -x -P", "unrar": "", "split": "-l -b -n -a"}
_PURE = frozenset(
    "echo printf pwd true false ls cat less more head tail sort uniq wc cut tr grep egrep fgrep rev tac"
    " nl date whoami id uname df du stat file diff cmp comm which type command test env export set ps"
    " free uptime find xargs sudo time sleep clear basename dirname realpath readlink jq md5sum"
    " sha256sum nohup exec exit".split()
)
_MAKERS = frozenset("touch mkdir tee cp mv ln install".split())
# The line itself asks whether a file is there, or reckons with its absence.
_RECKONS = re.compile(r"\|\||\[\[? |\btest\b|2>\s*/dev/null|&>\s*/dev/null|\bif\b|\bwhile\b|\buntil\b")
_LITERAL = re.compile(r"[^{}<>*?$`:\[\]…|&;\n]+")


class Files:
    """What a line has read and made so far, in the directory in which it stands then."""

    def __init__(self, source: str, cwd: str) -> None:
        self._cwd = cwd if not _RECKONS.search(source) else ""
        self._alone = "(" not in source
        self._made: set[str] = set()

    def missing(self, call: Call) -> Iterator[str]:
        """`no such file: notes.txt`, for the files that `call` reads."""
        if self._cwd and not call.elsewhere and not call.bulk:
            for word in (*_redirected(call, "<"), *_read(call)):
                if self._absent(word):
                    kind = "folder" if call.name in ("cd", "pushd") else "file"
                    yield f"no such {kind}: {word.text}"

    def _at(self, text: str) -> Path:
        return Path(self._cwd) / os.path.expanduser(text)  # noqa: PTH111 a word need not be a path

    def _absent(self, word: Word) -> bool:
        text = word.text
        if word.dynamic or word.globs or word.process or not _LITERAL.fullmatch(text) or text[0] in "-=+%@":
            return False
        if text.rstrip("/") in self._made or text.startswith(("/dev/", "/proc/")):
            return False
        try:
            place = self._at(text)
            return (
                not os.path.lexists(place)
                and place.parent.is_dir()
                and os.access(place.parent, os.R_OK | os.X_OK)
            )
        except (OSError, ValueError):
            return False

    def note(self, call: Call) -> None:
        """What `call` makes, or may make, is there from now on."""
        for redirect in call.redirects:
            if ">" in redirect.operator:
                self._made.add(redirect.target.text)
        if call.name in ("cd", "pushd", "popd"):
            self._enter(call)
        elif call.name in _MAKERS:
            self._made.update(word.text.rstrip("/") for word in call.operands())
            if call.name in ("cp", "mv", "ln", "install", "mkdir"):
                self._made.update(Path(word.text).name for word in call.operands())
        elif call.words and call.name not in _PURE:
            self._cwd = ""  # who knows what is there now
        elif call.name == "find" and call.flags() & {"-delete", "-exec", "-fprint"}:
            self._cwd = ""

    def _enter(self, call: Call) -> None:
        operands = call.operands()
        known = self._alone and len(operands) == 1 and not operands[0].dynamic and call.name != "popd"
        place = self._at(operands[0].text) if known and self._cwd else None
        self._cwd = str(place) if place and place.is_dir() else ""
        self._made = set()


def _redirected(call: Call, operator: str) -> Iterator[Word]:
    return (redirect.target for redirect in call.redirects if redirect.operator == operator)


def _read(call: Call) -> tuple[Word, ...]:
    """The operands of `call` that it can only read."""
    name, flags = call.name, call.flags()
    if name in ("rm", "shred") and flags & {"-f", "--force"}:
        return ()
    if name == "shuf" and flags & {"-e", "--echo", "-i", "--input-range"}:
        return ()
    if name in _ALL:
        return _operands(call, _ALL[name]) if not (name == "sort" and "-o" in flags) else ()
    if name in _AFTER_FIRST:
        return _after_first(call)
    if name in _FIRST:
        return _operands(call, _FIRST[name])[:1]
    if name in ("cp", "mv"):
        operands = call.operands("-t -S --target-directory --suffix")
        return operands if flags & {"-t", "--target-directory"} else operands[:-1]
    if name in ("cd", "pushd"):
        return call.operands()[:1] if len(call.args) == 1 else ()
    if name in ("tar", "gtar", "bsdtar"):
        return _archive(call)
    if name in _INTERPRETERS and call.args and not _NO_SCRIPT.fullmatch(call.args[0].text):
        first = call.args[0]  # `. venv` may be found along PATH
        return (first,) if "/" in first.text or name not in ("source", ".") else ()
    return ()


def _operands(call: Call, with_value: str) -> tuple[Word, ...]:
    """The operands; an option that wants a value may close a cluster, as in `-sw 80`."""
    letters = {option[1] for option in with_value.split() if len(option) == 2}
    clusters = (word.text for word in call.args if re.fullmatch(r"-[A-Za-z]{2,}", word.text))
    return call.operands(" ".join((with_value, *(text for text in clusters if text[-1] in letters))))


def _after_first(call: Call) -> tuple[Word, ...]:
    if any(_SCRIPT_IN_OPTION.fullmatch(word.text) for word in call.args):
        return ()
    operands = _operands(call, _AFTER_FIRST[call.name])[1:]
    return tuple(word for word in operands if "=" not in word.text)


def _archive(call: Call) -> tuple[Word, ...]:
    """The archive that tar lists or unpacks."""
    if not call.args or (call.flags() & {"-C", "--directory"} and call.args[0].text in ("-C", "--directory")):
        return ()
    letters = call.args[0].text
    if re.fullmatch(r"-?[a-zA-Z]*[xt][a-zA-Z]*f", letters) or (
        re.fullmatch(r"-?[a-zA-Z]*f[xtvzjJ]*", letters)
        and (set(letters) & {"x", "t"} and not letters.startswith("-"))
    ):
        return call.args[1:2]
    if call.flags() & {"-x", "-t", "--extract", "--list", "--get"}:
        archive = call.value("--file", "-f")
        return (archive,) if archive and archive.text else ()
    return ()
