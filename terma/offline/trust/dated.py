"""A month that is named is the month of the command's date: "14 july 1989" is no 1989-03-14; and what stands where a
time is wanted is one: "commits since v2.1.0" is no `--since=v2.1.0`."""

from __future__ import annotations

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAMED = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ("
    + "|".join(_MONTHS)
    + r")[a-z]*|("
    + "|".join(_MONTHS)
    + r")[a-z]*\.? \d{1,4})\b"
)
_DATE = re.compile(r"(?<!\d)(?:\d{4}-(\d{2})(?:-\d{2})?|(\d{1,2})/\d{1,2}/\d{4})(?!\d)")


def month_as_named(facts: Facts, command: str, _: Context) -> bool:
    """Whether one of the command's dates is in a month that was named, where both have any."""
    named = {_MONTHS.index(one or two) + 1 for one, two in _NAMED.findall(facts.sentence.raw.lower())}
    months = {int(one or two) for one, two in _DATE.findall(command)}
    return not named or not months or not named.isdisjoint(months)


_OF_TIME = frozenset(("--since", "--until", "--after", "--before", "-newermt", "--newer-mtime"))
_TIME = re.compile(
    r"\d|yesterday|today|tomorrow|now|midnight|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|ago|last|[$`]|"
    + "|".join(_MONTHS),
    re.I,
)
_VERSION = re.compile(r"\bv\d|\d\.\d+\.\d|\b[0-9a-f]*[a-f][0-9a-f]*\d[0-9a-f]{4,}\b")


def a_time(_: Facts, command: str, __: Context) -> bool:
    """Whether a time stands behind each option that wants one."""
    for simple in simples(command):
        for word, behind in zip(simple.words, (*simple.words[1:], ""), strict=True):
            option, given, value = word.partition("=")
            value = value if given else behind
            if option in _OF_TIME and (not _TIME.search(value) or _VERSION.search(value)):
                return False
    return True
