"""Options and arguments that a program does not take, or lacks."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.program_text import holds
from terma.offline.explain.rule import Facts, Rule, Text
from terma.offline.explain.subcommands import SUBCOMMANDS
from terma.offline.explain.wordlists import own_words, values_of

_OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]+)", re.IGNORECASE)
_MIN_VALUE = 4
_MODES = ("chmod", "mkdir", "install", "mkfifo", "mknod")  # what takes the permissions of a file
LIKED = ("run", "add", "pull", "push", "get", "log")
LONG = "--help --version --all --recursive --force --verbose --quiet --output --human-readable --color --ignore-case --line-number --interactive --directory --exclude --include --dry-run --reverse --sort --delete --archive --compress --update --no-cache --save-dev --global --user --upgrade --format --follow --oneline --staged --cached --amend --rebase --hard --soft".split()


def _option(case: Case, facts: Facts) -> str:
    name = next((facts[k] for k in ("name", "b", "c") if facts.get(k)), "").strip("'\"`‘’ :")
    if not name.startswith("-"):
        name = next((v for v in case.args if v.lstrip("-") == name or v.startswith(f"--{name}")), "-" + name)
    return name


def _text(case: Case, facts: Facts) -> str:
    sub = _subcommand(case)
    if sub:
        return f"{case.operands[0]} is not a {case.program} command, so its options made no sense either (unknown option). Did you mean {sub[0]}?"
    name = _option(case, facts)
    if re.fullmatch(r"-\w{2,}", name) and "--" + name[1:] in case.output:
        return f"{case.program} knows no option {name} (invalid option): a long option takes two dashes."
    if not any(name.lstrip("-").partition("=")[0] in word.value for word in case.words):
        return ""  # a word of the message, or an option that another program was given
    if name in case.operands:
        return f"{speaker(case)} takes no such argument: {name} is one too many, or unrecognized."
    near = _near(case, name)
    name = name.partition("=")[0].rstrip(".,")
    hint = f" Did you mean {near[0]}?" if near else " Its --help lists those it takes."
    return f"{speaker(case)} does not know the option {name}: unrecognized or invalid.{hint}"


def _refused(case: Case, facts: Facts, told: Text) -> str:
    """What `told` says, where the value that is refused is one of the command's words: a message may quote what stands
    in a file, or what the program reads, and then it is not what was typed that is wrong."""
    name = facts["name"]
    typed = any(name == word.value or name in word.value for word in case.words)
    return (told(case, facts) if callable(told) else told) if name and typed else ""


def speaker(case: Case) -> str:
    """Who complains by name: the script or module that an interpreter was given, else the program itself."""
    given = {value.rpartition("/")[2] for value in case.args}
    lines = re.finditer(r"(?m)^(?:usage: )?([\w./-]+)(?: [\w-]+)*: error: ", case.output)
    names = (found[1].rpartition("/")[2] for found in lines)
    script = next((name for name in names if name in given), "")
    return script or _wrapper(case) or case.speaker


def _wrapper(case: Case) -> str:
    """The program before another one, as nice or env, that complains of what it was given itself."""
    words = (word.value.rpartition("/")[2] for word in case.words if word.part == case.part)
    said = set(re.findall(r"(?m)^(?:\S*/)?([\w.+-]+): ", case.output))
    return next((word for word in words if word in said), "")


def _near(case: Case, name: str) -> list[str]:
    bare = name.partition("=")[0]
    offered = [option for option in _OPTION.findall(case.output) if option != bare]
    known = case.options()
    if bare.startswith("--"):
        near = nearest(bare, [*offered, *known]) or _abbreviated(bare, [*offered, *known])
        return near or (
            [] if known else [name for name in nearest(bare, _common(case)) if _is_slip(bare, name)]
        )
    long = "-" + bare
    if single := nearest(bare, _single_dashed(case), 1) if len(bare) > 3 else []:
        return single
    return [long] if len(bare) > 2 and (long in offered or long in known) else other_case(case, bare)


def _single_dashed(case: Case) -> set[str]:
    """The options of more letters behind one dash that the output or the manual has, as of programs older than getopt."""
    return set(re.findall(r"(?<![\w-])-[A-Za-z][\w-]{2,}(?![\w.])", f"{case.output}\n{case.manual}")) - {
        *case.args
    }


def _unlisted(case: Case) -> str:
    """The one long option that was typed and that the program's own texts do not have; "" where none or several are."""
    known = case.options()
    typed = [word.partition("=")[0] for word in case.args if word.startswith("--") and len(word) > 2]
    gone = [name for name in typed if known and not any(one.startswith(name) for one in known)]
    return gone[0] if len(gone) == 1 else ""


