"""The lists in which a word that a program does not know is looked up: by what the output calls it, else the program's own words.

A list is read from where this machine keeps it (`/etc/passwd`, the package data base, the manual page), so it holds
what is right here, and nothing has to be asked of the program that failed."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from terma.machine import manual
from terma.offline.explain import program_text
from terma.offline.explain.case import Case
from terma.offline.explain.lookups import groups, ssh_hosts, users
from terma.offline.explain.surroundings import BUILTINS

_SHELL_PAGES = {
    "bash": ("bash",),
    "zsh": ("zshoptions", "zshbuiltins"),
}  # what tells of a shell's own commands
_MAX_NAMES = 20000
_FEW = 2  # values make a list
_LITERAL = re.compile(r"(?<![\w<=-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w>=.])")
_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]{3,200})[)\]}]")
_TOKEN = re.compile(r"[A-Za-z][\w.+-]{1,40}\w")


def _signals(case: Case) -> list[str]:
    return [name for one in signal.Signals for name in (one.name.removeprefix("SIG"), one.name)]


def _stems(pattern: str) -> Callable[[Case], list[str]]:
    """The names of the files here that end so, without their endings."""
    return lambda case: [Path(name).stem for name in case.listing() if re.search(rf"\.(?:{pattern})$", name)]


def _folder(*folders: str, ending: str = "", deep: bool = False) -> Callable[[Case], list[str]]:
    """The names in `folders`, those that end in `ending` without it; `deep`: paths of files further down as well."""

    def read(case: Case) -> list[str]:
        found: list[str] = []
        for folder in folders:
            try:
                paths = Path(folder).rglob("*") if deep else ()
                names = [str(path.relative_to(folder)) for path in islice(paths, _MAX_NAMES)]
                names = names or [path.name for path in islice(Path(folder).iterdir(), _MAX_NAMES)]
            except OSError:
                continue
            found += [name.removesuffix(ending) for name in names if name.endswith(ending)]
        return found

    return read


def _packages(case: Case) -> list[str]:
    text = case.read("/var/lib/dpkg/status", 16 << 20)
    return re.findall(r"^Package: (\S+)", text, re.MULTILINE)


def _first_words(path: str) -> Callable[[Case], list[str]]:
    return lambda case: re.findall(r"^(?!#)(\S+)", case.read(path, 1 << 20), re.MULTILINE)


def _file_systems(case: Case) -> list[str]:
    made = [name.removeprefix("mkfs.") for name in case.listing("/usr/sbin") if name.startswith("mkfs.")]
    return made + re.findall(r"(\S+)$", case.read("/proc/filesystems"), re.MULTILINE)


def _hosts(case: Case) -> list[str]:
    rows = re.findall(r"^(?!#)\S+\s+([^#\n]+)", case.read("/etc/hosts"), re.MULTILINE)
    met = re.findall(r"^([\w.,-]+) ", case.read("~/.ssh/known_hosts", 1 << 18), re.MULTILINE)
    return [name for row in (*rows, *met) for name in re.split(r"[\s,]+", row) if name] + ssh_hosts(case)


def _refs(case: Case) -> list[str]:
    return [*case.repo.branches, *case.repo.tags, *case.repo.remote_branches] if case.repo else []


def _remotes(case: Case) -> list[str]:
    return case.repo.remotes if case.repo else []


def _pages(case: Case) -> list[str]:
    names = _folder(*(f"/usr/share/man/man{section}" for section in "18567324"))(case)
    return [name.partition(".")[0] for name in names]


def _terminals(case: Case) -> list[str]:
    found = _folder("/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo", deep=True)(case)
    return [name.rpartition("/")[2] for name in found if "/" in name]


def _local_modules(case: Case) -> list[str]:
    names = case.listing()
    return [
        name.removesuffix(".py")
        for name in names
        if name.endswith(".py") or case.exists(f"{name}/__init__.py")
    ]


def _standard_modules(case: Case) -> list[str]:
    """The modules of Python's own, where it is a Python that looks for one."""
    if not re.match(r"i?py(?:thon|doc|test|py)?|pip", case.program):
        return []
    return [name for name in sys.stdlib_module_names if name[0] != "_"]


def _java_modules(case: Case) -> list[str]:
    """The modules of the Java that the program which failed belongs to."""
    path = case.program_file
    home = Path(path).resolve().parent.parent if path else Path("/nonexistent")
    return _folder(str(home / "jmods"), ending=".jmod")(case)


def _attributes(case: Case) -> list[str]:
    """What the modules here that the output names define at their top."""
    lines = [case.evidence.lines[index] for index in case.evidence.decisive]
    told = "\n".join(line for line in lines if "attribute" in line.lower())
    named = [name for name in _local_modules(case) if re.search(rf"\b{re.escape(name)}\b", told)]
    texts = [case.read(f"{name}.py") for name in named]
    return [
        hit[1]
        for text in texts
        for hit in re.finditer(r"^(?:def |class |async def )?(\w+)(?: *=|\(|:)", text, re.MULTILINE)
    ]


