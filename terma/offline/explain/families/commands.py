"""A program that is not there: misspelt, glued to its argument, under another name, or not installed."""

from __future__ import annotations

from terma.offline.explain.case import Case
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.packages import APT, EVERYDAY, install_command
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.subcommands import SUBCOMMANDS

OTHER_NAMES = {
    "python": "python3", "pip": "pip3", "python2": "python3", "vi": "vim", "vim": "vi", "nodejs": "node",
    "fd": "fdfind", "bat": "batcat", "ipconfig": "ip addr", "ifconfig": "ip addr", "netstat": "ss", "cls": "clear",
    "dir": "ls", "md": "mkdir", "del": "rm", "move": "mv", "copy": "cp", "open": "xdg-open", "pbcopy": "xclip -sel c",
    "docker-compose": "docker compose", "quit": "exit", "traceroute": "tracepath", "gmake": "make", "cc": "gcc",
}  # fmt: skip
ALWAYS = {
    "python": "python3",
    "pip": "pip3",
    "cls": "clear",
    "quit": "exit",
}  # right even if PATH cannot be seen


def _name(case: Case, facts: Facts) -> str:
    return facts["name"].strip("'\"`‘’")


def _glued(case: Case, name: str) -> str:
    """`cd/etc`, `cd..`, `ls-la`, `gitstatus`: the program and its argument with the space put back."""
    for cut in range(2, len(name)):
        head, tail = name[:cut], name[cut:]
        if (
            tail[0] in "/-~."
            and (head in EVERYDAY or case.installed(head))
            and (tail[0] != "." or tail[:2] == "..")
        ):
            return f"{head} {tail}"
        if tail in SUBCOMMANDS.get(head, "").split():
            return f"{head} {tail}"
    return ""


def _fixes(case: Case, facts: Facts) -> list[str]:
    name = _name(case, facts)
    if name.startswith("$") or name.startswith("%"):
        return [case.swap(name, "", raw=True).strip()]
    local = [case.swap(name, f"./{name}")] if case.exists(name) and not case.is_dir(name) else []
    glued = _glued(case, name)
    if glued:
        return [case.swap(name, glued, raw=True)]
    fixes = list(local)
    other = OTHER_NAMES.get(name, "")
    if other and (name in ALWAYS or case.installed(other.split()[0])):
        fixes.append(case.swap(name, other, raw=True))
    package = install_command(case, name)
    fixes += [case.swap(name, found) for found in _swapped(name)]
    if package and not fixes:
        return [package]
    near = nearest(name, case.programs | EVERYDAY, 3, liked=EVERYDAY)
    fixes += [case.swap(name, found) for found in near]
    return [*fixes, package] if package else fixes


def _swapped(name: str) -> list[str]:
    """The everyday program of which `name` is two neighbours apart: `sl` is more often a slip than a steam engine."""
    return [found for found in nearest(name, EVERYDAY, 1) if distance(name, found, 1.0) < 1.0]


def _text(case: Case, facts: Facts) -> str:
    name = _name(case, facts)
    if not name or ("/" in name and not _glued(case, name)):
        return ""
    said = f"{name}: command not found. "
    if name.startswith(("$", "%")):
        return said + f"The {name} is a prompt sign that was copied along with the command."
    if _glued(case, name):
        return (
            said
            + "A space is missing between the program and its argument, so no such file or program exists."
        )
    if case.exists(name) and not case.is_dir(name):
        return said + f"A file {name} lies here, but the shell looks in PATH alone: start it as ./{name}."
    if name in ALWAYS or (name in OTHER_NAMES and case.installed(OTHER_NAMES[name].split()[0])):
        return said + f"On this system the program is called {OTHER_NAMES[name]}."
    if name in APT and not _swapped(name):
        return said + f"It is not installed; the package {APT[name]} carries it."
    if nearest(name, case.programs | EVERYDAY, 1, liked=EVERYDAY):
        return said + "No program of that name is in PATH; it looks misspelt."
    return (
        said
        + "No program of that name is in PATH: it is misspelt, not installed, or its folder is not in PATH."
    )


def _windows(case: Case, facts: Facts) -> str:
    return (
        f"{facts['file']} names the interpreter {facts['name']}, which does not exist. "
        + (
            "The ^M shows Windows line ends: convert the file. "
            if "^M" in facts["name"] or "\\r" in case.output
            else ""
        )
        + "Look at its first line, the #! one."
    )


RULES = (
    Rule("command.interpreter", "bad interpreter", r"(?P<file>[^\s:]+): (?P<name>[^:]+): bad interpreter", _windows,
         lambda c, f: [f"sed -i 's/\\r$//' {f['file']} && {c.command}"] if "^M" in f["name"] else [], rank=20),
    Rule("command.missing_bash", "not found", r"^(?:-?(?:ba|da|k|a)?sh|/bin/\w*sh|bash)?:? ?(?:line \d+: |\d+: )?(?P<name>[^\s:]+): (?:command )?not found",
         _text, _fixes, rank=30),
    Rule("command.missing_zsh", "command not found", r"command not found: (?P<name>\S+)", _text, _fixes, rank=30),
    Rule("command.missing_fish", "unknown command", r"^(?:fish|-?xonsh): Unknown command:? (?P<name>\S+)", _text, _fixes, rank=30),
    Rule("command.missing_sudo", "command not found", r"sudo: (?P<name>\S+): command not found", _text, _fixes, rank=29),
    Rule("command.glued", "no such file or directory", r"^(?:\w*sh): (?:line \d+: )?(?P<name>[a-z]+(?:/\S*|\.\.\S*)): No such file",
         _text, _fixes, rank=30),
    Rule("command.hinted", "command '", r"Command '(?P<name>[^']+)' not found, (?:but can be installed with|did you mean)",
         lambda c, f: f"{f['name']}: command not found. The system knows where it comes from; see its hint.",
         lambda c, f: [*_hinted(c), *_fixes(c, f)], rank=25),
    Rule("command.status_127", "", "", lambda c, f: f"Status 127: the shell found no program named {c.program}."
         if c.status == 127 and c.program and not c.output.strip() else "",
         lambda c, f: _fixes(c, {"name": c.program}), status=(127,), rank=85),
)  # fmt: skip


def _hinted(case: Case) -> list[str]:
    lines = [line.strip() for line in case.output.splitlines()]
    found = [
        line.partition("  #")[0].strip() for line in lines if line.startswith(("sudo ", "apt ", "snap "))
    ]
    return [line if line.startswith("sudo ") else f"sudo {line}" for line in found]