def other_case(case: Case, letter: str) -> list[str]:
    """The option of one letter that the usage in the output has in the other case alone, and calls by a name that
    begins with it: `-A, --all` for -a."""
    letter, other = letter.lstrip("-"), letter.lstrip("-").swapcase()
    if len(letter) != 1 or not letter.isalpha() or re.search(rf"(?m)^\s+-{letter}\b", case.output):
        return []
    listed = re.search(rf"(?m)^\s+-{other}(?:, | \| ?)--{letter.lower()}[\w-]+", case.output)
    return [f"-{other}"] if listed else []


def _is_slip(bare: str, name: str) -> bool:
    """Whether one slip parts the two: no more may, where this program is not known to have `name`."""
    return distance(bare, name, 1.0) <= 1.0


def _common(case: Case) -> list[str]:
    """The options that many programs have, where nothing tells those of this one: as far as its file holds them."""
    here = bool(case.path and case.program_file)
    return [name for name in LONG if not here or holds(case, name)]


def _abbreviated(bare: str, known: list[str]) -> list[str]:
    """The one option that begins as `bare` would if one letter were right: `--numerc` for `--numeric-sort`."""
    heads = {
        option[: len(bare) + extra]: option
        for option in known
        if len(option) > len(bare) and option[:4] == bare[:4]
        for extra in (0, 1)
    }
    return list(dict.fromkeys(heads[head] for head in nearest(bare, heads, 2)))[:1] if len(bare) > 5 else []


def _subcommand(case: Case) -> list[str]:
    """The subcommand that was meant, when the first word is none that the tool has: its options were not at fault."""
    word, known = (case.operands[0] if case.operands else ""), SUBCOMMANDS.get(case.program, "").split()
    if not word or not known or word in known or case.args[:1] != (word,):
        return []
    if len(word) == 2:  # too short for a distance: one letter was left out
        return [
            n
            for n in sorted(known, key=lambda n: n not in LIKED)
            if len(n) == 3 and word in (n[1:], n[0] + n[2], n[:2])
        ][:2]
    return nearest(word, known)


def _fixes(case: Case, facts: Facts) -> list[str]:
    sub = _subcommand(case)
    if sub:
        return [case.swap(case.operands[0], near) for near in sub]
    name = _option(case, facts)
    bare = name.partition("=")[0]
    if any(value.startswith(f"{bare}:") for value in case.args):
        return []  # what stands behind the colon belongs to that option alone
    fixes = [
        (near, case.swap(bare, near))
        for near in _near(case, name)
        if near != "--help" or bare.startswith("--h")
    ]
    return [_with_value(case, bare, near, fix) for near, fix in fixes]


def _with_value(case: Case, bare: str, near: str, fix: str) -> str:
    """`fix` with the value behind the option put right as well, where that is a slip for one the program knows."""
    value = next((v.partition("=")[2] for v in case.args if v.partition("=")[0] == bare), "")
    if len(value) < _MIN_VALUE or not value.isalpha() or f"{near}={value}" not in fix:
        return fix
    listed = values_of(case, near)
    lists = [listed] if listed else own_words(case, value)
    for words in lists:
        if value in words:
            return fix
        found = [word for word in nearest(value, words, 2) if distance(value, word, 1.0) <= 1.0]
        if len(found) == 1:
            return fix.replace(f"{near}={value}", f"{near}={found[0]}", 1)
    return fix


def _from_usage(case: Case) -> dict[str, str]:
    """Of a page of usage alone: the one option that was typed and that it does not list, and the near one that it does."""
    listed = {name for name in _OPTION.findall(case.output) if name != "--help"}
    typed = [word.partition("=")[0] for word in case.args if word.startswith("--")]
    wrong = [name for name in typed if name not in listed]
    page = case.blamed and re.search(r"(?im)^\s*usage\b", case.output)
    near = nearest(wrong[0], listed, 1) if len(wrong) == 1 and page else []
    return {wrong[0]: near[0]} if near and _is_slip(wrong[0], near[0]) else {}


