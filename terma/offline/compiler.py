"""From the knowledge files to the compact index: every mistake in a file is named with its file and entry."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from terma import regex as re
from terma import registry
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.sentence import Sentence
from terma.offline.slot_types import base_type
from terma.offline.slots import TYPES
from terma.offline.template import FORMS, Part, Slot, TemplateError, When, parse, slots_of

try:  # hashlib brings OpenSSL: 4 MB in an agent that is to idle below 30
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

FORMAT = 6  # of the compiled index: raise it when its shape or the words' norms change
KNOWLEDGE = Path(__file__).with_name("knowledge")
_SAY_SLOT = re.compile(r"\{([a-z_][a-z_0-9]*)(?::([a-z_][a-z_0-9]*))?(?:=[^{}]*)?\}")
_ENTRY_KEYS = {"id", "say", "run", "macos", "linux", "words", "also", "tool", "about"}


class KnowledgeError(ValueError):
    """A mistake in a knowledge file: `FILE [ENTRY]: what`."""


def sources(folder: Path = KNOWLEDGE) -> list[Path]:
    """The knowledge files of `folder`: one is found by being there."""
    return registry.files(folder, ".toml")


def stamp(paths: Iterable[Path]) -> str:
    """A key of the content: it changes when a knowledge file or a module that shapes the index does."""
    code = [
        Path(__file__).with_name(name)
        for name in (
            "sentence.py",
            "shape.py",
            "lemma.py",
            "lexicon.py",
            "lexicon.txt",
            "slots.py",
            "compiler.py",
        )
    ]
    digest = blake2b(f"terma index {FORMAT}".encode(), digest_size=12)
    for path in [*paths, *code]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def compile_index(paths: Iterable[Path], errors: list[str] | None = None) -> dict[str, Any]:
    """The index as plain data (see Index). Raises KnowledgeError at the first mistake, or collects into `errors`."""
    entries: list[list[Any]] = []
    seen: set[str] = set()
    for path in paths:
        for entry in _read(path, errors):
            try:
                compiled = _entry(path.stem, entry[0], entry[1])
                if compiled[0] in seen:
                    raise KnowledgeError(f"{path.name} [{entry[0]['id']}]: this id is used twice")
                seen.add(compiled[0])
                entries.append(compiled)
            except KnowledgeError as error:
                if errors is None:
                    raise
                errors.append(str(error))
    tools = sorted({entry[1] for entry in entries})
    return {"entries": entries, "tools": tools, **postings(entries)}


def _read(path: Path, errors: list[str] | None) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if errors is None:
            raise KnowledgeError(f"{path.name}: {error}") from error
        errors.append(f"{path.name}: {error}")
        return []
    return [(entry, data) for entry in data.get("entry", [])]


def _entry(family: str, entry: dict[str, Any], defaults: dict[str, Any]) -> list[Any]:
    """[source, tool, run, macos, linux, phrases, modifiers, also, slots]; phrases are norms and `{name:type}`."""
    where = f"{family}.toml [{entry.get('id', '?')}]"
    unknown = set(entry) - _ENTRY_KEYS
    if unknown or not entry.get("id") or not entry.get("say") or not entry.get("run"):
        raise KnowledgeError(
            f"{where}: needs id, say and run{', does not know ' + ', '.join(unknown) if unknown else ''}"
        )
    words: dict[str, list[str]] = entry.get("words", {})
    slots: dict[str, str] = {}
    for say in entry["say"]:
        for name, kind in _SAY_SLOT.findall(say):
            slots[name] = kind or slots.get(name) or ""
    names = frozenset(slots) | frozenset(words)
    templates = {key: entry.get(key, "") for key in ("run", "macos", "linux")}
    for key, text in templates.items():
        _check_template(f"{where} {key}", text, names, slots, words)
    for name, kind in slots.items():
        slots[name] = kind or base_type(name)
        if slots[name] not in TYPES:
            raise KnowledgeError(f"{where}: slot {{{name}}} has the unknown type {slots[name]!r}")
    return [
        f"{family}.{entry['id']}",
        entry.get("tool", defaults.get("tool", family)),
        templates["run"],
        templates["macos"],
        templates["linux"],
        [phrase(say, slots) for say in entry["say"]],
        {name: [" ".join(Sentence.parse(text).norms()) for text in texts] for name, texts in words.items()},
        sorted({norm for text in entry.get("also", []) for norm in Sentence.parse(text).norms()} - STOP),
        slots,
    ]


def _check_template(
    where: str, text: str, names: frozenset[str], slots: dict[str, str], words: dict[str, list[str]]
) -> None:
    try:
        parts = parse(text, names)
    except TemplateError as error:
        raise KnowledgeError(f"{where}: {error}") from error
    mentioned = set(_conditions(parts)) | set(slots_of(parts))
    for name, slot in slots_of(parts).items():
        if name in slots and not slots[name]:
            slots[name] = base_type(name) if slot.type in FORMS else slot.type
        elif name not in slots and name not in words and slot.type in TYPES:
            slots[name] = slot.type
    for name in _conditions(parts):
        if name not in names and base_type(name) not in TYPES:
            raise KnowledgeError(f"{where}: {{?{name}: is no slot and no modifier")
    if where.endswith(" run") and (unused := set(words) - mentioned):
        raise KnowledgeError(f"{where}: the modifier {sorted(unused)[0]!r} is not used")


def _conditions(parts: tuple[Part, ...]) -> Iterable[str]:
    for part in parts:
        if isinstance(part, When):
            yield part.name
            yield from _conditions(part.parts)


def phrase(say: str, slots: dict[str, str]) -> str:
    """One phrasing as norms and `{name:type}`, parted by blanks."""
    names: list[str] = []

    def hide(match: re.Match[str]) -> str:
        names.append(match[1])
        return f"\ue000{len(names) - 1}"

    out = []
    for token in Sentence.parse(_SAY_SLOT.sub(hide, say)).tokens:
        if "\ue000" in token.text:
            number = re.search(r"\ue000(\d+)", token.text)
            name = names[int(number[1])] if number else ""
            out.append(f"{{{name}:{slots[name]}}}")
        else:
            out.append(token.norm.replace(" ", "_"))
    return " ".join(out)


def postings(entries: list[list[Any]]) -> dict[str, Any]:
    """Which entries say a norm, which only explain it, and how telling each norm is (0..1)."""
    say: dict[str, set[int]] = defaultdict(set)
    extra: dict[str, set[int]] = defaultdict(set)
    for number, entry in enumerate(entries):
        for text in entry[5]:
            for norm in text.split():
                if norm[0] != "{":
                    say[norm].add(number)
        for texts in entry[6].values():
            for norm in " ".join(texts).split():
                extra[norm].add(number)
        for norm in (*entry[7], entry[1], entry[0].partition(".")[0]):
            extra[norm].add(number)
    total = math.log(1 + len(entries))
    weight = {}
    for norm in sorted({*say, *extra}):  # the same file from every build
        count = len(say.get(norm, ())) or len(entries) / 8
        value = 0.04 if norm in STOP else math.log(1 + len(entries) / count) / total
        weight[norm] = round(value * (0.6 if norm in LIGHT else 1.0), 3)
    lean = [min(needs(text, weight) for text in entry[5]) for entry in entries]
    return {
        "lean": [round(value, 3) for value in lean],
        "say": {norm: sorted(numbers) for norm, numbers in say.items() if norm not in STOP},
        "extra": {norm: sorted(numbers) for norm, numbers in extra.items() if norm not in STOP},
        "weight": weight,
    }


def needs(text: str, weight: dict[str, float]) -> float:
    """The weight of the words that a phrasing asks for."""
    return sum(weight[norm] for norm in sorted(set(text.split())) if norm[0] != "{" and norm not in STOP)


__all__ = [
    "KNOWLEDGE", "KnowledgeError", "Slot", "compile_index", "needs", "phrase", "postings", "sources", "stamp",
]  # fmt: skip
