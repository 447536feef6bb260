"""Scores redaction on labelled lines: `python -m bench.redact_lines FILE...`, each line of a FILE a JSON object with
`text`, `secrets` (what must not be left of it) and `harmless` (nothing of it may be touched), or with a `template` that
is filled at random, see bench/unseen."""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
import string
import sys
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from terma.redact import redact

AN = string.ascii_letters + string.digits
ALPHABETS = {
    "a": AN,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "b": AN + "+/",
    "d": "123456789",
    "U": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "B32": string.ascii_uppercase + "234567",
}
BLANK = re.compile(r"<(?:(a|h|H|b|d|U|l|B32):(\d+)|(p|p64|u|b43u))>")
PART = 5  # characters in a row: fewer may stand in a line by chance
WORDS = (
    "harbor winter maple copper falcon sunset garden pirate bridge monkey silver cactus rocket tiger".split()
)


@dataclass
class Score:
    """Counts, and the texts that were missed or touched, each with what it became."""

    secrets: int = 0
    harmless: int = 0
    parted: int = 0  # secrets that are not left whole, and of which a part is
    missed: list[tuple[str, str]] = field(default_factory=list)
    touched: list[tuple[str, str]] = field(default_factory=list)

    @property
    def hidden(self) -> float:
        """Per cent of the secrets."""
        return 100 * (1 - len(self.missed) / max(self.secrets, 1))

    @property
    def gone(self) -> float:
        """Per cent of the secrets of which no part is left either."""
        return 100 * (1 - (len(self.missed) + self.parted) / max(self.secrets, 1))

    @property
    def marked(self) -> float:
        """Per cent of the harmless texts."""
        return 100 * len(self.touched) / max(self.harmless, 1)


def score(rows: list[dict[str, object]]) -> Score:
    """Each secret counts by itself; a text with none of its own is harmless."""
    found = Score()
    for row in rows:
        text = str(row["text"])
        shown = redact(text).text
        if row.get("harmless") or not row["secrets"]:
            found.harmless += 1
            if shown != text:
                found.touched.append((text, shown))
            continue
        wanted = row["secrets"]
        assert isinstance(wanted, list)
        for secret in wanted:
            found.secrets += 1
            if str(secret) in shown:
                found.missed.append((text, shown))
            elif left_in_part(text, str(secret), shown):
                found.parted += 1
    return found


def left_in_part(text: str, secret: str, shown: str) -> bool:
    """Whether PART characters of `secret` in a row stand in `shown` that the rest of `text` does not explain."""
    rest = text.replace(secret, "\n")
    parts = (secret[at : at + PART] for at in range(len(secret) - PART + 1))
    return any(part in shown and part not in rest for part in parts)


def filled(template: str, source: random.Random) -> dict[str, object]:
    """A row of `template`: each blank is filled, and the secrets are what stands between « and »."""

    def fill(blank: re.Match[str]) -> str:
        if blank[1]:
            return "".join(source.choices(ALPHABETS[blank[1]], k=int(blank[2])))
        if blank[3] == "u":
            return str(uuid.UUID(int=source.getrandbits(128), version=4))
        if blank[3] == "b43u":
            return "".join(source.choices(AN, k=40)) + "%2B" + "".join(source.choices(AN, k=2))
        word = _password(source)
        return word if blank[3] == "p" else base64.b64encode(word.encode()).decode()

    text = BLANK.sub(fill, template)
    secrets = re.findall("«(.*?)»", text)
    return {"text": re.sub("[«»]", "", text), "secrets": secrets, "harmless": not secrets}


def _password(source: random.Random) -> str:
    """As people make them, or as a program does."""
    word, other = source.sample(WORDS, 2)
    return source.choice(
        (
            f"{word.capitalize()}{source.randint(1, 2026)}{source.choice('!#$?')}",
            f"{word}{source.choice('-_.')}{other}{source.randint(1, 99)}",
            "".join(source.choices(AN, k=source.randint(9, 18))),
            "".join(source.choices(AN + "!#*+.-", k=source.randint(11, 16))) + source.choice(AN),
        )
    )


def main(arguments: list[str]) -> int:
    """Print the figures of each file, and with --list what was missed and touched."""
    parser = argparse.ArgumentParser(prog="bench.redact_lines", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="what was missed, and what was touched")
    args = parser.parse_args(arguments)
    for file in args.files:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
        source = random.Random(20)
        rows = [filled(row["template"], source) if "template" in row else row for row in rows]
        begun = time.process_time()
        found = score(rows)
        print(
            f"{file.name}: {found.hidden:.1f} % of {found.secrets} secrets hidden, "
            f"{found.gone:.1f} % with no part left, "
            f"{found.marked:.1f} % of {found.harmless} harmless texts touched, "
            f"{time.process_time() - begun:.1f} s"
        )
        if args.list:
            for what, pairs in (("missed", found.missed), ("touched", found.touched)):
                for text, shown in pairs:
                    print(f"{what}: {text!r}\n     -> {shown!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
