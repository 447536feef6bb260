"""Points in time in their BSD form: date and touch."""

from __future__ import annotations

from terma import regex as re
from terma.dialect.bsd.words import Piece

_UNIT = "(second|minute|hour|day|week|month|year)s?"
_AGO = re.compile(rf"(?:(\d+)|(an?|last|next)) {_UNIT}( ago)?\Z|([+-])\s?(\d+) {_UNIT}\Z")
_LETTER = {"second": "S", "minute": "M", "hour": "H", "day": "d", "week": "w", "month": "m", "year": "y"}


def date(args: list[Piece], system: str) -> bool:
    for at, arg in enumerate(args[1:], 1):
        option, place = arg.value, at
        if option in ("-d", "--date") and at + 1 < len(args):
            place, said = at + 1, args[at + 1].value
        elif option.startswith("--date="):
            said = option[7:]
        elif option.startswith("-d") and len(option) > 2:
            said = option[2:]
        elif (
            option.startswith("--")
            or option == "-s"
            or (option[:1] == "+" and re.search(r"%\d*[NP]", option))
        ):
            return False
        else:
            continue
        new = _moment(said)
        if new is None or any(re.search(r"%\d*[NP]", other.value) for other in args[1:]):
            return False
        args[place].text = ""
        arg.text = new
    return True


def _moment(said: str) -> str | None:
    """`3 days ago` as -v-3d; None when BSD's date has no words for it."""
    said = said.lower()
    if said[:1] == "@" and said[1:].isdigit():
        return f"-r {said[1:]}"
    if said in ("yesterday", "tomorrow", "now", "today"):
        return {"yesterday": "-v-1d", "tomorrow": "-v+1d"}.get(said, "")
    found = _AGO.match(said)
    if not found:
        return None
    if found[5]:
        return f"-v{found[5]}{int(found[6])}{_LETTER[found[7]]}"
    back = bool(found[4]) or found[2] == "last"
    return f"-v{'-' if back else '+'}{int(found[1] or 1)}{_LETTER[found[3]]}"


def touch(args: list[Piece], system: str) -> bool:
    for at, arg in enumerate(args[1:], 1):
        option = arg.value
        if option in ("-d", "--date") and at + 1 < len(args):
            place, said = at + 1, args[at + 1].value
        elif option.startswith("--date="):
            place, said = at, option[7:]
        else:
            continue
        found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?", said)
        if not found:
            return False
        args[place].text = ""
        clock = (found[4] or "00") + (found[5] or "00") + (f".{found[6]}" if found[6] else "")
        arg.text = f"-t {found[1]}{found[2]}{found[3]}{clock}"
    return not any(arg.value.startswith("--") for arg in args[1:])
