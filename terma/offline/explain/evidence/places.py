"""Where an output says it happened: `file:line:column` in the ways in which tools write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from terma.offline.explain.evidence.model import Place

MAX_PLACES = 60
SOURCES = frozenset(
    "py pyx pyi rb erb rake pl pm t php phtml js jsx mjs cjs ts tsx mts cts vue svelte go rs c h cc cpp cxx hpp hh m mm"
    " java kt kts scala groovy gradle clj cs fs vb swift dart lua r jl ex exs erl hs ml mli nim zig v sv vhd sql sh bash"
    " zsh fish ksh ps1 awk sed mk cmake make ninja build bzl json jsonc yml yaml toml ini cfg conf config xml xsd html"
    " htm css scss sass less md rst tex bib bst tf tfvars hcl nix proto graphql csv tsv txt in am ac lock env service"
    " timer socket plist properties cnf rules cron dockerfile j2 jinja tpl tmpl gp gnuplot s asm f f90 f95 ada adb pas"
    " p6 raku cr d lean coq thy el lisp scm rkt po desktop spec patch diff log".split()
)
_NAME = r"[^\s:\"'`()<>|,;\[\]{}=*]+"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r'File "(?P<f>[^"]+)", line (?P<l>\d+)',
        r"\bin \"(?P<f>[^\"]+)\", line (?P<l>\d+),? col(?:umn)? (?P<c>\d+)",
        r"['\"](?P<f>[^'\"\s]+)['\"]: ?line (?P<l>\d+),? col(?:umn)? (?P<c>\d+)",
        r"\"(?P<f>[^\"\s]+)\":(?P<l>\d+)(?::(?P<c>\d+))?:",
        r"\"(?P<f>[^\"\s]+)\",? line (?P<l>\d+)",
        rf"\b(?:at|in|on|file) (?P<f>{_NAME})(?: on)?,? line:? (?P<l>\d+)(?:,? col(?:umn)?:? (?P<c>\d+))?",
        rf"(?P<f>{_NAME})\((?P<l>\d+),(?P<c>\d+)\)",
        rf"^(?P<f>{_NAME}):? line (?P<l>\d+)(?:,? col(?:umn)? (?P<c>\d+))?:",
        rf"^(?P<f>{_NAME}): (?P<l>\d+): ",
        rf"\bline (?P<l>\d+) (?:in|of)(?: file)? [\"'`‘“]?(?P<f>{_NAME})",
        rf"\bentry (?P<l>\d+) in [a-z ]*file [\"'`‘“]?(?P<f>{_NAME})",
        rf"(?:^|: )(?P<f>{_NAME}):? \(line (?P<l>\d+)(?:,? col(?:umn)? (?P<c>\d+))?\)",
        rf"(?:^|: )(?P<f>{_NAME}): [^:\d]{{1,60}}\bline (?P<l>\d+)(?:,? col(?:umn)? (?P<c>\d+))?\b",
        rf"^\s*(?P<f>{_NAME}) (?P<l>\d+):(?P<c>\d+)\b",
        rf"(?:^|: )(?P<f>{_NAME})\[(?P<l>\d+)\]: ",
        rf"(?P<f>{_NAME}):(?P<l>\d+)(?::(?P<c>\d+))?(?![\w/.-]*://)(?=[:\s,;)\]'\"]|$|: )",
    )
)
_UNDER = re.compile(r"^\s+(?P<l>\d+):(?P<c>\d+)\s+(?:error|warning)\b", re.IGNORECASE)
_NAMELESS = re.compile(
    r"(?:^\W*|\bat |\bin |: )line:? (?P<l>\d+)(?:,? (?:and )?(?:col(?:umn)?|char(?:acter)?|pos(?:ition)?):? (?P<c>\d+))?(?=[\s:,;.)]|$)",
    re.IGNORECASE,
)
_LIBRARY = re.compile(
    r"^/(?:usr/)?s?bin/|site-packages|dist-packages|node_modules|^node:|(?:^|/)internal/|^<|/rustc/|/rustlib/|\.cargo/registry|^/usr/(?:local/)?"
    r"(?:lib|share|include)|/go/src/|/pkg/mod/|/ruby/\d|^/opt/|\.d\.ts$|^\[|/gems/|^/lib|rubygems|^library/"
)

# A frame of Java's own classes: its file is none of the person's, though it is written like one.
_RUNTIME = re.compile(
    r"\s+at (?:(?:java|jdk|javafx)\.[\w.]+/|(?:java|javax|jdk|sun|com\.sun|kotlin|scala)\.)"
)


def places(lines: Sequence[str], exists: Callable[[str], bool], subject: str = "") -> tuple[Place, ...]:
    """Every place in `lines`, in their order. `exists` tells whether a name is a file here; `subject` is the one file
    that was read, of which a line without a name speaks."""
    found: list[Place] = []
    header = ""
    for index, line in enumerate(lines):
        if len(found) >= MAX_PLACES:
            break
        under = _UNDER.match(line)
        if under and header:
            found.append(Place(header, int(under["l"]), int(under["c"]), index))
            continue
        if line.strip() and not line[0].isspace():
            header = (
                line.strip() if re.fullmatch(_NAME, line.strip()) and _file(line.strip(), exists) else header
            )
        here = _in_line(line, index, exists)
        nameless = _NAMELESS.search(line) if subject and not here else None
        if nameless:
            here = [Place(subject, int(nameless["l"]), int(nameless["c"] or 0), index)]
        found += here
    return tuple(found)


def _in_line(line: str, index: int, exists: Callable[[str], bool]) -> list[Place]:
    for shape in _SHAPES:
        hits = [
            Place(
                hit["f"],
                int(hit["l"]),
                int(hit.groupdict().get("c") or 0),
                index,
                not (_LIBRARY.search(hit["f"]) or _RUNTIME.match(line)),
            )
            for hit in shape.finditer(line)
            if _file(hit["f"], exists) and not _of_its_makers(hit["f"], exists)
        ]
        if hits:
            return hits[:4]
    return []


def _file(name: str, exists: Callable[[str], bool]) -> bool:
    """Whether `name` is a source file's: not a time, an address or a host before its port."""
    if (
        re.fullmatch(r"[\d.]+|\[?[0-9a-fA-F:]+\]?", name)
        or "://" in name
        or name.startswith("node:")
        or len(name) > 400
    ):
        return False
    if name in ("<string>", "<stdin>", "-e", "[eval]"):
        return True
    last = name.rpartition("/")[2]
    ending = last.rpartition(".")[2].lower()
    if "." in last.strip(".") and ending in SOURCES:
        return True
    if last in (
        "Makefile",
        "makefile",
        "GNUmakefile",
        "Dockerfile",
        "Rakefile",
        "Gemfile",
        "Vagrantfile",
        "Justfile",
    ):
        return True
    return exists(name)


def _of_its_makers(name: str, exists: Callable[[str], bool]) -> bool:
    """Whether it is a source of whoever built the program: a path up from where that was, and nothing is there."""
    return name.startswith("../") and not exists(name)


def best(found: Sequence[Place], decisive: int, traced: bool) -> Place | None:
    """The place of the line with index `decisive`: in it, else the innermost of the person's own files around it."""
    if not found:
        return None
    here = [place for place in found if place.index == decisive]
    if here:
        return next((place for place in here if place.own), here[0])
    own = [place for place in found if place.own] or list(found)
    after = [place for place in own if decisive < place.index <= decisive + 8]
    before = [place for place in own if place.index < decisive]
    if traced and before:
        return before[-1]
    if after:
        return after[0]
    return before[-1] if before and decisive - before[-1].index <= 12 else None


def relative(place: Place, cwd: str) -> Place:
    """The same seen from the folder in which the command ran."""
    return replace(place, file=place.file.removeprefix(cwd.rstrip("/") + "/")) if cwd else place
