"""Checks of the knowledge files: the grammar of each entry, and that each phrasing finds its own entry first."""

from __future__ import annotations

from terma.offline.compiler import compile_index, sources
from terma.offline.draft import Context
from terma.offline.index import Index
from terma.offline.retrieve import readings
from terma.offline.sentence import Sentence

# What a phrasing's slot reads like in a sentence, by type.
EXAMPLES = {
    "file": "notes.txt", "path": "/srv/app", "dir": "/srv/data/", "archive": "old.tar.gz", "image": "cat.png",
    "glob": "*.csv", "ext": ".csv", "size": "20 MB", "bytes": "512 bytes", "duration": "3 days", "minutes": "5 minutes",
    "days": "3 days", "seconds": "20 seconds", "hours": "2 hours", "count": "4", "number": "12", "column": "3",
    "field": "3", "port": "9000", "pid": "4711", "ip": "10.0.0.7", "url": "https://example.com/x.iso",
    "domain": "example.com", "host": "web7", "userhost": "ann@web7", "perm": "640", "pattern": "'needle'",
    "text": "'some text'", "message": "'some text'", "replacement": "'thread'", "command": "'make all'",
    "date": "2024-05-06", "time": "10:30", "separator": "comma", "env": "$EDITOR", "device": "/dev/sdb1",
    "commit": "a1b2c3d", "imagename": "redis:7", "string": "'needle'", "word": "'needle'", "value": "'thread'",
    "any": "'needle'", "regex": "'needle'", "char": "','", "expr": "'2+2'", "expression": "'2+2'", "title": "'needle'",
    "width": "80", "percent": "50%", "version": "3.12.1", "remotepath": "web7:/srv/x", "timezone": "Europe/Paris",
}  # fmt: skip


def check(families: list[str]) -> int:
    """Print every mistake; 1 when a file is wrong, 0 when only phrasings lose to other entries (reported too)."""
    errors: list[str] = []
    index = Index.of(compile_index(sources(), errors))
    for error in errors:
        print(f"error: {error}")
    lost = total = 0
    for number in range(len(index.rows)):
        entry = index.entry(number)
        if families and entry.source.partition(".")[0] not in families:
            continue
        for items in entry.phrases:
            total += 1
            words = " ".join(example(item) for item in items)
            found = readings(Sentence.parse(words), Context(), index)
            if not found or found[0].entry.source != entry.source:
                lost += 1
                winner = found[0].entry.source if found else "nothing"
                print(f"lost: {entry.source}: {words!r} finds {winner}")
    print(f"{len(index.rows)} entries, {total} phrasings, {lost} find another entry, {len(errors)} errors")
    return 1 if errors else 0


def example(item: str) -> str:
    """A phrasing's item as it might be said."""
    if item[0] != "{":
        return item.replace("_", " ")
    name, _, kind = item[1:-1].partition(":")
    return EXAMPLES.get(kind.rstrip("0123456789"), f"my-{name}")
