"""find: what GNU prints and tests by itself is asked of stat, test and dates on BSD."""

from __future__ import annotations

from collections.abc import Callable

from terma.dialect.bsd.words import Piece, quoted

Convert = Callable[[list[Piece]], bool]
STAT = {
    "p": "%N", "s": "%z", "m": "%Lp", "M": "%Sp", "u": "%Su", "g": "%Sg", "U": "%u", "G": "%g", "i": "%i",
    "n": "%l", "b": "%b", "t": "%Sm", "a": "%Sa", "c": "%Sc", "l": "%Y", "%": "%%",
}  # fmt: skip
_TIMES = {"T": "m", "A": "a", "C": "c"}
_DAYS = {
    "-1": '{new} "$(date +%F)"',
    "0": '{new} "$(date +%F)"',
    "1": '{new} "$(date -v-1d +%F)" ! {new} "$(date +%F)"',
}
_GNU = frozenset("-fprint -fprintf -fls -fprint0 -used -context -printf -daystart -xtype -regextype".split())
_SILENT = frozenset("-noleaf -warn -nowarn -ignore_readdir_race -O1 -O2 -O3".split())


def find(args: list[Piece], convert: Convert) -> bool:
    """Change the words of one find; False when BSD has no form for all of it. `convert` does a nested command."""
    good, at = True, 1
    while at < len(args) and args[at].value in ("-H", "-L", "-P", "-E", "-x", "-X", "-d", "-s"):
        at += 1
    if at == len(args) or (args[at].text[0] in "-!\\(" and args[at].text != "--"):
        args[at - 1].text += " ."
    while at < len(args):
        step, fine = _test(args, at, convert)
        good, at = good and fine, at + step
    return good


def _test(args: list[Piece], at: int, convert: Convert) -> tuple[int, bool]:
    """(how many words were read, is all of it BSD now)."""
    name = args[at].value
    following = args[at + 1].value if at + 1 < len(args) else ""
    if name in ("-exec", "-execdir", "-ok", "-okdir"):
        end = at + 1
        while end < len(args) and args[end].value not in (";", "+"):
            end += 1
        return end - at + 1, convert(args[at + 1 : end])
    if name in (
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-iwholename",
        "-lname",
        "-ilname",
        "-newer",
    ):
        return 2, True
    if name in ("-readable", "-writable"):
        args[at].text = f"-exec test -{name[1]} {{}} \\;"
    elif name == "-executable":
        args[at].text = "-perm +111"
    elif name == "-perm" and following.startswith("/"):
        args[at + 1].text = "+" + args[at + 1].text[1:] if following[1:].isdigit() else args[at + 1].text
        return 2, following[1:].isdigit()
    elif name == "-type":
        return 2, "," not in following
    elif name == "-xtype" and following == "l" and args[at - 1].value not in ("!", "-not", "-o", "-or"):
        args[at].text, args[at + 1].text = "-type", "l ! -exec test -e {} \\;"
        return 2, True
    elif name == "-daystart":
        return _today(args, at)
    elif name == "-printf":
        return 2, _printf(args, at)
    elif name == "-regextype":
        return _regextype(args, at, following)
    elif name in ("-regex", "-iregex"):
        extended = " -E" in args[0].text or any(arg.value == "-E" for arg in args[1:3])
        return 2, extended or not any(mark in following for mark in ("\\|", "\\(", "+", "?"))
    elif name in _SILENT:
        args[at].text = ""
    return 1, name not in _GNU or args[at].text != name


def _regextype(args: list[Piece], at: int, kind: str) -> tuple[int, bool]:
    if kind not in ("posix-extended", "posix-egrep", "egrep", "posix-basic", "grep", "sed"):
        return 2, False
    args[at].text = args[at + 1].text = ""
    if kind.endswith(("extended", "egrep")):
        args[0].text = args[0].text.replace("find", "find -E", 1)
    return 2, True


def _today(args: list[Piece], at: int) -> tuple[int, bool]:
    """`-daystart -mtime -1`: since midnight; `1` is yesterday."""
    if at + 2 >= len(args):
        return 1, False
    test, days = args[at + 1].value, args[at + 2].value
    negated = args[at - 1].value in ("!", "-not")
    if test not in ("-mtime", "-atime", "-ctime") or days not in _DAYS or (negated and days == "1"):
        return 3, False
    if "-o" in (arg.value for arg in args) and days == "1":
        return 3, False
    args[at].text = args[at + 1].text = ""
    args[at + 2].text = _DAYS[days].format(new=f"-newer{test[1]}t")
    return 3, True


def _printf(args: list[Piece], at: int) -> bool:
    if at + 1 >= len(args):
        return False
    shape = args[at + 1].value
    end = "+" if at + 2 == len(args) else "\\;"
    simple = {"%f\\n": "basename {} \\;", "%h\\n": "dirname {} \\;"}.get(shape)
    if simple:
        args[at].text, args[at + 1].text = "-exec", simple
        return True
    if shape in ("%p\\n", "%p\\0"):
        args[at].text, args[at + 1].text = "-print" if shape == "%p\\n" else "-print0", ""
        return True
    found = stat_format(shape)
    if found is None:
        return False
    args[at].text, args[at + 1].text = "-exec", f"stat {found} {{}} {end}"
    return True


def stat_format(shape: str) -> str | None:
    """BSD stat's options for a format of -printf; None when it cannot say it."""
    lines = shape.endswith("\\n")
    shape = shape[:-2] if lines else shape
    out: list[str] = []
    times: list[str] = []
    letter, at = "", 0
    while at < len(shape):
        two = shape[at : at + 2]
        if two[0] == "\\":
            if two not in ("\\n", "\\t"):
                return None
            out.append("%n" if two == "\\n" else "%t")
            at += 2
        elif two[0] != "%":
            out.append(two[0])
            at += 1
        elif two[1:] in _TIMES and two[1:]:
            kind = shape[at + 2 : at + 3]
            at += 3
            if kind == "@":
                out.append("%" + _TIMES[two[1]])
                continue
            if letter or not kind:
                return None
            letter = two[1]
            times.append("%F+%T" if kind == "+" else "%" + kind)
            while (rest := shape.find("%" + letter, at)) >= 0 and "%" not in shape[at:rest]:
                times.append(shape[at:rest] + "%" + shape[rest + 2 : rest + 3])
                at = rest + 3
            out.append("%S" + _TIMES[letter])
        elif two[1:] in STAT:
            out.append(STAT[two[1]])
            at += 2
        else:
            return None
    spelled = f"-t {quoted(''.join(times))} " if times else ""
    return f"{'' if lines else '-n '}{spelled}-f {quoted(''.join(out))}"
