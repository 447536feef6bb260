"""Secrets that a table's head, or the command above, gives away: the line that holds one says nothing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact.partners import unlike_a_name
from terma.redact.plausible import is_secret, may_be_string, stands_in
from terma.redact.secret_names import NAME_PARTS, family
from terma.redact.value_shapes import looks_random

Span = tuple[int, int]
ROWS = 200  # of a table
LONGEST = 600  # characters of a line
RULE = re.compile(r"[-+|=: \t]+$")
HINTS = (
    "openssl rand",
    "pwgen",
    "gopass",
    "genkey",
    "with-decryption",
    "base64 -d",
    "code",
    "wachtwoord",
    "passwort",
    "contras",
    "ugfzc3dvcmq6",
    "nmcli",
    "recovery",
    "mnemonic",
    "seed",
    "wallet",
)
PROMPT = re.compile(r"[^\n]{0,60}?[$#%>❯➜][ \t]+(?:sudo[ \t]+)?")
# What prints a secret: generators, password stores, and whatever is asked for one by name.
PRINTS = re.compile(
    r"(?i)openssl[ \t]+rand|\bpwgen\b|\bpass[ \t]+(?:show\b|[\w.@-]+/)|\bgopass\b|genkey|base64[ \t]+(?:-d|--dec)"
    r"|\b(?:get|read|show|print|access|lookup|create|cat|echo|field|find|reveal|view|generate|new|output)\b[^\n]{0,60}"
    r"(?:passw|secret|token|credential|api[-_/]?key|private[-_/]?key|\.key\b|--with-decryption)"
    r"|\bnmcli\b[^\n]{0,80}[ \t](?:-s|--show-secrets)\b"
    r"|(?:token|secret|key|password)s?[ \t:-]{1,2}(?:create|generate|show|get|print)|rails[ \t]+secret"
)
CAPTION = re.compile(
    r"(?i)(?:recovery|backup|scratch|rescue|one[- ]time)[ \t]+codes?[^\n:]{0,60}:?[ \t]*$"
    r"|(?:initial|admin|root|temporary|generated|new|your)\w*[ \t_-]{0,2}(?:password|secret|token|api[ _-]?key)"
    r"[^\n:]{0,40}:?[ \t]*$"
    r"|^\S*/[\w.-]*(?:password|secret|token)[\w.-]*:?[ \t]*$"
    r"|(?:password|passphrase|secret|token|api[ _-]?key)\b[^\n:=\"'(){}]{0,60}:[ \t]*$"
    r"|^[^\s=]*(?:password|secret|token|codes)[\w-]*\.(?:txt|conf|cfg|key|dat|md)(?:\.\w{2,4})?:?[ \t]*$"
)
# A line of words that a wallet is made anew from, and what is said above it.
SPEAKS_OF_WORDS = re.compile(r"(?i)recovery|mnemonic|seed|wallet")
TWELVE_WORDS = re.compile(r"[ \t]{0,8}(?P<v>[a-z]{3,8}(?:[ \t][a-z]{3,8}){11,23})[ \t\r]*(?:\n|$)")
# A file of two lines, the user's name and then the password.
USER_FILE = re.compile(
    r"(?i)^(?:[\w. /-]{0,60}\b(?:auth|login|credentials?|creds|pass)\.(?:txt|conf)|auth-user-pass):?[ \t]*$"
)
ASKS = re.compile(
    r"(?i)(?:passw(?:or)?[dt]|passphrase|wachtwoord|passwort|kennwort|contraseña|\bpw\b)[^\n]{0,80}\?[ \t]*$"
)
ANSWER = re.compile(
    r"(?:\[[^\]\n]{1,30}\][ \t]*)?(?:<?[\w.@-]{1,30}>?:?[ \t]{1,3}(?=\S+[ \t]))?"
    r"(?:(?:it[’']?s|it is|that[’']?s|het is|dat is|es ist|es|is|try)[ \t:]{1,3})?"
    r"[\"'`]?(?P<v>[^\s\"'`<>(){}\[\]:,]{6,100})",
    re.IGNORECASE,
)
# At the prompt of an interpreter, an expression that ends in a name; and the string that it is, on the next line.
REPL = re.compile(
    r"(?:[\w:()*!@./~-]{0,40}>+|In \[\d+\]:|julia>|ghci>)[ \t][^\n]*?"
    r"(?<![\w-])(?P<name>\w[\w-]{0,60})[\"'\])}]*(?:\(\))?[ \t]*$"
)
ECHO = re.compile(
    r"(?:=>|Out\[\d+\]:|\[1\]|#|res\d+:[^=\n]{1,40}=)?[ \t]{0,2}[bru]?"
    r"(?P<q>[\"'])(?P<v>[^\"'\n]{4,400})(?P=q)[ \t\r]*(?:\n|$)"
)
HERE_DOCUMENT = re.compile(
    r"\b(?:\w*passwd|cryptsetup|kinit|su|sudo -S|docker login)\b[^\n|]{0,100}<<-?[ \t]{0,2}[\"']?\w{1,20}[\"']?[ \t]*$"
)
# How a mail server asks for a password, and what the client says.
ASKED_BY_MAIL = "334 UGFzc3dvcmQ6"
SENT = re.compile(r"(?:[\w*<>-]{1,12}:?[ \t]{1,4})?(?P<v>[A-Za-z0-9+/]{4,200}={0,2})[ \t\r]*(?:\n|$)")
BLANKS = re.compile(r"[ \t]{2,}|\t")
ALONE = re.compile(
    r"[ \t]{0,12}(?:[-*•][ \t]+|\d{1,2}[.)][ \t]+)?(?P<q>[\"']?)(?P<v>[^\s<>{}()\[\]\"'`]{6,400})(?P=q)"
    r"[ \t\r]*(?:\n|$)"
)
ALONE_OR_USER = re.compile(r"[^\s<>{}()\[\]\"'`]{1,80}[ \t\r]*\n|" + ALONE.pattern)
DIGIT_IN = re.compile(r"(?=.*\d)(?=.*[A-Za-z])(?=.*-)[\w-]{8,}$")
CODES = 16  # lines of codes


def spans(text: str, lines: list[Span], named: list[Span]) -> Iterator[Span]:
    """Start and end of each; `lines` are those that speak of secrets, in order, `named` those with a name of one."""
    for start, end in lines:
        for at, stop in _rows(text, start, end):
            yield from _said_of_the_next(text, text[at:stop], stop + 1)
    read = 0  # the end of the last table: its rows are no heads
    for start, end in named:
        for at, stop in _rows(text, max(start, read), end):
            if at >= read:
                found, read = _table(text, text[at:stop], stop + 1)
                yield from found


def _rows(text: str, at: int, end: int) -> Iterator[Span]:
    """Each line between `at` and `end` that is not too long and has one behind it."""
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        if stop - at < LONGEST and stop + 1 < len(text):
            yield at, stop
        at = stop + 1


def _said_of_the_next(text: str, line: str, at: int) -> Iterator[Span]:
    """What `line` says of the lines from `at` on."""
    if "?" in line[-4:] and ASKS.search(line) and (answer := ANSWER.match(text, at)):
        value = answer["v"].rstrip(".,;!?")
        if unlike_a_name(value) or (DIGIT_IN.match(value) and not stands_in(value)):
            yield answer.start("v"), answer.start("v") + len(value)
        return
    prompted = ">" in line or "In [" in line
    if (
        prompted
        and (asked := REPL.match(line))
        and (kind := family(asked["name"]))
        and (echo := ECHO.match(text, at))
    ):
        if may_be_string(echo["v"], kind):
            yield echo.span("v")
        return
    if "<<" in line and HERE_DOCUMENT.search(line):
        yield from _alone(text, at, 2)
        return
    if line.endswith(ASKED_BY_MAIL) and (sent := SENT.match(text, at)):
        yield sent.span("v")
        return
    if text[at : at + 1] == "\n":
        at += 1  # an empty line between
    if (words := TWELVE_WORDS.match(text, at)) and SPEAKS_OF_WORDS.search(line):
        if len(words["v"].split()) % 3 == 0:
            yield words.span("v")
        return
    if not ALONE_OR_USER.match(text, at):
        return
    if USER_FILE.search(line):
        yield from _alone(text, text.find("\n", at) + 1, 1)
        return
    if not ALONE.match(text, at):
        return
    prompt = PROMPT.match(line)
    if prompt and PRINTS.search(line, prompt.end()):
        yield from _alone(text, at, 1)
    elif CAPTION.search(line):
        yield from _alone(text, at, CODES if "code" in line.lower() else 1)


def _alone(text: str, at: int, most: int) -> Iterator[Span]:
    """Lines that hold one word each, as a secret does."""
    length = 0
    for _ in range(most):
        line = ALONE.match(text, at)
        if line is None or not (_token(line["v"], most) or len(line["v"]) == length):
            return
        length = len(line["v"])
        yield line.span("v")
        at = line.end()


def _token(value: str, most: int) -> bool:
    if stands_in(value) or "://" in value or value.endswith((":", ",")) or value.count("/") > 3:
        return False
    if most > 1:
        return any(char.isdigit() for char in value)
    return looks_random(value) and len(value) >= 8


def _table(text: str, head: str, at: int) -> tuple[list[Span], int]:
    """Cells below the name of a secret, in rows of as many cells as the head has, and where the table ends."""
    mark = next((mark for mark in "|\t;," if mark in head), "")
    if not mark:
        return _aligned(text, head, at) if "  " in head.strip() else ([], 0)
    following = text[at : max(at, text.find("\n", at, at + LONGEST))] or text[at : at + LONGEST]
    if following.count(mark) != head.count(mark) and not RULE.match(following):
        return [], 0
    names = head.split(mark)
    columns = {number: kind for number, name in enumerate(names) if (kind := _named(name))}
    found: list[Span] = []
    titles = [title for name in names if (title := name.strip().strip("\"'`*_"))]
    if (
        not columns
        or head.rstrip()[-1:] == ","
        or not 2 <= len(titles) <= 60
        or not all(TITLE.match(title) for title in titles)
    ):
        return found, 0  # a list of words, not the head of a table
    for _ in range(ROWS):
        end = text.find("\n", at, at + LONGEST)
        row = text[at : end if end >= 0 else at + LONGEST]
        if not RULE.match(row):
            cells = row.split(mark)
            if len(cells) != len(names):
                return found, at
            found += _cells(cells, columns, at)
        if end < 0:
            return found, at
        at = end + 1
    return found, at


def _aligned(text: str, head: str, at: int) -> tuple[list[Span], int]:
    """As `_table`, where blanks part the columns."""
    names = [name for name in BLANKS.split(head.strip()) if name]
    columns = {number: kind for number, name in enumerate(names) if (kind := _named(name))}
    found: list[Span] = []
    if not columns or not 2 <= len(names) <= 12 or not all(TITLE.match(name) for name in names):
        return found, 0
    for _ in range(ROWS):
        end = text.find("\n", at, at + LONGEST)
        end = min(len(text), at + LONGEST) if end < 0 else end
        cells = [cell for cell in CELL.finditer(text, at, end)]
        if len(cells) != len(names):
            return found, at
        for number, kind in columns.items():
            value = cells[number][0]
            if looks_random(value) and is_secret(value, kind, literal=True):
                found.append(cells[number].span())
        at = end + 1
    return found, at


TITLE, CELL = re.compile(r"[^\W\d][\w /-]{0,30}(?:\([\w ]{1,20}\))?$"), re.compile(r"\S+(?: \S+)*")


def _named(cell: str) -> str:
    """The family of a column whose head is a name, and no sentence or value."""
    name = cell.strip().strip("\"'`*_")
    return family(name) if len(name) <= 40 and len(NAME_PARTS.findall(name)) <= 4 and "=" not in name else ""


def _cells(cells: list[str], columns: dict[int, str], at: int) -> Iterator[Span]:
    for number, cell in enumerate(cells):
        value = cell.strip().strip("\"'`")
        if number in columns and is_secret(value, columns[number], literal=True):
            start = at + cell.find(value)
            yield start, start + len(value)
        at += len(cell) + 1
