"""sed, grep, awk, find, xargs, jq and the like: their small languages."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.near import nearest
from terma.offline.explain.rule import Facts, Rule


def _close_sed(case: Case, facts: Facts) -> list[str]:
    """The s command with its last delimiter put in."""
    for word in case.arguments:
        found = re.match(r"^(?:\d+|\$|/[^/]*/)?[sy]([^\w\s])", word.value)
        if found and len(re.findall(rf"(?<!\\){re.escape(found[1])}", word.value[found.start(1) :])) == 2:
            typed = case.command[word.start : word.end]
            closed = typed[:-1] + found[1] + typed[-1] if typed[-1] in "'\"" else typed + found[1]
            return [case.command[: word.start] + closed + case.command[word.end :]]
    return []


def _fixed_grep(case: Case, facts: Facts) -> list[str]:
    open_class = next((one for one in case.operands[:1] if re.search(r"\[\^?\w-\w[^\]]*$", one)), "")
    if open_class:  # a range is a class of characters that was not closed
        return [case.swap(open_class, f"{open_class}]")]
    if (
        not case.operands
        or re.search(r"[|+.*^$]", case.operands[0])
        or any(re.match(r"-\w*[EPe]", v) for v in case.args)
    ):
        return []  # it was meant as a regular expression
    escaped = re.sub(r"([\[\](){}*+?\\])", r"\\\1", case.operands[0])
    return [case.insert("-F"), case.swap(case.operands[0], escaped)]


# What people call the kinds of file that find's -type has a letter for.
_TYPES = {"file": "f", "files": "f", "regular": "f", "dir": "d", "dirs": "d", "directory": "d", "directories": "d", "folder": "d"} | {
    "link": "l", "links": "l", "symlink": "l", "symlinks": "l", "socket": "s", "pipe": "p", "fifo": "p", "block": "b", "char": "c"
}  # fmt: skip


def _type_word(case: Case) -> str:
    """The word that stands behind -type in the place of its letter, "" where it is none that has one."""
    pairs = zip(case.args, case.args[1:], strict=False)
    return next(
        (after for flag, after in pairs if flag in ("-type", "-xtype") and after.lower() in _TYPES), ""
    )


_SQLITE = b"SQLite format 3\0"
# What find's tests of age count.
_COUNTED = dict.fromkeys(("-mtime", "-atime", "-ctime"), ("day", "d")) | dict.fromkeys(("-mmin", "-amin", "-cmin"), ("minute", "m"))  # fmt: skip


def _counted(case: Case, facts: Facts) -> list[str]:
    """The number without the unit behind it, where the test counts in that unit anyhow; a size with find's letter."""
    size = re.fullmatch(r"([+-]?\d+)([kmg])i?b", facts["name"], re.IGNORECASE)
    if facts["option"] == "-size" and size:
        return [case.swap(facts["name"], size[1] + {"k": "k", "m": "M", "g": "G"}[size[2].lower()])]
    unit = _COUNTED.get(facts["option"], ("", ""))
    found = re.fullmatch(r"([+-]?\d+) ?([A-Za-z]+)", facts["name"])
    same = (
        found
        and unit[0]
        and (unit[0].startswith(found[2].lower()) or found[2].lower().rstrip("s") == unit[0])
    )
    return [case.swap(facts["name"], found[1])] if found and same else []


def _find_order(case: Case, facts: Facts) -> list[str]:
    folder = facts["path"]
    if not case.args or case.args[0] == folder or not case.is_dir(folder):
        return []
    rest = [case.command[w.start : w.end] for w in case.arguments if w.value != folder]
    return [_quoted_globs(f"find {quote(folder)} {' '.join(rest)}")]


def _quote_glob(case: Case, facts: Facts) -> list[str]:
    """find -name *.txt, with the pattern quoted."""
    return [_quoted_globs(case.command)]


def _quoted_globs(line: str) -> str:
    return re.sub(r"(-i?(?:name|path) )([^'\"\s]*[*?\[][^'\"\s]*)", lambda m: m[1] + quote(m[2]), line)


def _psql(case: Case, facts: Facts) -> str:
    if facts["db"]:
        return f"PostgreSQL has no database {facts['db']}: it does not exist. psql -l lists them; createdb makes one."
    if facts["role"]:
        return f"PostgreSQL knows no role {facts['role']}: it does not exist. createuser makes one, -U names another."
    at = f" on port {facts['port']}" if facts["port"] else ""
    if "refused" in facts["why"] or "No such file" in facts["why"]:
        return f"No PostgreSQL server answers{at}: {facts['why'].rstrip('.')}. Does it run, and is that its port?"
    return f"PostgreSQL let you not in{at}: {facts['why']}."


