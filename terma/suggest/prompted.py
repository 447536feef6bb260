"""A chat model as an engine: a sentence in, a command out as it is written, with the embedded engine beside it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress

from terma.chat import ChatModel, ModelError
from terma.errors import TermaError, UnknownAnswer, UnsureAnswer
from terma.suggest.asked import Asked
from terma.suggest.hybrid import Said, Sentence, by_engine, plain
from terma.suggest.model_call import Helpers, Offers, Task
from terma.suggest.prompted_why import explain
from terma.suggest.translate import written
from terma.types import ENGINE, Candidate, Delta, Event, Final, Note, Query, WhyEvent, WhyQuery

MAX_KEPT = 32  # sentences whose answers are kept, for the same key again
Answers = AsyncGenerator[Delta | Note | Candidate, None]


class Prompted:
    """One model in one role. Its answers to a sentence are kept, so that the same key steps on; the embedded engine's
    stand among them, each under its own name."""

    local = False

    def __init__(self, model: ChatModel, task: Task, helpers: Helpers) -> None:
        self.name = task.spec.name
        self._task = task
        self._helpers = helpers
        self._model = model
        self._asked = Asked(model, task, helpers)
        self._sentences: OrderedDict[tuple[str, ...], Sentence] = OrderedDict()

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """Deltas of the command as the model writes it. Raises ModelError, or UnknownAnswer with the model's reason
        where the embedded engine has no answer either."""
        began = time.monotonic()
        kept = self._kept(query)
        before = len(kept.answers)
        if query.attempt == 0 and not query.again:
            kept.answers.clear()
        if query.attempt < len(kept.answers):
            yield Delta(kept.answers[query.attempt].command)
        else:
            if query.attempt == 0 or not kept.offers.sure:
                kept.offers, kept.shown = await self._offers(query), False
            try:
                async with aclosing(self._next(query, kept, began)) as events:
                    async for event in events:
                        if isinstance(event, Candidate):
                            kept.answers.append(event)
                        else:
                            yield event
            except ModelError:
                kept.shown = (
                    False  # what stood below may stand on the line by now: the key again goes on from there
                )
                raise
        index = min(query.attempt, len(kept.answers) - 1)
        if len(kept.answers) == before and query.attempt:  # nothing new was said: the cycle begins anew
            index = query.attempt % before
        yield Final((*kept.answers[index:], *kept.answers[:index]), index, len(kept.answers))

    def _kept(self, query: Query) -> Sentence:
        key = (query.words, query.cwd, query.shell)
        kept = self._sentences.setdefault(key, Sentence())
        self._sentences.move_to_end(key)
        while len(self._sentences) > MAX_KEPT:
            self._sentences.popitem(last=False)
        return kept

    async def _offers(self, query: Query) -> Offers:
        if self._helpers.offers is None:
            return Offers()
        with suppress(TermaError):  # an engine that cannot be read is no reason to fail
            return await self._helpers.offers(query)
        return Offers()

    async def _next(self, query: Query, kept: Sentence, began: float) -> Answers:
        """The answer after those that were given: one candidate or more, whose first is what the deltas spell."""
        if (
            query.attempt and not kept.answers and kept.shown
        ):  # the same key while the model is silent takes it
            answer = by_engine(kept.offers.sure[0])
            yield Delta(answer.command)
            yield answer
            yield answer  # it was the second press, and is the second answer
        elif kept.engine_next(self._helpers.lead, self._task.spec.small, self._helpers.standing.believed()):
            first = not kept.answers
            answer = by_engine(kept.left[0], f"the same key asks {self.name}" if first else "")
            yield Delta(answer.command)
            yield answer
        else:
            async with aclosing(self._by_model(query, kept, began)) as events:
                async for event in events:
                    yield event

    async def _by_model(self, query: Query, kept: Sentence, began: float) -> Answers:
        """The model's answer; the engine's where that is none, or names what is not here, and says so."""
        said = Said()
        async with aclosing(self._asked.command(query, kept, self._shown_at(kept, query, began))) as events:
            async for event in events:
                if isinstance(event, Said):
                    said = event
                elif isinstance(event, Note) and event.text == "":
                    kept.shown = True
                    yield Note(self._beside(query, kept))
                else:
                    yield event
        doubt = self._doubt(query, kept, said)
        given = {plain(answer.command) for answer in kept.answers}
        repeats = bool(said.command) and plain(said.command) in given
        why = f"{self.name} says the same" if repeats else said.fault or doubt
        if why and kept.left:
            answer = by_engine(kept.left[0], why)
            yield Delta(answer.command)
            yield answer
            if said.command and not repeats:
                yield said.candidate()
        elif said.command and not repeats:
            yield said.candidate()
        elif not given:
            raise self._nothing(said, kept.offers)

    def _doubt(self, query: Query, kept: Sentence, said: Said) -> str:
        """Why the engine's answer comes before a command in which nothing wrong was found; "" where it does not. This
        answer counts already: a new model that is far from a sure candidate is not believed as if it were not."""
        helpers, sure = self._helpers, kept.offers.sure
        led, lead = bool(kept.answers), helpers.lead
        score = sure[0].score if sure else 0.0
        invented = any(one.kind == "invented" for one in said.problems)
        beside = sure[0].command if sure else ""
        helpers.standing.answered(
            query.words, said.command, invented=invented, checked=said.checked, beside=beside, sure=score
        )
        doubted = score >= helpers.standing.believed(said.checked)
        return f"{self.name} was often wrong here" if doubted and score and lead == "auto" and not led else ""

    def _shown_at(self, kept: Sentence, query: Query, began: float) -> float | None:
        """When, by the clock, the engine's answer is shown beside a silent model; None: never."""
        after = self._helpers.beside_after
        if not after or query.attempt or not kept.offers.sure or "\n" in kept.offers.sure[0].command:
            return None
        return began + after

    def _beside(self, query: Query, kept: Sentence) -> str:
        as_shown = written(kept.offers.sure[0], query).command
        return f"{as_shown} ({ENGINE}) · the same key takes it"

    def _nothing(self, said: Said, offers: Offers) -> UnknownAnswer:
        """Why there is no answer, in the model's words; what the engine has near stands beside them."""
        message = said.refusal or said.fault or f"{self.name} gave no command"
        if (near := offers.unsure) is None:
            return UnknownAnswer(message, "say it in other words")
        return UnsureAnswer(
            message,
            near.hint,
            nearest=near.nearest,
            confidence=near.confidence,
            unknown=near.unknown,
            by=ENGINE,
        )

    def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """Deltas of markdown, then the fixes. Raises ModelError."""
        return explain(query, self._model, self._task, self._helpers)
