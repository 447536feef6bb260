"""The form in which one program wants its words, where it does not say so itself: an input's option, a port's place."""

from __future__ import annotations

import posixpath
import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import head
from terma.offline.explain.near import nearest
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.source import MAX_SOURCE

_ENTRIES = ("main.py", "app.py", "cli.py", "run.py", "manage.py")


def _input(case: Case) -> str:
    """The first operand where it is a file: what ffmpeg took for an output."""
    first = next((word.value for word in case.arguments if not word.value.startswith("-")), "")
    return first if len(case.operands) > 1 and case.exists(first) and "-i" not in case.args else ""


def _host_port(case: Case) -> tuple[str, str, str]:
    """(word, host, port) of an operand `host:22` or `user@host:22`; empty strings when there is none."""
    for value in case.operands:
        found = re.fullmatch(r"((?:[\w.-]+@)?[A-Za-z][\w.-]*):(\d{1,5})", value)
        if found:
            return value, found[1], found[2]
    return "", "", ""


def _with_port(case: Case, facts: Facts) -> list[str]:
    word, host, port = _host_port(case)
    return [case.swap(word, f"-p {port} {host}", raw=True)] if word and "-p" not in case.args else []


def _unnamed_file(case: Case) -> str:
    """The one operand behind the subcommand that is a file."""
    files = [value for value in case.operands[1:] if case.exists(value)]
    return files[0] if len(files) == 1 and not {"-in", "-out"} & set(case.args) else ""


def _entry(case: Case) -> str:
    """The file in a folder given to python that is to be started."""
    folder = next((value for value in case.operands if case.is_dir(value)), "")
    names = [name for name in case.listing(folder) if name.endswith(".py")] if folder else []
    meant = [name for name in _ENTRIES if name in names] or names
    return posixpath.join(folder, meant[0]) if len(meant) == 1 or meant[:1] == ["main.py"] else ""


def _each(case: Case) -> list[str]:
    """One archive after the other, where several were given to a program that takes one."""
    files = list(case.operands)
    ends = {posixpath.splitext(name)[1] for name in files}
    if len(files) < 2 or len(ends) != 1 or not all(map(case.exists, files)):
        return []
    first = case.command
    for name in files[1:]:
        first = re.sub(rf"\s+{re.escape(name)}(?=\s|$)", "", first)
    return [
        " && ".join(first.replace(files[0], quote(name), 1) if name != files[0] else first for name in files)
    ]


def _encodings(case: Case) -> tuple[str, str]:
    """The values of iconv's -f and -t."""
    args = dict(zip(case.args, case.args[1:], strict=False))
    return args.get("-f", ""), args.get("-t", "")


def _foreign(case: Case) -> tuple[str, str]:
    """(the file, the word behind -f) where the file is not in the encoding that -f names, and that is UTF-8."""
    source, _ = _encodings(case)
    path = next(
        (value for value in case.operands if case.exists(value) and value not in _encodings(case)), ""
    )
    if not path or source.lower().replace("-", "") != "utf8":
        return "", ""
    try:
        head(case, path, MAX_SOURCE).decode("utf-8")
    except UnicodeDecodeError as error:
        return (path, source) if error.reason != "unexpected end of data" else ("", "")
    return "", ""


