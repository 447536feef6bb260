"""Packages that a sentence does not name: "install dependencies" asks for what a project lists, and no system's
repository has a package called so."""

from __future__ import annotations

from functools import cache

from terma.machine.carriers import carriers
from terma.offline.draft import Context
from terma.offline.explain.known_packages import well_known
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.tokens import Token
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_INSTALLS = {
    **dict.fromkeys(("apt", "apt-get", "dnf", "yum", "zypper", "brew", "snap"), "install"),
    "apk": "add",
}
_PLURAL_OF = ("package", "library", "program", "tool")


def named(facts: Facts, command: str) -> bool:
    """Whether each package that the command installs from a system's repositories can be the name of one.

    A word that is inflected, stands for a quantity, or says which packages of several ("the missing packages") is a
    word of the person's; a program that is known under it is a name all the same."""
    wanted = [
        operand
        for simple in simples(command)
        if _INSTALLS.get(simple.program) in (simple.sub, *simple.operands[:1])
        for operand in simple.operands
    ]
    tokens = facts.sentence.tokens
    return not any(
        token.text in wanted and _a_word(token, tokens[i + 1 : i + 2]) and token.text not in _known()
        for i, token in enumerate(tokens)
    )


def from_its_registry(_: Facts, command: str, __: Context) -> bool:
    """Whether nothing is asked of a system's repositories that is known as a package of Python's registry, of no other
    and as no program: `apt remove pandas`."""
    return not any(
        operand in _of_python_alone() and operand not in _known()
        for simple in simples(command)
        if simple.program in _INSTALLS
        for operand in simple.operands
    )


@cache
def _of_python_alone() -> frozenset[str]:
    return well_known("pip") - frozenset().union(*map(well_known, ("npm", "gem", "cargo")))


def _a_word(token: Token, after: tuple[Token, ...] | list[Token]) -> bool:
    if token.kind != "word":
        return False
    inflected = token.norm != token.text.lower()
    several = any(one.norm in _PLURAL_OF and one.text.lower() != one.norm for one in after)
    return inflected or several or token.norm in STOP or token.norm in LIGHT


@cache
def _known() -> frozenset[str]:
    table = carriers()
    return frozenset(table) | {carrier.package for carrier in table.values()}
