"""A wish to look into the folders below, of a command that names single files: they say which ones there, not where."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from terma import reading
from terma import regex as re
from terma.offline.edits.placing import Call, letters_of
from terma.shell_syntax import nodes as tree

_NAMES_A_FILE = re.compile(r"[^/]\.[A-Za-z][A-Za-z0-9]{0,5}$")


def single_files(words: Sequence[tree.Word], cwd: str) -> list[tree.Word]:
    """Those of a command's operands that name files, or a pattern of them, and no folder."""
    return [word for word in words if word.text[:1] != "-" and _is_file(word.text, cwd)]


def _is_file(text: str, cwd: str) -> bool:
    name = text.rpartition("/")[2]
    if re.search(r"[*?\[]", name):
        return True
    place = Path(cwd, text) if cwd else Path(text)
    return reading.is_regular(place) or (bool(_NAMES_A_FILE.search(name)) and not place.is_dir())


def names_below(call: Call, row: str, cwd: str) -> bool:
    """Let a listing name what fits the pattern that ends `row`, with the option before it, in the folder that it lists;
    False where it lists several, files, or all that is below."""
    option, _, pattern = row.rpartition(" ")
    operands = [word for word in call.words if word.text[:1] != "-"]
    if "R" in letters_of([call]) or len(operands) > 1 or single_files(operands, cwd):
        return False
    folder = operands[0] if operands else None
    if folder is None:
        call.options.append(pattern)
    elif folder.text[:1] == "~" or re.search(r"[$`*?\[]", folder.text):
        return False
    else:
        call.replaced[folder.start, folder.end] = f"{shlex.quote(folder.text.rstrip('/'))}/{pattern}"
    call.options += [option] if option else []
    return True


def included(option: str, files: Sequence[tree.Word]) -> tuple[list[str], list[str]] | None:
    """(the options that name the files, the folders to look below); None where that changes what is meant: two folders
    would get the files of each other."""
    paths = [PurePosixPath(word.text) for word in files]
    folders = list(dict.fromkeys(str(path.parent) for path in paths))
    if len(folders) > 1 or any(re.search(r"[*?\[$]", folder) for folder in folders):
        return None
    return [f"{option}={shlex.quote(path.name)}" for path in paths], [shlex.quote(one) for one in folders]
