"""The shell's own complaints: syntax, quotes, tests, variables, jobs, globs."""

from __future__ import annotations

import fnmatch
import posixpath
import re

from terma.offline.explain.case import Case
from terma.offline.explain.claims import has_variable
from terma.offline.explain.line import quote
from terma.offline.explain.quoting import open_quote
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.source import lines_of
from terma.offline.explain.syntax import close_quote, complaint, repaired, unclosed


def _eof(case: Case, facts: Facts) -> str:
    missing = complaint(case)
    return f"Syntax error: the command is incomplete, the shell met its end of file while something was still open{': ' + missing if missing else ': a quote, a bracket, or fi, done or esac is missing'}."


def _quote(case: Case, facts: Facts) -> str:
    return f"A quote ({facts.get('mark') or open_quote(case.command) or 'one of them'}) is opened and never closed: the shell looked for the matching one until the end of file (syntax)."


def _open_before(case: Case, path: str, line: int) -> str:
    """What the script opens and does not close up to that line, in words."""
    rows = (re.sub(r"^\s*#.*", "", row) for row in lines_of(case, path)[:line])
    opener, closer = unclosed("\n".join(rows))
    if not closer:
        return "something before it is missing or too many"
    return f"{opener} is opened before it and its {closer} is missing"


def _near_token(case: Case, facts: Facts) -> str:
    token = facts["token"]
    inside = re.search(r"^(?P<path>[^\s:]+): line (?P<line>\d+): syntax error", case.output, re.MULTILINE)
    if inside and inside["path"] not in ("bash", "-bash", "sh") and inside["path"] in case.command:
        return f"The script {inside['path']} has a syntax error at line {inside['line']}, near the unexpected token {token}: {_open_before(case, inside['path'], int(inside['line']))}. bash -n checks a script without running it."
    plain = re.match(r"(?P<path>\S+): (?P<line>\d+): Syntax error", case.output)
    if plain and plain["path"] in case.command:
        text = (lines_of(case, plain["path"]) + [""] * int(plain["line"]))[int(plain["line"]) - 1]
        arrays = re.search(r"^\s*\w+\+?=\(|<\(|\[\[|^\s*function ", text)
        why = (
            "that is the language of bash, which this plain sh does not speak"
            if arrays
            else "something there or before it is missing or too many"
        )
        return f"The script {plain['path']} has a syntax error at line {plain['line']}, near the unexpected {token}: {why}."
    said = complaint(case)
    if "parenthesis (" in said:
        return f"Syntax error near {token}: a parenthesis ( means a subshell to the shell. Quote or escape it when it is meant as text."
    if token == "newline":  # noqa: S105  (a token of the grammar)
        return "Syntax error: the line ends where a name was still wanted (unexpected newline), after a redirection or an operator such as > or <. A < or > that is meant as text needs quotes."
    if said:
        return f"Syntax error near {token}: {said}."
    if token in ("done", "fi", "then", "do", "else", "esac", "elif"):
        return f"Syntax error near the unexpected token {token}: something before it is missing, often a ; or a newline, or its do or then."
    return f"Syntax error near the unexpected token {token}: two operators in a row, or a part is missing before it. Quote it when it is meant as text."


def _repaired(case: Case, facts: Facts) -> list[str]:
    plain = re.match(r"(?P<path>\S+): (?P<line>\d+): Syntax error", case.output)
    if plain and plain["path"] in case.operands and "language of bash" in _near_token(case, {"token": "("}):
        return (
            [case.swap(case.program, "bash")]
            if case.program in ("sh", "dash")
            else [case.swap(plain["path"], f"bash {quote(plain['path'])}", raw=True)]
        )
    return (
        [] if unclosed(case.command)[1] else repaired(case)
    )  # how an open block goes on, only its writer knows


