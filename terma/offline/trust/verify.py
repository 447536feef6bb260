"""A finished command held against the facts of the sentence: what breaks one of these is never inserted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from terma.offline.bare_word import FUNCTION
from terma.offline.draft import Context
from terma.offline.lexicon import LIGHT, STOP, UNIT_SECONDS
from terma.offline.tokens import Token
from terma.offline.trust import (
    alone,
    archived,
    beside,
    bounds,
    compared,
    denied_twice,
    exclusion,
    folders,
    invented,
    iterated,
    kept_lines,
    mapped,
    modes,
    orders,
    running,
    spared,
    standing,
    translated,
    turned,
    users,
)
from terma.offline.trust.absent import absent
from terma.offline.trust.answering import only_looks
from terma.offline.trust.association import Association
from terma.offline.trust.command import Simple, effect, simples
from terma.offline.trust.facts import Facts
from terma.offline.trust.flow import carries, ends
from terma.offline.trust.lacking import drops
from terma.offline.trust.ordinary import misread
from terma.offline.trust.overwritten import overwrites
from terma.offline.trust.packages import named

ANSWERED = (
    1.0  # log odds: of verbs in people's sentences, those of right commands had more than 2 or less than 0
)
Check = Callable[[Facts, str, Context], bool]


def broken(facts: Facts, command: str, context: Context, table: Association) -> tuple[str, ...]:
    """Names of the facts that the command breaks; () when it may stand."""
    parsed = simples(command)
    if not parsed:
        return ("unread",)
    found = [name for name, check in _CHECKS.items() if not check(facts, command, context)]
    if facts.question and not only_looks(facts, command, table):  # a question is answered by looking
        found.append("looks")
    if not (exclusion.keeps(facts, command, table) and denied_twice.stays(facts, command, table)):
        found.append("denials")
    if not (beside.both(facts, command, table) and beside.behind_its_option(facts, command, table)):
        found.append("beside")
    if not alone.not_left_out(facts, command, table):
        found.append("alone")
    if not orders.done(facts, command, table):
        found.append("steps")
    if misread(facts, command, context, table):
        found.append("ordinary")
    if absent(facts, command):
        found.append("absent")
    if drops(facts, command, table):
        found.append("dropped")
    if overwrites(command):
        found.append("overwritten")
    return tuple(found)


def _links(facts: Facts, command: str, _: Context) -> bool:
    """Who orders a link gets one: a list of links, or a file written over, is no answer."""
    return not facts.links or any(
        simple.program in ("ln", "cp", "stow", "update-alternatives") or simple.sub in ("link", "symlink")
        for simple in simples(command)
    )


def _literals(facts: Facts, command: str, _: Context) -> bool:
    """No number, name, path or quoted text of the sentence is lost."""
    return all(carried(facts.sentence.tokens[i], command) or _said_of(facts, i) for i in facts.literals)


def _apart(facts: Facts, command: str, _: Context) -> bool:
    """Names that differ in capital letters alone are two in the command as well: `.JPG` to `.jpg`."""
    texts: dict[str, set[str]] = {}
    for i in facts.literals:
        text = facts.sentence.tokens[i].text.strip("*.,")
        texts.setdefault(text.lower(), set()).add(text)
    return all(text in command for same in texts.values() if len(same) > 1 for text in same)


def _said_of(facts: Facts, i: int) -> bool:
    """A denied literal may go unsaid only where the denial repeats what the command does not do anyway, and so may what
    is to be kept."""
    if facts.sentence.tokens[i].value in spared.kept_names(facts):
        return True
    return i in facts.denied and not any(i in d.scope and d.leaves_out for d in facts.denials)


def carried(token: Token, command: str) -> bool:
    """Whether the token stands in the command, in a form that means the same."""
    low = command.lower()
    if token.text in command or token.value in command or token.text.lower() in low:
        return True
    if token.kind in ("ext", "slot"):
        return any(ext in low for ext in _extensions(token.value))
    if token.kind == "duration":
        return _amount(token.value, command)
    if token.kind == "size" and token.value[:-1] == "0":
        return "-empty" in command
    if token.kind == "size":
        digits = re.match(r"[\d.]+", token.value)
        return digits is not None and _has_number(
            float(digits[0]), command, (1, 1024, 1000, 1024**2, 10**6, 1024**3, 2048, 1 / 1024)
        )
    if token.kind in ("number", "ordinal", "port") and re.fullmatch(r"[\d.]+", token.value):
        value = float(token.value)
        beside = (value, value + 1, value - 1, value / 100, value * 1000, value * 60)
        return value <= 1 or any(_number_in(number, command) for number in beside)
    if token.kind in ("path", "glob", "file", "quoted", "remotepath", "url", "domain", "userhost"):
        bare = re.escape(token.value.strip("/"))
        plain = re.sub(r"[\\'\"]", "", low)
        return bool(re.search(bare.lower(), low)) or re.sub(r"[\\'\"]", "", token.value.lower()) in plain
    if token.kind in ("date", "time"):
        parts = re.findall(r"\d+", token.text)
        return all(str(int(part)) in command or part in command for part in parts if int(part))
    if token.kind == "perm":
        return bool(re.search(r"\b[0-7]{3,4}\b|[ugoa]*[+=-][rwx]+", command))
    if token.kind == "ident":
        return token.text.strip("%$").lower() in low or bool(
            (m := re.match(r"\d+", token.text)) and m[0] in command
        )
    return False


def _extensions(value: str) -> tuple[str, ...]:
    kin = {"jpg": ("jpg", "jpeg"), "jpeg": ("jpg", "jpeg"), "yml": ("yml", "yaml"), "yaml": ("yml", "yaml"),
           "markdown": ("md",), "python": ("py",), "javascript": ("js",), "text": ("txt",), "html": ("html", "htm"),
           "gz": ("gz", "gzip"), "tgz": ("tgz", "tar.gz", "-xz", "xzf", "czf")}  # fmt: skip
    return kin.get(value.lower(), (value.lower(),))


def _amount(value: str, command: str) -> bool:
    digits, _, unit = value.partition(" ")
    try:
        seconds = float(digits) * UNIT_SECONDS[unit.rstrip("s")]
    except (ValueError, KeyError):
        return False
    forms = {seconds, *(seconds / size for size in UNIT_SECONDS.values()), seconds * 1000}
    return (float(digits) == 1 and unit[:3] in command) or any(
        form >= 1 and form == int(form) and _number_in(form, command) for form in forms
    )


def _has_number(value: float, command: str, factors: tuple[float, ...]) -> bool:
    return any(_number_in(value * factor, command) for factor in factors)


def _number_in(value: float, command: str) -> bool:
    text = f"{value:g}" if value < 1e6 and value != int(value) else str(int(value))
    return bool(re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", command))


def _direction(facts: Facts, command: str, _: Context) -> bool:
    """What is to be read is not written, and what is to be written is not read."""
    for simple in simples(command):
        sources, targets = ends(simple)
        if not targets and not sources:
            continue
        for i, role in facts.roles.items():
            text = facts.sentence.tokens[i].value
            if i not in facts.literals and not carries(simple):
                continue
            if role == "source" and _among(text, targets) and not _among(text, sources):
                return False
            if role == "target" and _among(text, sources) and not _among(text, targets):
                return False
    return _first_is_source(facts, command)


_RELATES = frozenset(
    "compare difference relative link symlink connect ssh tunnel forward belong according close next".split()
)


_ONLY_SHOW = frozenset(
    "cut sort head tail grep awk cat find ls wc du paste uniq tr comm join nl sed tac column jq stat file rev".split()
)
_SWITCHES = frozenset(
    "up down on off via in out make command to from at as".split()
)  # words of programs, too
_CALLED = frozenset(("called", "named", "name", "word", "string", "text", "saying"))


def _function_words(facts: Facts, command: str, context: Context) -> bool:
    """No `no`, `only`, `all` as the name of something, unless it is said to be one, or there is one."""
    tokens = facts.sentence.tokens
    operands = {word for simple in simples(command) for word in (*simple.operands, *simple.writes)}
    quoted = {token.text for token in tokens if token.kind == "quoted"}
    return not any(
        token.kind == "word"
        and token.text in operands
        and token.text not in quoted
        and (token.norm in STOP or token.text.lower() in FUNCTION)
        and token.norm not in LIGHT
        and token.text not in _SWITCHES
        and not (i and tokens[i - 1].text.lower() in _CALLED)
        and context.names().get(token.text) is None
        for i, token in enumerate(tokens)
    )


def _written(facts: Facts, command: str, _: Context) -> bool:
    """What is to go into a file goes there: a command that only looks does not answer."""
    tokens = facts.sentence.tokens
    if facts.question or effect(command) != "look" or _RELATES & {token.norm for token in tokens}:
        return True
    if not any(simple.program in _ONLY_SHOW for simple in simples(command)):
        return True
    return not any(
        role == "target" and tokens[i].kind == "file" and any(j < i for j in facts.literals)
        for i, role in facts.roles.items()
    )


def _into(facts: Facts, command: str, _: Context) -> bool:
    """What something is to go into is in the command, also where its name is a function word: "into out"."""
    tokens = facts.sentence.tokens
    words = {word.strip("/") for simple in simples(command) for word in simple.operands}
    return all(
        tokens[i].text in words for i, role in facts.roles.items() if role == "target" and tokens[i].stop
    )


def _first_is_source(facts: Facts, command: str) -> bool:
    """Who says what to carry and then where to: the first is not overwritten."""
    tokens = facts.sentence.tokens
    goals = [i for i, role in facts.roles.items() if role == "target"] or [
        i for i, token in enumerate(tokens) if token.text.lower() in ("to", "into", "onto")
    ]
    if not facts.carries or not goals:
        return True
    goal = min(goals)
    before = [
        i
        for i in facts.literals
        if i < goal and tokens[i].kind in ("file", "path", "glob", "remotepath", "url")
    ]
    if not before or facts.roles.get(before[0], "source") != "source":
        return True
    text = tokens[before[0]].value
    for simple in simples(command):
        sources, targets = ends(simple)
        if _among(text, targets) and not _among(text, sources):
            return False
    return True


def _among(text: str, words: tuple[str, ...]) -> bool:
    """Whether it is one of the words, or the path or the host of one (`user@host:path`)."""
    bare = text.strip("/") or "/"
    return any(
        word.strip("/") == bare
        or (len(bare) > 1 and word.strip("/").endswith((":" + bare, ":/" + bare)))
        or (":" in word and "://" not in word and word.partition(":")[0].rpartition("@")[2] == bare)
        for word in words
    )


def _one_root(facts: Facts, command: str, _: Context) -> bool:
    """`/` is a place to work in only where the sentence says so."""
    for simple in simples(command):
        if "/" in simple.operands and simple.program not in ("awk", "sed", "tr", "cut", "ssh", "tar", "curl"):
            if not facts.root_said and "/" not in facts.sentence.raw.split():
                return False
            named = [w for w in simple.operands if w.startswith(("/", "~", "./")) and w != "/"]
            if named and not any(token.text == "/" for token in facts.sentence.tokens):
                return False
    return True


def _addressed(facts: Facts, _: str, __: Context) -> bool:
    """ "How are you" asks who is spoken to about themselves; "how do you list files" asks how one does it."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    return not any(pair in (("are", "you"), ("were", "you")) for pair in pairwise(texts))


