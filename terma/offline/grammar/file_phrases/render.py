"""From what a sentence says about files to the command an experienced person types."""

from __future__ import annotations

from collections.abc import Callable

from terma.offline.grammar.file_phrases.archives import compress_each, pack, unpack
from terma.offline.grammar.file_phrases.frame import FileFrame
from terma.offline.grammar.file_phrases.listing import listing
from terma.offline.grammar.quoting import bre, operand, pattern, sed_side, word


def render(frame: FileFrame) -> str:
    """The command, or '' when the parts do not make one."""
    maker = _ACTIONS.get(frame.action)
    command = maker(frame) if maker is not None else listing(frame)
    if command and "quiet" in frame.flags:
        command += " 2>/dev/null"
    if command and frame.sink and ">" not in command:
        command += f" > {word(frame.sink)}"
    return command


def _counted(frame: FileFrame, command: str) -> str:
    return f"{command} | wc -l" if frame.count else command


def _delete(frame: FileFrame) -> str:
    files = frame.files
    if (files.plain and not files.names) or frame.order or frame.limit:
        return ""
    if files.contains:
        flags = "-r" + ("L" if files.lacks else "l") + ("i" if files.ignore_case else "")
        return (
            f"grep {flags}Z {pattern(files.contains[0])} {_includes(frame)}{files.root_words()} | xargs -0 rm"
        )
    show = "-print" if frame.count or "print" in frame.flags else ""
    if files.kind == "d" and "-empty" not in files.tests:
        return files.find(*([show] if show else []), "-prune -exec rm -r {} +")
    glob = files.shell_glob()
    if glob and not files.roots and not show and frame.files.kind == "f" and frame.flags & {"here"}:
        return f"rm {glob}"
    return _counted(frame, files.find(show, "-delete"))


def _to_directory(frame: FileFrame) -> str:
    if not frame.dest or frame.limit:
        return ""
    files, tool = frame.files, "mv" if frame.action == "move" else "cp"
    if "keep tree" in frame.flags:
        return files.find(f"-exec cp --parents {{}} {word(frame.dest)} \\;")
    glob = files.shell_glob()
    if glob and "under" not in frame.flags:
        return f"{tool} {glob} {word(frame.dest)}"
    if files.contains:
        search = f"grep -rl {pattern(files.contains[0])} {_includes(frame)}{files.root_words()}"
        return f"{search} | xargs -I {{}} {tool} {{}} {word(frame.dest)}"
    return _counted(
        frame, files.find("-print" if frame.count else "", f"-exec {tool} {{}} {word(frame.dest)} \\;")
    )


def _chmod(frame: FileFrame) -> str:
    if not frame.perm:
        return ""
    if frame.count:
        return frame.files.find(f"-exec chmod {frame.perm} {{}} \\;", "-print") + " | wc -l"
    if frame.files.kind in ("?", "") and frame.files.plain and not frame.files.names:
        return f"chmod -R {frame.perm} {frame.files.root_words()}" if frame.files.roots else ""
    return frame.files.find(f"-exec chmod {frame.perm} {{}} +")


def _chown(frame: FileFrame) -> str:
    if not frame.owner:
        return ""
    if frame.files.plain and not frame.files.names:
        return f"chown -R {word(frame.owner)} {frame.files.root_words()}" if frame.files.roots else ""
    return frame.files.find(f"-exec chown {word(frame.owner)} {{}} +")


def _concat(frame: FileFrame) -> str:
    files = frame.files
    if not (files.names or not files.plain) and not ("under" in frame.flags or files.recursive):
        return ""
    glob = files.shell_glob()
    out = f" > {word(frame.sink or frame.dest)}" if frame.sink or frame.dest else ""
    if glob and not files.roots:
        return f"cat {glob}{out}"
    target = (frame.sink or frame.dest).rpartition("/")[2]
    if target and not any(c in target for c in " *"):
        files.not_names.append(target)
    return files.find("-exec cat {} +") + out


