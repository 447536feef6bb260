"""What single characters are called in a sentence, as a command writes them."""

from __future__ import annotations

_NAMES = {
    "comma": ",", "tab": "\\t", "space": " ", "semicolon": ";", "colon": ":", "pipe": "|", "dash": "-", "hyphen": "-",
    "underscore": "_", "newline": "\\n", "slash": "/", "dot": ".", "period": ".", "blank": " ",
}  # fmt: skip
CHARACTERS = {
    **_NAMES,
    **{name + ("es" if name.endswith("sh") else "s"): char for name, char in _NAMES.items()},
    "whitespace": " ", "plus": "+", "equals": "=", "quote": "'", "quotes": '"',
}  # fmt: skip
# Marks that stand in pairs, or that are spelt out: what they are called is text of no file either.
PAIRS = frozenset(
    "parenthesis parentheses bracket brackets brace braces apostrophe apostrophes asterisk asterisks backslash".split()
)
