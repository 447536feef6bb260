"""Commands that a program which no row knows is handed: `frob exec web -- rm -rf x`, `frob -c 'rm -rf x'`.

Whether it runs them nobody knows; that they stand there is enough to judge them.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from terma import regex as re
from terma.risk.model import Call

# A program by whose name somebody would hand a command on; a word of this name alone may be a subcommand.
_PROGRAMS = (
    r"(?:/\S*/)?(?:rm|dd|shred|mkfs(?:\.\w+)?|wipefs|chmod|chown|ba?sh|zsh|dash|curl|wget|nc|sudo|doas|reboot|shutdown"
    r"|poweroff|halt|p?kill|killall|mv|tee|truncate|find|xargs|docker|kubectl|systemctl|iptables|userdel|crontab|eval)"
)
_ANYWHERE = re.compile(rf"(?<![\w.-]){_PROGRAMS}(?![\w.])")
_ALONE = re.compile(_PROGRAMS)
_LINE = re.compile(rf"\s*(?:\w+=\S*\s+)*{_PROGRAMS}\s+\S", re.S)
# In code of a language that is not read here: what stands in quotes there.
_QUOTED = re.compile(rf"[\"'`]\s*({_PROGRAMS}\s[^\"'`]*)[\"'`]", re.S)
# Options whose value is for people, or is looked for.
_PROSE = set(
    "-m --message --title --subject --body --description --comment --note --text --name --label --reason --grep "
    "--search --query --filter --pattern --match".split()
)


def possible(call: Call) -> bool:
    """Whether the name of such a program stands anywhere in the words of `call`."""
    return any(_ANYWHERE.search(word.text) for word in call.args)


def commands(call: Call) -> Iterator[str]:
    """The shell text that stands in the words of `call` and begins with a program that could do harm."""
    texts = [word.text for word in call.args]
    for at, text in enumerate(texts):
        if text.partition("=")[0] in _PROSE or (at and texts[at - 1] in _PROSE):
            continue
        value = text.partition("=")[2] if text.startswith("-") else text
        if _LINE.match(value):
            yield value
        elif _ALONE.fullmatch(value) and at + 1 < len(texts):
            rest = texts[at + 1 :]
            yield shlex.join([value, *(rest[1:] if rest[0] == "--" else rest)])
            return
        elif " " in value:
            yield from (found[1] for found in _QUOTED.finditer(value))