def _usage_text(case: Case, facts: Facts) -> str:
    said = [
        f"{case.program} lists its options and has no {old} among them; {new} is one."
        for old, new in _from_usage(case).items()
    ]
    return said[0] if said else ""


def _number(case: Case, facts: Facts) -> list[str]:
    """The number with letters that look like digits, or with the word behind it that only says what is counted, or with
    one letter that is no unit; a capital, or one where sizes or times are meant, was to be one."""
    name = facts["name"]
    digits = name.translate(str.maketrans("OolI", "0011"))
    if digits != name and re.fullmatch(r"\d+[kKMGT]?B?", digits):
        return [case.swap(name, digits)]
    if re.fullmatch(r"\d+[a-z]", name) and not re.search(
        r"byte|size|time|interval", f"{facts['what']}{case.low}"
    ):
        return [case.swap(name, name[:-1])] if int(name[:-1]) else []
    counted = re.fullmatch(r"(\d+)([a-z]{3,})", name)
    told = counted and re.search(rf"\b{re.escape(counted[2].rstrip('s'))}s?\b", facts["what"])
    return [case.swap(name, counted[1])] if counted and told else []


def _needs(case: Case, facts: Facts) -> str:
    name = _option(case, facts)
    return f"{speaker(case)}'s option {name} requires an argument after it, and none stands there."


