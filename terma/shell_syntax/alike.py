"""Lines that every dialect reads alike, told without reading them: most lines are, and one reading is enough then."""

from __future__ import annotations

from terma import regex as re
from terma.shell_syntax.dialects import DIALECTS

# Plain words, quotes with nothing special inside, variables with nothing behind them that zsh takes for a modifier,
# wildcards, pipes and lists, and redirections that no digit or bracket could make another one of.
_PIECES = r"""
    [A-Za-z0-9_./@%+,:-]+ | (?<=\w)=(?=[\w./,:@%+'"$-]) | [ \t]+ | [*?]
  | '[^'\\!\n^]*' | "(?:[^"\\!$`\n]|\$[A-Za-z_]\w*(?![\w\[:(]))*"
  | \$[A-Za-z_]\w*(?![\w\[:(]) | (?<![^ ])~(?=/)
  | \|\|? | && | ;(?![;&|]) | (?<![^ ])[12]?>{1,2}[ ]?(?=[A-Za-z./_]) | (?<![^ ])2>&1(?![^ ])
"""
_PIECE = re.compile(_PIECES, re.VERBOSE | re.ASCII)
_RESERVED = frozenset().union(*(dialect.reserved for dialect in DIALECTS)) | {"always", "-"}
_WORD = re.compile(r"[a-z]{2,}|-(?= )")


def read_alike(text: str) -> bool:
    """Whether all dialects read `text` in the same way, or refuse it."""
    return not _PIECE.sub("", text) and _RESERVED.isdisjoint(_WORD.findall(text))
