"""What a model's server and its habits leave around a command, taken off: template marks, line ends, typography.

Each is read from the left, so that what is made of a beginning is the beginning of what is made of the whole.
"""

from __future__ import annotations

import re

# A chat template's own marks, which a server with another template leaves in: `<|im_end|>`, `<end_of_turn>`, `</s>`.
_ENDS = re.compile(
    r"<\|(?:im_end|eot_id|end|endoftext|end_of_text|eom_id|im_sep)\|>|<end_of_turn>|<｜end▁of▁sentence｜>"
)
_LAST = re.compile(r"</s>\s*\Z")
_BEGINS = re.compile(
    r"\s*(?:(?:<s>|<\|(?:im_start|start_header_id|begin_of_text|assistant)\|>|<start_of_turn>)\s*"
    r"(?:(?:assistant|model)\b(?:<\|end_header_id\|>)?\s*)?)+"
)
_BEGUN = re.compile(
    r"<(?:[|｜][^|>\n]{0,30}[|｜]?|/s?>?|/?(?:e|en|end_?[a-z_]{0,8}|s|st|start_?[a-z_]{0,8}))?\s*\Z"
)
# Thoughts whose first mark the template wrote: the answer begins behind the last one.
_THOUGHT = re.compile(
    r"\A(?:(?!<(?:think|thinking|reasoning)>).)*</(?:think|thinking|reasoning)>\s*", re.DOTALL
)
_BLANKS = "\u00a0\u2007\u202f\u3000"
_MEANT = {"‘": "'", "’": "'", "“": '"', "”": '"', **dict.fromkeys(_BLANKS, " ")}
_HYPHENS = "－\u2010\u2011\u2212"


def without_marks(raw: str, *, whole: bool = False) -> str:
    """The reply without a template's marks and thoughts whose beginning it left out. `whole`: nothing follows; else
    what may yet become a mark is left out too."""
    text = raw.replace("\r\n", "\n")
    if not whole:
        text = text.removesuffix("\r")
    if begins := _BEGINS.match(text):
        text = text[begins.end() :]
        if not whole and any(role.startswith(text.strip()) for role in ("assistant", "model")):
            return ""
    if end := _ENDS.search(text):
        text = text[: end.start()]
    text = _LAST.sub("", text) if whole else _BEGUN.sub("", text)
    return _THOUGHT.sub("", text, count=1)


def as_typed(command: str, *, whole: bool = True) -> str:
    """The command with what typography made of quotes, blanks and dashes as a keyboard writes it, outside quotes. What
    a here-document holds stays as it is."""
    if command.isascii() or "<<" in command:
        return command
    made: list[str] = []
    quote = ""
    for at, written in enumerate(command):
        char = written
        escaped = at > 0 and command[at - 1] == "\\" and quote != "'"
        if quote:
            typographic = quote in "‘“"
            if not escaped and (char == quote or (typographic and char == {"‘": "’", "“": "”"}[quote])):
                char, quote = _MEANT.get(char, char), ""
        elif char in "'\"‘“" and not escaped:
            quote, char = char, _MEANT.get(char, char)
        elif at and command[at - 1] in f" \t{_BLANKS}" and char in f"—{_HYPHENS}":
            if at + 1 == len(command):
                char = char if whole else ""
            elif command[at + 1].isalnum() or (char in _HYPHENS and command[at + 1] in _HYPHENS):
                char = "--" if char == "—" else "-"
        elif at > 1 and char in _HYPHENS and command[at - 1] in _HYPHENS and command[at - 2].isspace():
            char = "-"
        else:
            char = _MEANT.get(char, char)
        made.append(char)
    return "".join(made)