def _test(case: Case, facts: Facts) -> str:
    operator = facts.get("op") or "the operator"
    by_variable = has_variable(case)
    if "binary operator expected" in case.low:
        said = f"In [ … ] {operator} stands where an operator was expected (binary operator expected)."
        why = 'One value became several words there, as that of a variable that is not quoted does: quote it, "$x".'
    else:
        said = f"In [ … ] {operator} stands without its other side (unary operator expected)."
        why = (
            'An operand is empty there, as that of a variable that is unset or not quoted is: quote it, "$x".'
        )
    return f"{said} {why}" if by_variable else said


def _test_fixes(case: Case, facts: Facts) -> list[str]:
    if re.fullmatch(r"-(?:eq|ne|lt|le|gt|ge)", facts.get("op") or "") and case.failure.shell in (
        "bash",
        "zsh",
    ):
        # [[ ]] splits no words, and counts an empty value as 0
        single = re.sub(r"(?<![\[\w])\[ ([^\[\]]*) \](?!\])", r"[[ \1 ]]", case.command)
        return [single] if single != case.command and "-a " not in single and "-o " not in single else []
    fixed = re.sub(r"(?<=[\s])(\$\w+|\$\{\w+\})(?=\s)", r'"\1"', case.command)
    return [] if not re.search(r"\bif\b", fixed) or fixed == case.command else [fixed]


def _whole_value(case: Case) -> str:
    """An assignment whose value the blanks took apart, as one quoted value; "" where the words are several."""
    found = re.match(
        r"^((?:export|local|declare|readonly)\s+)(\w+)=([^\s'\"`;&|<>]+(?: [^\s'\"`;&|<>=-][^\s'\"`;&|<>=]*)+)\s*$",
        case.command,
    )
    return f'{found[1]}{found[2]}="{found[3]}"' if found else ""


def _named_plainly(case: Case, name: str) -> str:
    """The command without the $ before the name, or with underscores where the name has dashes or dots."""
    bare = re.sub(r"^(export|local|declare|unset|read)\s+\$", r"\1 ", case.command)
    key, equals, _ = name.partition("=")
    if bare == case.command and equals and re.fullmatch(r"[A-Za-z_][\w.-]*", key):
        return case.command.replace(f"{key}=", re.sub(r"[.-]", "_", key) + "=", 1)
    return bare


def _as_arguments(case: Case, pattern: str) -> list[str]:
    """`wc < *.csv` as `wc *.csv`: one redirection takes one file, a program's arguments may be many."""
    direct = re.sub(rf"<\s*(?={re.escape(pattern)}(?:\s|$))", "", case.command)
    names = fnmatch.filter(case.listing(posixpath.dirname(pattern) or "."), posixpath.basename(pattern))
    return [direct] if len(names) > 1 and direct != case.command and ">" not in direct else []


def _closed(command: str) -> str:
    """The command with a blank before the ] that ends its test, or with that ] where none stands."""
    if "]" in command:
        return re.sub(r"(?<=[^\s\[\]])\](?=\s|;|$)", " ]", command)
    return re.sub(r"(?<![\w\[])(\[ [^;&|\]]*?)(?=\s*(?:$|;|&&|\|\|))", r"\1 ]", command, count=1)


