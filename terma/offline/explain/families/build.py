"""Compilers and builders: make, gcc, the linker, cargo, go, java, maven, gradle, cmake."""

from __future__ import annotations

import os
import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import debian_names
from terma.offline.explain.makefiles import (
    make_folder,
    makefiles,
    recipe_failed,
    separator,
    spaces_at,
    targets,
)
from terma.offline.explain.near import meant, nearest
from terma.offline.explain.packages import HEADERS, LIBRARIES, PREFIXES, install_package
from terma.offline.explain.proposed import is_meant
from terma.offline.explain.rule import Facts, Rule

_CC = "gcc g++ cc c++ clang clang++ tcc make cmake ninja"


def _java_file(case: Case, facts: Facts) -> list[str]:
    """The source under the name that its public class asks for."""
    path = facts["path"]
    target = path.rpartition("/")[0] + "/" * ("/" in path) + facts["file"]
    if path not in case.args or case.exists(target):
        return []
    return [f"mv {quote(path)} {quote(target)} && {case.swap(path, target)}"]


def _no_rule(case: Case, facts: Facts) -> str:
    name = facts["name"]
    if facts["by"]:
        near = case.near_path(name)
        return (
            f"make needs {name} for {facts['by']}, but it does not exist and there is no rule to make it."
            + (f" There is {near}." if near else " Is the file missing, or its name wrong in the Makefile?")
        )
    if name not in case.args and makefiles(case):
        return f"make needs {name}, but it does not exist and there is no rule to make it."
    names = targets(case)
    if not makefiles(case) and case.cwd:
        where = make_folder(case).rstrip("/") or "this folder"
        return f"There is no makefile in {where}, and so no rule for {name}."
    return f"No rule: the Makefile has no target {name}." + (
        f" It has: {', '.join(names[:8])}." if names else ""
    )


def _link(case: Case, facts: Facts) -> str:
    return f"The linker found no definition of {facts['name']}: undefined reference." + (f" It lives in a library: link with -l{_library(facts['name'])}, after the sources." if _library(facts["name"])
        else " main is missing: is the right file compiled?" if facts["name"] == "main" else " Is a source file or library missing from the command, or the name misspelt?")  # fmt: skip


def _library(name: str) -> str:
    plain = name.split("@", maxsplit=1)[0]
    begun = next((library for begin, library in PREFIXES.items() if plain.startswith(begin)), "")
    if begun:
        return begun
    return next(
        (
            library
            for library, names in LIBRARIES.items()
            if plain in names.split() or (library == "stdc++" and plain.startswith("std::"))
        ),
        "",
    )


def _link_fixes(case: Case, facts: Facts) -> list[str]:
    library = _library(facts["name"])
    if not library or case.program == "make":
        return []
    if library == "stdc++":
        other = {"gcc": "g++", "cc": "c++", "clang": "clang++"}.get(case.program, "")
        return [case.swap(case.program, other)] if other else []
    typed = next((word for word in case.arguments if word.value == f"-l{library}"), None)
    if typed is None:
        return [case.append(f"-l{library}")]
    rest = case.command[: typed.start].rstrip() + case.command[typed.end :]  # it stood before what needs it
    return [f"{rest} -l{library}"] if typed.part == case.words[-1].part else []


def _header(case: Case, facts: Facts) -> str:
    name = facts["name"]
    known = (
        f" The package {HEADERS[name]} carries it."
        if name in HEADERS
        else " Is its package installed, its folder given with -I, and its name right?"
    )
    folder = _folder_of(case, name)
    if folder:
        known = f" It lies in {folder}, which the compiler searches only when told: -I{folder}."
    near = nearest(name, STANDARD_HEADERS, 1)
    if near and name not in HEADERS:
        known = f" It looks like {near[0]} misspelt."
    return (
        f"The compiler found no header {name} (line {facts['line']} of {facts['path']}): no such file.{known}"
    )


def _folder_of(case: Case, name: str) -> str:
    """The folder near by that holds the header `name`, "" when none does."""
    tried = [
        "include",
        "inc",
        "src",
        "lib",
        "headers",
        "..",
        "../include",
        *(f for f in case.listing() if case.is_dir(f)),
    ]
    return next((folder for folder in dict.fromkeys(tried) if case.exists(f"{folder}/{name}")), "")


def _libraries_here(case: Case) -> list[str]:
    """The libraries that the linker finds by itself, by the names that -l takes."""
    folders = ("/usr/local/lib", f"/usr/lib/{os.uname().machine}-linux-gnu", "/usr/lib64", "/usr/lib")
    found = (
        re.fullmatch(r"lib([\w+-]{3,})\.(?:so|a)", name)
        for folder in folders
        for name in case.listing(folder)
    )
    return list(dict.fromkeys(hit[1] for hit in found if hit))


