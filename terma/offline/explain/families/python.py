"""Python: tracebacks with their last frame, modules that are missing, pip and virtual environments."""

from __future__ import annotations

import builtins
import re

from terma.offline.explain.case import Case
from terma.offline.explain.known_packages import distribution, modules
from terma.offline.explain.line import quote
from terma.offline.explain.near import nearest
from terma.offline.explain.packages import pip_install
from terma.offline.explain.pathnames import starts_program
from terma.offline.explain.rule import Facts, Rule

HINTS = {
    "ZeroDivisionError": "A number is divided by zero there; check the divisor first.",
    "KeyError": "The dictionary has no such key; look at what it holds, or use .get.",
    "IndexError": "What is indexed is shorter than the index.",
    "TypeError": "A value has another type than the operation wants.",
    "ValueError": "The value has the right type but cannot be used so.",
    "AttributeError": "The object has no such attribute; it may be None or of another type.",
    "NameError": "That name is not defined at this place. Is it misspelt, or not imported?",
    "UnboundLocalError": "The variable is read before it gets a value in this function.",
    "FileNotFoundError": "That file does not exist (no such file), seen from the folder where the program runs.",
    "ImportError": "The module is there, but it does not hold that name.",
    "RecursionError": "Functions called each other too deep, as one that calls itself without end.",
    "MemoryError": "There is not enough memory for what it asked for.",
    "AssertionError": "An assert did not hold.",
    "UnicodeDecodeError": "The bytes are in another encoding than the one used to read them.",
    "UnicodeEncodeError": "The output's encoding cannot hold that character.",
    "IsADirectoryError": "A file is wanted, but that is a directory.",
    "JSONDecodeError": "The text is not valid JSON; it may be empty or an error page.",
    "ConnectionRefusedError": "Nothing listens at that address and port: connection refused.",
    "TimeoutError": "Something took longer than it was given.",
    "StopIteration": "An iterator had nothing more to give.",
    "OverflowError": "The number is too large.",
    "EOFError": "The program wanted input, and there was none.",
    "SyntaxError": "Look at that line and the one above: a bracket, quote or colon is missing or too many.",
    "KeyboardInterrupt": "It was stopped with Ctrl+C.",
    "NotImplementedError": "That part of the program is not written yet.",
    "BrokenPipeError": "The reader of its output went away first.",
}
_ERROR = r"^(?P<kind>(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Warning|Exit|Iteration|DoesNotExist|Timeout|Expired))(?:: (?P<why>[^\n]*))?\s*$"


def _frame(case: Case) -> str:
    frames = re.findall(r'File "([^"]+)", line (\d+)(?:, in (\S+))?', case.output)
    if not frames:
        return ""
    own = [
        frame
        for frame in frames
        if "site-packages" not in frame[0] and "/lib/python" not in frame[0] and frame[0][:1] != "<"
    ]
    own = own or [frame for frame in frames if frame[0] in ("<string>", "<stdin>")]
    file, number, where = (own or frames)[-1]
    inside = f", in {where}" if where and where != "<module>" else ""
    return f"{file.rpartition('/')[2]}, line {number}{inside}"


def _unset(case: Case, facts: Facts) -> str:
    """A KeyError of os.environ: the variable of the environment that is not set."""
    place = case.evidence.place
    found = re.search(r"^KeyError: '(\w+)'", case.output, re.MULTILINE)
    asks = re.search(r"os\.environ\[|environ\[|in __getitem__[\s\S]*frozen os|frozen os", case.output)
    if not found or not asks:
        return ""
    where = f" ({place.file}, line {place.line})" if place else ""
    return f"The environment has no variable {found[1]}{where}: KeyError. {found[1]}=value in front of the command sets it."


_HALF = r"invalid syntax|never closed|unterminated|unmatched|does not match|expected|EOF|EOL|forgot"


def _hint(case: Case, kind: str, said: str) -> str:
    """What an exception of that kind means, where neither its own words nor its frames speak of something else."""
    if kind in ("FileNotFoundError", "PermissionError") and starts_program(case):
        told = re.search(r": '([^']+)'$", said)
        name = told[1] if told else "it"
        if kind == "PermissionError":
            return f"Python was to start {name} as a program, and may not execute it."
        return f"Python was to start {name} as a program{', and none of that name is in PATH' if '/' not in name else ''}."
    other = kind == "ImportError" and "cannot import name" not in said
    return "Start reading at that line." if other else HINTS.get(kind, "Start reading at that line.")


