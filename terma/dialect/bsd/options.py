"""Long options of GNU programs as the short ones that BSD has, and the options that only GNU has."""

from __future__ import annotations

from terma.dialect.bsd.words import Piece

SHORT: dict[str, dict[str, str]] = {
    "ls": {
        "--all": "-a", "--almost-all": "-A", "--recursive": "-R", "--human-readable": "-h", "--reverse": "-r",
        "--sort=size": "-S", "--sort=time": "-t", "--directory": "-d", "--inode": "-i", "--classify": "-F",
        "--color": "-G", "--color=auto": "-G", "--size": "-s", "--numeric-uid-gid": "-n",
    },
    "cp": {"--recursive": "-R", "--archive": "-a", "--verbose": "-v", "--force": "-f", "--interactive": "-i",
           "--no-clobber": "-n", "--preserve": "-p", "--reflink=auto": ""},
    "mv": {"--verbose": "-v", "--force": "-f", "--interactive": "-i", "--no-clobber": "-n"},
    "rm": {"--recursive": "-R", "--force": "-f", "--verbose": "-v", "--dir": "-d", "--one-file-system": "-x"},
    "mkdir": {"--parents": "-p", "--verbose": "-v", "--mode=": "-m "},
    "rmdir": {"--parents": "-p", "--verbose": "-v"},
    "ln": {"--symbolic": "-s", "--force": "-f", "--verbose": "-v", "--interactive": "-i"},
    "touch": {"--no-create": "-c", "--reference=": "-r "},
    "chmod": {"--recursive": "-R", "--verbose": "-v"},
    "chown": {"--recursive": "-R", "--verbose": "-v", "--no-dereference": "-h"},
    "chgrp": {"--recursive": "-R", "--verbose": "-v", "--no-dereference": "-h"},
    "cat": {"--number": "-n", "--squeeze-blank": "-s", "--number-nonblank": "-b", "--show-all": "-et",
            "-A": "-et", "-E": "-e", "-T": "-t", "--show-ends": "-e", "--show-tabs": "-t"},
    "head": {"--lines=": "-n ", "--bytes=": "-c "},
    "tail": {"--lines=": "-n ", "--bytes=": "-c ", "--follow": "-f", "--follow=name": "-F", "--retry": "-F"},
    "uniq": {"--count": "-c", "--repeated": "-d", "--unique": "-u", "--ignore-case": "-i",
             "--skip-fields=": "-f ", "--skip-chars=": "-s "},
    "cut": {"--delimiter=": "-d", "--fields=": "-f", "--characters=": "-c", "--bytes=": "-b",
            "--only-delimited": "-s"},
    "tr": {"--delete": "-d", "--squeeze-repeats": "-s", "--complement": "-c"},
    "wc": {"--lines": "-l", "--words": "-w", "--bytes": "-c", "--chars": "-m", "--max-line-length": "-L"},
    "tee": {"--append": "-a"},
    "paste": {"--delimiters=": "-d ", "--serial": "-s"},
    "fold": {"--width=": "-w ", "--spaces": "-s"},
    "split": {"--lines=": "-l ", "--bytes=": "-b "},
    "du": {"--human-readable": "-h", "--summarize": "-s", "--max-depth=": "-d ", "--all": "-a", "--total": "-c",
           "--apparent-size": "-A", "--one-file-system": "-x", "--exclude=": "-I ", "-BM": "-m", "-BG": "-g",
           "-BK": "-k", "-B1M": "-m", "-B1K": "-k", "-B1G": "-g"},
    "df": {"--human-readable": "-h", "--inodes": "-i", "--local": "-l", "--portability": "-P"},
    "truncate": {"--size=": "-s "},
    "xargs": {"--null": "-0", "--no-run-if-empty": "", "--max-args=": "-n ", "--max-procs=": "-P ",
              "--verbose": "-t", "--replace": "-I {}", "-i": "-I {}", "--replace=": "-I "},
    "mktemp": {"--directory": "-d", "--dry-run": "-u"},
    "readlink": {"--canonicalize": "-f"},
    "nl": {"--body-numbering=": "-b "},
    "date": {"--utc": "-u", "--universal": "-u", "--rfc-email": "-R"},
    "sha256sum": {"--check": "-c"}, "sha1sum": {"--check": "-c"}, "sha512sum": {"--check": "-c"},
    "basename": {"--suffix=": "-s ", "--multiple": "-a"}, "dirname": {}, "comm": {}, "join": {}, "seq": {},
    "nproc": {}, "md5sum": {"--check": "-c"}, "realpath": {}, "stat": {}, "nice": {"--adjustment=": "-n "},
}  # fmt: skip
GNU_LETTERS = {
    "ls": "XvBIQZDN", "cp": "utTZdb", "mv": "utTZb", "ln": "rtT", "uniq": "wDz", "cut": "z", "head": "zqv",
    "tail": "z", "grep": "Pz", "df": "BT", "du": "bB", "realpath": "sme", "readlink": "em", "chmod": "c",
    "chown": "c", "sort": "", "xargs": "da", "ps": "", "wc": "", "mktemp": "p", "paste": "z",
}  # fmt: skip
_VALUES = {
    "cut": "dfcb", "head": "nc", "tail": "ncb", "uniq": "fsw", "du": "dtI", "ls": "", "grep": "efmABC",
    "xargs": "InLPsEJR",
    "df": "tT", "ln": "", "paste": "d", "mktemp": "t",
}  # fmt: skip


def shorten(args: list[Piece]) -> bool:
    """Long options as short ones; False when one is left that BSD does not know."""
    tool = args[0].value
    table = SHORT.get(tool)
    if table is None:
        return True
    good, at = True, 1
    while at < len(args):
        option = args[at].value
        if option == "--":
            break
        name, equals, _ = option.partition("=")
        if option in table:
            args[at].text = table[option]
        elif name + "=" in table and equals and option.startswith("--"):
            text = args[at].text
            args[at].text = (
                table[name + "="] + (text.partition("=")[2] or "''") if text.startswith("-") else text
            )
            good = good and text.startswith("-")
        elif option + "=" in table and at + 1 < len(args):
            args[at].text = table[option + "="].rstrip()
            at += 1
        elif option.startswith("--"):
            good = False
        at += 1
    return good


def letters(args: list[Piece]) -> dict[str, tuple[int, str]]:
    """The short options in use: letter -> (place in args, value after the letter or in the next word)."""
    takes = _VALUES.get(args[0].value, "")
    found: dict[str, tuple[int, str]] = {}
    at = 1
    while at < len(args):
        text = args[at].value
        if text == "--":
            break
        if text[:1] == "-" and text[:2] != "--" and len(text) > 1:
            for place, letter in enumerate(text[1:], 2):
                following = args[at + 1].value if at + 1 < len(args) else ""
                found[letter] = (at, text[place:] or following)
                if letter in takes:
                    at += not text[place:]
                    break
        at += 1
    return found


def operands(args: list[Piece]) -> list[Piece]:
    """The words that are neither options nor their values."""
    takes = _VALUES.get(args[0].value, "")
    found: list[Piece] = []
    at = 1
    while at < len(args):
        text = args[at].value
        if text == "--":
            return found + args[at + 1 :]
        if text[:1] == "-" and len(text) > 1:
            at += text[1] != "-" and text[-1] in takes and not any(c in takes for c in text[1:-1])
        elif args[at].text:
            found.append(args[at])
        at += 1
    return found