def _replace(frame: FileFrame) -> str:
    if not frame.text:
        return ""
    files = frame.files
    flags = "gI" if files.ignore_case else "g"
    script = f"s/{sed_side(frame.text)}/{sed_side(frame.new, replacement=True)}/{flags}"
    if "word" in frame.flags and files.whole_word:
        script = f"s/\\b{sed_side(frame.text)}\\b/{sed_side(frame.new, replacement=True)}/{flags}"
    files.contains = []
    if not (files.names or files.roots or frame.nouns):
        return ""
    glob = files.shell_glob()
    if glob and not files.roots and files.recursive is False:
        return f"sed -i {pattern(script)} {glob}"
    if not files.names and files.plain:
        return (
            f"grep -rl {pattern(bre(frame.text))} {files.root_words()} | xargs sed -i '{script}'"
            if "'" not in script
            else ""
        )
    return files.find(
        f"-exec sed -i {pattern(script) if chr(39) in script else chr(39) + script + chr(39)} {{}} +"
    )


def _includes(frame: FileFrame) -> str:
    found = [f"--include={pattern(n)}" for n in frame.files.names]
    found += [f"--exclude={pattern(n)}" for n in frame.files.not_names]
    found += [f"--exclude-dir={word(n)}" for n in frame.files.prune]
    return "".join(part + " " for part in found)


def _rename(frame: FileFrame) -> str:
    files, here = frame.files, frame.files.shell_glob() or ""
    base = operand(files.roots[0].rstrip("/")) + "/" if files.roots and files.roots[0] != "." else ""
    glob = here or (base + "*" if files.plain and not files.names else "")
    if "extension" in frame.flags and len(files.names) == 1 and files.names[0].startswith("*."):
        old = files.names[0][1:]
        body = f'mv "$f" "${{f%{old}}}.{frame.new}"'
        return _each(frame, glob, body)
    if "infix" in frame.flags and frame.text:
        return _rename_infix(frame, glob)
    if "prefix" in frame.flags:
        body = f'mv "$f" "{base}{frame.new}${{f##*/}}"' if base else f'mv "$f" "{frame.new}$f"'
        return _each(frame, glob, body)
    if "suffix" in frame.flags:
        return _each(frame, glob, f'mv "$f" "$f{frame.new}"')
    if frame.flags & {"lower", "upper"}:
        mark = ",," if "lower" in frame.flags else "^^"
        if len(files.names) == 1 and files.names[0].startswith("*.") and files.names[0][2:].isalnum():
            old = files.names[0][2:]
            new = old.lower() if mark == ",," else old.upper()
            if new != old:
                return _each(frame, glob, f'mv "$f" "${{f%.{old}}}.{new}"')
        name = (
            f'"{base}$(basename "$f" | tr {"A-Z a-z" if mark == ",," else "a-z A-Z"})"'
            if base
            else f'"$(echo "$f" | tr {"A-Z a-z" if mark == ",," else "a-z A-Z"})"'
        )
        return _each(frame, glob, f'mv "$f" {name}')
    return ""


def _rename_infix(frame: FileFrame, glob: str) -> str:
    old, new, files = frame.text, frame.new, frame.files
    escaped = old if old.replace("_", "").replace("-", "").isalnum() else f'"{old}"' if old == " " else ""
    if not escaped or any(c in new for c in "/'\"$`\\"):
        return ""
    mark = "//" if old == " " else "/"
    if files.recursive or "under" in frame.flags:
        files.names.append(f"*{old}*")
        return files.find(f"""-execdir bash -c 'mv "$1" "${{1{mark}{escaped}/{new}}}"' _ {{}} \\;""")
    chosen = glob if files.names else glob.removesuffix("*") + (f"*{old}*" if old != " " else '*" "*')
    return _each(frame, chosen, f'mv "$f" "${{f{mark}{escaped}/{new}}}"')


def _each(frame: FileFrame, glob: str, body: str) -> str:
    if not glob or frame.files.recursive or "under" in frame.flags:
        return _each_deep(frame, body)
    return f"for f in {glob}; do {body}; done"


def _each_deep(frame: FileFrame, body: str) -> str:
    if "'" in body or "$(" in body or '"$f"' not in body:
        return ""
    return frame.files.find(f"-exec bash -c 'for f; do {body}; done' _ {{}} +")


