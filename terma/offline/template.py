"""A command template: its grammar, and its rendering with values quoted for the shell where they stand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from terma import regex as re
from terma.offline.slot_types import base_type
from terma.offline.slots import TYPES
from terma.records import dataclass

_OPEN = re.compile(
    r"\{([?!])([a-z_][a-z_0-9]*):|\{([a-z_][a-z_0-9]*)(?::([a-z_][a-z_0-9]*))?(?:=([^{}]*))?\}"
)
_SAFE = re.compile(r"[A-Za-z0-9_@%+=:,./^-]+\Z")
_EXPANDS = re.compile(r"(?:-i?name|-i?path|-i?wholename|--?include[= ]|--?exclude[= ]|-[igP]|--glob)[= ]?\Z")


FORMS = frozenset(("stem", "suffix", "bare"))  # `{file:stem}`: not a type but a part of the slot's value


class TemplateError(ValueError):
    """A template that does not follow the grammar; the message says where."""


@dataclass(frozen=True, slots=True)
class Slot:
    """`{name:type=default}`."""

    name: str
    type: str
    default: str | None


@dataclass(frozen=True, slots=True)
class When:
    """`{?name: …}` (wanted) or `{!name: …}` (not wanted)."""

    name: str
    wanted: bool
    parts: tuple[Part, ...]


Part = str | Slot | When


@lru_cache(maxsize=256)
def parse(text: str, names: frozenset[str]) -> tuple[Part, ...]:
    """The parts of `text`; `names` are the slots and modifiers. Other braces are text. Raises TemplateError."""
    parts, rest = _parse(text, names, nested=False)
    if rest:
        raise TemplateError(f"unbalanced braces before {rest[:20]!r}")
    return parts


def _parse(text: str, names: frozenset[str], nested: bool) -> tuple[tuple[Part, ...], str]:
    parts: list[Part] = []
    literal: list[str] = []
    depth = 0

    def flush() -> None:
        if literal:
            parts.append("".join(literal))
            literal.clear()

    while text:
        match = _OPEN.match(text) if text[0] == "{" else None
        if match and match[1]:
            inner, text = _parse(text[match.end() :], names, nested=True)
            flush()
            parts.append(When(match[2], match[1] == "?", inner))
        elif match and (match[3] in names or match[5] is not None or match[4] in TYPES):
            flush()
            parts.append(Slot(match[3], match[4] or base_type(match[3]), match[5]))
            text = text[match.end() :]
        elif nested and text[0] == "}" and depth == 0:
            flush()
            return tuple(parts), text[1:]
        else:
            depth += (text[0] == "{") - (text[0] == "}")
            literal.append(text[0])
            text = text[1:]
    if nested:
        raise TemplateError("a {?…: or {!…: is not closed")
    flush()
    return tuple(parts), ""


def slots_of(parts: Collection[Part]) -> dict[str, Slot]:
    """Every slot of a template, conditional ones included; a slot keeps its default if one mention has it."""
    found: dict[str, Slot] = {}
    for part in parts:
        if isinstance(part, Slot):
            if part.name not in found or part.default is not None:
                found[part.name] = part
        elif isinstance(part, When):
            for name, slot in slots_of(part.parts).items():
                found.setdefault(name, slot)
    return found


def required(parts: Collection[Part], on: Collection[str]) -> list[Slot]:
    """Slots that stand in the command, without a default, when `on` are filled or switched on."""
    found: list[Slot] = []
    for part in parts:
        if isinstance(part, Slot) and part.default is None:
            found.append(part)
        elif isinstance(part, When) and (part.name in on) == part.wanted:
            found.extend(required(part.parts, on))
    return found


class Renderer:
    """Writes a template out, and remembers in which quotes it stands."""

    def __init__(self, values: Mapping[str, str], on: Collection[str]) -> None:
        self.values, self.on = values, on
        self.out: list[str] = []
        self.quote = ""
        self.missing: list[str] = []

    def render(self, parts: Collection[Part]) -> str:
        self._write(parts)
        return "".join(self.out)

    def _write(self, parts: Collection[Part]) -> None:
        for part in parts:
            if isinstance(part, str):
                self._literal(part)
            elif isinstance(part, When):
                if (part.name in self.on) == part.wanted:
                    self._write(part.parts)
            else:
                self._slot(part)

    def _literal(self, text: str) -> None:
        skip = False
        for char in text:
            if skip:
                skip = False
            elif char == "\\" and self.quote != "'":
                skip = True
            elif char == self.quote:
                self.quote = ""
            elif not self.quote and char in "'\"":
                self.quote = char
        self.out.append(text)

    def _slot(self, slot: Slot) -> None:
        value = self.values.get(slot.name)
        if value is None and slot.default is not None:
            self._literal(slot.default)
            return
        if value is None:
            self.missing.append(slot.name)
            self.out.append("{" + slot.name + "}")
            return
        if slot.type in FORMS:
            value = _derived(value, slot.type)
        before = "".join(self.out[-3:])
        if before.endswith(" ./") and value.startswith(
            ("./", "../", "/", "~/")
        ):  # it says itself where it is
            self.out[:] = ["".join(self.out).removesuffix("./")]
        self.out.append(quoted(value, slot.type, self.quote, before))


_FIND_SIZE = re.compile(r"-size [+-]?\Z")


def _derived(path: str, part: str) -> str:
    """Of `{file:stem}` the path without its last extension, of `suffix` that extension without its dot, of
    `{dir:bare}` the path without a closing slash."""
    path = path.rstrip("/") or path
    if part == "bare":
        return "" if path == "/" else path
    stem, dot, suffix = path.rpartition(".")
    named = bool(dot) and bool(stem.rpartition("/")[2]) and "/" not in suffix
    if part == "suffix":
        return suffix if named else ""
    return stem if named else path


def quoted(value: str, kind: str, quote: str, before: str) -> str:
    """`value` as it must stand inside `quote` ("" outside quotes) after the text `before`."""
    base = base_type(kind)
    if base in ("pattern", "replacement") and re.search(r"(?:s|\s|')/[^/']*/?\Z|\Ws[|/][^|]*\Z|'/\Z", before):
        value = value.replace("/", "\\/")
        if base == "replacement":
            value = value.replace("&", "\\&")
    if base == "size" and value.endswith("c") and not _FIND_SIZE.search(before):
        value = value[:-1]  # find's own letter for bytes
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote == '"':
        return re.sub(r'(["`\\]|\$(?![A-Za-z_{]))', r"\\\1", value)
    if base == "command":
        return value
    if base == "glob" and not _EXPANDS.search(before) and not re.search(r"[\s'\"$;&|<>()`\\]", value):
        return value
    return shell_word(value)


def shell_word(value: str) -> str:
    """`value` as one word of a POSIX shell; a leading ~/ and a plain $NAME still expand."""
    if _SAFE.match(value):
        return value
    if re.match(r"\$\{?[A-Za-z_]\w*\}?(?:/[\w./-]*)?\Z", value):
        return f'"{value}"'
    if value == "~" or (value.startswith("~") and _SAFE.match(value[1:])):
        return value
    if value.startswith("~/"):
        return "~/" + shell_word(value[2:])
    if "'" not in value:
        return f"'{value}'"
    if not re.search(r'["$`\\!]', value):
        return f'"{value}"'
    return "'" + value.replace("'", "'\\''") + "'"