def _final(case: Case) -> Facts | None:
    """The exception that ended the program, which stands last: those before it are what it came of."""
    last = case.output.rpartition("Traceback (most recent call last)")[2]
    found = list(re.finditer(_ERROR, last, re.MULTILINE))
    return {name: value or "" for name, value in found[-1].groupdict().items()} if found else None


def _traceback(case: Case, facts: Facts) -> str:
    facts = _final(case) or facts
    kind = facts["kind"].rpartition(".")[2]
    place = _frame(case)
    where = f" at {place}" if place else ""
    said = facts["why"].rstrip(" .:")
    why = f": {said}" if said else ""
    meant = re.search(r"Did you mean: '([^']+)'", case.output)
    hint = (
        f"Python itself asks: did you mean {meant[1]}?"
        if meant
        else ""
        if kind == "TypeError" and re.search(r"\barguments?\b", why)
        else _hint(case, kind, said)
    )
    return f"Python stopped{where} with {kind}{why}. {hint}".rstrip()


def _entries(case: Case, package: str) -> list[str]:
    """The one module of a package that starts it: by its usual name, else the only one."""
    folder = package.replace(".", "/")
    names = [name[:-3] for name in sorted(case.listing(folder)) if name.endswith(".py") and name[:1] != "_"]
    usual = [name for name in names if name in ("main", "cli", "app", "run", "start")]
    found = usual or names
    return [f"{package}.{found[0]}"] if len(found) == 1 else []


def _as_module(case: Case) -> tuple[str, str]:
    """The script of the command, a file of a folder here, and how -m names it."""
    path = case.operands[0] if case.operands else ""
    plain = path.removeprefix("./").removesuffix(".py")
    if not path.endswith(".py") or not re.fullmatch(r"\w+(?:/\w+)+", plain) or not case.is_file(path):
        return "", ""
    return path, f"-m {plain.replace('/', '.')}"


def _shadowed(case: Case, facts: Facts) -> str:
    """A file beside the script that bears the name of a module of Python's own, and so is imported in its place."""
    name = facts["name"] or facts["other"]
    script = next((value for value in case.operands if value.endswith(".py") and case.exists(value)), "")
    folder = script.rpartition("/")[0]
    path = f"{folder}/{name}.py" if folder else f"{name}.py"
    if name not in _standard() or not case.is_file(path):
        return ""
    return f"Python's own module {name} was not imported, but {path}, which bears its name and hides it ({(facts['name'] and 'AttributeError') or 'ImportError'}). Give that file another name."


def _module(case: Case, facts: Facts) -> str:
    name = facts["name"]
    path = name.replace(".", "/")
    if (
        path != name
        and not case.exists(path)
        and not case.exists(f"{path}.py")
        and case.is_dir(path.partition("/")[0])
    ):
        return f"There is no module named {name} (ModuleNotFoundError): {path.partition('/')[0]} lies here, and holds none of that name."
    if case.exists(name.partition(".")[0]) or case.exists(name.partition(".")[0] + ".py"):
        return f"Python found no module named {name}, though it lies here: start the program from the folder that holds it, or with python3 -m."
    head = name.partition(".")[0]
    if local := _local_near(case, head):
        return f"There is no module named {name} (ModuleNotFoundError); {local} lies here."
    near = nearest(name, _inside(head) if head != name and head in _standard() else _standard(), 1)
    known = _common(name) if head == name else []
    if near and nearest(name, [*near, *known], 1) == near:  # else a well-known package is nearer
        where = "name behind -m" if "-m" in case.args and name in case.args else "import"
        return f"There is no module named {name} (ModuleNotFoundError); {near[0]} is one, and the {where} looks misspelt."
    if _common(name):
        return f"There is no module named {name} installed (ModuleNotFoundError); a well-known one is called {_common(name)[0]}."
    venv = next((v for v in (".venv", "venv", "env") if case.exists(f"{v}/bin/activate")), "")
    inside = (
        f" {venv}/bin/activate here may have it: a virtual environment that is not active." if venv else ""
    )
    unknown = (
        ""
        if inside or distribution(name)
        else " terma knows no well-known package of that name: it may be a module of your own."
    )
    return f"The module {name} is not installed for this Python (ModuleNotFoundError: no module named {name}).{inside}{unknown}"