def _word_count(frame: FileFrame) -> str:
    flag = next((f for f in ("-w", "-c", "-m") if f in frame.flags), "-l")
    files = frame.files
    if not (files.names or files.roots or frame.nouns) or "file root" in frame.flags:
        return ""
    glob = files.shell_glob()
    if glob and not files.roots and "here" in frame.flags:
        return f"wc {flag} {glob}"
    if "total" in frame.flags or "total" in frame.sentence.raw.lower():
        return files.find("-exec cat {} +") + f" | wc {flag}"
    return files.find(f"-exec wc {flag} {{}} +")


def _head(frame: FileFrame) -> str:
    tool = "tail" if "tail" in frame.flags else "head"
    files = frame.files
    if "file root" in frame.flags or not frame.nouns or not (files.names or files.roots):
        return ""
    glob = files.shell_glob()
    if glob:
        return f"{tool} -n {frame.limit} {glob}"
    return files.find(f"-exec {tool} -n {frame.limit} {{}} \\;")


def _checksum(frame: FileFrame) -> str:
    tool, files = frame.text, frame.files
    if "file root" in frame.flags or not frame.nouns:
        return ""
    if "twice" in frame.flags:
        if frame.order == "name":
            return files.find("-print0") + f" | sort -z | xargs -0 {tool} | awk '{{print $1}}' | {tool}"
        middle = " | sort" if frame.order else ""
        return files.find(f"-exec {tool} {{}} +") + f" | awk '{{print $1}}'{middle} | {tool}"
    return files.find(f"-exec {tool} {{}} +") + (" | sort" if frame.order else "")


def _touch_in(frame: FileFrame) -> str:
    frame.files.kind = "d"
    return frame.files.find(f"-exec touch {{}}/{word(frame.text)} \\;")


def _touch(frame: FileFrame) -> str:
    return frame.files.find("-exec touch {} +") if not frame.files.plain or frame.files.names else ""


def _disk_use(frame: FileFrame) -> str:
    if "file root" in frame.flags:
        return ""
    files, human = frame.files, "h" if "bytes" not in frame.flags else "b"
    if files.kind == "d" and frame.order == "size" and not files.names and files.plain:
        limit = f" | head -n {frame.limit}" if frame.limit else ""
        order = ("r" if frame.descending else "") + ("h" if human == "h" else "n")
        return f"du -{human} {files.root_words()} | sort -{order}{limit}"
    if "each" in frame.flags:
        if files.kind == "d":
            return f"du -{human} {files.root_words()}"
        if files.plain and not files.names:
            return f"du -a{human} {files.root_words()}"
        return files.find(f"-exec du -{human} {{}} +")
    if files.plain and not files.names:
        return f"du -s{human} {files.root_words()}" if files.roots else ""
    glob = files.shell_glob()
    if glob and not files.roots:
        return f"du -c{human} {glob} | tail -n 1"
    if "bytes" in frame.flags:
        return files.find("-printf '%s\\n'") + " | awk '{s+=$1} END {print s}'"
    return files.find("-exec du -ch {} +") + " | tail -n 1"


def _same_content(frame: FileFrame) -> str:
    return frame.files.find("-exec md5sum {} +") + " | sort | uniq -w32 -D"


def _same_name(frame: FileFrame) -> str:
    if frame.files.ignore_case:
        frame.files.ignore_case = False
        return frame.files.find() + " | awk -F/ '{print tolower($NF)}' | sort | uniq -d"
    return frame.files.find() + " | awk -F/ '{print $NF}' | sort | uniq -d"


def _extensions(frame: FileFrame) -> str:
    return frame.files.find("-name '*.*'") + " | sed 's/.*\\.//' | sort -u"


_ACTIONS: dict[str, Callable[[FileFrame], str]] = {
    "delete": _delete,
    "move": _to_directory,
    "copy": _to_directory,
    "chmod": _chmod,
    "chown": _chown,
    "gzip": compress_each,
    "extract": unpack,
    "archive": pack,
    "concat": _concat,
    "replace": _replace,
    "rename": _rename,
    "wc": _word_count,
    "head": _head,
    "sum": _checksum,
    "touch in": _touch_in,
    "touch": _touch,
    "du": _disk_use,
    "same content": _same_content,
    "same name": _same_name,
    "extensions": _extensions,
}