RULES = (
    Rule("shell.quote", ("unexpected eof while looking for matching", "unmatched '", "unmatched \"", "unterminated quoted string", "unmatched `"), r"(?:matching [`'‘](?P<mark>.)['’]|unmatched (?P<b>.))?", _quote, lambda c, f: close_quote(c.command), rank=14, rewrites=True),
    Rule("shell.eof", ("unexpected end of file", "parse error near `\\n'", "unexpected eof", "end of file unexpected"), r"syntax error|parse error|end of file", _eof, rank=22),
    Rule("shell.token", ("unexpected token", "parse error near", "unexpected"), r"(?:unexpected token [`'‘](?P<a>[^'’\n]+)['’]|parse error near [`'‘](?P<b>[^'’\n]+)['’]|Syntax error: (?:\"(?P<c>[^\"]+)\"|(?P<d>word|newline|end of file)) unexpected)",
         lambda c, f: _near_token(c, {"token": f["a"] or f["b"] or f["c"] or f["d"]}), _repaired, rank=23, rewrites=True),
    Rule("shell.unary", ("unary operator expected", "binary operator expected"), r"\[: (?P<op>[^:\n]+): (?:unary|binary) operator", _test, _test_fixes, rank=16),
    Rule("shell.integer", ("integer expression expected", "integer expected"), r"\[: (?P<name>[^:\n]*): integer", "[ compares numbers with -eq, -lt and so on, and {name} is no integer. Use = for text.", rank=16),
    Rule("shell.bracket", ("missing `]'", "']' expected", "missing ]"), "", "[ is a command and needs a blank before its closing ]: missing ].", lambda c, f: [_closed(c.command)], rank=16, rewrites=True),
    Rule("shell.bracket_glued", "command not found", r"\[(?P<name>[^\s:]+): command not found", "[ is a command and needs a blank after it, as in [ {name}: command not found.", lambda c, f: [_closed(re.sub(r"(?<![\[\w])\[(?=[^\s\[])", "[ ", c.command))], rank=16),
    Rule("shell.assign", "command not found", r"command not found: (?P<b>[A-Za-z_]\w*)$|(?P<name>[A-Za-z_]\w*): command not found$", lambda c, f: f"An assignment takes no blanks around its =: the shell took {f['name'] or f['b']} for a command (command not found)." if re.match(rf"\s*{re.escape(f['name'] or f['b'])}\s+=", c.command) else "",
         lambda c, f: [re.sub(r"^(\s*\w+)\s+=\s*", r"\1=", c.command)], rank=16),
    Rule("shell.unbound", ("unbound variable", "parameter not set"), r"(?P<name>\w+): (?:unbound variable|parameter not set)", lambda c, f: (f"There is no argument {f['name']}: ${f['name']} is not set (unbound), and set -u forbids using it so. Give the argument, or write ${{{f['name']}:-}}." if f["name"].isdigit() else f"The variable {f['name']} is not set (unbound), and set -u forbids using it so. Give it a value, or write ${{{f['name']}:-}}."), rank=16),
    Rule("shell.readonly", "readonly variable", r"(?P<name>\w+): readonly variable", "{name} is a readonly variable and cannot be changed in this shell.", rank=16),
    Rule("shell.identifier", "not a valid identifier", r"[`'‘](?P<name>[^'’]+)['’]: not a valid identifier", "{name} is not a valid identifier: a variable's name has letters, digits and _ alone, no blank around the = and no $ before the name; a value with a blank wants quotes.",
         lambda c, f: [re.sub(r"(\w)\s+=\s+", r"\1=", c.command)] if re.search(r"\w\s+=\s+", c.command) else [_whole_value(c)] if _whole_value(c) else [_named_plainly(c, f["name"])], rank=16, rewrites=True),
    Rule("shell.substitution", "bad substitution", r"(?P<name>\$\{[^\n]*?\}|[^\s:]+): bad substitution", "{name} is no expansion that this shell knows: bad substitution. For a command write $( ), with round brackets.",
         lambda c, f: [re.sub(r"\$\{(\w+ [^}]*)\}", r"$(\1)", c.command)] if any(c.installed(n) for n in re.findall(r"\$\{(\w+) ", c.command)) else [], rank=16),
    Rule("shell.event", "event not found", r"(?P<name>![^\s:]*): event not found", "The ! asks for a line of the history, and there is none that fits {name}: event not found. Put single quotes around a ! that is text.",
         lambda c, f: [c.command.replace('"', "'")] if c.command.count('"') == 2 and "'" not in c.command and "$" not in c.command else [], rank=16),
    Rule("shell.zsh_event", "event not found", r"event not found: (?P<name>\S+)", "The ! asks for a line of the history, and none fits {name}: event not found. Put single quotes around a ! that is text.", rank=17),
    Rule("shell.ambiguous", "ambiguous redirect", r"(?P<name>[^\s:]+): ambiguous redirect", lambda c, f: f"The name after > or < is empty or several words (ambiguous redirect): {f['name']}. " + ("Quote the variable, and see that it has a value." if has_variable(c) else "One redirection takes one file."),
         lambda c, f: [c.command.replace(f["name"], f'"{f["name"]}"')] if f["name"].startswith("$") else _as_arguments(c, f["name"]), rank=16, rewrites=True),
    Rule("shell.noclobber", ("cannot overwrite existing file", "file exists: "), r"(?:sh: (?P<path>[^:]+): cannot overwrite|file exists: (?P<b>\S+))", "{path}{b} already exists, and noclobber keeps > from overwriting it. >| writes all the same.", lambda c, f: [re.sub(r"(?<![>\d])>(?![>|&])", ">|", c.command, count=1)], rank=16),
    Rule("shell.division", "division by 0", "", "The arithmetic divides by zero (division by 0). Check the divisor.", rank=16),
    Rule("shell.octal", "value too great for base", r"(?P<name>0\d+): value too great for base", "{name} begins with 0, so the shell reads it as octal, where 8 and 9 are no digits. 10#{name} is the same in tens.",
         lambda c, f: [re.sub(rf"(?<![\w#.]){f['name']}(?!\w)", f"10#{f['name']}", c.command)] if "((" in c.command else [], rank=15, rewrites=True),
    Rule("shell.arithmetic", ("arithmetic syntax error", "syntax error: operand expected", "value too great for base", "error token is", "bad math expression"), r"(?:error token is \"(?P<name>[^\"]+)\")?", lambda c, f: f"The arithmetic cannot be read{' near ' + f['name'] if f['name'] else ''}: " + ("a digit is none of that base." if "too great for base" in c.low else "syntax error, a number or operator is missing." if "operand expected" in c.low else "syntax error."), rank=16),
    Rule("shell.cd_many", ("cd: too many arguments", "cd: string not in pwd"), "", "cd takes one folder, and it got several words (too many arguments). Quote a name with blanks.",
         lambda c, f: [f"cd {quote(' '.join(c.args))}"] if c.is_dir(" ".join(c.args)) else [], rank=16),
    Rule("shell.oldpwd", "oldpwd not set", "", "cd - goes back to the former folder, and there is none yet in this shell (OLDPWD not set).", rank=16),
    Rule("shell.builtin_option", "invalid option", r"sh: (?:line \d+: )?(?P<name>\w+): (?P<option>-\S+): invalid option", "The shell's own {name} knows no option {option}: invalid option. help {name} lists what it takes.", rank=30, typed=("option",)),
    Rule("shell.numeric", "numeric argument required", r"(?P<what>\w+): (?P<name>[^:\n]+): numeric argument required", "{what} wants a number (numeric argument), and {name} is none.", rank=16),
    Rule("shell.source", "file not found", r"(?:source|\.): (?P<path>[^:\n]+): file not found", "source found no file {path}: not found. Without a slash the shell looks in PATH; write ./ before a file that lies here.",
         lambda c, f: [c.swap(f["path"], "./" + f["path"])] if c.exists(f["path"]) and "/" not in f["path"] else [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=20),
    Rule("shell.alias", "alias: ", r"alias: (?P<name>[^:\s]+): not found", "There is no alias {name}: not found. alias NAME='command' makes one, without blanks around the =.",
         lambda c, f: [re.sub(r"^(alias \S+?)\s*=\s*", r"\1=", c.command)] if re.match(r"alias \w+(?: +=|= )", c.command) else [], rank=16, rewrites=True),
    Rule("shell.exec_format", ("exec format error", "cannot execute binary file"), r"(?:sh: |zsh: )?(?:line \d+: )?(?:exec format error: )?(?P<path>[^\s:]+): (?:cannot execute|Exec format)|exec format error: (?P<b>\S+)", "{path}{b} is no program for this machine (exec format error): built for another architecture or system, or a script without its #! line (shebang). file tells which.",
         lambda c, f: [c.swap(f["path"], f"bash {quote(f['path'])}", raw=True)] if c.read(f["path"], 200).isprintable() and c.read(f["path"], 200) else [], rank=12),
)  # fmt: skip
