"""Programs that read text: grep, head, tac, shuf, uniq, cut, xargs, awk and kin in their BSD form."""

from __future__ import annotations

from terma import regex as re
from terma.dialect.bsd.options import letters, operands
from terma.dialect.bsd.sed import sed
from terma.dialect.bsd.words import Piece, quoted

_UNITS = {"K": 1024, "k": 1024, "M": 1024**2, "G": 1024**3, "KB": 1000, "MB": 10**6, "GB": 10**9, "b": 512}
_AWK_GNU = re.compile(r"\b(?:gensub|asorti?|strftime|systime|mktime|PROCINFO|IGNORECASE|FPAT|RT|BEGINFILE)\b")


def grep(args: list[Piece], in_pipe: bool) -> bool:
    good = True
    for arg in args[1:]:
        option = arg.value
        if option in ("--perl-regexp", "--null-data"):
            good = False
        if option[:1] == "-" and option[1:2] not in ("-", "e", "f") and "Z" in option and option.isascii():
            rest = arg.text.replace("Z", "")
            arg.text = (rest + " --null") if len(rest) > 1 else "--null"
    used = letters(args)
    if ("r" in used or "R" in used) and len(operands(args)) == (0 if {"e", "f"} & set(used) else 1):
        args[-1].text += " ."
    return good and not {"P", "z"} & set(used)


def head(args: list[Piece], in_pipe: bool) -> bool:
    """Sizes with a unit in bytes; all but the last N lines with the file turned round."""
    used, files = letters(args), operands(args)
    if {"q", "v", "z"} & set(used):
        return False
    if "c" in used:
        return _bytes(args, used["c"])
    value = used.get("n", (0, ""))[1]
    if not value.startswith("-"):
        return True
    if len(files) > 1 or not value[1:].isdigit() or not in_pipe:
        return False
    for arg in args[1:]:
        if arg not in files:
            arg.text = ""
    args[0].text = "tail -r"
    args[-1].text = args[-1].text if files else ""
    last = args[-1] if files else args[0]
    last.text += f" | tail -n +{int(value[1:]) + 1} | tail -r"
    return True


def tail(args: list[Piece], in_pipe: bool) -> bool:
    used = letters(args)
    return ("c" not in used or _bytes(args, used["c"])) and not {"z", "s"} & set(used)


def _bytes(args: list[Piece], option: tuple[int, str]) -> bool:
    at, value = option
    sign = value[:1] if value[:1] in "+-" else ""
    digits = value[len(sign) :].rstrip("KMGBkb")
    unit = value[len(sign) + len(digits) :]
    if args[0].value == "head" and sign == "-":
        return False
    if not unit or not digits.isdigit():
        return True
    if unit not in _UNITS:
        return False
    place = at if args[at].value.endswith(value) else at + 1
    args[place].text = args[place].text[: -len(value)] + f"{sign}{int(digits) * _UNITS[unit]}"
    return True


def tac(args: list[Piece], in_pipe: bool) -> bool:
    if len(args) > 2 or any(arg.value[:1] == "-" and len(arg.value) > 1 for arg in args[1:]):
        return False
    args[0].text = "tail -r"
    return True


def shuf(args: list[Piece], in_pipe: bool) -> bool:
    """sort -R: also a random order, equal lines side by side."""
    count, span, rest, at = "", "", [], 1
    while at < len(args):
        option = args[at].value
        for letter, long in (("n", "--head-count"), ("i", "--input-range")):
            if option in (f"-{letter}", long) and at + 1 < len(args):
                at += 1
                value = args[at].value
            elif option.startswith(long + "="):
                value = option.partition("=")[2]
            elif option.startswith(f"-{letter}"):
                value = option[2:]
            else:
                continue
            count, span = (value, span) if letter == "n" else (count, value)
            break
        else:
            if option[:1] == "-":
                return False
            rest.append(args[at].text)
        at += 1
    low, dash, high = span.partition("-")
    if (count and not in_pipe) or (span and not (dash and low.isdigit() and high.isdigit() and in_pipe)):
        return False
    command = f"seq {low} {high} | sort -R" if span else " ".join(["sort -R", *rest])
    _whole(args, command + (f" | head -n {count}" if count else ""))
    return True