def _library_fixes(case: Case, facts: Facts) -> list[str]:
    """The package of a library, by its usual name, where something here knows that there is one of that name."""
    near = nearest(facts["name"], _libraries_here(case), 2)
    if len(near) == 1:
        return [case.swap(f"-l{facts['name']}", f"-l{near[0]}")]
    package = f"lib{facts['name']}-dev"
    known = package in HEADERS.values() or package in debian_names(package)
    return [install_package(case, package)] if known else []


def _header_fixes(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    folder = _folder_of(case, name)
    if folder and facts["path"] in case.args:  # what reads a source itself has -I, as every preprocessor of C
        return [case.insert(f"-I{folder}")]
    return [install_package(case, HEADERS[name])] if name in HEADERS else []


STANDARD_HEADERS = "stdio.h stdlib.h string.h math.h time.h ctype.h errno.h limits.h stdint.h stdbool.h unistd.h pthread.h assert.h signal.h sys/types.h sys/socket.h iostream vector string map algorithm".split()


# What compiles, or starts what compiles; others write their errors in the same form.
_COMPILES = frozenset(
    "gcc g++ cc c++ clang clang++ cpp nvcc gfortran ghc make gmake ninja cmake ctest bazel scons go cargo npm pip pip3"
    " node-gyp python3 python bear ccache distcc valac swiftc ldc2 dmd gdc emcc icc tcc ebuild dpkg-buildpackage".split()
)


# What starts a compiler, and does not read the source itself.
_STARTS = frozenset(
    "make gmake ninja cmake ctest bazel scons ccache distcc bear npm pip pip3 python3 python".split()
)


def _cc(case: Case, facts: Facts) -> str:
    near = re.search(r"did you mean [‘'](?P<n>[^’']+)", case.output)
    who = "The compiler" if case.program in _COMPILES else case.speaker or "The program"
    return (
        f"{who} stopped at {facts['path']}, line {facts['line']}: error: {facts['why']}."
        + (f" Did you mean {near['n']}?" if near and near["n"] not in facts["why"] else "")
        + (" Later errors often follow from the first." if who == "The compiler" else "")
    )


def _reader(case: Case) -> str:
    """Who did not find a file: the program itself, or where that only starts others and does not speak, a compiler."""
    return case.program if case.program not in _STARTS or case.told else "The compiler"


def _build_folder(case: Case) -> str:
    """The folder that the command wants built, when it is not set up and the project's own file lies here."""
    folder = next(
        (b for a, b in zip(case.args, case.args[1:], strict=False) if a in ("-C", "--build")), "build"
    )
    project = {"meson": "meson.build", "ninja": "meson.build", "cmake": "CMakeLists.txt"}.get(
        case.program, ""
    )
    ready = case.exists(f"{folder}/build.ninja") or case.exists(f"{folder}/CMakeCache.txt")
    return folder if project and case.exists(project) and not ready else ""


def _set_up(case: Case, facts: Facts) -> list[str]:
    folder = quote(_build_folder(case))
    return [
        f"cmake -B {folder} && {case.command}"
        if case.program == "cmake"
        else f"meson setup {folder} && {case.command}"
    ]


def _configure_fixes(case: Case, facts: Facts) -> list[str]:
    """What makes the script `configure` in a tree that came from a repository."""
    if case.exists("autogen.sh"):
        return [f"./autogen.sh && {case.command}"]
    return [f"autoreconf -fi && {case.command}"]


def _build_into(case: Case) -> list[str]:
    """`cmake build` where the sources are here: the folder is to be built in."""
    folder = next((name for name in case.operands if case.is_dir(name)), "")
    ready = folder and case.exists("CMakeLists.txt") and "-B" not in case.args
    return [case.swap(folder, f"-B {quote(folder)}", raw=True)] if ready else []


def _module(case: Case, facts: Facts) -> list[str]:
    """A module named like this folder, then the same command."""
    name = re.sub(r"[^a-z0-9._-]", "", case.cwd.rstrip("/").rpartition("/")[2].lower())
    return [f"go mod init {name} && {case.command}"] if name and not case.exists("go.mod") else []


def _cargo_command(case: Case, name: str) -> list[str]:
    """The commands of cargo that `name` was meant to be: what cargo proposes where that is near, else those known."""
    told = re.findall(r"(?:similar name exists: `|Did you mean `)([^`]+)", case.output)
    known = "build run test check new add update fmt clippy doc clean install".split()
    return [n for n in told if is_meant(case, name, [n])] if told else meant(name, known)


def _symbol(case: Case) -> str:
    """What javac did not find, from the row beneath."""
    first = re.search(r"error: [^\n]*", case.output)  # the row beneath a later error is not of the first
    told = first is not None and first.group() == "error: cannot find symbol"
    found = re.search(r"(?m)^ *symbol: +(.+?) *$", case.output) if told else None
    return f" {found[1]}" if found else ""


RULES = (
    Rule("build.no_configure", "no such file", r"\./configure: No such file", lambda c, f: "There is no script configure here: in a tree from a repository it has to be made first, from configure.ac." if c.exists("autogen.sh") or c.exists("configure.ac") or c.exists("configure.in") else "", _configure_fixes, rank=12, rewrites=True),
    Rule("build.not_set_up", ("not a meson build directory", "is not a directory", "chdir to", "could not load cache", "no such build directory"), "",
         lambda c, f: f"The folder {_build_folder(c)} is not set up yet, so there is nothing in it to build. The project's own file lies here: it has to be set up first." if _build_folder(c) else "", _set_up, program="meson cmake ninja", rank=18),
    Rule("build.make_target", "no rule to make target", r"No rule to make target [`'‘](?P<name>[^'’]+)['’](?:, needed by [`'‘](?P<by>[^'’]+))?", _no_rule,
         lambda c, f: [] if f["by"] else [c.swap(f["name"], n) for n in meant(f["name"], targets(c))], rank=20),
    Rule("build.no_makefile", ("no targets specified and no makefile", "no makefile found"), "", lambda c, f: f"There is no makefile in {make_folder(c).rstrip('/') or 'this folder'}: no targets specified and no makefile found." + ("" if make_folder(c) else" A CMakeLists.txt is here, though: cmake makes one." if c.exists("CMakeLists.txt") else " A configure script is here: run it first." if c.exists("configure") else " Are you in the right folder?"),
         lambda c, f: ["cmake -B build && cmake --build build"] if c.exists("CMakeLists.txt") else [f"./configure && {c.command}"] if c.exists("configure") else [], rank=20),
    Rule("build.separator", "missing separator", r"(?P<path>\S+?):(?P<line>\d+): \*\*\* missing separator", separator,
         lambda c, f: [f"sed -i '{f['line']}s/^ */\\t/' {quote(f['path'])} && {c.command}"] if spaces_at(c, f) else [], rank=20),
    Rule("build.header", "no such file", r"(?P<path>[^\s:]+):(?P<line>\d+):\d+: fatal error: (?P<name>[^:]+): No such file", _header,
         _header_fixes, rank=20),
    Rule("build.link", "undefined reference to", r"undefined reference to [`'‘](?P<name>[^'’\n]+)", _link, _link_fixes, rank=20, rewrites=True),
    Rule("build.link_mac", "undefined symbols for architecture", r"\"_?(?P<name>[^\"]+)\", referenced from", _link, _link_fixes, rank=20),
    Rule("build.no_lib", "cannot find -l", r"cannot find -l(?P<name>[\w.+-]+)", "The linker cannot find the library {name} (-l{name}): it is not installed, or its folder is not given with -L.", _library_fixes, rank=20),
    Rule("build.duplicate", "multiple definition of", r"multiple definition of [`'‘](?P<name>[^'’]+)", "{name} is defined twice (multiple definition): in two sources, or in a header that both include.", rank=20),
    Rule("build.no_input", ("no input files", "no such file"), r"(?:(?P<cc>gcc|g\+\+|cc|clang): )?(?:fatal )?error: (?:no input files|(?:loading )?['‘]?(?P<path>[^:'’\n]+)['’]?: No such file)",
         lambda c, f: f"{_reader(c)} found no file {f['path']}: no such file." if f["path"] else f"{c.program} got no input files: name the sources.",
         lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if f["path"] and c.near_path(f["path"]) else [], program=_CC, rank=22),
    Rule("build.javac_file", "file not found", r"error: file not found: (?P<path>\S+)", "javac found no file {path}: file not found.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], program="javac", rank=19),
    Rule("build.cmake_source", "cannot find source file", r"CMake Error at (?P<path>[^:]+):(?P<line>\d+)[^\n]*\n\s+Cannot find source file:\s+(?P<name>\S+)", "cmake cannot find the source file {name} that {path} names in line {line}. Is it missing, or its name wrong there?", rank=20),
    Rule("build.cmake_error", "cmake error", r"CMake Error at (?P<path>[^:\s]+):(?P<line>\d+)[^\n]*:\s+(?P<why>[^\n]+(?:\n  [^\n]+){0,3})", lambda c, f: f"cmake stopped at {f['path']}, line {f['line']}: {' '.join(f['why'].split())}", rank=36),
    Rule("build.java_file", "should be declared in a file named", r"^(?P<path>[^\s:]+\.java):\d+: error: (?:class|interface|enum|record) (?P<name>\w+) is public, should be declared in a file named (?P<file>[\w.]+)", "{path} holds the public class {name}, and Java wants that in a file named {file}.", _java_file, program="javac java", rewrites=True, rank=29),
    Rule("build.javac", ("error:",), r"^(?P<path>[^\s:]+\.java):(?P<line>\d+): error: (?P<why>[^\n]+)", lambda c, f: f"The Java compiler stopped at {f['path']}, line {f['line']}: {f['why']}{_symbol(c)}.", rank=30),
    Rule("build.make_program", "make", r"^\w*make(?:\[\d+\])?: (?P<name>[\w.+-]+): (?:No such file or directory|(?:command )?not found)", lambda c, f: "" if c.exists(f["name"]) or c.installed(f["name"]) else f"There is no makefile {f['name']} here: no such file." if f["name"] in makefiles(c) else f"make found no program {f['name']}, which a recipe runs: not found in PATH (no such file or directory). It is not installed, or its name is wrong in the Makefile.", program="make gmake", rank=16),
    Rule("build.cc_error", "error:", r"^(?P<path>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<why>[^\n]+)", _cc, rank=34),
    Rule("build.cc_option", "unrecognized command", r"unrecognized command[- ]line option [‘'](?P<name>[^’']+)", "{program} knows no option {name}: unrecognized.",
         lambda c, f: [c.swap(f["name"], n) for n in re.findall(re.escape(f["name"]) + r"[’'];? ?did you mean [‘']([^’'\n]*[^’',\n])[’']", c.output)], rank=20),
    Rule("build.ccompiler", ("no cmake_c_compiler", "no acceptable c compiler", "linker `cc` not found", "cc: not found", "cc: no such file"), r"no (?:cmake_c_compiler|acceptable c compiler)|(?<![\w.-])cc[`'’]?:? (?:command )?(?:not found|no such file)", lambda c, f: "" if c.installed("cc") or c.installed("gcc") else "There is no C compiler here: not found. build-essential brings gcc and make.", lambda c, f: [install_package(c, "build-essential")], rank=15),
    Rule("build.cmake_dir", "does not appear to contain cmakelists.txt", r"source directory \"(?P<path>[^\"]+)\"", "{path} holds no CMakeLists.txt, so cmake has nothing to configure.", lambda c, f: [c.swap("..", ".")] if ".." in c.args and c.exists("CMakeLists.txt") else [c.swap(".", "..")] if c.exists("../CMakeLists.txt") else _build_into(c), rank=20, program="cmake", rewrites=True),
    Rule("build.cargo_toml", "could not find `cargo.toml`", "", "There is no Cargo.toml here or above: this is not a Rust package. Go to its folder, or start one with cargo init.", rank=20),
    Rule("build.cargo_command", "no such command: `", r"no such (?:sub)?command: `(?P<name>[^`]+)`", "cargo has no such command: {name}.",
         lambda c, f: [c.swap(f["name"], n) for n in _cargo_command(c, f["name"])], program="cargo", rank=20),
    Rule("build.rustc", "error[e", r"error\[(?P<code>E\d+)\]: (?P<why>[^\n]+)\s+--> (?P<path>[^:\s]+):(?P<line>\d+)", "rustc refuses {path}, line {line}: {why} ({code}). rustc --explain {code} tells more.", rank=24),
    Rule("build.rustc_plain", ("error: could not compile", "error: aborting due to", " --> "), r"^error: (?P<why>[^\n]+)\s+--> (?P<path>[^:\s]+):(?P<line>\d+)", lambda c, f: f"{'The Rust code does not compile' if f['path'].endswith('.rs') else c.program + ' cannot read its file'}, {f['path']}, line {f['line']}: {f['why']}.", program="rustc cargo", rank=26),
    Rule("build.cargo_crate", "no matching package", r"no matching package (?:named )?`(?P<name>[^`]+)`", "There is no crate {name} in the registry: no matching package found. Check its spelling in Cargo.toml.", rank=20),
    Rule("build.cargo_test", "test result: failed", r"(?P<passed>\d+) passed; (?P<count>\d+) failed", lambda c, f: f"{f['count']} of the tests failed: " + ", ".join(re.findall(r"^test (\S+) \.\.\. FAILED", c.output, re.MULTILINE)[:3]) + ". " + "; ".join(re.findall(r"panicked at ([^\n]+)", c.output)[:1]) + " Read the first assertion that did not hold.", rank=25),
    Rule("build.go_test", "--- fail", r"--- FAIL: (?P<name>\S+)[^\n]*(?:\n\s+(?P<path>[^\s:]+):(?P<line>\d+): (?P<why>[^\n]+))?", lambda c, f: f"The test {f['name']} failed" + (f" at {f['path']}, line {f['line']}: {f['why']}" if f["path"] else "") + ".", program="go make gotestsum", rank=22),
    Rule("build.rust_panic", "panicked at", r"panicked at (?:'(?P<why>[^']+)', )?(?P<path>[^:\s]+):(?P<line>\d+)(?::\d+:\n(?P<more>[^\n]+))?", "The program panicked at {path}, line {line}: {why}{more}.", rank=30),
    Rule("build.go_mod", ("go.mod file not found", "cannot find main module", "does not contain main module"), "", "There is no go.mod here: this folder is in no Go module. Start one with go mod init.", _module, rank=20, program="go gopls", rewrites=True),
    Rule("build.go_require", ("no required module provides package", "missing go.sum entry"), r"(?:provides package|providing package) (?P<name>[^\s;:]+)", "No required module provides the package {name}. go get adds it.", ("go get {name}",), rank=20),
    Rule("build.go_unused", "imported and not used", r"(?P<path>\S+?):(?P<line>\d+):\d+: (?P<name>\"[^\"]+\") imported and not used", "{path}, line {line}: {name} is imported and not used, which Go refuses. Take the import out.", rank=20),
    Rule("build.go_declared", "declared and not used", r"(?P<path>\S+?):(?P<line>\d+):\d+: (?:declared and not used: )?(?P<name>\w+)", "{path}, line {line}: {name} is declared and not used, which Go refuses. Use it or take it out.", rank=20),
    Rule("build.go_undefined", "undefined: ", r"(?P<path>\S+?):(?P<line>\d+):\d+: undefined: (?P<name>\S+)", "{path}, line {line}: {name} is undefined. Is it misspelt, not imported, or in a file that was not given?", rank=20),
    Rule("build.go_files", "no go files in", r"no Go files in (?P<path>\S+)", "There are no Go files in {path}. Go to the package's folder.", rank=20),
    Rule("build.go_file_arg", ("is not in std", "is not in goroot"), r"package (?P<name>\S+) is not in (?:std|GOROOT)", lambda c, f: f"Go finds no package {f['name']}: it is not in the standard library nor in this module." + (" A file needs its ending, .go." if c.exists(f["name"] + ".go") else ""),
         lambda c, f: [c.swap(f["name"], f["name"] + ".go")] if c.exists(f["name"] + ".go") else [], rank=20),
    Rule("build.go_error", "", r"^(?P<path>\./?\S+\.go):(?P<line>\d+):\d+: (?P<why>[^\n]+)", "Go refuses {path}, line {line}: {why}.", program="go", rank=30),
    Rule("build.mvn_goal", "no goals have been specified", "", "Maven was given no goal, so it does not know what to do. clean package builds, clean install also installs.", lambda c, f: [c.append("clean package"), c.append("clean install")], rank=20),
    Rule("build.mvn_pom", ("there is no pom in this directory", "missingprojectexception"), "", "There is no pom.xml here, so Maven has no project to build. Go to the project's folder.", rank=20),
    Rule("build.gradle_task", "not found in root project", r"Task '(?P<name>[^']+)' not found", "Gradle knows no task {name}: not found. gradle tasks lists them.",
         lambda c, f: [c.swap(f["name"], n) for n in re.findall(r"Some candidates are:? ([^\n]+)", c.output)[0].replace("'", "").rstrip(".").split(", ")] if "candidates are" in c.low else [c.swap(f["name"], n) for n in nearest(f["name"], "build clean test run assemble check".split())], rank=20),
    Rule("build.assembler", "collect2: error", "", "The linker gave up: ld returned an error, and the lines above say why.", rank=60),
    Rule("build.make_failed", "make", r"make(?:\[\d+\])?: \*\*\* \[(?:(?P<where>[^\]]*?): )?(?P<name>[^\]:]+)\] Error (?P<code>\d+)", recipe_failed, rank=78),
)  # fmt: skip
