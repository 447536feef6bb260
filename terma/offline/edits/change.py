"""A command, changed as wished: an option where one of its programs has it, else a filter behind it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from terma import regex as re
from terma.offline.edits.below import included, names_below, single_files
from terma.offline.edits.by_name import by_name
from terma.offline.edits.find_tests import tests_end
from terma.offline.edits.pipelines import pipeline
from terma.offline.edits.placing import Call, letters_of, with_options
from terma.offline.edits.wishes import Wish, table
from terma.offline.trust.command import effect
from terma.shell_syntax import nodes as tree

_UNITS = ("--block-size", "-B")
_RUNNERS = frozenset(("sudo", "time", "command"))
ORDER = ("order", "filter", "unique", "limit", "count", "into")  # in which pipes follow the command
_PATTERNS = ("*.{ext}", "*/")  # a row that ends in one: of the names that are listed, these alone
_SLOTS = {
    **dict.fromkeys(("count", "total"), "count"),
    **dict.fromkeys(("of_kind", "not_of_kind"), "filter"),
    **dict.fromkeys(("first", "last", "some"), "limit"),
    "unique": "unique",
}


def changed(command: str, wishes: Sequence[Wish], path: str = "", cwd: str = "") -> str:
    """The command as it is wished; "" where that cannot be said for certain without a model. `path`, `cwd`: by which
    its programs are found."""
    calls = _calls(command)
    if not calls:
        return ""
    behind: dict[str, list[str]] = {slot: [] for slot in ORDER}
    prints = effect(command) == "look"
    for wish in wishes:
        if wish.kind in ("keep", "drop") and not prints:  # there is nothing to filter
            wish = Wish("option", text=wish.name)  # noqa: PLW2901
        if not _granted(wish, calls, behind, cwd) and not _option_of(wish, calls, path, cwd):
            return ""
    pipes = [text for slot in ORDER for text in _of(behind, slot)]
    if pipes and not prints:
        return ""  # rm | head prints nothing, and deletes no less
    sorts = "h" if "h" in letters_of(calls) else "n"
    line = with_options(command, calls)
    told = " ".join((line, *pipes)).replace("{sorts}", sorts)
    return told if told != command else ""


def _of(behind: dict[str, list[str]], slot: str) -> list[str]:
    sorts = [text for text in behind["order"] if text.startswith("| sort")]
    if slot == "order" and (len(sorts) > 1 or "| sort -u" in behind["unique"]):
        return [text for text in behind["order"] if text != "| sort"]  # the other one does both
    return behind[slot]


def _calls(command: str) -> list[Call]:
    """The commands of a single pipeline that goes nowhere; [] for all else."""
    found = pipeline(command)
    if any(each.descriptor != "2" for one in found for each in one.redirects):
        return []
    return [_call(one) for one in found]


def _call(one: tree.Simple) -> Call:
    words = one.words[1:] if one.words[0].literal in _RUNNERS and len(one.words) > 1 else one.words
    first = words[0].text.rpartition("/")[2]
    if len(words) > 1 and (both := f"{first} {words[1].text}") in table():
        return Call(both, words[1].end, words[-1].end, words[2:], words)
    key = first if isinstance(table().get(first), dict) else ""
    return Call(key, words[0].end, words[-1].end, words[1:], words)


def _option_of(wish: Wish, calls: Sequence[Call], path: str, cwd: str) -> bool:
    """Note the option of the last command whose name the wish is, or say that there is none."""
    if wish.kind not in ("named", "option") or not path:
        return False
    if wish.name == "recursive" and single_files(calls[-1].words, cwd):
        return False
    at, option = by_name(wish.text, calls[-1].whole, path, cwd)
    if at < 0 or option.split()[0] in {word.text for word in calls[-1].words}:
        return False
    last = calls[-1]
    letters_first = last.whole[0].text == "tar" and at == 0  # `tar czf`: nothing may stand before them
    last.named.append((last.end if letters_first else last.whole[at].end, option))
    return True


def _granted(wish: Wish, calls: Sequence[Call], behind: dict[str, list[str]], cwd: str) -> bool:
    """Note what the wish adds, or say that it adds nothing that is known here."""
    if wish.kind == "option":
        return False
    if wish.kind in ("keep", "drop"):
        option = "" if wish.kind == "keep" else "-v "
        behind["filter"].append(
            f"| grep {option}{'-- ' if wish.text.startswith('-') else ''}{shlex.quote(wish.text)}"
        )
        return True
    if wish.kind in ("into", "append"):
        behind["into"].append(f"{'>' if wish.kind == 'into' else '>>'} {shlex.quote(wish.text)}")
        return len(behind["into"]) == 1
    name = wish.name or wish.kind
    if name == "some":  # of what shows an end, it is that one: `tail f # 100 lines`
        name = "last" if "last" in calls[-1].row and "first" not in calls[-1].row else "first"
    slot = _SLOTS.get(name, "order")
    # What is cut, or counted, is what the last of several commands prints.
    alone = slot not in ("limit", "count") or (len(calls) == 1 and not any(behind.values()))
    call = next((call for call in reversed(calls) if name in call.row), None) if alone else None
    said = call.row[name] if call is not None else table()["generic"].get(name)
    headed = len(calls) == 1 and _has_head(calls[0])
    if isinstance(said, dict):
        return call is not None and len(calls) == 1 and _renamed(call, said)
    if call is not None and said.endswith(_PATTERNS):
        if names_below(call, said.replace("{ext}", wish.amount), cwd):
            return True
        said, call = table()["generic"].get(name), None  # what it prints is filtered
    if said is None or (call is None and headed and slot == "order"):
        return False  # the line that names the columns would be sorted with the others
    if call is not None and name == "human" and any(word.text.startswith(_UNITS) for word in call.words):
        return False  # which says otherwise
    number = wish.number + (name == "first" and headed)
    if slot == "count" and call is None and headed:
        behind["count"].append("| tail -n +2")
    amount = re.escape(wish.amount) if said.startswith("| ") else wish.amount
    option, _, pipe = re.sub(r"\{(size|days|ext)\}", lambda _: amount, said).partition("| ")
    option, pipe = (text.replace("{number}", str(number)) for text in (option, pipe))
    if name == "recursive" and call is not None and not _looks_below(call, cwd):
        return False
    if option.strip() and call is not None:
        if call.key == "find" and tests_end(call.words) < 0:
            return False  # of which side of its -o?
        if slot == "filter":
            call.options.append(option.strip())  # beside one of that name: both hold
        else:
            _give(call, option.strip())
    if pipe:
        behind[slot].append(f"| {pipe}")
    return True


def _renamed(call: Call, names: Mapping[str, str]) -> bool:
    """Put other options in the place of those that `names` has; whether there were any."""
    found = {(word.start, word.end): names[word.text] for word in call.words if word.text in names}
    call.replaced |= found
    return bool(found)


def _has_head(call: Call) -> bool:
    """Whether the first line says how much there is in all (`ls -l` of one folder), or what the columns are."""
    texts = [word.text for word in call.whole]
    if call.key == "ls":
        return "l" in letters_of([call]) and all(word.text.startswith("-") for word in call.words)
    named = {texts[0], " ".join(texts[:2])}
    return not named.isdisjoint(table()["headed"]) and set(texts).isdisjoint(table()["bare"])


def _looks_below(call: Call, cwd: str) -> bool:
    """Whether the option for folders below does what is wished: for files that are named one by one it does nothing,
    unless the program has an option for the names to look for."""
    operands = [word for word in call.words if word.text[:1] != "-"]
    aside = call.row.get("aside", "")  # the operand that is no file of those: "first" or "last"
    files = single_files({"first": operands[1:], "last": operands[:-1]}.get(aside, operands), cwd)
    if not files:
        return True
    made = included(call.row["files"], files) if "files" in call.row else None
    if made is None or len(files) < len(operands) - 1:
        return False
    options, folders = made
    call.options += options
    for word in files:
        call.replaced[word.start, word.end] = ""
    call.replaced[files[0].start, files[0].end] = " ".join(folders)
    return True


def _give(call: Call, option: str) -> None:
    """Add the option, or give the one of that name that is there its new value."""
    parts = re.fullmatch(r"(--?\w[\w-]*)[ =](.+)", option)
    name, value = parts.groups() if parts else (option, "")
    for at, word in enumerate(call.words if parts else ()):
        after = call.words[at + 1] if at + 1 < len(call.words) else None
        joined = re.fullmatch(rf"{re.escape(name)}=.*" if len(name) > 2 else rf"{name}\d+", word.text)
        if word.text == name and after is not None:
            call.replaced[after.start, after.end] = value
        elif joined:
            call.replaced[word.start, word.end] = f"{name}{'=' if len(name) > 2 else ''}{value}"
        elif name == "-n" and re.fullmatch(r"-\d+", word.text):
            call.replaced[word.start, word.end] = f"-{value}"
        else:
            continue
        return
    call.options.append(option)
