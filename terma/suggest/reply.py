"""The command in what a model says: fences, prompts, prose and thoughts are taken out while it streams.

Nothing may flash on the prompt that is taken back later, so text is held until it is certain to be part of the
command: a first line that reads like a sentence waits for its end, a new line waits for its first word. What is given
out is a prefix of what `close` returns.
"""

from __future__ import annotations

import json
import re

from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.suggest.typed import as_typed, without_marks

_THOUGHTS = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.S)
_THOUGHT_TAGS = ("<think>", "<thinking>", "<reasoning>")
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[ \t]*[\w+-]*[ \t]*\n", re.M)
_FENCE_BEGUN = re.compile(r"(?:^|\n)[ \t]*(?:`{1,2}\Z|```|~)")
_MARK = r"(?:\$|%|❯|➜|>|[-*•]|\d{1,2}[.)]|[\w.-]+@[\w.-]+(?:[:~ ][^\n$#%]{0,60})?[$#%])[ \t]+"
_PROMPT = re.compile(_MARK)
_TAGGED = re.compile(r"\s*<(command|cmd|code|bash|shell|sh|answer)>(.*?)</\1>", re.DOTALL)
# What is not decided before it ends: JSON, a tag, one quoted word, a prompt with a host.
_HELD = re.compile(
    r"\[\s*(?:[{\"]|\Z)|<(?:[a-z]*\Z|(?:command|cmd|code|bash|shell|sh|answer)>)|\"[^\"]*\"?\s*\Z|'[^']*'?\s*\Z"
    r"|[\w.-]+@[\w.-]*(?:[:~ ][^\n$#%]*)?[$#%]?[ \t]*\Z|\d{1,2}[.)]?[ \t]*\Z|[-*•][ \t]*\Z"
)
# Openings that models love; otherwise a sentence is a capitalised word and more words. A program's name is seldom
# capitalised, and an assignment (`LC_ALL=C sort`) has no blank before its sign.
_OPENINGS = ("sure", "here is", "here's", "you can", "to do this", "this will", "this command", "note")
_PROSE = re.compile(
    r"[A-Z][a-z]*(?:'\w+)?[,:!.]?(?:[ \t]+|\n|\Z)|[A-Z][a-z]+ing\b|[-*•] +[A-Z`*]|\*\*|\d+\. +[A-Z`*]|#{1,6} +[A-Z]"
)
_UNSURE = re.compile(r"[A-Z][A-Za-z']*\Z|[-*•#\d.]*[ \t]*\Z")
_LABEL = re.compile(r"(?i)(?:command|answer|output|bash|zsh|sh|shell)[ \t]*:[ \t]*\n?")


class CommandStream:
    """`feed` pieces of a model's reply; each call returns what is certain now. `close` returns the whole command, ""
    when the reply holds none. `refusal` is the reason when the reply is nothing but a comment."""

    def __init__(self) -> None:
        self._raw = ""
        self._given = ""
        self.refusal = ""

    def feed(self, piece: str) -> str:
        """More of the command, "" while nothing is certain."""
        self._raw += piece
        return self._advance(_certain(self._raw))

    def close(self) -> str:
        """All of it. What `feed` gave is its beginning."""
        command = command_in(self._raw)
        if not self._given and (not command or (command.startswith("# ") and "\n" not in command)):
            self.refusal = (
                (command or _THOUGHTS.sub("", without_marks(self._raw, whole=True))).strip().lstrip("# ")
            )
            return ""
        return command if command.startswith(self._given) else self._given

    @property
    def is_last(self) -> bool:
        """Whether the reply ends with its command: what is cut off there is the command itself."""
        return self._raw.rstrip().endswith(command_in(self._raw).rstrip() or "\0")

    def _advance(self, certain: str) -> str:
        if len(certain) <= len(self._given) or not certain.startswith(self._given):
            return ""
        more = certain[len(self._given) :]
        self._given = certain
        return more


def command_in(reply: str) -> str:
    """The command in a whole reply."""
    return as_typed(_uncommented(_command_in(_THOUGHTS.sub("", without_marks(reply, whole=True), count=3))))


def _command_in(text: str) -> str:
    if tagged := _TAGGED.match(text):
        return tagged[2].strip()
    if structured := _json(text):
        return structured
    fenced = _fenced(text)
    if fenced is not None:
        return _unprompted(fenced).strip("\n").rstrip()
    text = _LABEL.sub("", text.strip(), count=1) if _LABEL.match(text.strip()) else text.strip()
    if _reads_like_prose(text) and len(inline := re.findall(r"`([^`\n]+)`", text)) == 1 and "\n" not in text:
        return str(inline[0]).strip()
    lines = _without_prose(text.splitlines())
    return _unquoted(_unprompted("\n".join(lines)).strip())


def _certain(raw: str) -> str:
    """The part of the command that no further text can change."""
    return as_typed(_certain_of(_THOUGHTS.sub("", without_marks(raw), count=3)), whole=False)


def _certain_of(text: str) -> str:
    start = text.lstrip()
    if not start or (start.startswith(("{", "`")) and not start.startswith("```")) or _HELD.match(start):
        return ""
    if any(start.startswith(tag) or tag.startswith(start) for tag in _THOUGHT_TAGS):
        return ""
    if (opened := _FENCE.search(text)) and _only_prose(text[: opened.start()]):
        body = text[opened.end() :]
        end = re.search(rf"^[ \t]*{re.escape(opened[1])}", body, re.M)
        body = body[: end.start()] if end else _before_a_mark(body)
        if body.strip() in ("$", "%", ">") or _HELD.match(body.lstrip()):
            return ""
        return _settled_comment(_unprompted(body).lstrip("\n").rstrip())
    if _FENCE_BEGUN.search(text) or _LABEL.match(start) or re.match(r"(?i)[a-z]{1,7}[ \t]*:?\Z", start):
        return ""
    lines = start.split("\n")
    if _reads_like_prose(lines[0]) or _is_unsure(start) or _PROMPT.fullmatch(start) or start in "$%>❯➜":
        return ""
    if start.startswith("# "):
        return ""
    return _settled(lines)


