"""Looks into a file: what kind it really is, whether it is whole, what an archive holds, what a certificate says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.looks.named import lines_with, operands_here, said, subjects

_KIND = re.compile(
    r"not (?:in|an?) (?:\S+ ){0,3}?(?:format|archive|image|database|file)\b|(?:un\w+|bad|wrong|invalid) (?:\w+ )?"
    r"(?:format|magic|header|signature)|magic number|format not recogni[sz]ed|cannot execute binary|not a dynamic"
    r"|(?:can't|cannot|could not) (?:decode|convert)|invalid (?:byte|utf-8|multibyte)|no decode delegate"
    r"|(?:could not|unable to|cannot|can't) (?:read|load|decode|parse|identify) (?:\w+ )?"
    r"(?:certificate|private key|public key|key|image)|not a \w+ \w+ cluster",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"unexpected (?:end of (?:file|archive|data|input)|eof)|truncated|premature end", re.IGNORECASE
)
_MEMBER = re.compile(
    r"not (?:found )?in (?:the )?archive|filename not matched|no entry .* in archive|no such (?:member|entry)"
    r"|not matched", re.IGNORECASE
)  # fmt: skip
_LEAST = 4  # bytes that tell a kind of archive


def content(case: Case) -> Iterator[str]:
    """What shows the inside of the file that the message is about."""
    lines = said(case)
    if _MEMBER.search(lines):
        yield from (_listed(case, name) for name in operands_here(case))
    if "certificate" in lines.lower():
        yield from (
            f"openssl x509 -in {quote(name)} -noout -text"
            for name in operands_here(case)
            if b"BEGIN CERTIFICATE" in case.bytes_of(name)
        )
    if _CUT.search(lines):
        yield from (f"ls -l {quote(name)}" for name in _files(case, _CUT) if b"\0" in case.bytes_of(name))
    if _KIND.search(lines):
        for name in _files(case, _KIND):
            yield f"ls -la {quote(name)}" if case.is_dir(name) else f"file {quote(name)}"
            if case.is_regular(name):
                yield f"head -c 100 {quote(name)}"


def kind_of_file(case: Case) -> Iterator[str]:
    """What kind of thing the one file is that was typed and that the decisive line names, where it is no source."""
    line = case.evidence.line
    found = [
        name for name in operands_here(case) if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w/-])", line)
    ]
    if len(found) == 1 and found[0] != case.script and not case.evidence.place:
        yield f"file {quote(found[0])}"


def _files(case: Case, pattern: re.Pattern[str]) -> list[str]:
    """The files that the lines with `pattern` name, else those that were typed."""
    lines = lines_with(case, pattern)
    typed = [name for name in operands_here(case) if name != case.script]
    return [name for name in subjects(case, lines) if case.exists(name)] or typed


def _listed(case: Case, name: str) -> str:
    """What lists the archive `name`, by its first bytes, and by its ending where they are those of a compressor."""
    start = case.bytes_of(name, 512)
    if len(start) < _LEAST:
        return ""
    if start.startswith(b"PK"):
        return f"unzip -l {quote(name)}"
    if start.startswith(b"!<arch>"):
        return f"ar t {quote(name)}"
    if start.startswith(b"7z"):
        return f"7z l {quote(name)}"
    is_tar = start[257:262] == b"ustar" or re.search(r"\.(?:tar|tgz|tbz2?|txz)(?:\.|$)", name)
    return f"tar tf {quote(name)}" if is_tar else ""
