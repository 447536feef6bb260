"""Kubernetes Secrets: every value of `data` and `stringData` is one, whatever its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact.plausible import may_be_string
from terma.redact.secret_names import family

# Opens with letters, so that a text is searched for those; a quote may stand before them.
KIND = re.compile(r"""kind["']?:[ \t]{0,4}["']?Secret(?:List)?["']?(?=[\s,}]|$)""")
LIMIT = 32_000  # characters around the kind that are read; a Secret of more is cut there
DATA = re.compile(
    r"^([ \t]{0,40})(?:data|stringData):[ \t]*\n((?:\1[ \t]{1,8}[^\n]*(?:\n|$)|[ \t]*\n){1,400})",
    re.MULTILINE,
)
PAIR = re.compile(r"^[ \t]{1,48}[\w.-]{1,120}:[ \t]{1,4}[\"']?([^\s\"'|>#][^\n\"']{0,8000})", re.MULTILINE)
FOLDED = re.compile(
    r"^([ \t]{1,48})[\w.-]{1,120}:[ \t]{1,4}[|>][-+]?[ \t]*\n((?:\1[ \t]{1,8}[^\n]*(?:\n|$)){1,400})",
    re.MULTILINE,
)
OBJECT = re.compile(r'"(?:data|stringData)":\s{0,20}\{([^{}]{1,16000})\}')
FIELD = re.compile(r'"[\w.-]{1,120}":\s{0,20}"((?:[^"\\]|\\.){1,8000})"')


ENCRYPTED = re.compile(
    r"^([ \t]{0,40})(?:-[ \t])?encryptedData:[ \t]*\n((?:\1[ \t]{1,8}[^\n]{0,8000}(?:\n|$)){1,400})",
    re.MULTILINE,
)
VARIABLE = re.compile(
    r"^[ \t]{0,8}(?:variable|output)[ \t]+\"(?P<name>\w{1,80})\"[ \t]*\{(?P<body>[^{}]{1,2000})\}",
    re.MULTILINE,
)
DEFAULT = re.compile(
    r"(?:^|[{;,])[ \t]*(?:default|value)[ \t]*=[ \t]*\"(?P<v>[^\"\n]{1,400})\"",
    re.MULTILINE,
)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each value of each Secret in `text`, in YAML or JSON, and of each variable of Terraform that is
    named for a secret or marked as sensitive."""
    if 'variable "' in text or 'output "' in text:
        yield from _variables(text)
    if "Secret" not in text:
        return
    done = 0
    for kind in KIND.finditer(text):
        first = kind.start() - (text[kind.start() - 1 : kind.start()] in ("'", '"'))
        if first < done:
            continue
        start = max(done, first - LIMIT, text.rfind("\n---", 0, first) + 1)
        end = text.find("\n---", kind.end(), kind.end() + LIMIT)
        end = min(len(text), kind.end() + LIMIT) if end < 0 else end
        yield from _values(text, start, end)
        done = end


def encrypted(text: str) -> list[tuple[int, int]]:
    """Where values stand that are encrypted, as in a SealedSecret: their names promise what they do not hold."""
    if "encryptedData:" not in text:
        return []
    return [block.span(2) for block in ENCRYPTED.finditer(text)]


def _variables(text: str) -> Iterator[tuple[int, int]]:
    for block in VARIABLE.finditer(text):
        sensitive = re.search(r"sensitive[ \t]*=[ \t]*true", block["body"]) is not None
        kind = family(block["name"]) or ("password" if sensitive else "")
        for default in DEFAULT.finditer(text, block.start("body") - 1, block.end("body")):
            if kind and may_be_string(default["v"], kind):
                yield default.span("v")


def _values(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for block in DATA.finditer(text, start, end):
        for pair in PAIR.finditer(text, *block.span(2)):
            value = pair[1].rstrip()
            yield pair.start(1), pair.start(1) + len(value)
        for folded in FOLDED.finditer(text, *block.span(2)):
            body = folded[2]
            yield folded.end(2) - len(body.lstrip()), folded.start(2) + len(body.rstrip())
    for block in OBJECT.finditer(text, start, end):
        for field in FIELD.finditer(text, *block.span(1)):
            yield field.span(1)