def _settled_comment(text: str) -> str:
    """The text behind the comment lines that it begins with; "" while they have not ended."""
    behind = _uncommented(text)
    return "" if re.match(r"\s*#(?:[ \t]|\Z)", behind) else behind


def _uncommented(text: str) -> str:
    """A command without the comments before it; comments alone stay."""
    lines = text.splitlines()
    first = next(
        (at for at, line in enumerate(lines) if line.strip() and not re.match(r"\s*#[ \t]", line)), 0
    )
    return "\n".join(lines[first:]) if first else text


def _settled(lines: list[str]) -> str:
    """Of plain lines, those that are decided: inside quotes and here-documents anything, else no prose."""
    kept = [lines[0]]
    for line in lines[1:]:
        if _is_open("\n".join(kept)):
            kept.append(line)
        elif not line.strip() or line.strip() in "$%>❯➜" or _is_unsure(line) or _reads_like_prose(line):
            break
        else:
            kept.append(line)
    text = _unprompted("\n".join(kept)).rstrip()
    return text[:-1].rstrip() if text.endswith("`") else text


def _before_a_mark(body: str) -> str:
    """A fence's body without what may be the beginning of its closing mark."""
    return re.sub(r"(?:^|\n)[ \t]*[`~]*\Z", "", body)


def _fenced(text: str) -> str | None:
    """The first fenced block behind nothing but prose; None when there is none."""
    opened = _FENCE.search(text)
    if not opened or not _only_prose(text[: opened.start()]):
        return None
    body = text[opened.end() :]
    end = re.search(rf"^[ \t]*{re.escape(opened[1])}", body, re.M)
    return body[: end.start()] if end else body


def _only_prose(text: str) -> bool:
    return all(
        not line.strip() or _reads_like_prose(line) or line.rstrip().endswith(":")
        for line in text.splitlines()
    )


def _reads_like_prose(line: str) -> bool:
    line = line.strip()
    if re.match(r"[A-Za-z_]\w*=", line):
        return False
    opening = any(re.match(rf"(?i){re.escape(words)}\b(?!\S*[=/(])", line) for words in _OPENINGS)
    return opening or bool(_PROSE.match(line))


def _is_unsure(text: str) -> bool:
    """Whether more text may yet turn this beginning of a line into prose."""
    return bool(_UNSURE.match(text)) or any(words.startswith(text.strip().lower()) for words in _OPENINGS)


def _without_prose(lines: list[str]) -> list[str]:
    """Lines from the first that is no prose to the next that is; all of them when nothing else is there."""
    while lines and (not lines[0].strip() or _reads_like_prose(lines[0]) or lines[0].rstrip().endswith(":")):
        if len([line for line in lines if line.strip()]) == 1 and not _sentence(lines[0]):
            break
        lines = lines[1:]
    kept: list[str] = []
    for line in lines:
        if kept and not _is_open("\n".join(kept)) and (not line.strip() or _reads_like_prose(line)):
            break
        kept.append(line)
    return kept


def _sentence(line: str) -> bool:
    return len(line.split()) > 3 and _reads_like_prose(line)


def _is_open(text: str) -> bool:
    """Whether a shell would wait for more of the command behind `text`: in a quote, a loop, a here-document."""
    # with the line's end too: `case x in` ends its last word only there
    return any(_incomplete(text + end) for end in ("", "\n"))


def _incomplete(text: str) -> bool:
    try:
        parse(text, BASH)
    except ShellSyntaxError as error:
        return error.incomplete
    return False


def _unprompted(text: str) -> str:
    """Without the prompt that stands before each command; without one on the first line nothing is taken."""
    stripped = text.lstrip("\n")
    first = _PROMPT.match(stripped.lstrip(" \t"))
    if not first or (first[0][0] == ">" and not stripped.lstrip()[1:2].isspace()):
        return text
    lines = [re.sub(rf"^[ \t]*{_MARK}", "", line, count=1) for line in stripped.splitlines()]
    return "\n".join(lines)


def _unquoted(text: str) -> str:
    """`` `ls -l` ``, ``**`ls`**`` and a whole command in quotes without their marks."""
    inner = re.fullmatch(r"\*{0,2}(`+)([^`]+)\1\*{0,2}[.]?", text.strip())
    quoted = re.fullmatch(r"([\"'])([\w./~-]+ (?:(?!\1).)+)\1", text.strip())
    if not inner and quoted and not _incomplete(quoted[2]):  # no program's name has a blank
        return quoted[2].strip()
    return inner[2].strip() if inner else text


def _json(text: str) -> str:
    """The command of a reply that is an object with one, or a list of them; "" otherwise."""
    stripped = text.strip()
    if not re.match(r"\{|\[\s*[{\"]", stripped):
        return ""
    try:
        value = json.loads(stripped)
    except ValueError:
        return ""
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    if isinstance(value, dict):
        value = next((value[key] for key in ("command", "cmd") if key in value), None)
    return value.strip() if isinstance(value, str) else ""