def _unbalanced(case: Case) -> bool:
    """Whether the pattern, the first operand, opens more brackets than it closes, or fewer."""
    pattern = re.sub(r"\\.", "", next(iter(case.operands), ""))
    return any(pattern.count(a) != pattern.count(b) for a, b in ("[]", "()"))


def _more_delimiters(case: Case) -> bool:
    """Whether an s command of sed has its delimiter more often than the three times that it takes."""
    commands = (re.fullmatch(r"(?s)s(\W)(.*)", value) for value in case.args)
    return any(found[2].replace(f"\\{found[1]}", "").count(found[1]) > 2 for found in commands if found)


def _sqlite_file(case: Case, facts: Facts) -> str:
    name = next((value for value in case.operands[:1] if case.is_file(value)), "")
    other = bool(name) and facts["why"].startswith("file") and not case.bytes_of(name, 16).startswith(_SQLITE)
    return f"SQLite refused: {facts['why']}." + (f" {name} does not begin as one does." if other else "")


def _stripped(case: Case) -> tuple[str, int, str]:
    """A name that a patch gives, how many of its folders -p leaves out, and what it is called here; "" where nothing is."""
    typed = re.search(r"(?:^|\s)-p ?(\d+)(?=\s|$)", case.command)
    names = re.findall(r"(?m)^\|(?:---|\+\+\+) (\S+)", case.output)
    for name in names if typed else ():
        steps = name.split("/")
        for count in range(len(steps)):
            here = "/".join(steps[count:])
            if count != int(typed[1]) and case.is_file(here):  # type: ignore[index]
                return name, count, here
    return (names[-1] if names else ""), 0, ""


def _unstripped(case: Case, facts: Facts) -> str:
    name, count, here = _stripped(case)
    told = f" {name} is {here} here, which takes -p{count}." if here else ""
    return f"patch finds no file to patch: the name in the patch{f', {name},' if name else ''} leads to none from here, as -p shortens it.{told}"


def _strip(case: Case, facts: Facts) -> list[str]:
    _, count, here = _stripped(case)
    return [re.sub(r"((?:^|\s)-p ?)\d+(?=\s|$)", rf"\g<1>{count}", case.command, count=1)] if here else []


def _close_awk(case: Case) -> list[str]:
    """The awk program with the braces closed that it opens."""
    for word in case.arguments:
        missing = word.value.count("{") - word.value.count("}")
        if missing > 0:
            typed = case.command[word.start : word.end]
            at = word.end - 1 if typed[-1:] in "'\"" else word.end
            return [case.command[:at] + "}" * missing + case.command[at:]]
    return []


def _plain_groups(case: Case) -> bool:
    """Whether a script of sed's has its groups in plain brackets, and sed was not told that they are groups."""
    extended = any(re.fullmatch(r"-[a-zA-Z]*[Er][a-zA-Z]*|--regexp-extended", word) for word in case.args)
    scripts = [word for word in case.operands if re.search(r"(?<!\\)\([^()]*(?<!\\)\)", word)]
    return bool(scripts) and not extended and not any("\\(" in word for word in case.operands)


