"""Show, count and order a set of files: find, ls, grep or du, whichever says it shortest."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.fileset import FileSet
from terma.offline.grammar.file_phrases.frame import FileFrame
from terma.offline.grammar.quoting import pattern, word


def listing(frame: FileFrame) -> str:
    """The command that prints the files (or their matching lines, folders, attributes), or ''."""
    if "file root" in frame.flags and not frame.files.contains:
        return ""
    if frame.files.contains:
        command = _grep(frame)
    elif "tree" in frame.flags:
        return f"tree {frame.files.root_words()}" if frame.files.plain and not frame.files.names else ""
    else:
        command = _folders(frame) or _ordered(frame) or _short(frame) or _find(frame)
    if frame.count and command:
        command += " | wc -l"
    return command


def _grep(frame: FileFrame) -> str:
    files = frame.files
    text = files.contains[0]
    letters = "r" if files.recursive is not False else ""
    lines = (
        "lines" in frame.flags
        and "files only" not in frame.flags
        and "folders" not in frame.flags
        and not files.lacks
    )
    if (frame.nouns and not lines) or files.lacks:
        letters += "L" if files.lacks else "l"
    letters += "i" if files.ignore_case else ""
    letters += "w" if files.whole_word else ""
    letters += "n" if "line numbers" in frame.flags and lines else ""
    if len(files.contains) > 1:
        return _grep_many(frame, letters)
    if files.tests or len(files.names) > 3 or files.max_depth:
        return _grep_found(frame, letters.replace("r", ""))
    fixed = "F" if any(c in text for c in "[]*\\") else ""
    flags = f" -{letters}{fixed}" if letters + fixed else ""
    dash = "-e " if text.startswith("-") else ""
    where = files.root_words() if files.roots or letters.startswith("r") else "*"
    if files.recursive is False:
        base = "" if not files.roots or files.roots == ["."] else files.root_words().rstrip("/") + "/"
        where = " ".join(base + n for n in files.names) or base + "*"
        names = ""
    else:
        names = "".join(f" --include={pattern(n)}" for n in files.names)
        names += "".join(f" --exclude={pattern(n)}" for n in files.not_names)
        names += "".join(f" --exclude-dir={word(n)}" for n in files.prune)
    command = f"grep{flags}{names} {dash}{pattern(text)} {where}"
    if "folders" in frame.flags:
        command += " | xargs -I {} dirname {} | sort -u"
    return command


def _grep_many(frame: FileFrame, letters: str) -> str:
    files = frame.files
    names = "".join(f" --include={pattern(n)}" for n in files.names)
    if "any text" in frame.flags:
        tests = " ".join(f"-e {pattern(text)}" for text in files.contains)
        return f"grep -{letters}{names} {tests} {files.root_words()}"
    if "l" not in letters:
        first, *rest = files.contains
        return f"grep -{letters}{names} {pattern(first)} {files.root_words()}" + "".join(
            f" | grep {pattern(t)}" for t in rest
        )
    first, *rest = files.contains
    return f"grep -{letters}{names} {pattern(first)} {files.root_words()}" + "".join(
        f" | xargs grep -l {pattern(t)}" for t in rest
    )


def _grep_found(frame: FileFrame, letters: str) -> str:
    text = frame.files.contains[0]
    frame.files.ignore_case = False
    flags = f" -{letters}" if letters else " -H"
    return frame.files.find(f"-exec grep{flags} {pattern(text)} {{}} +")


def _folders(frame: FileFrame) -> str:
    if "folders" not in frame.flags:
        return ""
    return frame.files.find("-printf '%h\\n'") + " | sort -u"


def _deep(frame: FileFrame) -> bool:
    """Whether the sentence means a whole tree rather than what ls shows."""
    files = frame.files
    return bool(
        files.recursive
        or "under" in frame.flags
        or files.tests
        or files.max_depth
        or files.prune
        or files.not_names
    )


def _short(frame: FileFrame) -> str:
    """`ls`: a plain listing of one directory, perhaps sorted or with details."""
    files = frame.files
    roots = [r for r in files.roots if r != "."]
    if _deep(frame) or frame.attributes or files.links or frame.flags & {"names only", "absolute", "print0"}:
        return ""
    if frame.verb == "find" or (files.kind in ("l", "-xtype l", "d", "p", "s") and not frame.order):
        return ""
    if frame.count and files.kind == "f" and not files.names:
        return ""
    if not (
        frame.order
        or "details" in frame.flags
        or "hidden too" in frame.flags
        or (files.recursive is False and not files.names)
        or frame.count
    ) and (files.names or (not frame.flags & {"here"} and not roots) or (files.kind == "f" and roots)):
        return ""
    letters = _letters(frame)
    flags = f" -{letters}" if letters else ""
    globs = files.shell_glob()
    if files.names and not globs:
        return ""
    if frame.count and globs:
        return ""
    where = globs or " ".join(word(r) for r in roots)
    return f"ls{flags} {where}".rstrip() + _cut(frame, "l" in letters)


def _letters(frame: FileFrame) -> str:
    letters = "A" if "hidden too" in frame.flags else ""
    if "details" in frame.flags:
        letters += "l"
    if "human" in frame.flags:
        letters += "h" if "l" in letters else "lh"
    if frame.order == "size":
        letters += "S"
    elif frame.order == "time":
        letters += "t"
    elif frame.order == "access":
        letters += "tu"
    elif frame.order == "extension":
        letters += "X"
    natural = frame.order in ("size", "time", "access")
    if frame.order and frame.descending != natural:
        letters += "r"
    return letters


def _cut(frame: FileFrame, long: bool = False) -> str:
    if not frame.limit:
        return ""
    tool = "tail" if frame.from_end else "head"
    return f" | {tool} -n {frame.limit + (1 if long and not frame.from_end else 0)}"


def _ordered(frame: FileFrame) -> str:
    """Files in order of size or time, through a whole tree."""
    files = frame.files
    absolute = any(r.startswith(("/", "~")) and r != "." for r in files.roots)
    if frame.order not in ("size", "time", "access") or not (
        _deep(frame) or (absolute and frame.limit) or frame.attributes or (files.kind == "" and files.roots)
    ):
        return ""
    if (
        frame.order == "size"
        and not frame.limit
        and files.plain
        and not files.names
        and files.kind in ("", "d")
    ):
        letters = "ah" if files.kind == "" else "h"
        return f"du -{letters} {files.root_words()} | sort -{'r' if frame.descending else ''}h" + _cut(frame)
    sign = "r" if frame.descending else ""
    if frame.order == "size":
        shown = "%s" if "sizes only" in frame.flags else "%s %p"
        if "sizes only" in frame.flags:
            files.recursive = False if files.recursive is None else files.recursive
        if "smallest" in frame.flags and "-size +0c" not in files.tests:
            files.tests = ["-size +0c" if t == "! -empty" else t for t in files.tests]
        command = files.find(f"-printf '{shown}\\n'") + f" | sort -{sign}n" + _cut(frame)
        return command + (" | cut -d' ' -f2-" if frame.flags & {"files only", "names only"} else "")
    letter = "%T@" if frame.order == "time" else "%A@"
    return files.find(f"-printf '{letter} %p\\n'") + f" | sort -{sign}n" + _cut(frame) + " | cut -d' ' -f2-"


def _find(frame: FileFrame) -> str:
    files: FileSet = frame.files
    action = ""
    if "absolute" in frame.flags and not files.roots:
        files.roots = ['"$PWD"']
    if "names only" in frame.flags:
        action = "-printf '%f\\n'"
    elif "print0" in frame.flags:
        action = "-print0"
    elif frame.attributes and frame.attributes != ["%p"]:
        found = [a for a in frame.attributes if a != "%p"] + ["%p"]
        action = (
            "-printf '" + " ".join(found) + "\\n'"
            if "%f" not in found
            else "-printf '" + " ".join(frame.attributes) + "\\n'"
        )
        if "%t" in found or ("%M" in found and len(found) == 2):
            action = "-exec ls -l {} +"
    elif "details" in frame.flags:
        action = "-exec ls -l" + ("h" if "human" in frame.flags else "") + " {} +"
    if files.kind == "?" and not files.names and files.plain and not frame.nouns:
        return ""
    if files.kind == "d" and "of" in frame.flags and files.recursive is None and not files.max_depth:
        files.min_depth = files.max_depth = 1  # the subdirectories of one directory
    elif files.kind == "d" and not files.min_depth and files.roots and files.not_names:
        files.min_depth = 1
    default = "" if files.names and not frame.nouns else "f"
    command = files.find(action, default_kind=default)
    if frame.order in ("name", "output"):
        command += " | sort" + (" -r" if frame.descending else "")
    elif frame.order:
        return ""
    return command + _cut(frame)
