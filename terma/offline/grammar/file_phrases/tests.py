"""Phrases about the size and the age of files."""

from __future__ import annotations

from terma.offline.grammar.file_phrases.fileset import age_test, size_test
from terma.offline.grammar.file_phrases.frame import MACROS, NOT_TEXT, FileFrame
from terma.offline.grammar.match import Match, Rules
from terma.offline.grammar.quoting import word

RULES: Rules[FileFrame] = Rules(MACROS)
_EVENT = "(last|most recently|recently|just)? $mod|$acc|$born time?"
_WITHIN = "(in|within|during|over|for)? (last|past|previous)"


@RULES.on(
    "$more than? #size",
    "size? (is|are|of)? $more than? #size",
    "with size? $more than? #size",
    "of? size $more than? #size",
    "(in|whose|with|having|has|have)? size (is|are|of)? $more than? #size",
    "$more than? #size in? size",
    "and|but $more than? #size",
)
def larger(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(size_test("+", match.value))


@RULES.on(
    "$less than? #size",
    "(in|whose|with|having|has|have|of)? size (is|are|of)? $less than? #size",
    "$less than? #size in? size",
    "and|but $less than? #size",
    "up to #size",
    "no|not more|larger|bigger than #size",
    "at most #size",
)
def smaller(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(size_test("-", match.value))


@RULES.on(
    "at least #size",
    "#size (or|and) (more|larger|bigger|above|up)",
    "not less|smaller than #size",
    "no less|smaller than #size",
)
def at_least(frame: FileFrame, match: Match) -> None:
    amount, unit = match.value[:-1], match.value[-1]
    below = f"{int(amount) - 1}{unit}" if amount.isdigit() and int(amount) else match.value
    frame.files.tests.append(size_test("+", below))


@RULES.on(
    "between #size and|to #size",
    "from #size to #size",
    "(whose|with|of)? size (is|are)? between #size and #size",
    "between #num and #size",
)
def size_range(frame: FileFrame, match: Match) -> None:
    low = match[0].value if match[0].kind == "size" else match[0].value + match[1].value[-1]
    frame.files.tests += [size_test("+", low), size_test("-", match[1].value)]


@RULES.on(
    "(of|with|having|whose)? size (is|are|of|equal to|exactly)? (exactly)? #size",
    "exactly #size",
    "#size in size",
    "#size $file",
    "(that|which) are #size",
    "(of|with) #size",
    "exactly #size in size",
    "#size large|big|long",
    "of? #size size",
)
def exact_size(frame: FileFrame, match: Match) -> None:
    if match.value == "0c":
        frame.files.tests.append("-empty")
    else:
        frame.files.tests.append(size_test("", match.value))
    if frame.low(match.end - 1).startswith("file"):
        frame.nouns += 1
        frame.files.kind = "f"


def _which(frame: FileFrame, match: Match) -> str:
    for i in range(match.start, match.end):
        low = frame.low(i)
        if low in ("accessed", "access", "read", "opened", "used", "viewed"):
            return "a"
        if low in ("created", "made", "status", "added", "born"):
            return "c"
    return "m"


@RULES.on(
    f"{_EVENT} {_WITHIN}? (less than)? #dur ago?",
    "$mod|$acc|$born {0} #dur".replace("{0}", _WITHIN),
    f"{_WITHIN} #dur",
    "$mod|$acc|$born (within|in|during) #dur",
    f"{_EVENT} less|fewer|under|within|newer|later|after than? #dur ago?",
    "newer|younger|later than? #dur ago?",
    "less than? #dur ago|old",
    "under #dur old",
    "(status)? changed|modified|accessed in the last|past #dur",
    "from the last|past #dur",
    "(with|whose)? $mod|$acc time (is)? (newer|less|later) than? #dur ago?",
    "not|no older than #dur",
    "not more than #dur old|ago",
    "of? last|past #dur",
    f"{_EVENT} not more than #dur ago",
)
def within(frame: FileFrame, match: Match) -> bool | None:
    span = [frame.low(i) for i in range(match.start, match.end)]
    exact = not set(span) & {
        "last",
        "past",
        "previous",
        "less",
        "within",
        "in",
        "during",
        "newer",
        "younger",
        "under",
        "later",
        "fewer",
        "after",
        "older",
        "more",
        "over",
        "for",
    }
    which = _which(frame, match)
    if exact and "ago" in span:
        frame.files.tests.append(age_test("", match.value, which))
        return None
    if exact:
        return False
    frame.files.tests.append(age_test("-", match.value, which))
    return None


@RULES.on(
    f"{_EVENT} $more|before|earlier|older|longer|at than? #dur ago|old|before?",
    "older|more|over|earlier|longer than? #dur (ago|old)?",
    "#dur or more|older old?",
    "before #dur (ago)?",
    "(with|whose)? $mod|$acc time (is)? (older|more|earlier) than? #dur ago?",
    "(not|never) (been)? $mod|$acc|$born (in|within|during|for|since) (at least|more than|over|last|the "
    "last|past)? #dur ago?",
    "(not|never) (been)? $mod|$acc|$born (in|within|during|for) last|past #dur",
    "$mod|$acc|$born #dur ago or more|earlier|before",
    "$mod|$acc|$born over #dur ago",
    "more than #dur old|ago",
    "over #dur old",
    "at least #dur old",
    "untouched for|in (more than|at least|over)? #dur",
    "unused for|in (more than|at least|over)? #dur",
)
def before(frame: FileFrame, match: Match) -> None:
    value = match.value
    span = {frame.low(i) for i in range(match.start, match.end)}
    if span & {"least"} or span & {"or"}:
        count, unit = value.split()
        if count.isdigit() and int(count) > 0 and unit.rstrip("s") in ("day", "minute"):
            value = f"{int(count) - 1} {unit}"
    frame.files.tests.append(age_test("+", value, "a" if "unused" in span else _which(frame, match)))


@RULES.on("between #dur and #dur (old|ago)?", "$mod|$acc between #dur and #dur ago?")
def age_range(frame: FileFrame, match: Match) -> None:
    which = _which(frame, match)
    frame.files.tests += [age_test("+", match[0].value, which), age_test("-", match[1].value, which)]


@RULES.on(
    "$mod|$acc|$born (since|earlier)? today", "from today", "today's", "changed today", "(last)? $mod today"
)
def today(frame: FileFrame, match: Match) -> None:
    which = _which(frame, match)
    frame.files.tests.append(f"-daystart -{which}time -1")


@RULES.on("$mod|$acc|$born yesterday", "from yesterday")
def yesterday(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(f"-daystart -{_which(frame, match)}time 1")


@RULES.on("$mod|$acc|$born this week", "$mod|$acc|$born (in)? last|past week", "from this week")
def this_week(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(f"-{_which(frame, match)}time -7")


@RULES.on(
    "$mod|$born? (more recently|later|newer|after|since) than? (file)? #file",
    "newer than (file)? #file",
    "newer than #bare",
    "$mod since|after #file $mod",
    "$mod after #file",
)
def newer(frame: FileFrame, match: Match) -> bool | None:
    if match[0].norm in NOT_TEXT:
        return False
    frame.files.tests.append(f"-newer {word(match.value)}")
    return None


@RULES.on("(older|earlier) than (file)? #file", "$mod before|earlier than? (file)? #file")
def older(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(f"! -newer {word(match.value)}")


@RULES.on(
    "$mod|$acc|$born? (since|after|later than|newer than) #date",
    "newer than #date",
    "$mod|$born (on or after|from) #date",
)
def since(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(f"-newer{_which(frame, match)}t {word(match.value)}")


@RULES.on("$mod|$acc|$born? (before|earlier than|older than|until) #date", "older than #date")
def until(frame: FileFrame, match: Match) -> None:
    frame.files.tests.append(f"! -newer{_which(frame, match)}t {word(match.value)}")


@RULES.on("$mod|$acc|$born? between #date and|to #date", "from #date to #date")
def dates(frame: FileFrame, match: Match) -> None:
    which = _which(frame, match)
    frame.files.tests.append(f"-newer{which}t {word(match[0].value)} ! -newer{which}t {word(match[1].value)}")