def _whole(args: list[Piece], command: str) -> None:
    for arg in args[1:]:
        arg.text = ""
    args[0].text = command


def uniq(args: list[Piece], in_pipe: bool) -> bool:
    used = letters(args)
    width = used.get("w", (0, ""))[1]
    if set(used) == {"w", "D"} and width.isdigit() and not operands(args) and in_pipe:
        program = (
            f"{{k = substr($0, 1, {width})}} NR > 1 && k == p {{if (!s++) print l; print}} "
            "k != p {s = 0} {p = k; l = $0}"
        )
        _whole(args, f"awk {quoted(program)}")
        return True
    return not {"w", "D", "z"} & set(used)


def cut(args: list[Piece], in_pipe: bool) -> bool:
    """`--complement` as the list of the other fields."""
    options = [arg for arg in args[1:] if arg.value == "--complement"]
    if any(arg.value.startswith("--") and arg not in options for arg in args[1:]):
        return False
    used = letters(args)
    if "z" in used or not options:
        return "z" not in used
    at, listed = next((used[letter] for letter in "fcb" if letter in used), (0, ""))
    other = _others(listed)
    if not other:
        return False
    place = at if args[at].value.endswith(listed) and len(args[at].value) > 2 else at + 1
    if not args[place].text.endswith(listed):
        return False
    args[place].text = args[place].text[: -len(listed)] + other
    for option in options:
        option.text = ""
    return True


def _others(listed: str) -> str:
    spans = []
    for part in listed.split(","):
        low, dash, high = part.partition("-")
        if not (low or dash) or not (low + high).isdigit():
            return ""
        spans.append((int(low or 1), (int(high) if high else 0) if dash else int(low)))
    found: list[str] = []
    start = 1
    for first, last in sorted(spans):
        if first > start:
            found.append(f"{start}-{first - 1}" if first - 1 > start else str(start))
        if not last:
            return ",".join(found)
        start = max(start, last + 1)
    return ",".join([*found, f"{start}-"])


def xargs(args: list[Piece], in_pipe: bool) -> bool:
    """`args` end before the command that it runs."""
    at = 1
    while at < len(args):
        option = args[at].value
        if option[:2] == "-d":
            mark = option[2:] or (args[at + 1].value if at + 1 < len(args) else "")
            if mark != "\\n" or not in_pipe:
                return False
            args[0].text = "tr '\\n' '\\0' | xargs"
            args[at].text = "-0"
            if option == "-d":
                at += 1
                args[at].text = ""
        elif option.startswith(("-a", "--arg-file", "--delimiter")):
            return False
        elif option and option[:2] not in ("--", "-I", "-n", "-P", "-L", "-s", "-E", "-J"):
            kept = args[at].text.replace("r", "", 1)
            args[at].text = kept if len(kept) > 1 else ""
        elif len(option) == 2:
            at += 1
        at += 1
    return True


def awk(args: list[Piece], in_pipe: bool) -> bool:
    return not any(_AWK_GNU.search(arg.value) for arg in args[1:])


def paste(args: list[Piece], in_pipe: bool) -> bool:
    if not operands(args):
        args[-1].text += " -"
    return True


def seq(args: list[Piece], in_pipe: bool) -> bool:
    """BSD writes the separator after the last number too."""
    if len(args) > 2 and args[1].value[:2] == "-s":
        alone = args[1].value == "-s"
        mark = args[2].value if alone else args[1].value[2:]
        if len(mark) != 1 or not in_pipe:
            return False
        rest = " ".join(arg.text for arg in args[3 if alone else 2 :])
        _whole(
            args, f"seq {rest} | paste -sd{quoted(mark) if not mark.isalnum() and mark != '+' else mark} -"
        )
    return True


IN_PIPES = {
    "sed": sed, "grep": grep, "egrep": grep, "head": head, "tail": tail, "tac": tac, "shuf": shuf, "uniq": uniq,
    "cut": cut, "awk": awk, "gawk": awk, "paste": paste, "seq": seq,
}  # fmt: skip
