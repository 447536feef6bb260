"""Where drafts come from: knowledge, the modules of grammar/ (found by convention), and the person's history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from terma import registry
from terma.offline import grammar, history, retrieve
from terma.offline.draft import Context, Draft
from terma.offline.index import Index
from terma.offline.sentence import Sentence

Generator = Callable[[Sentence, Context], Iterable[Draft]]


@cache
def _grammars() -> tuple[Generator, ...]:
    """Every module of grammar/ that has `candidates`."""
    return tuple(
        module.candidates for module in registry.modules(grammar.__name__) if hasattr(module, "candidates")
    )


def drafts(sentence: Sentence, context: Context, index: Index, fixed: Mapping[int, str]) -> Iterator[Draft]:
    """Every draft of every generator. One that fails is left out: the others still answer."""
    yield from retrieve.candidates(sentence, context, index, fixed)
    for generate in _grammars():
        try:
            yield from generate(sentence, context)
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            if __debug__ and _strict():
                raise
    yield from history.candidates(sentence, context)


def _strict() -> bool:
    import os

    return bool(os.environ.get("TERMA_DEBUG"))
