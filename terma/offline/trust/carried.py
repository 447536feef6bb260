"""Whether what a sentence names stands in the command, in a form that means the same."""

from __future__ import annotations

import re

from terma.offline.draft import Context
from terma.offline.lexicon import UNIT_SECONDS
from terma.offline.tokens import Token
from terma.offline.trust import spared
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts


def literals(facts: Facts, command: str, _: Context) -> bool:
    """No number, name, path or quoted text of the sentence is lost."""
    return all(carried(facts.sentence.tokens[i], command) or _said_of(facts, i) for i in facts.literals)


def apart(facts: Facts, command: str, _: Context) -> bool:
    """Names that differ in capital letters alone are two in the command as well: `.JPG` to `.jpg`."""
    texts: dict[str, set[str]] = {}
    for i in facts.literals:
        text = facts.sentence.tokens[i].text.strip("*.,")
        texts.setdefault(text.lower(), set()).add(text)
    return all(text in command for same in texts.values() if len(same) > 1 for text in same)


def once(facts: Facts, command: str, _: Context) -> bool:
    """No value stands twice in a list ("-L 4-9,4-9"), no port behind an address that has it ("db:5432:5432"), no value
    behind what it begins with ("tank/home@tank/home@monday")."""
    values = {token.value for token in facts.sentence.tokens if not token.value.isdigit()}
    for word in (word for simple in simples(command) for word in simple.words):
        parts = word.split(",")
        if len(parts) > len(set(parts)) and not values.isdisjoint(parts):
            return False
        host, _colon, port = word.rpartition(":")
        if port.isdigit() and host.endswith(f":{port}") and host in values:
            return False
        if any(_begins_twice(word, value) for value in values):
            return False
    return True


_JOINTS = "/@=:"


def _begins_twice(word: str, value: str) -> bool:
    """Whether what stands in the word before the value is what the value begins with: "deployment/deploy/api"."""
    before = word.removesuffix(value)
    joint = before[-1:]
    if before == word or not joint or joint not in _JOINTS or joint not in value:
        return False
    short, long_ = sorted((before[:-1], value.split(joint, maxsplit=1)[0]), key=len)
    return len(short) > 1 and long_.startswith(short)


def _said_of(facts: Facts, i: int) -> bool:
    """A denied literal may go unsaid only where the denial repeats what the command does not do anyway, and so may what
    is to be kept."""
    if facts.sentence.tokens[i].value in spared.kept_names(facts):
        return True
    return i in facts.denied and not any(i in d.scope and d.leaves_out for d in facts.denials)


def carried(token: Token, command: str) -> bool:
    """Whether the token stands in the command, in a form that means the same."""
    low = command.lower()
    if token.text in command or token.value in command or token.text.lower() in low:
        return True
    if token.kind in ("ext", "slot"):
        return any(ext in low for ext in _extensions(token.value))
    if token.kind == "duration":
        return _amount(token.value, command)
    if token.kind == "size" and token.value[:-1] == "0":
        return "-empty" in command
    if token.kind == "size":
        digits = re.match(r"[\d.]+", token.value)
        return digits is not None and _has_number(
            float(digits[0]), command, (1, 1024, 1000, 1024**2, 10**6, 1024**3, 2048, 1 / 1024)
        )
    if token.kind in ("number", "ordinal", "port") and re.fullmatch(r"[\d.]+", token.value):
        value = float(token.value)
        beside = (value, value + 1, value - 1, value / 100, value * 1000, value * 60)
        return value <= 1 or any(_number_in(number, command) for number in beside)
    if token.kind in ("path", "glob", "file", "quoted", "remotepath", "url", "domain", "userhost"):
        bare = re.escape(token.value.strip("/"))
        plain = re.sub(r"[\\'\"]", "", low)
        return bool(re.search(bare.lower(), low)) or re.sub(r"[\\'\"]", "", token.value.lower()) in plain
    if token.kind in ("date", "time"):
        parts = re.findall(r"\d+", token.text)
        return all(str(int(part)) in command or part in command for part in parts if int(part))
    if token.kind == "perm":
        return bool(re.search(r"\b[0-7]{3,4}\b|[ugoa]*[+=-][rwx]+", command))
    if token.kind == "ident":
        return token.text.strip("%$").lower() in low or bool(
            (m := re.match(r"\d+", token.text)) and m[0] in command
        )
    return False


def _extensions(value: str) -> tuple[str, ...]:
    kin = {"jpg": ("jpg", "jpeg"), "jpeg": ("jpg", "jpeg"), "yml": ("yml", "yaml"), "yaml": ("yml", "yaml"),
           "markdown": ("md",), "python": ("py",), "javascript": ("js",), "text": ("txt",), "html": ("html", "htm"),
           "gz": ("gz", "gzip"), "tgz": ("tgz", "tar.gz", "-xz", "xzf", "czf")}  # fmt: skip
    return kin.get(value.lower(), (value.lower(),))


def _amount(value: str, command: str) -> bool:
    digits, _, unit = value.partition(" ")
    try:
        seconds = float(digits) * UNIT_SECONDS[unit.rstrip("s")]
    except (ValueError, KeyError):
        return False
    forms = {seconds, *(seconds / size for size in UNIT_SECONDS.values()), seconds * 1000}
    return (float(digits) == 1 and unit[:3] in command) or any(
        form >= 1 and form == int(form) and _number_in(form, command) for form in forms
    )


def _has_number(value: float, command: str, factors: tuple[float, ...]) -> bool:
    return any(_number_in(value * factor, command) for factor in factors)


def _number_in(value: float, command: str) -> bool:
    text = f"{value:g}" if value < 1e6 and value != int(value) else str(int(value))
    return bool(re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", command))
