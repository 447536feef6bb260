"""Plain rewrites: a command that is written otherwise, by what the named thing turns out to be."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import Word, quote
from terma.offline.explain.lookups import (
    foreign_machine,
    groups,
    has_carriage_returns,
    interpreter_of,
    kube_contexts,
    module_folder,
    outside_path,
    sqlite_names,
    ssh_hosts,
    users,
)
from terma.offline.explain.near import nearest
from terma.offline.explain.reach import is_root
from terma.offline.explain.rule import Facts, Rule

SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "source", ".")
_SET = (
    "allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof interactive-comments"
    " keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix privileged verbose vi xtrace"
).split()
_SQL = (
    "select insert update delete create drop alter from where into values table index view group order having limit join"
    " inner left outer union distinct set begin commit rollback explain pragma replace with and or not null primary key"
).split()
# Shell functions that a file of their own defines: no program of that name lies anywhere.
FUNCTIONS = {
    "nvm": "~/.nvm/nvm.sh", "sdk": "~/.sdkman/bin/sdkman-init.sh", "rvm": "~/.rvm/scripts/rvm", "asdf": "~/.asdf/asdf.sh",
    "conda": "~/miniconda3/etc/profile.d/conda.sh", "workon": "~/.local/bin/virtualenvwrapper.sh", "jenv": "~/.jenv/bin/jenv",
    "z": "", "deactivate": "", "j": "", "fnm_use": "",
}  # fmt: skip
ADMIN = frozenset(
    "useradd usermod userdel groupadd groupmod groupdel adduser addgroup visudo fdisk parted mkfs swapon swapoff modprobe insmod"
    " rmmod iptables ip6tables nft ufw chpasswd chroot reboot shutdown halt poweroff lvcreate vgcreate pvcreate cryptsetup".split()
)


def _script(case: Case) -> str:
    """The script that ran: the command itself, or a shell's first operand."""
    if case.program in SHELLS and case.operands:
        return case.operands[0]
    return next(
        (
            w.value
            for w in case.words
            if w.part == case.part and "/" in w.value and w.value.endswith("/" + case.program)
        ),
        "",
    )


def _windows(case: Case, facts: Facts) -> str:
    path = _script(case)
    if not path or not has_carriage_returns(case, path):
        return ""
    return f"{path} has Windows line ends: each line ends with a carriage return (^M), which the shell takes for part of its words. Convert the file."


def _unix(case: Case, facts: Facts) -> list[str]:
    return [f"sed -i 's/\\r$//' {quote(_script(case))} && {case.command}"]


def _foreign(case: Case, facts: Facts) -> str:
    machine = foreign_machine(case, _script(case)) if _script(case) else ""
    return (
        f"{_script(case)} is a program for another processor ({machine}); it cannot be executed here."
        if machine
        else ""
    )


def _no_shebang(case: Case, facts: Facts) -> str:
    path = _script(case)
    runner = interpreter_of(case, path) if path and case.program not in SHELLS else ""
    return (
        f"{path} does not say what runs it (it has no #! line), so the shell read it as its own script; it is one for {runner}."
        if runner
        else ""
    )


def _with_runner(case: Case, facts: Facts) -> list[str]:
    path = _script(case)
    return [case.swap(path, f"{interpreter_of(case, path)} {quote(path)}", raw=True)]


def _elsewhere(case: Case, facts: Facts) -> str:
    name = facts["name"]
    if name in FUNCTIONS:
        source = FUNCTIONS[name]
        there = " That file is not here." if source and not case.exists(source) else ""
        return f"{name} is a shell function, no program: this shell has not read the file that defines it" + (
            f" ({source}).{there}" if source else "."
        )
    place = outside_path(case, name)
    if not place:
        return ""
    root = " It changes the system, so it wants root as well." if name in ADMIN and not is_root() else ""
    return f"{name} is installed as {place}, but that folder is not in your PATH, so the command was not found.{root}"


