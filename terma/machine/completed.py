"""What the completions of fish and zsh tell of a program's options and subcommands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from terma import reading
from terma.machine import completions
from terma.machine.entries import LONGEST, Entry, ProgramHelp
from terma.text import one_line

MAX_TEXT = 600_000
MOST_VALUES = 2  # of one option; more colons are a list of its own
_ZSH_KINDS = ("Unix", "Linux", "Debian", "Darwin", "BSD", "Redhat", "Zsh")
_ZSH = re.compile(
    r"(?<![\w-])(-{1,2}[\w?@#][\w-]*)[-+=]*(?:[}\"',)-]|\\)*\[((?:[^\]\\\n]|\\.)+)\](:[^'\"\n]*)?"
)
_ZSH_BRACED = re.compile(r"\{(-[\w,=+-]+)\}[\"']\[((?:[^\]\\\n]|\\.)+)\](:[^'\"\n]*)?")


def fish(program: str, sub: tuple[str, ...]) -> ProgramHelp:
    """What fish's completions tell: `complete -c git -n '… commit' -l amend -d '…'`."""
    options: dict[str, Entry] = {}
    commands: dict[str, Entry] = {}
    for folder in ("/usr/share/fish/vendor_completions.d", "/usr/share/fish/completions"):
        text = reading.text(f"{folder}/{program}.fish", MAX_TEXT)
        for words in completions.complete_lines(text, program):
            says = one_line(next(iter(completions.values(words, "-d", "--description")), ""), LONGEST)
            condition = " ".join(completions.values(words, "-n", "--condition"))
            if not says or "$" in says or not _holds(condition, sub):
                continue
            entry = Entry(says, source="completion")
            for name in _fish_names(words):
                options.setdefault(name, entry)
            if not sub and ("needs_command" in condition or "use_subcommand" in condition):
                for name in " ".join(completions.values(words, "-a", "--arguments")).split():
                    if re.fullmatch(r"[a-z][\w-]*", name):
                        commands.setdefault(name, entry)
    return ProgramHelp("", options, commands)


def _fish_names(words: list[str]) -> Iterator[str]:
    yield from (f"--{name}" for name in completions.values(words, "-l", "--long-option"))
    yield from (f"-{name}" for name in completions.values(words, "-s", "--short-option"))
    yield from (f"-{name}" for name in completions.values(words, "-o", "--old-option"))


def _holds(condition: str, sub: tuple[str, ...]) -> bool:
    """Whether a line of fish's is about the program itself, or about `sub`."""
    named = set(re.findall(r"[\w-]+", condition))
    if sub:
        return "not" not in named and bool(set(sub[-1:]) & named)
    return not condition or "needs_command" in condition or "use_subcommand" in condition


def zsh(program: str, path: Path) -> ProgramHelp:
    """What zsh's completions tell: `'(-l --long)'{-l,--long}'[long listing]'`. Of programs with subcommands they tell
    of all of them in one text: then nobody knows whose an option is."""
    share = path.parent.parent / "share"
    places = [share / folder / f"_{program}" for folder in ("zsh/vendor-completions", "zsh/site-functions")]
    places += [Path(f"/usr/share/zsh/functions/Completion/{kind}/_{program}") for kind in _ZSH_KINDS]
    text = next(filter(None, (reading.text(place, MAX_TEXT) for place in places)), "")
    if not text or len(re.findall(r"^\s*_arguments\b", text, re.MULTILINE)) > 1:
        return ProgramHelp()
    options: dict[str, Entry] = {}
    for names, says, wants in [*_ZSH_BRACED.findall(text), *_ZSH.findall(text)]:
        values = " ".join(["value"] * min((wants.count(":") + 1) // 2, MOST_VALUES))
        entry = Entry(one_line(says.replace("\\", ""), LONGEST), values, wants.startswith("::"), "completion")
        for name in re.findall(r"-{1,2}[\w?@#][\w-]*", names):
            options.setdefault(name, entry)
    return ProgramHelp("", options)