RULES = (
    Rule("text.sed_group", "invalid reference", r"invalid reference \\(?P<n>\d) on [`'‘]?s['’]? command", lambda c, f: f"sed's s command speaks of a group {f['n']} (invalid reference), and its pattern has none" + (": without -E a plain ( is a letter." if _plain_groups(c) else "."),
         lambda c, f: [c.insert("-E")] if _plain_groups(c) else [], program="sed", rank=15, rewrites=True),
    Rule("text.sed_unterminated", "unterminated", r"unterminated [`'‘]?(?P<name>\w+)['’]? command", "sed's {name} command is unterminated: its last delimiter is missing, as the closing slash in s/old/new/.", _close_sed, rank=16, rewrites=True),
    Rule("text.sed_mac", "undefined label", "", "This sed's -i wants a suffix after it; give an empty one.", lambda c, f: [c.swap("-i", "-i ''", raw=True)], program="sed", rank=16),
    Rule("text.sed_option", "unknown option to", r"unknown option to [`'‘]?(?P<name>\w+)", lambda c, f: f"sed found more after its {f['name']} command than it knows (unknown option): " + ("the text holds the delimiter itself, as the / of a path does. Use another delimiter, as in s|old|new|." if _more_delimiters(c) else "its flags are g, p, i, m, e, w and a number."), rank=16),
    Rule("text.sed_command", ("unknown command:", "missing command", "extra characters after command"), r"-e expression #\d+, char (?P<at>\d+): (?P<why>[^\n]+)", "sed cannot read its script at character {at}: {why}. Quote the script, and check its letters.", program="sed", rank=16),
    Rule("text.grep_bracket", ("unmatched [", "invalid regular expression", "unmatched ( or", "unmatched )", "brackets ([ ]) not balanced", "unclosed character class", "invalid preceding regular expression", "invalid back reference", "trailing backslash", "regex parse error", "unbalanced"), r"(?P<why>Unmatched[^\n]*|Invalid[^\n]*|[^\n]*regex parse error|[^\n]*unclosed[^\n]*|Trailing backslash|[^\n]*balanced)",
         lambda c, f: f"The pattern is no valid regular expression ({f['why']})" + (": a bracket or parenthesis is unmatched or not escaped." if re.search(r"(?i)unmatched|unclosed|balanced|unopened", c.output) or _unbalanced(c) else ".") + " -F takes the pattern as plain text.", _fixed_grep, program="grep egrep rg zgrep fgrep ag", rank=16, rewrites=True),
    Rule("text.grep_usage", "usage: grep", "", lambda c, f: "" if c.operands else "grep got no pattern: it wants grep PATTERN FILE. A pattern that begins with - needs -e before it.", rank=60, program="grep egrep"),
    Rule("text.awk", ("syntax error at source line", "awk: line", "awk: cmd. line"), r"(?P<why>(?:syntax error|unexpected|unterminated|runaway|missing)[^\n]*)", lambda c, f: f"awk cannot read its program: {f['why']}." + (" Check that its brackets and quotes are closed." if "'" in c.command else " Put it in single quotes."), program="awk gawk mawk nawk", rank=16),
    Rule("text.awk_brace", ("missing } near end", "unexpected newline or end of string", "missing }"), "", "awk's program ends before its closing }}: a brace is missing.", lambda c, f: _close_awk(c), program="awk gawk mawk nawk", rank=13, rewrites=True),
    Rule("text.differ", "", r"^(?:[<>@+-]|\d+[acd,\d]*\s*$|Only in|Files [^\n]* differ|Binary files|[^\n]+ differ: )", lambda c, f: "The two sides differ: status 1 of diff and cmp means just that, and is no error." if "no such file" not in c.low else "", program="diff cmp colordiff", status=(1,), rank=30),
    Rule("text.find_order", "paths must precede expression", r"paths must precede expression: [`'‘]?(?P<path>[^'’\n]+)", lambda c, f: f"find read {f['path']} as a path after its tests: paths must precede the expression. " + ("The shell expanded an unquoted pattern; quote it." if re.search(r"-i?name [^'\"\s]*\*", c.command) else "The folder comes first."),
         lambda c, f: _find_order(c, f) or (_quote_glob(c, f) if re.search(r"-i?(?:name|path) [^'\"\s]*[*?]", c.command) else []), program="find", rank=16),
    Rule("text.find_predicate", "unknown predicate", r"unknown predicate [`'‘](?P<name>[^'’]+)", "find knows no test {name}: unknown predicate. Its tests have one dash, as -name.",
         lambda c, f: [c.swap(f["name"], n) for n in nearest(f["name"], "-name -iname -type -size -mtime -mmin -newer -exec -delete -print -maxdepth -mindepth -path -perm -user -empty".split())] or [c.swap(f["name"], f["name"][1:])] * bool(re.search(rf"(?m)^\s*{re.escape(f['name'][1:])}(?![\w-])", c.manual) if c.manual else f["name"][:2] == "--"), program="find", rank=16),
    Rule("text.find_value", "find: invalid argument", r"[Ii]nvalid argument [`'‘](?P<name>[^'’]+)['’] to [`'‘]?(?P<option>-\w+)", lambda c, f: f"find does not accept {f['name']} for {f['option']}: invalid argument. It wants a number" + (", with a unit such as k, M or G." if f["option"] == "-size" else f", of {_COUNTED[f['option']][0]}s." if f["option"] in _COUNTED else "."), _counted, program="find", rank=16),
    Rule("text.find_type", ("arguments to -type", "argument to -type", "unknown argument to -type", "-type"), r"-x?type(?: using|: \S)", lambda c, f: f"find's -type takes one letter: f is a file, d a directory, l a link. {_type_word(c)} is read as a list of them." if _type_word(c) else "",
         lambda c, f: [c.swap(_type_word(c), _TYPES[_type_word(c).lower()])], program="find", rank=15, rewrites=True),
    Rule("text.find_arg", "missing argument to", r"missing argument to [`'‘](?P<name>[^'’]+)", lambda c, f: f"find's {f['name']} lacks its argument: missing." + (f" {f['name']} must end with \\; or +." if f["name"] in ("-exec", "-execdir", "-ok", "-okdir") else ""), lambda c, f: [c.command.rstrip("; ") + " \\;"] if f["name"] == "-exec" and not c.command.rstrip().endswith("+") else [], program="find", rank=16),
    Rule("text.jq_parse", "parse error", r"parse error(?: \(at [^)]*\))?: (?P<why>.+?)(?: at line (?P<line>\d+), column (?P<column>\d+))?$", "The input is not valid JSON: {why}, line {line}, column {column}. It may be empty or an error page.", program="jq", rank=12),
    Rule("text.jq_syntax", "jq: ", r"jq: error: (?!Could not open)(?P<why>[^\n]+?):?$", lambda c, f: f"jq cannot read its filter or apply it: {f['why']}." + ("" if "'" in c.command else " Put the filter in single quotes."), program="jq", rank=14),
    Rule("text.jq_index", "jq: error (at", r"jq: error \(at [^)]*\): (?P<why>[^\n]+)", "jq's filter does not fit the data: {why}. jq . shows its shape.", program="jq", rank=13),
    Rule("text.prove", "notests", "", lambda c, f: "prove found no tests: a directory was given, and it looks into folders below only with -r (recursive)." if "no tests found" in c.low else "", lambda c, f: [c.insert("-r")] if "-r" not in c.args and any(map(c.is_dir, c.operands)) else [], program="prove", rank=20),
    Rule("text.php_server", "run with built-in web server", "", "php's built-in server takes a capital -S; -s shows the source in colours.", lambda c, f: [c.swap("-s", "-S")] if "-s" in c.args else [], program="php", rank=20),
    Rule("text.bc", "(standard_in)", r"\(standard_in\) \d+: (?P<why>[^\n]+)", "bc cannot read the sum: {why}.", rank=16),
    Rule("text.expr", ("expr: syntax error", "expr: non-integer"), r"expr: (?P<why>[^\n]+)", lambda c, f: f"expr: {f['why']}." + (" It wants blanks around each sign, and * escaped." if "syntax" in f["why"] else ""), lambda c, f: [re.sub(r"(?<=\s)\*(?=\s)", r"\\*", c.command)] if " * " in c.command else [], rank=16),
    Rule("text.encoding", ("illegal byte sequence", "invalid or incomplete multibyte", "cannot convert"), "", "The file holds bytes of another encoding than the one in use (illegal byte sequence). file -i guesses it, iconv converts.", rank=30),
    Rule("text.diff_missing", "diff:", r"diff: (?P<path>[^:]+): No such file", "diff found no file {path}: no such file.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=50),
    Rule("text.patch_name", "can't find file to patch", "", _unstripped, _strip, program="patch", rank=16, rewrites=True),
    Rule("text.patch", "hunk", r"Hunk #(?P<n>\d+) FAILED at (?P<line>\d+)", "The patch does not fit: hunk {n} failed at line {line}. The file differs from the one it was made for; see the .rej file.", program="patch git", rank=20),
    Rule("text.psql", ("psql: error", "could not connect to server"), r"(?:role \"(?P<role>[^\"]+)\" does not exist|database \"(?P<db>[^\"]+)\" does not exist|(?:port (?P<port>\d+) failed: )?(?P<why>authentication failed[^\n]*|[Pp]assword authentication failed[^\n]*|Connection refused|(?<=failed: )No such file[^\n]*|(?<=server: )No such file[^\n]*))", _psql,
         program="psql pg_dump createdb dropdb pg_restore", rank=16),
    Rule("text.mysql", "error ", r"ERROR (?P<code>\d+) \(\w+\)[^:]*: (?P<why>[^\n]+)", "MySQL refused: {why} (error {code}).", program="mysql mysqldump mariadb mysqladmin", rank=16),
    Rule("text.sqlite", ("no such table", "no such column"), r"(?P<why>no such (?:table|column):? \S+)", "SQLite refused: {why}. .tables and .schema show what is there.", program="sqlite3", rank=16),
    Rule("text.sqlite_file", ("database is locked", "file is not a database"), r"(?P<why>database is locked|file is not a database)", _sqlite_file, program="sqlite3", rank=16),
)  # fmt: skip