# What outputs call a thing, and where its right names are. The line that tells the failure must hold the word.
KINDS: tuple[tuple[re.Pattern[str], Callable[[Case], list[str]]], ...] = tuple(
    (re.compile(rf"\b(?:{noun})\b", re.IGNORECASE), names)
    for noun, names in (
        (r"signals?", _signals),
        (r"users?|roles?|login|account|owner|r?e?uid", users),
        (r"groups?|r?e?gid", groups),
        (r"packages?|not installed", _packages),
        (r"time ?zones?|zones?", _folder("/usr/share/zoneinfo", deep=True)),
        (r"interfaces?|network|device|link", _folder("/sys/class/net")),
        (r"units?|services?", _folder("/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system", ending=".service")),
        (r"serv(?:ice|name)s?|ports?", _first_words("/etc/services")),
        (r"protocols?", _first_words("/etc/protocols")),
        (r"terminals?(?: type)?|TERM|terminfo", _terminals),
        (r"(?:main )?class(?:es)?", _stems("class|java")),
        (r"file ?systems?(?: type)?", _file_systems),
        (r"hosts?(?:name)?|resolve\w*|name or service", _hosts),
        (r"shells?", _first_words("/etc/shells")),
        (r"remotes?|repository", _remotes),
        (r"branch(?:es)?|refs?|revisions?|upstream|refspec|commit|tags?|pathspec", _refs),
        (r"manual entry|man ?pages?|nothing appropriate", _pages),
        (r"attribute", _attributes),
        (r"modules?|import", _local_modules),
        (r"modules?", _java_modules),
        (r"(?:python )?documentation|modules?", _standard_modules),
    )
)  # fmt: skip


def by_kind(case: Case, told: str) -> Iterator[list[str]]:
    """The lists of the kinds of thing that `told` speaks of."""
    for noun, names in KINDS:
        if noun.search(told):
            yield names(case)


def offered(case: Case, told: str, word: str) -> list[str]:
    """The words that the output itself gives as the right ones: behind "valid options are" and the like, in the list
    below such a line, and what it says was meant."""
    found = list(case.evidence.suggested)
    lines = case.evidence.flat.splitlines()
    begins = re.compile(
        r"\b(?:valid|possible|available|supported|known|allowed|choose from|one of|among|expected|choices?|options|accepted|\w+s are(?=:))\b[^:\n(\[{<]*[:(\[{<]?(?P<rest>.*)",
        re.IGNORECASE,
    )
    for number, line in enumerate(lines):
        hit = begins.search(line)
        if not hit:
            continue
        found += _TOKEN.findall(hit["rest"])
        for below in lines[number + 1 : number + 40]:
            if not re.match(r"^(?:\s+|[-*•] )\S", below):
                break
            found += _TOKEN.findall(below)
    return [name for name in dict.fromkeys(found) if name != word]


def own_words(case: Case, piece: str) -> Iterator[tuple[str, ...]]:
    """What the program that failed has in its manual page: its options, values and names; then what is written nearly
    like `piece` in its file, its libraries and its package."""
    path = case.program_file
    if case.program in BUILTINS and case.failure.shell in _SHELL_PAGES:
        shell = case.file_of(case.failure.shell)
        for page in _SHELL_PAGES[case.failure.shell] if shell else ():
            words = _manual_words(page, "", Path(shell))
            yield tuple(
                dict.fromkeys([*words, *(word.replace("_", "").lower() for word in words if word.isupper())])
            )
        return
    if not path:
        return
    sub = f"{case.program}-{case.operands[0]}" if case.operands else ""
    told = _manual_words(case.program, sub if re.fullmatch(r"[\w.+-]+", sub) else "", Path(path))
    yield told
    yield program_text.like(case, piece)


def form_words(case: Case) -> tuple[str, ...]:
    """The words of the forms in which the manual writes this program's commands: few, and each one typed so."""
    text = case.manual
    synopsis = re.search(r"(?m)^\W*SYNOPSIS\W*$([\s\S]*?)^\W*DESCRIPTION\W*$", text)
    rows = re.findall(rf"(?m)^{re.escape(case.program)} .*", text)
    return tuple(dict.fromkeys(_LITERAL.findall("\n".join([synopsis[1] if synopsis else "", *rows]))))


def values_of(case: Case, option: str) -> list[str]:
    """What the usage in the output, else the manual, lists in brackets as the values of `option`."""
    for text in (case.output, case.manual) if option else ():
        for hit in re.finditer(
            rf"(?m)^[ \t]*(?:--?[\w-]+[^\n]{{0,20}}, *)?{re.escape(option)}(?![\w-]).*", text
        ):
            deep = r"[ \t]{4,}" if text is case.output else ""  # a manual's own blanks are gone
            below = re.match(rf"(?:\n{deep}(?![ \t\n-]).*){{0,3}}", text[hit.end() :])
            row = hit.group() + (below.group() if below else "")
            for listed in _BRACKETS.findall(row):
                words = [word.strip(" '\"`‘’") for word in re.split(r"[,|/]|\bor\b|\band\b", listed)]
                found = [word for word in words if re.fullmatch(r"[\w.+-]+", word)]
                if len(found) >= _FEW and len(found) == len([word for word in words if word]):
                    return found
    return []


def _manual_words(program: str, sub: str, path: Path) -> tuple[str, ...]:
    text = (manual.page(sub, path) if sub else "") or manual.page(program, path)
    return tuple(dict.fromkeys(_TOKEN.findall(text)))
