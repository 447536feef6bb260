"""A command for one file written for many: `gzip item.log` becomes `gzip *.log`, and `cwebp item.png -o item.webp` a
loop over `*.png`. Which commands take several files is learned (training/several)."""

from __future__ import annotations

import shlex
from collections.abc import Container

from terma import regex as re
from terma.offline.cases.grafts import command_word
from terma.offline.each import STEM, Each
from terma.offline.shape import kind_of
from terma.offline.trust.association import Association, places
from terma.offline.trust.command import effect, simples
from terma.offline.trust.flow import ends
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

_FILES = 0.5  # of the values at a place: from there on it is one for files
_TO_FOLDERS = frozenset(("cp", "mv", "ln", "install", "scp", "rsync"))  # of several files, to a folder alone
_SEARCHES = frozenset(
    ("find", "fd", "fdfind", "locate")
)  # are told a pattern, and go over the names themselves
_REST = re.compile(r"[\w.+-]+\Z")


def spread(command: str, each: Each, several: Container[str], table: Association, found: str = "") -> str:
    """The command for all of them; `found` is the `find` command that lists them, where they are listed. "" where it
    cannot be done so."""
    one = _only(command)
    if one is None or command_word(one) in _SEARCHES or not _is_operand(command, each.name, table):
        return ""
    listing = _listing(each, found)
    if listing is None:
        return ""
    words = [*one.words[1:], *(redirect.target for redirect in one.redirects)]
    whole = [word for word in words if word.text == each.name]
    stem = each.name[: each.name.rindex(STEM) + len(STEM)]
    derived = [word for word in words if word not in whole and STEM in word.text]
    if not whole or any(not word.text.startswith(stem) for word in derived):
        return ""
    if not derived and len(whole) == 1 and command_word(one) in several:
        return _at_once(command, one, whole[0], each, listing)
    return _one_by_one(command, one, [*whole, *derived], each, listing)


def _only(command: str) -> tree.Simple | None:
    """The one simple command that the line is."""
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return None
    if len(script.statements) != 1 or len(script.statements[0].pipelines) != 1:
        return None
    commands = script.statements[0].pipelines[0].commands
    one = commands[0]
    if len(commands) != 1 or not isinstance(one, tree.Simple) or not one.words or one.assignments:
        return None
    return None if script.statements[0].terminator == "&" else one


def _is_operand(command: str, name: str, table: Association) -> bool:
    """Whether the file stands where the program takes files."""
    found = simples(command)
    return len(found) == 1 and all(
        table.of_files(place) > _FILES for place, value in places(found[0]) if value == name
    )


def _listing(each: Each, found: str) -> str | None:
    """The find command for them, "" where a pattern does, None where there is none that could be gone on with."""
    if not each.listing:
        if not each.deep:
            return ""
        return f"find {_quoted(each.folder or '.')} -type f -name {shlex.quote(each.pattern)}"
    one = _only(found)
    if one is None or one.redirects or one.words[0].text != "find":
        return None
    texts = {word.text for word in one.words}
    if texts & {"-exec", "-execdir", "-ok", "-delete", "-printf", "-ls", "-print0", "-o"}:
        return None
    return found.removesuffix(" -print")


def _at_once(command: str, one: tree.Simple, word: tree.Word, each: Each, listing: str) -> str:
    """The program run on all of them."""
    last = one.words[-1]
    if one.words[0].text in _TO_FOLDERS and kind_of(last.text, last.text.lower())[0] == "file":
        return ""
    if not listing:
        folder = f"{_quoted(each.folder)}/" if each.folder else ""
        return f"{command[: word.start]}{folder}{each.pattern}{command[word.end :]}"
    run = f"{command[: word.start]}{{}}{command[word.end : last.end]}"
    rest = command[last.end :]
    return f"{listing} -exec {run} {'+' if word is last else chr(92) + ';'}{rest}"


def _one_by_one(command: str, one: tree.Simple, words: list[tree.Word], each: Each, listing: str) -> str:
    """A loop over them, or what `find` runs on each."""
    made = [*ends(simples(command)[0])[1], *(redirect.target.text for redirect in one.redirects)]
    if effect(command) != "look":
        made += [word.text for word in one.words[1:] if kind_of(word.text, word.text.lower())[0] == "file"]
    if any(STEM not in target and not _is_folder(target) for target in made):
        return ""  # each would be written over the one before
    suffix = each.pattern[1:]
    plain = all(word.text == each.name for word in words) and not one.redirects
    variable = "1" if listing and not plain else "f"
    texts = {word.start: (word.end, _written(word.text, each, suffix, variable)) for word in words}
    if not all(text for _, text in texts.values()):
        return ""
    if listing and plain:
        texts = {start: (end, "{}") for start, (end, _) in texts.items()}
    said, at = "", 0
    for start in sorted(texts):
        end, text = texts[start]
        said += command[at:start] + text
        at = end
    said += command[at:]
    if not listing:
        folder = f"{_quoted(each.folder)}/" if each.folder else ""
        return f"for f in {folder}{each.pattern}; do {said}; done"
    if plain:
        return f"{listing} -exec {said} \\;"
    return "" if "'" in said else f"{listing} -exec sh -c '{said}' _ {{}} \\;"


def _written(text: str, each: Each, suffix: str, variable: str) -> str:
    """A word of the command with the loop's variable for the file; "" where it is made of it in another way."""
    if text == each.name:
        return f'"${variable}"'
    stem = each.name.removesuffix(suffix)
    rest = text.removeprefix(stem)
    if not _REST.match(rest):
        return ""
    if rest.startswith(suffix):  # item.csv.gz
        return f'"${variable}{rest.removeprefix(suffix)}"' if rest != suffix else f'"${variable}"'
    return f'"${{{variable}%{suffix}}}{rest}"'


def _is_folder(target: str) -> bool:
    return target.endswith("/") or kind_of(target, target.lower())[0] in ("word", "path")


def _quoted(folder: str) -> str:
    return (
        folder if folder.startswith("~/") and shlex.quote(folder[2:]) == folder[2:] else shlex.quote(folder)
    )
