"""Programs about files, time and the machine: cp, mv, stat, checksums, date, ps and kin in their BSD form."""

from __future__ import annotations

from terma.dialect.bsd.moments import date, touch
from terma.dialect.bsd.options import letters
from terma.dialect.bsd.words import Piece, quoted

_STAT = {
    "n": "%N", "s": "%z", "y": "%Sm", "Y": "%m", "x": "%Sa", "X": "%a", "z": "%Sc", "Z": "%c", "w": "%SB",
    "W": "%B", "a": "%Lp", "A": "%Sp", "U": "%Su", "G": "%Sg", "u": "%u", "g": "%g", "h": "%l", "i": "%i",
    "F": "%HT", "b": "%b", "d": "%d", "%": "%%",
}  # fmt: skip
_SUMS = {
    "md5sum": "md5 -r",
    "sha1sum": "1",
    "sha224sum": "224",
    "sha256sum": "256",
    "sha384sum": "384",
    "sha512sum": "512",
}
LINUX = frozenset(
    "ip ss free lsblk systemctl journalctl lscpu lsusb lspci useradd usermod userdel timedatectl".split()
)
ABSENT = frozenset("numfmt timeout b2sum chcon stdbuf pinky dir vdir ptx shred".split())


def copy(args: list[Piece], system: str) -> bool:
    """cp and mv: `-t DIR` goes to the end, `cp --parents` is rsync's."""
    parents = [arg for arg in args[1:] if arg.value == "--parents"]
    if parents and args[0].value == "cp" and system == "macos" and len(args) >= 4:
        args[0].text = "rsync -R"
        parents[0].text = ""
        return not any(arg.value[:1] == "-" and arg not in parents for arg in args[1:])
    if parents:
        return False
    for at, arg in enumerate(args[:-1]):
        if at and arg.value in ("-t", "--target-directory"):
            last = args[-1]
            if last is args[at + 1] or last.value in ("{}", "+"):
                return False
            last.text += " " + args[at + 1].text
            arg.text = args[at + 1].text = ""
            return not any(other.value.startswith("--") for other in args[1:])
    return not any(a.value[:2] == "--" and a.value != "--" for a in args[1:]) and not set("utTZdb") & set(
        letters(args)
    )


def stat(args: list[Piece], system: str) -> bool:
    at = 1
    while at < len(args):
        option = args[at].value
        shape, place = None, at
        if option in ("-c", "--format", "--printf") and at + 1 < len(args):
            shape, place = args[at + 1].value, at + 1
        elif option.startswith(("--format=", "--printf=")):
            shape = option.partition("=")[2]
        elif option.startswith("-c") and len(option) > 2:
            shape = option[2:]
        elif option.startswith("--"):
            return False
        if shape is not None:
            new = _stat_format(shape)
            if new is None:
                return False
            escaped = "printf" in option
            if escaped:
                new = new.replace("\\n", "%n").replace("\\t", "%t")
            args[at].text = args[place].text = ""
            args[at].text = f"{'-n ' if escaped else ''}-f {quoted(new)}"
            return "\\" not in new
        at += 1
    if len(args) > 1 and not any(arg.value[:1] == "-" for arg in args[1:]):
        args[0].text += " -x"
    return True


def _stat_format(shape: str) -> str | None:
    out, at = [], 0
    while at < len(shape):
        if shape[at] != "%":
            out.append(shape[at])
            at += 1
            continue
        new = _STAT.get(shape[at + 1 : at + 2])
        if new is None:
            return None
        out.append(new)
        at += 2
    return "".join(out)


def checksum(args: list[Piece], system: str) -> bool:
    tool = args[0].value
    check = "c" in letters(args) or any(arg.value.startswith("--") for arg in args[1:])
    if check and (system != "macos" or tool == "md5sum" or any(a.value.startswith("--") for a in args[1:])):
        return False
    if tool == "md5sum":
        args[0].text = "md5 -r"
    else:
        args[0].text = f"shasum -a {_SUMS[tool]}" if system == "macos" else f"sha{_SUMS[tool]} -r"
    return True


