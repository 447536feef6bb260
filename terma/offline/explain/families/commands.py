"""A program that is not there: misspelt, glued to its argument, under another name, or not installed."""

from __future__ import annotations

import os
import posixpath
import re
from itertools import pairwise

from terma import reading
from terma.machine.carriers import carriers
from terma.offline.explain.case import Case
from terma.offline.explain.everyday import EVERYDAY
from terma.offline.explain.glued import glued
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import SYSTEM_FOLDERS, can_run
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.packages import install_command, package_for
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.surroundings import BUILTINS

OTHER_NAMES = {
    "python": "python3", "pip": "pip3", "python2": "python3", "vi": "vim", "vim": "vi", "nodejs": "node",
    "fd": "fdfind", "bat": "batcat", "ipconfig": "ip addr", "ifconfig": "ip addr", "netstat": "ss", "cls": "clear",
    "dir": "ls", "md": "mkdir", "del": "rm", "move": "mv", "copy": "cp", "open": "xdg-open", "pbcopy": "xclip -sel c",
    "docker-compose": "docker compose", "quit": "exit", "traceroute": "tracepath", "python3": "python", "pip3": "pip", "gmake": "make", "cc": "gcc",
    "ll": "ls -l", "la": "ls -A", "l": "ls -CF", "egrep": "grep -E", "fgrep": "grep -F",
}  # fmt: skip
ALWAYS = {
    "python": "python3",
    "pip": "pip3",
    "cls": "clear",
    "quit": "exit",
    "ll": "ls -l",
    "la": "ls -A",
    "l": "ls -CF",
}  # right even if PATH cannot be seen


def _name(case: Case, facts: Facts) -> str:
    return facts["name"].strip("'\"`‘’")


def _fixes(case: Case, facts: Facts) -> list[str]:
    name = _name(case, facts)
    if name.startswith("$") or name.startswith("%"):
        return [case.swap(name, "", raw=True).strip()]
    local = [case.swap(name, f"./{name}")] if case.is_file(name) and can_run(case, name) else []
    apart = glued(case, name)
    if apart:
        return [case.swap(name, apart, raw=True)]
    fixes = list(local)
    other = OTHER_NAMES.get(name, "")
    if other and (name in ALWAYS or case.installed(other.split()[0])):
        fixes.append(case.swap(name, other, raw=True))
    package = install_command(case, name)
    fixes += [case.swap(name, found) for found in _swapped(case, name)]
    if (package or name in carriers()) and not fixes:
        return [package] if package else []
    near = [] if lies_beside_path(case, name) or case.is_dir(name) else case.near_programs(name)
    fixes += [case.swap(name, found) for found in near]
    return [*fixes, package] if package else fixes


def lies_beside_path(case: Case, name: str) -> bool:
    """Whether a folder of the system that is not in PATH has the program: then it is no slip for another."""
    return any(case.exists(f"{folder}/{name}") for folder in SYSTEM_FOLDERS)


def _swapped(case: Case, name: str) -> list[str]:
    """The everyday program of which `name` is two neighbours apart: `sl` is more often a slip than a steam engine. What
    was typed behind it has to suit that one: cd takes one folder."""
    suits = not case.cwd or (len(case.args) < 2 and all(map(case.is_dir, case.args)))
    near = [found for found in nearest(name, EVERYDAY, 1) if distance(name, found, 1.0) < 1.0]
    return [found for found in near if found != "cd" or suits or "$" in case.command]


def _text(case: Case, facts: Facts) -> str:
    name = _name(case, facts)
    if not name or ("/" in name and not glued(case, name)):
        return ""
    said = f"{name}: command not found. "
    if name.startswith(("$", "%")):
        return said + f"The {name} is a prompt sign that was copied along with the command."
    if glued(case, name):
        return (
            said
            + "A space is missing between the program and its argument, so no such file or program exists."
        )
    if case.is_dir(name):
        return said + f"{name} is a directory here, and no program of that name is in PATH."
    if case.is_file(name) and can_run(case, name):
        return said + f"A file {name} lies here, but the shell looks in PATH alone: start it as ./{name}."
    if name in ("ll", "la", "l"):
        return said + f"It is a customary alias for {OTHER_NAMES[name]}, which this shell does not define."
    if name in ALWAYS or (name in OTHER_NAMES and case.installed(OTHER_NAMES[name].split()[0])):
        return said + f"On this system the program is called {OTHER_NAMES[name]}."
    if name in BUILTINS and re.search(
        rf"(?m)^(?:\S*/)?(?:da)?sh: (?:line )?\d+: {re.escape(name)}: not found", case.output
    ):
        other = " Its own word for that is a dot." if name == "source" else ""
        return said + f"{name} is built into bash and zsh, and this plain sh does not have it.{other}"
    package = package_for(case, name)
    if package and not _swapped(case, name):
        kind = carriers()[name].installer if name in carriers() else ""
        named = {
            "pip": "Python package",
            "npm": "npm package",
            "cargo": "Rust crate",
            "gem": "Ruby gem",
            "brew": "Homebrew formula",
            "snap": "snap",
        }.get(kind, "package")
        return said + f"It is not installed; the {named} {package} carries it."
    if case.near_programs(name):
        return said + "No program of that name is in PATH; it looks misspelt."
    return (
        said + "No program of that name is in PATH. Is it misspelt, not installed, or its folder not in PATH?"
    )