RULES = (
    Rule("options.unknown", ("unrecognized option", "unknown option", "invalid option", "illegal option", "unrecognised option", "no such option", "unexpected argument", "bad option", "unknown flag", "unknown shorthand flag", "unknown switch", "flag provided but not defined", "unrecognized argument", "unknown argument", ": is unknown", "find an option named", "compiler option"),
         r"option (?P<b>--?[\w-]+): is unknown|(?P<c>(?<![\w-])--?[\w-]+)(?:=\S*)?: unknown option|(?:unrecogni[sz]ed option|unknown option|invalid option(?: --)?|illegal option(?: --)?|no such option|unexpected argument|bad option|unknown (?:shorthand )?flag|unknown switch|not defined|unrecognized arguments?(?! to\b)|unknown argument|find an option named|unknown \w+ option)s?(?: found| given| used)?:? *(?:--? )?[‘'`\"]*(?P<name>-{0,2}[\w][\w=./-]*|--[\w-]+)", _text, _fixes, rank=52, typed=("name", "b", "c")),
    Rule("options.unnamed", "option", r"(?:unknown|invalid|unrecogni[sz]ed|illegal|bad) (?:\w+ ){0,2}option\W*$", lambda c, f: f"{c.program} does not know the option {_unlisted(c)}: unknown, as the output says without naming it." if _unlisted(c) else "",
         lambda c, f: [c.swap(_unlisted(c), near) for near in _near(c, _unlisted(c))], rank=51),
    Rule("options.usage", "usage", "", _usage_text, lambda c, f: [c.swap(old, new) for old, new in _from_usage(c).items()], rank=69),
    Rule("options.ambiguous", "is ambiguous", r"option '(?P<name>--?[^']+)' is ambiguous; possibilities:(?P<names>[^\n]+)", "{program} cannot tell which option {name} means: it is ambiguous. It may be one of {names}.",
         lambda c, f: [c.swap(f["name"].partition("=")[0], n) for n in sorted(re.findall(r"'([^']+)'", f["names"]), key=len)], rank=51),
    Rule("options.needs", ("requires an argument", "option requires", "requires a value", "requires parameter", "needs an argument", "expected one argument", "a value is required", "option needs"), r"['‘\"`]?(?P<name>(?<![\w-])--?\w[\w-]*)[’'\"`]?:? (?:requires|needs|expected)|(?:requires an argument|a value is required)[^'‘\n]*(?:-- |['‘])(?P<b>[\w-]+)", _needs, rank=52),
    Rule("options.missing", ("the following arguments are required", "missing required", "missing argument", "requires at least", "too few arguments", "not enough arguments", "missing 1 required"), r"(?:required|argument)s?: (?P<name>[^\n]+)", lambda c, f: f"{speaker(c)} lacks an argument: {f['name']} is required. Its --help shows the order." if f["name"] else "", rank=60),
    Rule("options.missing_plain", ("too few arguments", "not enough arguments", "missing argument", "requires at least"), "", "{program} got too few arguments: something is missing. {program} --help shows what it wants.", rank=62),
    Rule("options.extra", ("extra operand", "too many arguments", "unexpected operand"), r"(?:extra operand [‘'](?P<name>[^’']+))?", lambda c, f: f"{c.program} got more arguments than it takes{': extra operand ' + f['name'] if f['name'] else ''} (too many arguments). Quote names with blanks.", rank=60),
    Rule("options.number", ("invalid number", "invalid integer", "invalid time interval", "not a valid number", "invalid count"), r"invalid (?P<what>[^:‘'\n]+):? ?[‘'\"](?P<name>[^’'\"]+)", lambda c, f: _refused(c, f, f"{speaker(c)} does not accept {f['name']}: invalid {f['what']}." if re.fullmatch(r"[-+]?\d+(?:\.\d+)?", f["name"]) else f"{speaker(c)} wants a number, and {f['name']} is none: invalid {f['what']}."), _number, rank=40, typed=("name",)),
    Rule("options.date", "invalid date", r"invalid date [‘'](?P<name>[^’']+)", "date cannot parse {name}: an invalid date, not a date that it knows. 2024-12-31 and 'next friday' are ones.", rank=40),
    Rule("options.mode", ("invalid mode", "invalid file mode"), r"invalid (?:file )?mode:? [‘'](?P<name>[^’']+)", lambda c, f: f"{f['name']} is an invalid mode: {c.program} takes digits such as 644 or letters such as u+x." if c.program in _MODES else "", lambda c, f: [c.swap(f["name"], f["name"][-1] + f["name"][:-1])] if re.fullmatch(r"[rwxX]+[+=-]", f["name"]) else [], rank=40),
    Rule("options.value", ("invalid argument", "invalid value", "ambiguous argument", "not a valid"), r"(?:invalid|ambiguous) (?:argument|value)[: ]+[‘'\"](?P<name>[^’'\"]+)['’\"](?: for [‘']?(?P<option>[^’'\n:]+))?", lambda c, f: _refused(c, f, f"{speaker(c)} does not accept {f['name']}{' for ' + f['option'] if f['option'] else ''}: an invalid argument or value." + (" The lines below it list what it takes." if re.search(r"(?i)valid (?:arguments|values) are|possible values", c.output) else "")),
         lambda c, f: [c.command.replace(f["name"], n, 1) for n in nearest(f["name"], re.findall(r"^\s*- [‘']([^’']+)", c.output, re.MULTILINE) + re.findall(r"possible values: ([^\]\n]+)", c.output)[:1])], rank=50, typed=("name",)),
    Rule("options.no_long", "invalid option", r"invalid option -- ['‘]-['’]", lambda c, f: f"{c.program} knows no long options: {next((v for v in c.args if v.startswith('--')), 'one with two dashes')} is invalid.", rank=51),
    Rule("options.value_plain", "invalid ", r"invalid (?P<what>[\w -]+?):? [‘'\"](?P<name>[^’'\"\n]+)", lambda c, f: _refused(c, f, f"{speaker(c)} does not accept {f['name']}: invalid {f['what']}."), rank=76, typed=("name",)),
    Rule("options.value_before", "invalid ", r"(?:^|: )[‘'`\"]?(?P<name>[^\s:‘’'`\"]+)[’'\"]?: invalid (?P<what>[a-z][a-z ]*?)(?: specification)?$", lambda c, f: f"{speaker(c)} does not accept {f['name']}: invalid {f['what']}." + (" kill -l lists the signals." if f["what"] == "signal" else "") if any(value == f["name"] or value.endswith("=" + f["name"]) for value in c.args) else "", rank=76, typed=("name",)),
    Rule("options.invalid_input", ("invalid input", "invalid character", "invalid format"), r"(?P<line>[^\n]*invalid (?:input|character|format)[^\n]*)", "{program} cannot read its input: {line}", rank=79),
)  # fmt: skip