def _can_be_written(case: Case, path: str, meant: str) -> bool:
    """Whether all characters of `path`, read as `meant`, exist in what iconv is to write."""
    target, translit, _ = _encodings(case)[1].partition("//")
    try:
        head(case, path, MAX_SOURCE).decode(meant, "replace").encode(target or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return bool(translit)
    return True


def _recoded(case: Case, facts: Facts) -> list[str]:
    path, source = _foreign(case)
    if path:
        windows = re.search(rb"[\x80-\x9f]", head(case, path, MAX_SOURCE))
        meant = "WINDOWS-1252" if windows else "ISO-8859-1"
        return [case.swap(source, meant)] if _can_be_written(case, path, meant) else []
    _, target = _encodings(case)
    return [case.swap(target, f"{target}//TRANSLIT", raw=True)] if target and "//" not in target else []


def _iconv(case: Case, facts: Facts) -> str:
    path, source = _foreign(case)
    if path:
        return f"{path} is not {source}: iconv met an illegal input sequence at position {facts['at']}. Its bytes are of a one-byte encoding."
    _, target = _encodings(case)
    return (
        f"The character at position {facts['at']} does not exist in {target or 'the target encoding'} (illegal input sequence). //TRANSLIT writes the nearest one."
        if target
        else ""
    )


def _output_name(case: Case, facts: Facts) -> list[str]:
    sources = [value for value in case.operands if re.search(r"\.(?:c|cc|cpp|cxx|rs|go|f90|m)$", value)]
    return (
        [case.append(quote(posixpath.splitext(posixpath.basename(sources[0]))[0]))]
        if sources and case.args[-1:] == ("-o",)
        else []
    )


def _interface(case: Case) -> str:
    """The network interface that stands without `dev`."""
    known = case.listing("/sys/class/net")
    for before, value in zip(case.args, case.args[1:], strict=False):
        looks = value in known or re.fullmatch(
            r"(?:eth|wlan|lo|enp?|wlp|docker|br|tun|tap|veth|bond|wg)[\w.-]*\d\w*|lo", value
        )
        if looks and before not in ("dev", "via", "master", "show", "set"):
            return value
    return ""


_UNITS = ((r"([kKMGT])i?[bB](?:ytes?)?", ""), (r"s(?:ec(?:ond)?s?)", "s"), (r"m(?:in(?:ute)?s?)", "m"), (r"h(?:(?:ou)?rs?)", "h"), (r"d(?:ays?)", "d"))  # fmt: skip


def _unit(case: Case, facts: Facts) -> list[str]:
    """The refused number with its unit as one letter."""
    for word in case.args:
        for unit, letter in _UNITS:
            found = re.fullmatch(rf"([-+]?\d+(?:\.\d+)?){unit}", word)
            if found:
                return [case.swap(word, found[1] + (letter or found[2]))]
    return []


def _list_option(case: Case) -> str:
    """The word that is a list of fields for cut, given without its option."""
    return next((value for value in case.operands if re.fullmatch(r"\d+(?:[-,]\d*)*", value)), "")


def _calls_other(case: Case) -> bool:
    """Whether the output calls an option that was typed unknown: then the file is not what is wrong."""
    told = re.search(r"(?:option|digest|cipher|parameter)[^\n:]*: -?(\S+)", case.output)
    return bool(told) and any(
        word.lstrip("-") == told[1] for word in case.args if word.startswith("-") and told
    )


RULES = (
    Rule("forms.unit", ("invalid", "not a valid", "bad"), r"invalid (?:[-\w ]*)?(?:type|interval|size|number|suffix|time|duration|argument|value)", lambda c, f: f"{c.program} takes a unit of one letter, as in {_unit(c, f)[0]}: what stands there is invalid." if _unit(c, f) else "", _unit, rank=39, rewrites=True),
    Rule("forms.list", "you must specify a list", "", lambda c, f: f"cut wants a list of bytes, characters or fields behind -b, -c or -f; {_list_option(c)} has none of them." if _list_option(c) else "",
         lambda c, f: [c.swap(_list_option(c), f"-f{_list_option(c)}", raw=True)], program="cut", rank=20, rewrites=True),
    Rule("forms.sed_in_place", "can't read", "", lambda c, f: "GNU sed's -i takes its suffix glued to it: the empty word behind it was read as the script, and the script as a file that it can't read." if re.search(r"-i (?:''|\"\")", c.command) else "",
         lambda c, f: [re.sub(r"(-i) (?:''|\"\")", r"\1", c.command, count=1)], program="sed", rank=12, rewrites=True),
    Rule("forms.sum", "is unavailable", r"File (?P<name>[\d.+*/^() -]+) is unavailable", "bc reads sums from files and its input, and {name} is no file.", lambda c, f: [f"echo {quote(f['name'])} | {c.program}"] if c.args == (f["name"],) else [], program="bc", rank=30, rewrites=True),
    Rule("forms.input", "does not contain any stream", "", lambda c, f: f"ffmpeg takes every file without -i before it for an output: {_input(c)} is the input, and the output does not contain any stream." if _input(c) else "",
         lambda c, f: [c.swap(_input(c), f"-i {quote(_input(c))}", raw=True)], program="ffmpeg", rank=12, rewrites=True),
    Rule("forms.port", "could not resolve hostname", "", lambda c, f: f"ssh takes the port behind -p, so {_host_port(c)[0]} is no name of a host for it: it could not be resolved." if _host_port(c)[0] else "", _with_port, program="ssh sftp", rank=11, rewrites=True),
    Rule("forms.address", "invalid address", r"Invalid address: (?P<port>\d{2,5})$", "{port} is a port without a host: an invalid address. localhost:{port} listens on this machine alone.", lambda c, f: [c.swap(f["port"], f"localhost:{f['port']}")], rank=30, rewrites=True),
    Rule("forms.openssl", "use -help for summary", "", lambda c, f: f"openssl {c.operands[0]} reads a file only behind -in: {_unnamed_file(c)} is an extra argument." if c.operands and _unnamed_file(c) and not _calls_other(c) else "",
         lambda c, f: [c.swap(_unnamed_file(c), f"-in {quote(_unnamed_file(c))}", raw=True)], program="openssl", rank=30, rewrites=True),
    Rule("forms.main", "__main__", r"can't find '__main__' module in '(?P<path>[^']+)'", lambda c, f: "The folder holds no __main__.py, so Python cannot run it as a program (can't find '__main__')." + (f" There is {_entry(c)}." if _entry(c) else ""),
         lambda c, f: [c.swap(next(v for v in c.operands if c.is_dir(v)), _entry(c))] if _entry(c) else [], program="python python3", rank=11, rewrites=True),
    Rule("forms.one_archive", "filename not matched", r"filename not matched:\s+(?P<name>\S+)", lambda c, f: f"unzip takes one archive, and reads every other name as one inside of it: {f['name']} is not there (filename not matched).", lambda c, f: _each(c), program="unzip", rank=30, rewrites=True),
    Rule("forms.iconv", ("illegal input sequence", "cannot convert"), r"at position (?P<at>\d+)", _iconv, _recoded, program="iconv", rank=12, rewrites=True),
    Rule("forms.no_output_name", "missing filename after", r"missing filename after [‘'](?P<name>-o)", "{program} wants the name of its output behind {name}: the filename is missing.", _output_name, program="gcc g++ cc c++ clang clang++ rustc", rank=20, rewrites=True),
    Rule("forms.dev", "is a garbage", r"\"(?P<name>[^\"]+)\" is a garbage", lambda c, f: f"ip reads {f['name']} as one more address (either \"local\" is duplicate, or it is garbage): an interface stands behind dev." if _interface(c) else "",
         lambda c, f: [c.swap(_interface(c), f"dev {_interface(c)}", raw=True)], program="ip", rank=30, rewrites=True),
    Rule("forms.python_module_command", "unknown command", r"unknown command \"(?P<name>[^\"]+)\"(?: - maybe you meant \"(?P<meant>[^\"]+)\")?", lambda c, f: f"{f['name']} is no command of {c.args[1]}: unknown." + (f" It looks like {f['meant']} misspelt." if f["meant"] else "") if c.args[:1] == ("-m",) and len(c.args) > 2 else "",
         lambda c, f: [c.swap(f["name"], f["meant"])] if f["meant"] and nearest(f["name"], [f["meant"]], 1) else [], program="python python3", rank=20, rewrites=True),
)  # fmt: skip
