"""Whether what a fix uses is on this machine, or may be put there."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from terma.machine.carriers import carriers
from terma.offline.explain import reach
from terma.offline.explain.case import Case
from terma.offline.explain.known_packages import well_known
from terma.offline.explain.line import Word, program_at
from terma.offline.explain.near import nearest
from terma.offline.explain.subcommands import SUBCOMMANDS

_INSTALLERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "pip",
        re.compile(r"^(?:\S*/)?(?:pip[\d.]*|python[\d.]* -m pip|pipx|uv(?: pip)?) (?:install|add|inject) "),
    ),
    ("npm", re.compile(r"^(?:npm|pnpm|yarn|bun) (?:install|i|add) ")),
    ("gem", re.compile(r"^gem install ")),
    ("cargo", re.compile(r"^cargo (?:add|install) ")),
    ("go", re.compile(r"^go (?:get|install) ")),
    ("perl", re.compile(r"^(?:cpan|cpanm) ")),
)
_SYSTEM = re.compile(r"^(?:apt|apt-get|dnf|yum|zypper|pacman|apk|snap|brew) (?:install|add|-S) ")
FETCHES = (*(pattern for _, pattern in _INSTALLERS), _SYSTEM)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a fix may be offered, and whether it can work on this machine as things stand."""

    holds: bool
    works: bool = True


def text_of(words: tuple[Word, ...], part: int) -> str:
    """One simple command without sudo and assignments, its words parted by one blank."""
    index = program_at(words, part)
    mine = [word.value for word in words[max(index, 0) :] if word.part == part and not word.after]
    return " ".join(mine) + " "


def is_listed(case: Case, word: str) -> bool:
    """Whether the output or our own list has `word` among the program's subcommands and options."""
    lists = case.program in SUBCOMMANDS or re.search(r"usage|commands?\b|one of|valid ", case.low)
    if (
        lists
        and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", case.output)
        and not case.evidence.places
    ):
        return True
    return word in SUBCOMMANDS.get(case.program, "").split()


def may_be_installed(case: Case, text: str) -> bool:
    """A registry's package is offered by a well-known name alone, or by one that was typed or is advised."""
    for registry, pattern in _INSTALLERS:
        found = pattern.match(text)
        if not found:
            continue
        names = [word for word in text[found.end() :].split() if not word.startswith(("-", ".", "/", "~"))]
        return all(_is_known(case, registry, name) for name in names)
    return True


def _is_known(case: Case, registry: str, name: str) -> bool:
    plain = re.split(r"[\[=<>~!]|(?<=.)@", name)[0]
    lower = plain.lower().replace("_", "-") if registry == "pip" else plain
    if name.endswith((".txt", ".toml", ".whl", ".gz")) or lower in well_known(registry):
        return True
    if any(carrier.installer and carrier.package == plain for carrier in carriers().values()):
        return True
    if name in case.args:  # typed so; but not where it may be a slip for a well-known one
        return not nearest(lower, well_known(registry), 1)
    return registry == "go" and any(plain.startswith(known + "/") for known in well_known("go"))


def on_this_machine(case: Case, fix: str, texts: list[str]) -> Verdict:
    """Whether root, a network and this Python allow it."""
    works = True
    if "sudo mkdir" not in fix and any(not _may_be_made(case, text) for text in texts):
        return Verdict(False)
    raised = re.search(r"(?:^|[;&|]\s*|\s)(?:sudo|doas) ", fix)
    if raised and case.path and re.search(r"(?m)\bsudo: (?:command )?not found$", case.output):
        return Verdict(False)
    wants_root = bool(raised) and not case.command.lstrip().startswith("sudo ")
    if wants_root and not reach.is_root():
        if not case.installed("sudo" if "sudo " in fix else "doas"):
            return Verdict(False)
        works = reach.is_admin() or any(line.startswith("sudo ") for line in case.failure.history)
    typed_it = bool(nearest(case.program, ("systemctl",))) or case.program == "systemctl"
    starts = ("su -c systemctl ", "systemctl ") if case.failure.here and not typed_it else "su -c systemctl "
    if any(text.startswith(starts) for text in texts) and _lacks_systemd(case):
        return Verdict(False)
    if "su -c " in fix and "su -c " not in case.command and not reach.is_root():
        works = False  # it asks for root's own password
    fetches = any(pattern.match(text) for text in texts for pattern in FETCHES)
    if (
        any(_SYSTEM.match(text) and not text.startswith(("brew", f"{case.program} ")) for text in texts)
        and not re.search(r"(?:^|\s)(?:sudo|doas) ", fix)
        and not reach.is_root()
    ):
        return Verdict(False)
    if any(not _may_be_global(case, text) for text in texts):
        return Verdict(False)
    typed = [text_of(case.words, part) for part in {word.part for word in case.words}]
    if any(_managed(case, text) for text in texts) and not any(_managed(case, text) for text in typed):
        return Verdict(False)
    return Verdict(True, works and (not fetches or reach.has_network()))


def _lacks_systemd(case: Case) -> bool:
    """Whether this is a Linux that systemd did not start, where systemctl reaches nothing."""
    return case.exists("/proc/1/comm") and not case.exists("/run/systemd/system")


def _may_be_global(case: Case, text: str) -> bool:
    """Whether this user may write where npm keeps what is installed for all."""
    if not re.match(r"npm (?:install|i|add) (?:.* )?(?:-g|--global) ", text) or "--prefix" in text:
        return True
    npm = case.file_of("npm")
    set_else = re.search(r"(?m)^\s*prefix\s*=", case.read("~/.npmrc"))
    place = case.at(npm).resolve() if npm else None
    home = next((one for one in place.parents if one.name == "node_modules"), None) if place else None
    return bool(set_else) or home is None or os.access(home, os.W_OK)


def _may_be_made(case: Case, text: str) -> bool:
    """Whether the folders of a `mkdir` may be made by this user, as far as the folder above shows."""
    made = re.match(r"mkdir (?:-\w+ )*(\S+)", text)
    if not made or text.startswith(case.program + " "):
        return True
    above = case.at(made[1]).parent
    while not above.exists() and above != above.parent:
        above = above.parent
    return os.access(above, os.W_OK)


def _managed(case: Case, text: str) -> bool:
    """Whether this installs into a Python that the system keeps for itself."""
    found = re.match(r"(pip[\d.]*|python[\d.]*) (?:-m pip )?install ", text)
    if not found or not case.path or "--break-system-packages" in text or "--target" in text:
        return False
    name = found[1].replace("pip", "python") if found[1].startswith("pip") else found[1]
    place = case.file_of(found[1]) or case.file_of(name) or case.file_of("python3")
    python = place.rpartition("/")[0] + "/" + name if place else ""
    return bool(place) and reach.is_managed(python if case.exists(python) else case.file_of("python3"))
