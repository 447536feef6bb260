"""Commands that code of another language hands to a device or a database: `c.send_command("write erase")`."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Findings, Word
from terma.risk.rules import verbs
from terma.risk.rules.code import INTERPRETERS
from terma.risk.rules.databases import statements
from terma.risk.rules.languages import own_code

RULES = ()

_HANDED = re.compile(
    r"(?:\.|\b)(?:send(?:line|_\w+)?|exec(?:ute(?:_?\w+)?|_\w+)?|run_\w+|cli|command|query|raw|cmd|do|sql|invoke_\w+)\(\s*"
    r"[bfru]?(?P<q>'''|\"\"\"|['\"])(?P<said>.{3,2000}?)(?P=q)",
    re.S,
)
_MOST = 20  # of such calls


def told(call: Call) -> Findings:
    """What the texts say that the code of `call` hands on: statements, or the words of a device's own language."""
    for code in own_code(call):
        for number, found in enumerate(_HANDED.finditer(code)):
            if number == _MOST:
                return
            found_here = [*statements(call.inner((Word("sql"), Word(found["said"]))))]
            yield from found_here
            said = found["said"].split()
            if found_here or not 1 < len(said) < 12:
                continue
            device = call.inner((Word("device"), *map(Word, said)))
            yield from (
                one for one in verbs.told(device, said, known=True) if one.kind in ("deletes", "stops")
            )


CHECKS = dict.fromkeys(INTERPRETERS, told)