def _by_place(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    if name in FUNCTIONS:
        source = FUNCTIONS[name]
        return [f". {source} && {case.command}"] if source and case.exists(source) else []
    if name in ADMIN and not is_root():
        return [case.with_sudo()]
    return [case.swap(name, outside_path(case, name))]


def _tr(case: Case, facts: Facts) -> list[str]:
    word = next((w for w in case.arguments if w.value == facts["name"]), None)
    return (
        [f"{case.command[: word.start]}< {case.command[word.start :]}"]
        if word and case.exists(word.value)
        else []
    )


def _xargs_n(case: Case, facts: Facts) -> list[str]:
    return (
        [case.swap(facts["name"], f"1 {facts['name']}", raw=True)]
        if facts["option"] == "n" and case.installed(facts["name"])
        else []
    )


def _filter(case: Case) -> tuple[Word, Word] | None:
    """The first and last word of jq's filter where the shell took it apart: from the program to a file's name."""
    start = next((w for w in case.words if w.value.startswith(".") and not case.exists(w.value)), None)
    if start is None:
        return None
    last = start
    for word in case.words:
        if word.start > start.start:
            if case.exists(word.value):
                break
            last = word
    return start, last


def _quote_filter(case: Case, facts: Facts) -> list[str]:
    found = _filter(case)
    if not found or "'" in case.command:
        return []
    first, last = found
    return [
        f"{case.command[: first.start]}'{case.command[first.start : last.end]}'{case.command[last.end :]}"
    ]


def _dashed_key(case: Case, facts: Facts) -> list[str]:
    word = next((v for v in case.operands if re.search(r"\.\w+-\w", v)), "")
    fixed = re.sub(r"\.(\w+(?:-\w+)+)", r'."\1"', word)
    return [case.swap(word, fixed)] if word else []


def _set_option(case: Case, facts: Facts) -> list[str]:
    return [case.swap(facts["name"], name) for name in nearest(facts["name"], _SET, 1)]


def _single_equals(case: Case, facts: Facts) -> list[str]:
    return (
        [re.sub(r"(?<=\s)==(?=\s)", "=", case.command)]
        if re.search(r"(?:^|[;&|]\s*)(?:test|\[)\s[^\]]*\s==\s", case.command)
        else []
    )


def _whole_url(case: Case, facts: Facts) -> list[str]:
    found = re.search(r"(?<![\"'\w])https?://[^\s'\"]+", case.command)
    return [f"{case.command[: found.start()]}'{found.group()}'{case.command[found.end() :]}"] if found else []


def _functions(case: Case) -> list[str]:
    folders = (
        "/usr/share/zsh/functions",
        "/usr/share/zsh/site-functions",
        "/usr/local/share/zsh/site-functions",
    )
    names = [name for folder in folders for name in case.listing(folder)]
    deeper = [
        n
        for folder in folders
        for f in names
        if case.is_dir(f"{folder}/{f}")
        for n in case.listing(f"{folder}/{f}")
    ]
    return [
        *names,
        *deeper,
        "compinit",
        "promptinit",
        "bashcompinit",
        "colors",
        "zmv",
        "add-zsh-hook",
        "vcs_info",
    ]


def _autoload(case: Case, facts: Facts) -> list[str]:
    near = nearest(facts["name"], _functions(case), 1)
    return [re.sub(rf"\b{re.escape(facts['name'])}\b", near[0], case.command)] if near else []


def _database(case: Case) -> str:
    return next((v for v in case.operands if case.exists(v)), "")


def _sql_near(case: Case, facts: Facts) -> list[str]:
    tables, columns = sqlite_names(case, _database(case))
    return nearest(facts["name"].rpartition(".")[2], tables if facts["kind"] == "table" else columns, 1)


def _in_order(case: Case, facts: Facts) -> list[str]:
    """The files sorted on their way; only shells with `<( )`, and only where each file is read as it is."""
    files = [word for word in case.arguments if case.exists(word.value) and not case.is_dir(word.value)]
    if (
        case.failure.shell not in ("bash", "zsh")
        or len(files) != 2
        or any(v[:2] in ("-1", "-2", "-t", "-j") for v in case.args if case.program == "join")
    ):
        return []
    text = case.command
    for word in reversed(files):
        text = f"{text[: word.start]}<(sort {text[word.start : word.end]}){text[word.end :]}"
    return [text]


def _sql_text(case: Case, facts: Facts) -> str:
    tables, _ = sqlite_names(case, _database(case))
    near = _sql_near(case, facts)
    known = (
        f" There is {near[0]}."
        if near
        else f" The tables are: {', '.join(tables[:8])}."
        if tables and facts["kind"] == "table"
        else " .schema shows what is there."
    )
    return f"SQLite refused: the database has no such {facts['kind']}: {facts['name']}.{known}"


def _sql_fixes(case: Case, facts: Facts) -> list[str]:
    return [re.sub(rf"\b{re.escape(facts['name'])}\b", name, case.command) for name in _sql_near(case, facts)]


def _keyword(case: Case, facts: Facts) -> list[str]:
    near = nearest(facts["name"].lower(), _SQL, 1) if facts["name"].lower() not in _SQL else []
    return [re.sub(rf"\b{re.escape(facts['name'])}\b", near[0], case.command)] if near else []


def _named(case: Case, name: str, known: list[str]) -> list[str]:
    return [case.swap(name, near) for near in nearest(name, known, 1)]


def _local(case: Case, facts: Facts) -> str:
    folder = module_folder(case, facts["name"])
    if not folder or case.program not in ("python", "python3", "pytest"):
        return ""
    top = facts["name"].partition(".")[0]
    there = "this folder" if folder == "." else folder
    return f"Python found no module named {facts['name']} (ModuleNotFoundError), though {top} lies in {there}: that folder is not among those that Python searches."


def _python_path(case: Case, facts: Facts) -> list[str]:
    first = next((w for w in case.words if w.part == case.part), None)
    return (
        [
            f"{case.command[: first.start]}PYTHONPATH={quote(module_folder(case, facts['name']))} {case.command[first.start :]}"
        ]
        if first
        else []
    )


def _library(case: Case, facts: Facts) -> str:
    """The folder near here that holds the Ruby file or the Perl module that was not found."""
    ending = ".pm" if case.program == "perl" else ".rb"
    name = facts["name"].removesuffix(ending).replace("::", "/") + ending
    return next(
        (folder for folder in ("lib", "src", ".", "app", "../lib") if case.exists(f"{folder}/{name}")), ""
    )


def _library_text(case: Case, facts: Facts) -> str:
    folder = _library(case, facts)
    return (
        f"{case.program} cannot find {facts['name']}, though it lies in {folder}: that folder is not among those that it searches."
        if folder
        else ""
    )


def _host(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    return [case.command.replace(name, near, 1) for near in nearest(name, ssh_hosts(case), 1)]


RULES = (
    Rule("rewrite.windows", ("\r", "invalid option", "unexpected end of file", "syntax error", "command not found", "no such file", "not found", "bad interpreter"), "", _windows, _unix, rank=11),
    Rule("rewrite.foreign", ("exec format error", "cannot execute"), "", _foreign, rank=11),
    Rule("rewrite.shebang", ("syntax error", "command not found", "unable to open x server", "not found", "exec format error"), "", _no_shebang, _with_runner, rank=11),
    Rule("rewrite.elsewhere", "not found", r"(?:(?:ba|da|k|z)?sh: (?:line \d+: |\d+: )?(?:command not found: )?)(?P<name>[\w.+-]+)(?=$|: (?:command )?not found)", _elsewhere, _by_place, status=(127,), rank=19),
    Rule("rewrite.unsorted", ("not in sorted order", "is not sorted"), "", "{program} reads lines that are in order, and these are not sorted. sort can hand them over.", _in_order, program="comm join", rank=15, rewrites=True),
    Rule("rewrite.tr", "extra operand", r"extra operand [‘'](?P<name>[^’']+)", "tr reads its standard input and takes no file: {name} is an extra operand. The shell can open the file for it.", _tr, program="tr", rank=15),
    Rule("rewrite.xargs_number", "invalid number", r"invalid number \"(?P<name>[^\"]+)\" for -(?P<option>\w) option", "xargs wants a number after -{option}, and {name} is none.", _xargs_n, program="xargs", rank=15),
    Rule("rewrite.jq_shell", ("no matches found", "command not found", "not found"), r"no matches found: (?P<name>\..*)|(?P<b>\w+): command not found|command not found: (?P<c>\w+)",
         lambda c, f: "The shell took jq's filter apart: its brackets and | mean something to the shell. Put the filter in single quotes." if "jq" in {w.value for w in c.words} and _filter(c) and "'" not in c.command else "", _quote_filter, rank=12),
    Rule("rewrite.jq_key", "is not defined at", r"(?P<name>\w+)/0 is not defined", lambda c, f: f"jq read the dash as a minus: {f['name']}/0 is not defined. A key with a dash needs quotes." if _dashed_key(c, f) else "", _dashed_key, program="jq", rank=11, rewrites=True),
    Rule("rewrite.set", "invalid option name", r"set: (?P<name>[\w-]+): invalid option name", lambda c, f: f"set -o knows no option {f['name']}: an invalid option name." + (f" It looks like {nearest(f['name'], _SET, 1)[0]} misspelt." if nearest(f["name"], _SET, 1) else " set -o alone lists them."), _set_option, rank=15),
    Rule("rewrite.limit", "cannot modify limit", r"ulimit: (?P<name>[^:]+): cannot modify limit", "The limit for {name} cannot be raised above its hard limit, which only root may raise (operation not permitted). ulimit -H shows it.",
         lambda c, f: [c.swap(v, f"$(ulimit -H{o.lstrip('-').lstrip('SH')})", raw=True) for o, v in zip(c.args, c.args[1:], strict=False) if o.startswith("-") and v.isdigit()][:1], rank=15, rewrites=True),
    Rule("rewrite.zsh_equals", "= not found", r"^zsh: =* ?not found|zsh: = not found", "zsh expands a word that begins with = to the place of a program, and there is none named =. Inside test and [ ], one = compares.", _single_equals, rank=12, rewrites=True),
    Rule("rewrite.zsh_url", "no matches found", r"no matches found: (?P<name>https?://\S+)", "zsh took the ? of {name} for a pattern (glob), and a bare & would end the command. Quote the whole address.", _whole_url, rank=12, rewrites=True),
    Rule("rewrite.autoload", "function definition file not found", r"(?P<name>[\w-]+): function definition file not found", lambda c, f: f"zsh found no function {f['name']} in its fpath: function definition file not found." + (f" There is {nearest(f['name'], _functions(c), 1)[0]}." if nearest(f["name"], _functions(c), 1) else ""), _autoload, rank=15),
    Rule("rewrite.sql_name", "no such", r"no such (?P<kind>table|column): (?P<name>[\w.]+)", _sql_text, _sql_fixes, program="sqlite3", rank=12, rewrites=True),
    Rule("rewrite.sql_keyword", "syntax error", r"near \"(?P<name>\w+)\": syntax error", "SQLite cannot read the statement near {name}: a syntax error.", _keyword, program="sqlite3", rank=12, rewrites=True),
    Rule("rewrite.kube_context", ("context was not found", "no context exists"), r"(?:specified context: |name: \"|context exists with the name: \"?)(?P<name>[^\s\"]+)", lambda c, f: f"The kubeconfig has no context {f['name']}: it was not found." + (f" It has: {', '.join(kube_contexts(c)[:6])}." if kube_contexts(c) else " kubectl config get-contexts lists them."),
         lambda c, f: _named(c, f["name"], kube_contexts(c)), program="kubectl helm", rank=12),
    Rule("rewrite.group", "group '", r"group '(?P<name>[^']+)' does not exist", "There is no group {name} on this machine: it does not exist.", lambda c, f: _named(c, f["name"], groups(c)) or [f"sudo groupadd {quote(f['name'])} && {c.command}"], program="useradd usermod gpasswd chgrp", rank=12),
    Rule("rewrite.user", ("user '", "user "), r"user '?(?P<name>[\w.-]+)'? does not exist", lambda c, f: f"There is no user {f['name']} on this machine: it does not exist.", lambda c, f: _named(c, f["name"], users(c)), program="usermod passwd su chage userdel id chown", rank=12),
    Rule("rewrite.local_module", ("no module named", "modulenotfounderror"), r"No module named '?(?P<name>(?![\w.]*\.__main__)[\w.]+)(?![\w.])(?![^\S\n]+\w)", _local, _python_path, rank=22),
    Rule("rewrite.library", ("cannot load such file", "can't locate"), r"(?:cannot load such file -- |Can't locate )(?P<name>[\w/.-]+?)(?=\.pm|\s|$)", _library_text, lambda c, f: [c.insert(f"-I{quote(_library(c, f))}")], program="ruby perl", rank=15),
    Rule("rewrite.ssh_host", "could not resolve hostname", r"resolve hostname (?P<name>[^\s:]+)", lambda c, f: f"The name {f['name']} could not be resolved, and no host of your ssh configuration has it; {nearest(f['name'], ssh_hosts(c), 1)[0]} is one." if nearest(f["name"], ssh_hosts(c), 1) else "", _host, program="ssh scp sftp rsync", rank=15),
)  # fmt: skip