def _wrapped_text(case: Case, facts: Facts) -> str:
    """The same of a program that another was to start; of what find names only the word behind its -exec is one."""
    behind = {
        after for before, after in pairwise(case.args) if before in ("-exec", "-execdir", "-ok", "-okdir")
    }
    return "" if case.program == "find" and _name(case, facts) not in behind else _text(case, facts)


def _windows(case: Case, facts: Facts) -> str:
    return (
        f"{facts['file']} names the interpreter {facts['name']}, which "
        + (
            "may not be executed: permission denied. "
            if "permission denied" in case.low
            else "does not exist. "
        )
        + (
            "The ^M shows Windows line ends: convert the file. "
            if "^M" in facts["name"] or "\\r" in case.output
            else ""
        )
        + "Look at its first line, the #! one."
    )


def _sudo_text(case: Case, facts: Facts) -> str:
    if case.installed(facts["name"]):
        return f"sudo found no {facts['name']}: command not found. Your PATH has it, but sudo looks in the system's folders alone."
    return _text(case, facts)


def _sudo_fixes(case: Case, facts: Facts) -> list[str]:
    if case.installed(facts["name"]):
        return [case.swap("sudo", 'sudo env "PATH=$PATH"', raw=True)]
    return _fixes(case, facts)


def _hinted_text(case: Case, facts: Facts) -> str:
    packages = re.findall(r"install (?:--classic )?([\w.+-]+)", case.output)[:3]
    if _swapped(case, facts["name"]) or not packages:
        return f"{facts['name']}: command not found. " + (
            f"It looks like {_swapped(case, facts['name'])[0]} misspelt."
            if _swapped(case, facts["name"])
            else "The system's own hint names what is close."
        )
    return f"{facts['name']}: command not found. It is not installed; the system says that the package {' or '.join(dict.fromkeys(packages))} carries it."


def _repository(case: Case) -> bool:
    url = case.words[0].value
    return (
        url.startswith(("git@", "ssh://"))
        or url.endswith(".git")
        or bool(re.match(r"https?://(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.\w+/[^/]+/[^/]+/?$", url))
    )


def _shebang(case: Case, path: str) -> str:
    """What stands after #! in the first line of the script at `path`."""
    first = case.read(path, 300).partition("\n")[0]
    return first[2:].strip(" \t") if first.startswith("#!") else ""


def _by_its_other_name(case: Case, facts: Facts) -> list[str]:
    """A script that was started by its path, given to the program that its missing interpreter is called here."""
    name = _name(case, facts)
    other = OTHER_NAMES.get(name, "") if name in ALWAYS else ""
    first = next((word for word in case.words if word.part == case.part), None)
    if not other or not case.installed(other) or first is None or "/" not in first.value:
        return []
    if _shebang(case, first.value).split()[-1:] != [name]:
        return []
    return [f"{case.command[: first.start]}{other} {case.command[first.start :]}"]


def _windows_ends(case: Case, path: str) -> bool:
    """Whether the script's first line ends as on Windows."""
    try:
        return reading.head(case.at(path), 300).partition(b"\n")[0].endswith(b"\r")
    except (OSError, ValueError):
        return False


def _gone_text(case: Case, facts: Facts) -> str:
    named = _shebang(case, facts["file"])
    if _windows_ends(case, facts["file"]):
        return f"{facts['file']} has Windows line ends: its first line names the interpreter {named.strip()}^M, which does not exist. Convert the file."
    if named:
        return f"The first line of {facts['file']} names the interpreter {named.split()[0]}, and that file does not exist (required file not found)."
    return f"{facts['file']} is there, but the program that must load it is not: the interpreter in its first line (#!), or the loader of another architecture. Windows line ends (^M) have the same effect; file {facts['file']} tells."