def _prose(facts: Facts, command: str, context: Context) -> bool:
    """No stretch of the sentence's own prose stands in the command as a value."""
    own = {name for simple in simples(command) for name in (simple.program, simple.sub)}
    for _, run in copied_runs(facts, command):
        told = [i for i in run if facts.sentence.tokens[i].text not in own]
        if len(told) >= 3 and not _quoted_in(facts, run):
            return False
    return True


def _quoted_in(facts: Facts, run: tuple[int, ...]) -> bool:
    before = facts.sentence.raw[: facts.sentence.tokens[run[0]].start].rstrip()
    return before.endswith((":", "'", '"', "“"))


def copied_runs(facts: Facts, command: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Stretches of unquoted words of the sentence that stand in one word of the command, or in words that follow."""
    tokens = facts.sentence.tokens
    flat = " ".join(word for simple in simples(command) for word in simple.words)
    i = 0
    while i < len(tokens):
        j = i
        if tokens[i].kind in ("word", "ident"):
            while (
                j + 1 < len(tokens) and tokens[j + 1].kind in ("word", "ident") and _in(facts, i, j + 1, flat)
            ):
                j += 1
        if j > i:
            yield flat, tuple(range(i, j + 1))
        i = max(j, i) + 1


def _in(facts: Facts, i: int, j: int, flat: str) -> bool:
    text = facts.sentence.raw[facts.sentence.tokens[i].start : facts.sentence.tokens[j].end]
    return bool(re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", flat))


_MANY = re.compile(r"(?:est|most|top|newest|oldest)\Z")


def _plural(facts: Facts, command: str, _: Context) -> bool:
    """ "The biggest files" are more than one."""
    if not _ONE.search(command):
        return True
    texts = [token.text.lower() for token in facts.sentence.tokens]
    return not any(
        _MANY.search(here) and after.endswith("s") and not after.endswith("ss")
        for here, after in pairwise(texts)
    )


_ONE = re.compile(r"(?:head|tail) (?:-n ?)?-?1\b(?!\d)")


_ACTS = frozenset("copy move rename install uninstall restart".split())


def _acts(facts: Facts, command: str, _: Context) -> bool:
    """Who orders a change is not answered by looking."""
    first = next((token for token in facts.sentence.tokens if not token.stop), None)
    if first is None or first.kind != "word" or first.norm not in _ACTS or facts.question:
        return True
    return effect(command) != "look" or facts.denials != ()


def _suffixes(facts: Facts, command: str, _: Context) -> bool:
    """Files that end in `.o` are no file named `.o`."""
    said = {token.value for token in facts.sentence.tokens if token.kind == "ext"}
    said |= {
        token.text.strip(".")
        for token in facts.sentence.tokens
        if token.text.startswith(".") and token.kind == "file"
    }
    for simple in simples(command):
        for option, value in pairwise(simple.words):
            if option in ("-name", "-iname", "--include") and value[:1] == "." and value[1:] in said:
                return bool(
                    {"named", "called", "name"} & {token.text.lower() for token in facts.sentence.tokens}
                )
    return True


_CHECKS: dict[str, Check] = {
    "literals": _literals, "archived": archived.as_named, "apart": _apart, "end": kept_lines.right_end,
    "invented": invented.absent, "direction": _direction, "into": _into, "root": _one_root,
    "prose": _prose, "plural": _plural, "links": _links,
    "points": standing.points, "made": standing.made, "acts": _acts, "written": _written,
    "words": _function_words,
    "suffixes": _suffixes, "weighed": folders.weighed,
    "folders alone": folders.folders_alone, "left out": exclusion.asked_for,
    "from to": turned.from_to, "turned": turned.opposite, "undone": turned.undone, "particle": turned.particle,
    "filtered": turned.filtered,
    "compared": compared.in_order, "translated": translated.in_place, "bounds": bounds.kept,
    "open end": bounds.open_ended, "user": users.called_so, "each": iterated.goes_over,
    "ordered": turned.ordered, "shown": turned.shown,
    "switched": turned.switched, "kept": turned.kept, "spared": spared.spared,
    "running": running.running, "mapped": mapped.mapped,
    "granted": modes.granted, "left as": modes.left_as,
    "converted": turned.converted,
    "addressed": _addressed,
    "packages": lambda facts, command, _: named(facts, command),
}  # fmt: skip
__all__ = ["Simple", "broken", "carried", "copied_runs"]
