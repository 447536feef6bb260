"""An option that the output itself names as the way on, in whatever words: "use -f to override", "did you mean -a?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.finding import Finding
from terma.offline.explain.shapes.told import placed_option
from terma.offline.explain.wellformed import takes_value

# The same option in two spellings stands together: -a/--armor, '-i' / '--ignore-failure', -f, --force.
_NAME = r"['\"`‘“]?(?<![\w-])(--?[A-Za-z][\w-]*)['\"`’”]?"
_NAMED = re.compile(
    rf"{_NAME}(?:(?: ?/ ?|, ?| or | \(){_NAME}\)?)?(?P<value>=\S+|[ =](?:<|\[|[A-Z]{{2,}}\b|\S*['\"`’”]))?"
)
_ADVISES = re.compile(
    r"\b(?:us(?:e|ing)|tr(?:y|ying)|pass(?:ing)?|add(?:ing)?|specify(?:ing)?|suppl(?:y|ying)"
    r"|giv(?:e|ing)|set(?:ting)?|enabl(?:e|ing)"
    r"|consider|mean(?:t)?(?: to use)?|want(?:ed)?|need(?:s|ed)?|requires?|with|via|append"
    r"|include|option|flag|switch|please|force)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"unknown|invalid|unrecogni[sz]ed|illegal|\bwithout\b|instead of|conflict|incompatible"
    r"|cannot be used|can't be used|not allowed"
    r"|mutually|deprecated|no longer|remove|\bdrop\b|\bnot (?:use|supported|available|valid)"
    r"|don't|doesn't support|ambiguous|rather than"
    r"|\b(?:debug\w*|verbose\w*|(?:stack|back) ?traces?|trac(?:e|ing)|logs?|logging|diagnos\w*|more information)\b"
    r"|\bif you (?:would like|(?:really )?want|wish|mean) to (?:\w+ ){0,2}"
    r"(?:destroy|delete|remove|discard|drop|wipe|erase|reset)"
    r"|wasn't expected|unexpected|as a value|\bsee\b|\bhelp\b|man(?:ual)? page|details|documentation|a list\b",
    re.IGNORECASE,
)
# Behind an option: another way on, which is no option. Which of them was meant only the person knows.
_ELSE = re.compile(
    r"['\"`’”]?(?: (?:option|flag|switch))?(?:,[^.;]{0,80})?,?"
    r" or (?:an? |the |set(?:ting)? |us(?:e|ing) |by |\$|['\"`‘“](?!-)|[A-Z_]{3,})"
)
# Before an option: another way on, to which it is the alternative.
_INSTEAD = re.compile(
    r"\w,? or (?:else )?(?:use|pass|set|try|add|give|specify|supply)(?: it)?(?: with)?(?: the)? $",
    re.IGNORECASE,
)
# Before an option: what it is to carry, so that it wants a value.
_CARRIES = re.compile(
    r"\b(?:pass|giv|specify|suppl|set|provid|nam|choos|select)\w* [^.;]{3,60} (?:using|with|via|through|by)"
    r"(?: the)? ['\"`‘]?$",
    re.IGNORECASE,
)
# The option is spoken of, and not advised: "--search needs a pattern".
_SUBJECT = re.compile(
    r"['\"`’”]?(?: (?:option|flag|switch))? (?:needs|requires?|expects?|takes|wants|must|is|was|has)\b"
)
_UNKNOWN = re.compile(
    r"unknown|unrecogni[sz]ed|no such option|not recogni[sz]ed|(?:invalid|illegal|bad) option", re.IGNORECASE
)
_TALKS = frozenset(
    "--help --usage -h -help -? --version -V --verbose -v -vv"
    " --debug -d --trace --stacktrace --backtrace --log-level --show-output".split()
)
_MANY = 200  # code points of a sentence that still advises


def advised(case: Case) -> Iterator[Finding]:
    """The one option that a line about the failure proposes and that was not typed."""
    if calls_unknown(case) or _is_a_choice(case):
        return
    found = dict.fromkeys(_proposed(case))
    if len(found) == 1 and case.blamed:
        option = next(iter(found))
        if takes_value(case, option):
            return
        yield Finding(f"{case.program} names the option {option} itself.", placed_option(case, option))


def _is_a_choice(case: Case) -> bool:
    """Whether the output writes several commands of the program, each with another option: to go on, to skip, to give
    up. Which of them was meant only the person knows."""
    quoted = rf"[\"'`“‘]{re.escape(case.program)} [^\"'`”’\n]*?(--[a-z][\w-]*)[\"'`”’]"
    return bool(case.program) and len(set(re.findall(quoted, case.evidence.flat))) > 1


def calls_unknown(case: Case) -> bool:
    """Whether the output calls an option that was typed unknown: an option more does not mend that one."""
    line = case.evidence.line
    return bool(_UNKNOWN.search(line)) and any(
        re.search(rf"(?<![\w-])-*{re.escape(word.lstrip('-').partition('=')[0])}(?![\w-])", line)
        for word in case.args
        if re.match(r"--?[A-Za-z]", word)
    )


def _is_glued(option: str, word: str) -> bool:
    """Whether `word` is the short `option` with its value behind it."""
    return len(option) == 2 and word.startswith(option)


def _proposed(case: Case) -> Iterator[str]:
    typed = {word.partition("=")[0] for word in case.args}
    for line, weight in zip(case.evidence.lines, case.evidence.weights, strict=True):
        if weight < Weight.NOTE:
            continue
        for sentence in re.split(r"(?<=[.;!?])\s+", line):
            if len(sentence) > _MANY or _AGAINST.search(sentence):
                continue
            for hit in _NAMED.finditer(sentence):
                if _ELSE.match(sentence, hit.end()) or _SUBJECT.match(sentence, hit.end()):
                    continue
                if _INSTEAD.search(sentence[: hit.start()]) or _CARRIES.search(sentence[: hit.start()]):
                    continue
                names = [name for name in hit.groups()[:2] if name]
                spellings = len({name.startswith("--") for name in names}) == len(names)
                if (
                    _ADVISES.search(sentence)
                    and not hit["value"]
                    and not typed & {*names}
                    and not any(_is_glued(name, word) for name in names for word in typed)
                    and not _TALKS & {*names}
                ):
                    yield from names[:1] if spellings else names