def ps(args: list[Piece], system: str) -> bool:
    good = True
    for at, arg in enumerate(args[1:], 1):
        option = arg.value
        if option.startswith("--sort"):
            key = option.partition("=")[2] or (args[at + 1].value if at + 1 < len(args) else "")
            flag = {"-%cpu": "-r", "-pcpu": "-r", "-%mem": "-m", "-pmem": "-m", "-rss": "-m"}.get(key)
            if flag and "=" in option:
                arg.text = flag
            good = good and bool(flag) and "=" in option
        elif (
            option.startswith("--")
            or option in ("-C", "f")
            or (
                system == "bsd"
                and option[:1] == "-"
                and ("e" in option or "f" in option)
                and "=" not in option
            )
        ):
            good = False
    return good


def base64(args: list[Piece], system: str) -> bool:
    at = 1
    while at < len(args):
        option = args[at].value
        if option in ("-w0", "--wrap=0"):
            args[at].text = ""
        elif option == "-w" and at + 1 < len(args):
            args[at].text = "" if args[at + 1].value == "0" else "-b"
            args[at + 1].text = args[at + 1].text if args[at].text else ""
            at += 1
        elif option == "--decode":
            args[at].text = "-d"
        elif option.startswith("--"):
            return False
        elif option in ("-i", "-o", "-b"):
            at += 1
        elif system == "macos" and (option[:1] != "-" and args[at].text):
            args[at].text = "-i " + args[at].text
        at += 1
    return True


def renamed(args: list[Piece], system: str) -> bool:
    """Programs that go by another name."""
    tool = args[0].value
    if tool == "nproc":
        args[0].text = "sysctl -n hw.ncpu"
        return len(args) == 1
    if tool == "pidof":
        args[0].text = "pgrep -x"
        return len(args) == 2
    if tool == "xdg-open" and system == "macos":
        args[0].text = "open"
    return tool != "xdg-open" or system == "macos"


def free(args: list[Piece], system: str) -> bool:
    if system != "macos":
        return False
    for arg in args[1:]:
        arg.text = ""
    args[0].text = "vm_stat"
    return True


def df(args: list[Piece], system: str) -> bool:
    """-T prints types on GNU and picks one on BSD."""
    used = letters(args)
    kind = used.get("T", (0, "apfs"))[1]
    return "B" not in used and bool(kind) and kind[0] not in "/.~-"


def pgrep(args: list[Piece], system: str) -> bool:
    """GNU's -a writes the command line; on BSD it means something else."""
    return not {"a", "c"} & set(letters(args)) and not any(arg.value.startswith("--") for arg in args[1:])


def tar(args: list[Piece], system: str) -> bool:
    for arg in args[1:]:
        if arg.value == "--wildcards":
            arg.text = ""
    gnu = (
        "--delete",
        "--diff",
        "--compare",
        "--transform",
        "--xform",
        "--checkpoint",
        "--remove-files",
        "--one-top",
    )
    first = args[1].value.lstrip("-") if len(args) > 1 else ""
    return not any(arg.value.startswith(gnu) for arg in args[1:]) and first[:1] not in ("d", "A")


def dd(args: list[Piece], system: str) -> bool:
    for arg in args[1:]:
        if arg.text.startswith("bs=") and arg.text[-1] in "MGK" and arg.text[3:-1].isdigit():
            arg.text = arg.text[:-1] + arg.text[-1].lower()
    return not any(arg.value.startswith(("iflag=", "oflag=")) for arg in args[1:])


ON_SYSTEMS = {
    "cp": copy, "mv": copy, "stat": stat, "date": date, "touch": touch, "ps": ps, "base64": base64, "nproc": renamed,
    "pidof": renamed, "xdg-open": renamed, "free": free, "pgrep": pgrep, "df": df, "tar": tar, "dd": dd,
    **dict.fromkeys(_SUMS, checksum),
}  # fmt: skip