def _local_near(case: Case, head: str) -> str:
    """The module or package of this folder that is nearly called `head`, "" for none."""
    files = [name.removesuffix(".py") for name in case.listing() if name.endswith(".py")]
    packages = [
        name
        for name in case.listing()
        if name.isidentifier()
        and case.is_dir(name)
        and any(one.endswith(".py") for one in case.listing(name))
    ]
    return next(iter(nearest(head, [*files, *packages], 1)), "")


def _standard() -> frozenset[str]:
    import sys

    return frozenset(name for name in sys.stdlib_module_names if not name.startswith("_"))


def _inside(package: str) -> list[str]:
    """The modules inside a package of the standard library."""
    import os

    try:
        names = os.listdir(f"{os.path.dirname(os.__file__)}/{package}")  # noqa: PTH120, PTH208
    except OSError:
        return []
    return [f"{package}.{name.removesuffix('.py')}" for name in names if name.endswith(".py")]


def _module_fixes(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    head = name.partition(".")[0]
    if "-m" in case.args and (local := _local_near(case, head)):
        typed = next((word for word in case.args if word.partition(".")[0] == head), "")
        meant = local + typed.removeprefix(head)
        return [case.swap(typed, meant)] if typed and case.exists(meant.replace(".", "/") + ".py") else []
    if "-m" in case.args and any(
        v in (name, name.partition(".")[0]) or v.partition(".")[0] == name for v in case.args
    ):
        near = nearest(name, _standard(), 1)
        if near:
            return [case.swap(name, near[0])]
        if name.partition(".")[0] in _standard():
            return [case.swap(name, found) for found in nearest(name, _inside(name.partition(".")[0]), 1)]
    elif nearest(name, _standard(), 1) or case.exists(name.partition(".")[0] + ".py"):
        return []
    venv = next((v for v in (".venv", "venv", "env") if case.exists(f"{v}/bin/activate")), "")
    activate = [f". {venv}/bin/activate && {case.command}"] if venv else []
    if name in ("pip", "ensurepip", "venv"):
        return ["sudo apt install python3-venv" if name != "pip" else "sudo apt install python3-pip"]
    if name.startswith(("tkinter", "_tkinter")):
        return ["sudo apt install python3-tk"]
    if name == "distutils":
        return [pip_install(case, "setuptools")]
    if _common(name):
        return []
    package = distribution(name)
    return [*activate, *_installs(case, package)] if package else activate


def _installs(case: Case, package: str) -> list[str]:
    """The ways to install a well-known package: into this Python, or where the system keeps that one, into a new one."""
    line = pip_install(case, package)
    first = next((w for w in case.words if w.part == case.part and w.value == case.program), None)
    own = (
        f"{case.command[: first.start]}.venv/bin/python{case.command[first.end :]}"
        if first and case.program.startswith("python")
        else ""
    )
    fresh = f"python3 -m venv .venv && .venv/bin/pip install {package}"
    return [line, f"{fresh} && {own}" if own and first and first.part == 0 else fresh]


def _requirement(case: Case, facts: Facts) -> str:
    name = facts["name"]
    if name.endswith(".txt"):
        return f"pip took {name} for the name of a package. A file of requirements is given with -r."
    others = re.search(r"from versions: (?!none)\S", case.low)
    if others and facts["wanted"]:
        return f"pip found no version of {name} that is {facts['wanted']}: the index has others, and none matches it here (no matching distribution)."
    if "from versions: none" in case.low:
        return f"pip found no distribution for {name}: the index that it asked has none of that name, or did not answer. Check the spelling, and which index it is."
    return f"pip found no distribution for {name}: no package matches it in the index. Check the spelling, the version and your Python's version."


def _common(name: str) -> list[str]:
    """The well-known module that `name` is a slip for."""
    return [] if distribution(name) else nearest(name, modules(), 1)


def _last_error(case: Case) -> str:
    found = re.findall(_ERROR, case.output, re.MULTILINE)
    return f"{found[0][0]}: {found[0][1]}, at {_frame(case)}. " if found else ""


def _indent(case: Case, facts: Facts) -> str:
    return f"Python does not accept the indentation at {_frame(case)}: {facts['kind']}: {facts['why']}. Indent the block with the same blanks throughout, four spaces, no tabs."


def _pip_fixes(case: Case, facts: Facts) -> list[str]:
    """pip for the Python that lacks it: the one that was typed, and the system's package only for the system's own."""
    first = next(
        (word.value for word in case.words if word.value.rpartition("/")[2] == case.program), "python3"
    )
    if "/" in first and not first.startswith(("/usr/bin/", "/bin/")):
        return [f"{quote(first)} -m ensurepip --upgrade"]
    return [
        "sudo apt install python3-pip",
        f"{quote(first)} -m ensurepip --upgrade" if case.program.startswith("python") else "",
    ]


def _app(case: Case) -> str:
    """The module of the one file here that makes a Flask application; "" where there is none, or several."""
    files = [name for name in case.listing() if name.endswith(".py") and "Flask(" in case.read(name)]
    return files[0].removesuffix(".py") if len(files) == 1 else ""


RULES = (
    Rule("python.module", ("no module named", "modulenotfounderror"), r"No module named '?(?P<name>[\w.]+)(?![\w.])(?![^\S\n]+\w)", _module, _module_fixes, rank=24),
    Rule("python.import_name", "cannot import name", r"cannot import name '(?P<name>[^']+)' from '?(?P<module>[\w.]+)", lambda c, f: f"{f['module']} holds no name {f['name']} (ImportError, {_frame(c)}): another version, a misspelling, or a file of yours with the same name as the module.", rank=24),
    Rule("python.indent", ("indentationerror", "taberror"), r"^(?P<kind>IndentationError|TabError): (?P<why>.+)$", _indent, rank=24),
    Rule("python.print", "missing parentheses in call to 'print'", "", lambda c, f: f"SyntaxError at {_frame(c)}: print needs parentheses in Python 3. The file was written for Python 2.",
         lambda c, f: [c.swap(c.program, "python2")] if c.installed("python2") else [], rank=24),
    Rule("python.syntax", "syntaxerror", r"^SyntaxError: (?P<why>[^\n]+)", lambda c, f: "" if not _frame(c) else f"Python cannot read {_frame(c)}: SyntaxError (syntax): {f['why']}. " + (HINTS["SyntaxError"] if re.search(_HALF, f["why"]) else ""), rank=25),
    Rule("python.external", "externally-managed-environment", "", "This Python belongs to the system (externally managed environment), so pip installs nothing into it. Use a virtual environment.",
         lambda c, f: [f"python3 -m venv .venv && .venv/bin/pip {' '.join(quote(a if c.exists(a) or '.' not in a else c.near_path(a) or a) for a in c.args if a != '--user')}", *([f"pipx {' '.join(quote(a) for a in c.args)}"] if c.installed("pipx") else [])] if c.program.startswith("pip")
         else [f"python3 -m venv .venv && .venv/bin/python {' '.join(quote(a) for a in c.args)}"], rewrites=True, rank=20),
    Rule("python.no_pip", "no module named pip", r"no module named '?pip'?(?!\w)", "This Python has no pip: no module named pip.", _pip_fixes, rank=20),
    Rule("python.ensurepip", "ensurepip is not available", "", "The virtual environment was not made: ensurepip is missing, which comes with the package python3-venv.", ("sudo apt install python3-venv",), rank=20),
    Rule("python.requirement", ("no matching distribution", "could not find a version that satisfies"), r"(?:requirement|found for) (?P<name>[\w.\[\]-]+)(?P<wanted>[=<>!~][^\s(]*)?", _requirement,
         lambda c, f: [c.swap(f["name"], "-r " + quote(f["name"]), raw=True)] if f["name"].endswith(".txt") else [c.swap(f["name"], n) for n in _common(f["name"])], rank=24),
    Rule("python.requirements_file", "could not open requirements file", r"requirements file: .*'(?P<path>[^']+)'", lambda c, f: f"pip found no file {f['path']}: no such file." + (" It looks misspelt." if c.near_path(f["path"]) else " Are you in the right folder?"),
         lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=24),
    Rule("python.requirement_path", "invalid requirement", r"Invalid requirement: ['\"]?(?P<name>[^'\"\n:]+)", lambda c, f: f"{f['name']} is no valid requirement. " + ("To install from a requirements file, give -r." if c.exists(f["name"]) else "Write it as name==version, without blanks."),
         lambda c, f: [c.swap(f["name"], "-r " + f["name"], raw=True)] if c.exists(f["name"]) else [], rank=24),
    Rule("python.not_installable", "neither 'setup.py' nor 'pyproject.toml' found", "", "This folder is not a Python project that pip can install: neither setup.py nor pyproject.toml is found. Are you in the right folder?", rank=24),
    Rule("python.wheel", ("failed building wheel for", "failed to build"), r"Fail(?:ed building wheel for|ed to build) (?P<name>[\w.-]+)", "Building {name} failed: pip found no ready-made wheel for this Python and the compilation broke. The first error above it says what is missing, often a -dev package.", program="pip pip3 uv python3 python", rank=40),
    Rule("python.resolver", ("conflicting dependencies", "resolutionimpossible"), "", "The requirements contradict each other: no set of versions satisfies all of them (conflicting dependencies). Loosen a pinned version.", rank=24),
    Rule("python.hashless", "error: could not install packages due to an oserror", r"OSError: (?P<why>[^\n]+)", "pip could not write or fetch a file: {why}", rank=60),
    Rule("python.flask_app", "could not locate a flask application", "", lambda c, f: "Flask found no application: it looks for app.py and wsgi.py, or for what --app names." + (f" {_app(c)} makes one." if _app(c) else ""),
         lambda c, f: [c.insert(f"--app {quote(_app(c))}")] if _app(c) else [], program="flask", rank=24),
    Rule("python.django_port", "that port is already in use", "", "The port is already in use by another server. Stop that one, or give another port.", lambda c, f: [c.append("8001")] if "runserver" in c.args and len(c.operands) == 2 else [], rank=24),
    Rule("python.pytest_failed", " failed", r"^(?:=+ |)(?P<count>\d+) failed", lambda c, f: f"{f['count']} test{'s' if f['count'] != '1' else ''} failed: " + (", ".join(re.findall(r"^FAILED (\S+)", c.output, re.MULTILINE)[:3]) or "see the lines marked FAILED") + ". Read the first assertion that did not hold.", program="pytest python python3 tox nox uv", rank=22),
    Rule("python.pytest_path", "error: file or directory not found", r"not found: (?P<path>\S+)", "pytest found no file or directory {path}.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=22),
    Rule("python.pytest_none", ("no tests ran in", "collected 0 items"), "", "pytest found no tests here: no tests ran. Files must be called test_*.py, functions test_*.", rank=40),
    Rule("python.unittest_failed", "failed (", r"^FAILED \((?P<count>[^)]+)\)", lambda c, f: f"Tests failed ({f['count']}): " + ", ".join(list(dict.fromkeys(re.findall(r"^(?:FAIL|ERROR): (\S+)", c.output, re.MULTILINE)))[:3]) + f". {_last_error(c)}Read the first one above.", rank=22),
    Rule("python.name", "nameerror", r"NameError: name '(?P<name>\w+)' is not defined", lambda c, f: f"The name {f['name']} is not defined at {_frame(c)} (NameError). Is it misspelt, or not imported?" + "".join(f" {n} is close." for n in nearest(f["name"], dir(builtins), 1)), rank=44),
    Rule("python.environ", "keyerror: '", "", _unset, rank=45),
    Rule("python.no_main", "__main__", r"No module named (?P<name>[\w.]+)\.__main__", lambda c, f: f"{f['name']} is a package, and holds no __main__.py that python -m could start." + "".join(f" {one} is a module of it." for one in _entries(c, f["name"])),
         lambda c, f: [c.swap(f["name"], one) for one in _entries(c, f["name"])], program="python python3", rewrites=True, rank=15),
    Rule("python.relative", "attempted relative import with no known parent package", "", lambda c, f: "A module that imports from beside itself (from .name) must be started as a part of its package, with python -m." if _as_module(c)[0] else "",
         lambda c, f: [c.swap(*_as_module(c), raw=True)] if _as_module(c)[0] else [], program="python python3", rewrites=True, rank=15),
    Rule("python.shadowed", ("has no attribute", "cannot import name", "most likely due to a circular import"), r"^(?:Attribute|Import)Error: (?:[^\n]*?module '(?P<name>\w+)' has no|cannot import name '\w+' from (?:partially initialized module )?'(?P<other>\w+)')", _shadowed, rank=45),
    Rule("python.traceback", ("traceback (most recent", "error:"), _ERROR, lambda c, f: _traceback(c, f) if "traceback" in c.low or 'file "' in c.low else "", rank=46),
    Rule("python.traceback_custom", "traceback (most recent call last)", r"^(?P<kind>[A-Za-z_][\w.]*)(?:: (?P<why>[^\n]*))?\s*\Z", _traceback, rank=47),
)  # fmt: skip
