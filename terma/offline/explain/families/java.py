"""Java: a class that is not found, and what a program of its was stopped by."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.lookups import folders
from terma.offline.explain.rule import Facts, Rule

_DEEP = 4  # folders down in which the source of a class is looked for


def _declared(case: Case, name: str) -> list[str] | None:
    """The classes that the source of that name declares; None where there is no such source."""
    if not case.exists(f"{name}.java"):
        return None
    return re.findall(r"\b(?:class|interface|enum|record)\s+(\w+)", case.read(f"{name}.java"))


def _packaged(case: Case, name: str) -> str:
    """The class with the package that its source declares, where the source or the class lies near; "" for none."""
    for folder in folders(case, ".", _DEEP):
        path = f"{folder}/{name}.java".removeprefix("./")
        found = re.search(r"(?m)^\s*package\s+([\w.]+)\s*;", case.read(path)) if case.exists(path) else None
        if found:
            return f"{found[1]}.{name}"
    return ""


def _main_class(case: Case, facts: Facts) -> str:
    name = facts["name"]
    said = f"Java could not find or load the main class {name}."
    if name.endswith((".class", ".java")):
        return f"{said} Give the class name, without .class or .java."
    if whole := _packaged(case, name):
        return f"{said} Its source puts it into a package, so its name is {whole}; the folder above the package belongs on the class path."
    declared = _declared(case, name)
    if declared is not None and name not in declared:
        return f"{said} {name}.java declares no class of that name{': it has ' + declared[0] if declared else ''}."
    return f"{said} Compile it first, and run from the folder above its package." if declared else said


def _main_class_fixes(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    if re.search(r"\.(?:class|java)$", name):
        return [case.swap(name, re.sub(r"[./](?:class|java)$", "", name))]
    if whole := _packaged(case, name):
        return [case.swap(name, whole)]
    return [f"javac {name}.java && {case.command}"] if name in (_declared(case, name) or ()) else []


RULES = (
    Rule("build.java_class", "could not find or load main class", r"main class (?P<name>\S+)", _main_class, _main_class_fixes, rank=20),
    Rule("build.javac_name", "class names,", r"Class names, '(?P<name>[^']+)', are only accepted", "javac wants a file, and {name} is none: it needs its ending, .java.", lambda c, f: [c.swap(f["name"], name) for name in (f["name"] + ".java", c.near_path(f["name"])) if name.endswith(".java") and c.exists(name)][:1], rank=20),
    Rule("build.java_exception", "exception in thread", r"Exception in thread \"[^\"]+\" (?P<kind>[\w.$]+)(?:: (?P<why>[^\n]*))?(?:\s+at [^(\n]+\((?P<place>[^)]+)\))?", "The Java program stopped with {kind} {why} at {place}.", rank=30),
)  # fmt: skip
