"""Sums that are asked in a conversation: computed exactly, or not answered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

_MOST = 10**30  # a larger value, or a denominator, is not told
_LONGEST = 200  # characters of a question
_DIGITS = 12  # behind the point, of a value that does not come out even
_ASKS = re.compile(
    r"(?i)^\s*(?:(?:please|so|and|ok(?:ay)?|hey),?\s+)*(?:(?:what(?:'s| is| are| does| do)?|how much (?:is|are|does|do)"
    r"|calculate|compute|work out|tell me|evaluate)\s+)?(?P<sum>[^=?]*?)(?:\s+(?:make|equals?|is|give))?\s*[=?.!\s]*\Z"
)
_SPOKEN = (
    (re.compile(r"(?i)\bpercent of\b|%\s*of\b"), "/100*"),
    (re.compile(r"(?i)\b(?:multiplied by|times)\b|×"), "*"),
    (re.compile(r"(?i)\bdivided by\b|÷"), "/"),
    (re.compile(r"(?i)\b(?:to the power of|raised to)\b|\*\*"), "^"),
    (re.compile(r"(?i)\bsquared\b"), "^2"),
    (re.compile(r"(?i)\bcubed\b"), "^3"),
    (re.compile(r"(?i)\bplus\b"), "+"),
    (re.compile(r"(?i)\bminus\b|−"), "-"),
    (re.compile(r"(?i)\b(?:modulo|mod)\b"), "%"),
    (re.compile(r"(?i)(?<=\d)\s*x\s*(?=\d)"), "*"),
)
_TOKEN = re.compile(r"\s*((?:0|[1-9]\d*)(?:\.\d+)?(?![\d.])|\.\d+(?![\d.])|[-+*/^%()])")  # 01 is of a date
_GROUPED = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])")


def told(question: str) -> str:
    """The value of the sum that the question is, as Markdown; "" where it is none, or none that can be told exactly."""
    found = _ASKS.match(question) if len(question) <= _LONGEST else None
    if found is None:
        return ""
    text = _GROUPED.sub(lambda number: number[0].replace(",", ""), found["sum"])
    for words, sign in _SPOKEN:
        text = words.sub(sign, text)
    tokens = list(_tokens(text))
    if not any(part in "+-*/^%" for part in tokens[1:]):
        return ""
    try:
        value = _Sum(tokens).value()
    except ZeroDivisionError:
        return "Nothing is divided by 0."
    except (ValueError, RecursionError):
        return ""
    return f"`{' '.join(found['sum'].split())}` is {_written(value)}."


def _tokens(text: str) -> Iterator[str]:
    at = 0
    text = text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            yield "?"  # what is no sum: nothing is made of it
            return
        yield found[1]
        at = found.end()


class _Sum:
    """A sum read from the left: brackets, powers, signs, products, then what is added."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._left = [*tokens, ""]

    def value(self) -> Fraction:
        """Raises ValueError where it is no sum, or too large, and ZeroDivisionError."""
        value = self._added()
        if self._left != [""]:
            raise ValueError("no sum")
        return value

    def _added(self) -> Fraction:
        value = self._product()
        while self._left[0] in ("+", "-"):
            sign, other = self._left.pop(0), self._product()
            value = _bounded(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while self._left[0] in ("*", "/", "%"):
            sign, other = self._left.pop(0), self._signed()
            value = _bounded(
                value * other if sign == "*" else value / other if sign == "/" else value % other
            )
        return value

    def _signed(self) -> Fraction:
        if self._left[0] in ("-", "+"):
            return -self._signed() if self._left.pop(0) == "-" else self._signed()
        return self._power()

    def _power(self) -> Fraction:
        base = self._one()
        if self._left[0] != "^":
            return base
        self._left.pop(0)
        exponent = self._signed()
        if exponent.denominator != 1 or abs(exponent) > 1000:
            raise ValueError("no whole power, or a large one")
        return _bounded(base ** int(exponent))

    def _one(self) -> Fraction:
        part = self._left.pop(0)
        if part == "(":
            value = self._added()
            if self._left.pop(0) != ")":
                raise ValueError("an open bracket")
            return value
        return _bounded(Fraction(part))


def _bounded(value: Fraction) -> Fraction:
    if abs(value.numerator) > _MOST or value.denominator > _MOST:
        raise ValueError("too large")
    return value


def _written(value: Fraction) -> str:
    """In decimals; rounded where they do not end, with a sign for that."""
    scaled = value * 10**_DIGITS
    whole = round(scaled)
    sign, digits = "-" if whole < 0 else "", str(abs(whole)).rjust(_DIGITS + 1, "0")
    text = f"{sign}{digits[:-_DIGITS]}.{digits[-_DIGITS:]}".rstrip("0").rstrip(".")
    return text if scaled.denominator == 1 else f"about {text}"