def _gone_fixes(case: Case, facts: Facts) -> list[str]:
    path = facts["file"]
    named = _shebang(case, path)
    if _windows_ends(case, path):
        return [f"sed -i 's/\\r$//' {quote(path)} && {case.command}"]
    runner = named.split()[0].rpartition("/")[2] if named else ""
    if not case.installed(
        runner
    ):  # misspelt, or another machine's: what the file's ending or a near name says
        by_ending = {".py": "python3", ".sh": "bash", ".pl": "perl", ".rb": "ruby", ".js": "node"}
        near = case.near_programs(runner) if runner else []
        runner = by_ending.get(posixpath.splitext(path)[1], near[0] if near else "")
    return [case.swap(path, f"{runner} {quote(path)}", raw=True)] if runner and case.installed(runner) else []


RULES = (
    Rule("command.interpreter", "bad interpreter", r"(?P<file>[^\s:]+): (?P<name>[^:]+): bad interpreter", _windows,
         lambda c, f: [f"sed -i 's/\\r$//' {f['file']} && {c.command}"] if "^M" in f["name"] else [], rank=20),
    Rule("command.missing_bash", "not found", r"^(?:-?(?:ba|da|k|a)?sh|/bin/\w*sh|bash)?:? ?(?:line \d+: |\d+: )?(?P<name>(?!(?:ERROR|Error|error|fatal|FATAL):)[^\s:]+): (?:command )?not found(?=[.!\s]*$)",
         _text, _fixes, rank=30),
    Rule("command.missing_zsh", "command not found", r"(?:^|[^\]:]\s|: (?=zsh: ))(?:-?zsh|zsh:\d+|\(?\w+\)?|\S+:\d+|_\w+): command not found: (?P<name>\S+)", _text, _fixes, rank=28),
    Rule("command.missing_fish", "unknown command", r"^(?:fish|-?xonsh): Unknown command:? (?P<name>\S+)", _text, _fixes, rank=30),
    Rule("command.url", ("no such file", "not found"), r"(?P<url>(?:https?://|git@|ssh://)\S+?):? (?:No such file|(?:command )?not found)|no such file or directory: (?P<b>https?://\S+)", lambda c, f: f"{f['url'] or f['b']} is an address, no command." + (" git clone fetches a repository." if _repository(c) else " curl or a browser fetches it.") if c.program == (f["url"] or f["b"]).rpartition("/")[2] or (c.words[:1] and c.words[0].value == (f["url"] or f["b"])) else "",
         lambda c, f: [f"git clone {c.command}" if _repository(c) else f"curl -LO {c.command}"] if len(c.words) == 1 else [], rank=24),
    Rule("command.wrapped", ("no such file", "not found"), r"(?:env|find|xargs|nohup|nice|timeout|exec|setsid|stdbuf|strace|watch|time|ionice|chroot)(?:: failed to (?:run|execute) command)?:? [‘'`\"]?(?P<name>[^\s‘’'`\":]+)[’'\"]?: (?:No such file|not found|command not found)", _wrapped_text, lambda c, f: [*_by_its_other_name(c, f), *_fixes(c, f)], rank=29),
    Rule("command.interpreter_gone", "required file not found", r"(?P<file>[^\s:]+): cannot execute: required file not found", _gone_text, _gone_fixes, rank=20),
    Rule("command.missing_sudo", "command not found", r"sudo: (?P<name>\S+): command not found", _sudo_text, _sudo_fixes, rank=27),
    Rule("command.glued", "no such file or directory", r"^(?:\w*sh): (?:line \d+: )?(?P<name>[a-z]+(?:/\S*|\.\.\S*)): No such file",
         _text, _fixes, rank=30),
    Rule("command.hinted", "command '", r"Command '(?P<name>[^']+)' not found, (?:but can be installed with|did you mean)",
         _hinted_text, lambda c, f: list(dict.fromkeys([*(c.swap(f["name"], n) for n in _swapped(c, f["name"])), *_hinted(c), *_fixes(c, f)])), rank=25),
)  # fmt: skip


def _hinted(case: Case) -> list[str]:
    lines = [line.strip() for line in case.output.splitlines()]
    found = [
        line.partition("  #")[0].strip() for line in lines if line.startswith(("sudo ", "apt ", "snap "))
    ]
    return [line if line.startswith("sudo ") or os.geteuid() == 0 else f"sudo {line}" for line in found]
