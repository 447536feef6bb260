"""What the output misses and a look around finds: a file in another folder, a project beside this one, who defines a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import folders
from terma.offline.explain.near import nearest
from terma.offline.explain.source import edited, lines_of, near_sources

# The files that make a folder a project's, and that tools look for where they are started.
MANIFESTS = tuple(
    "package.json Makefile makefile GNUmakefile CMakeLists.txt meson.build Cargo.toml go.mod pyproject.toml setup.py manage.py"
    " docker-compose.yml docker-compose.yaml compose.yml compose.yaml Dockerfile Gemfile Rakefile pom.xml build.gradle"
    " composer.json artisan main.tf ansible.cfg Vagrantfile justfile Justfile Taskfile.yml build.ninja tsconfig.json playbook.yml".split()
)
_MISSING = re.compile(
    r"no such file|not found|fail\w* (?:to )?open|\bno \w+ found|could not (?:find|locate|read|open)|couldn't find|(?:cannot|could not) (?:find|open|stat|access|load|resolve)|can't (?:find|open|cd)"
    r"|does not (?:exist|appear)|no \S*(?:makefile|package\.json|configuration files?)\b|missing|there is no \w|\bno \w+ in (?:this|the current) |unable to (?:find|open|load)|enoent|isn't a|nosuchfile|filenotfound",
    re.IGNORECASE,
)
# A name with an ending, or one that ends as build files do.
_FILE = re.compile(
    r"(?<![\w./-])(\.?\w[\w-]*(?:\.[A-Za-z][\w-]*)+|[A-Z]\w*(?:file|struct|package|list))(?![\w/-])"
)
_MAX_NAMED = 4
_WRITES = re.compile(r"\b(?:creat|writ|sav|renam|mov|copy|mak)\w*|output|destination|target", re.IGNORECASE)
_WRITES_TO = re.compile(r">|\s-o|\s--out")
_DEFINES = r"(?:\b(?:func|def|class|function|const|let|var|val|type|struct|enum|interface|trait|fn|mod)\s+(?:\([^)]*\)\s*)?|^\s*(?:export\s+)?){name}\b\s*(?:[=({{:<]|$|\w)"

OF_FILES = re.compile(
    r"file|director|folder|path|open|read|stat|access|load|exist|entry|project|script|input", re.IGNORECASE
)
_DEFINES_C = r"^[A-Za-z_][\w \t*:<>]*[ \t*]{name}\s*\([^;{{]*\)\s*(?:const\s*)?(?:\{{|$)"  # no declaration
_OF_C = (".c", ".cc", ".cpp", ".cxx")


def lying_near(case: Case) -> Finding | None:
    """The first thing found; None when nothing is."""
    return next(_findings(case), None)


def _findings(case: Case) -> Iterator[Finding]:
    told = "\n".join(case.evidence.lines[index] for index in case.evidence.decisive[:4])
    if not _MISSING.search(told):  # a warning before it may tell more
        found = zip(case.evidence.lines, case.evidence.weights, strict=True)
        told = "\n".join(
            [told, *(line for line, weight in found if weight == Weight.NOTE and _MISSING.search(line))]
        )
    if _MISSING.search(told):
        yield from _typed(case, told)
        yield from _project(case, told)
        yield from _required(case, told)
    told = "\n".join([told, *(line for line in case.evidence.lines if "undefined reference" in line)])
    if re.search(r"undefined|not defined|undeclared|cannot find symbol|unresolved", told):
        yield from _defined(case, told)


def _typed(case: Case, told: str) -> Iterator[Finding]:
    """A path of the command is not there, and the one file of that name lies in a folder near here."""
    for word in case.arguments:
        path = word.value.rstrip("/")
        name = path.rpartition("/")[2]
        if (
            not name
            or name.startswith("-")
            or case.exists(path)
            or len(name) < 3
            or not _speaks_of(case, told, path)
            or (not re.search(r"[./]", path) and not OF_FILES.search(told))
        ):
            continue
        near = case.near_path(path)
        found = [near] if near else elsewhere(case, name) if "." in name else []
        if len(found) == 1:
            yield Finding(f"There is {found[0]}.", case.swap(word.value, found[0]))
        elif found:
            yield Finding(f"There are {' and '.join(found[:3])}.")


def _speaks_of(case: Case, told: str, path: str) -> bool:
    """Whether the output names `path`, or the first of its folders that is not there."""
    if path.removeprefix("./") in told:
        return True
    steps = path.split("/")
    at = next((n for n in range(1, len(steps)) if steps[n - 1] and not case.exists("/".join(steps[:n]))), 0)
    step = steps[at - 1] if at else ""
    return len(step) > 2 and bool(re.search(rf"(?<![\w./-]){re.escape(step)}(?![\w/-]|\.\w)", told))


def misnamed(case: Case) -> Finding | None:
    """A file that the output speaks of in words of its own: it is not there, and one of nearly that name is.

    For failures that no rule knows. What was to be written need not be there, and a folder need not hold what was
    asked of it: both are left alone."""
    told = "\n".join(case.evidence.lines[index] for index in case.evidence.decisive[:4])
    if not case.blamed or _WRITES.search(told) or _WRITES_TO.search(case.rest):
        return None
    found = [one for one in _typed(case, told) if one.fix and not case.is_dir(_there(one))]
    return found[0] if len(found) == 1 else None


def _there(found: Finding) -> str:
    return found.said.removeprefix("There is ").removesuffix(".")


def elsewhere(case: Case, name: str) -> list[str]:
    """The files of that name in the folders below this one, three deep."""
    return [
        f"{folder}/{one}"
        for folder in folders(case, ".", 3)
        if folder != "."
        for one in case.listing(folder)[:400]
        if one.lower() == name.lower()
    ]


def _project(case: Case, told: str) -> Iterator[Finding]:
    """The file that a tool wants where it is started lies a folder down, or some up."""
    asked = (*(name for name in MANIFESTS if _is_asked_for(case, name)), *_named_files(case, told))
    name = next((name for name in asked if not case.exists(name) and _lies_about(case, name)), "")
    if not name:
        yield from _of_ending(case, told)
        yield from _configured(case, told)
        return
    if any(word.endswith(f"/{name}") for word in case.args):  # it was given by its path
        return
    found = elsewhere(case, name)
    down = [path.rpartition("/")[0] for path in found]
    up = _above(case, name)
    built = name not in MANIFESTS and any(one in MANIFESTS for one in case.listing())
    if len(down) == 1 and not built:  # what builds this folder names its files from here
        fix = f"cd {quote(down[0])} && {_from_within(case, down[0])}"
        if name == "Dockerfile" and case.args[:1] == ("build",):
            fix = case.insert(f"-f {quote(down[0] + '/' + name)}", "build")
        yield Finding(f"{name} lies in {down[0]}: there is {found[0]}.", fix)
    elif down and not built:
        yield Finding(f"There are several: {', '.join(found[:3])}.")
    elif up and len(case.cwd.split("/")) > 3:
        above = "the folder above" if up == ".." else up
        yield Finding(f"{name} lies in {above}.", f"cd {up} && {case.rest}")


def _from_within(case: Case, folder: str) -> str:
    """What failed, as it is typed in `folder`: the paths into that folder without it."""
    begins = f"{folder}/"
    inside = [word for word in case.arguments if word.value.startswith(begins) and case.exists(word.value)]
    rest = case.rest
    for word in inside:
        rest = rest.replace(case.command[word.start : word.end], quote(word.value.removeprefix(begins)), 1)
    return rest


def _of_ending(case: Case, told: str) -> Iterator[Finding]:
    """The program wants files of an ending that it names, this folder has none, and one folder down has."""
    named = re.findall(r"(?<![\w/.-])\*?(\.[a-z]{2,6}) files?\b", case.evidence.flat)
    for ending in dict.fromkeys(named):
        if any(one.endswith(ending) for one in case.listing()):
            continue
        found = [
            folder
            for folder in folders(case, ".", 3)
            if folder != "." and any(one.endswith(ending) for one in case.listing(folder)[:400])
        ]
        if len(found) == 1:
            yield Finding(
                f"{found[0]} has files of that ending, {ending}.", f"cd {quote(found[0])} && {case.rest}"
            )


def _named_files(case: Case, told: str) -> list[str]:
    """The files that the output names by themselves and the command does not: what the program looks for by itself."""
    names = dict.fromkeys(hit.strip(".") if hit[0] != "." else hit.rstrip(".") for hit in _FILE.findall(told))
    return [name for name in names if not any(name in word.value for word in case.words)][:_MAX_NAMED]


def _lies_about(case: Case, name: str) -> bool:
    return bool(elsewhere(case, name) or _above(case, name))


def _above(case: Case, name: str) -> str:
    return next((step for step in ("..", "../..", "../../..") if case.exists(f"{step}/{name}")), "")


def _configured(case: Case, told: str) -> Iterator[Finding]:
    """A configuration is missed that the output does not name; one folder down has a file of the program's name, or one
    that is called a configuration."""
    if not re.search(r"\b(?:config\w*|project)\b", told, re.IGNORECASE) or any(
        map(case.is_file, case.operands)
    ):
        return
    own = re.compile(
        rf"\.?(?:{re.escape(case.program)}|config)(?:rc|\.config|\.project)?\.(?:toml|ya?ml|json|ini|cfg|conf|[cm]?[jt]s|exs)"
        rf"|\.{re.escape(case.program)}(?:rc)?"
    )
    if any(own.fullmatch(name) for name in case.listing()):
        return
    found = [
        f"{folder}/{name}"
        for folder in folders(case, ".", 2)
        if folder != "."
        for name in case.listing(folder)[:400]
        if own.fullmatch(name) and case.is_file(f"{folder}/{name}")
    ]
    if len(found) == 1:
        folder = found[0].rpartition("/")[0]
        yield Finding(
            f"A configuration lies in {folder}: there is {found[0]}.", f"cd {quote(folder)} && {case.rest}"
        )


def _is_asked_for(case: Case, manifest: str) -> bool:
    """Whether the output speaks of `manifest` by its name, or by that without its ending ("there is no POM")."""
    stem, dot, _ = manifest.lower().partition(".")
    return manifest.lower() in case.low or (
        bool(dot) and bool(re.search(rf"\bno {re.escape(stem)}\b", case.low))
    )


def _required(case: Case, told: str) -> Iterator[Finding]:
    """A source asks for a file by a path that is written otherwise on the disk."""
    place = case.evidence.place
    for name in case.evidence.names[:6]:
        if not place or "/" not in name.strip("/") or name.startswith("/") or name not in told:
            continue
        folder = place.file.rpartition("/")[0]
        if not name.startswith(("./", "../")) and case.near_path(name):
            yield Finding(
                f"There is {case.near_path(name)}.",
                edited(case, place.file, place.line, name, case.near_path(name)),
            )
            continue
        path = "/".join(filter(None, (folder, name.removeprefix("./"))))
        near = case.near_path(path) or _same_letters(case, path)
        if near:
            ending = "" if "." in name.rpartition("/")[2] else "." + near.rpartition(".")[2]
            meant = near.removesuffix(ending).removeprefix(f"{folder}/" if folder else "")
            yield Finding(
                f"There is {near}.",
                edited(case, place.file, place.line, name, f"./{meant}" if name.startswith("./") else meant),
            )


def _same_letters(case: Case, path: str) -> str:
    """The file that differs from `path` in upper and lower case or its ending alone, else a near one of that kind."""
    folder, _, name = path.rpartition("/")
    low = name.lower()
    found = [
        one
        for one in case.listing(folder or ".")
        if one.lower() == low or one.lower().partition(".")[0] == low
    ]
    if not found and "." not in name:  # a module, named without its ending: the source's own
        ending = case.evidence.place.file.rpartition(".")[2] if case.evidence.place else ""
        stems = [
            one.removesuffix(f".{ending}")
            for one in case.listing(folder or ".")
            if one.endswith(f".{ending}")
        ]
        found = [f"{one}.{ending}" for one in nearest(name, stems, 2)]
    return (f"{folder}/" if folder else "") + found[0] if len(found) == 1 else ""


def _defined(case: Case, told: str) -> Iterator[Finding]:
    """A name that is not defined is defined in another file of the same kind near here."""
    place = case.evidence.place
    found = re.search(
        r"undefined(?: reference to| variable| function)?:? [`'‘\"]?(\w+)|[`'‘\"](\w+)['’\"`] (?:is not defined|undeclared)|symbol:\s+\w+ (\w+)",
        told,
    )
    name = next(filter(None, found.groups())) if found else ""
    typed = [one for one in case.operands if one.endswith(_OF_C) and case.is_regular(one)]
    source = place.file if place else typed[0] if len(typed) == 1 else ""
    if not name or not source:
        return
    ending = "." + source.rpartition(".")[2]
    defines = _DEFINES_C if ending in _OF_C else _DEFINES
    pattern = re.compile(defines.format(name=re.escape(name)), re.MULTILINE)
    here = source.removeprefix("./")
    others = [path for path in near_sources(case) if path.endswith(ending) and path != here]
    holds = [path for path in others if pattern.search("\n".join(lines_of(case, path)))]
    if len(holds) == 1:
        yield Finding(f"{holds[0]} defines {name}, and was not read.", _with_file(case, here, holds[0]))


def _with_file(case: Case, here: str, other: str) -> str:
    """The command with the defining file given as well, where it names the sources to build."""
    if case.program == "go" and case.args[:1] in (("run",), ("build",)) and here in case.args:
        return case.swap(here, ".")
    if case.program in ("gcc", "g++", "cc", "c++", "clang", "clang++", "rustc") and here in case.args:
        return case.insert(quote(other), here)
    return ""
