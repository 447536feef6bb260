"""The embedded engine: a sentence in, commands out, from knowledge, grammar, remembered cases and history; no model,
no network. What is offered has passed the verifier, and is as certain as it says."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import field, replace

from terma.offline import generators, tables, verbatim
from terma.offline.cases.flags import flagged
from terma.offline.cases.grafts import completed
from terma.offline.cases.memory import Memory
from terma.offline.cases.spread import spread
from terma.offline.draft import Context, Draft
from terma.offline.each import of_each
from terma.offline.index import Index, load
from terma.offline.insertion import need, placed, runnable_instead, surest
from terma.offline.intent import ACTIONS
from terma.offline.language import foreign
from terma.offline.lexicon import LIGHT
from terma.offline.match import SHOWING
from terma.offline.of_home import at_home, ones_own
from terma.offline.rank import Ranked, Weighed, candidate, for_root, for_system, installed, weighed
from terma.offline.scoring import CLEAR, is_known, its_persons, scored
from terma.offline.sentence import MAX_LENGTH, MAX_TOKENS, Sentence
from terma.offline.separators import separated
from terma.offline.shortlist import Shortlist
from terma.offline.steps import Steps, in_steps, leads_there
from terma.offline.translate import Translated
from terma.offline.trust.accept import Acceptance
from terma.offline.trust.asked import Asked, asked
from terma.offline.trust.association import Association
from terma.offline.trust.command import effect
from terma.offline.trust.facts import Facts, read
from terma.offline.trust.features import measure
from terma.offline.trust.pairing import Pairing
from terma.offline.trust.second_look import SecondLook
from terma.offline.trust.tagger import Tagger
from terma.offline.trust.verify import broken
from terma.offline.understood import in_english, takes_a_word, understood
from terma.offline.usage import Usage
from terma.offline.whole import whole
from terma.records import dataclass
from terma.types import Candidate, Query

CERTAIN = 0.9  # an answer that nothing else has to be compared with
MOST_MEASURED = 12  # drafts of one sentence that are held against its facts


@dataclass(frozen=True, slots=True)
class Engine:
    """Answers from what was loaded. Holds no state between questions."""

    index: Index
    memory: Memory = field(default_factory=Memory.load)
    table: Association = field(default_factory=Association.load)
    pairing: Pairing | None = field(default_factory=Pairing.load)
    tagger: Tagger = field(default_factory=Tagger.load)
    acceptance: Acceptance = field(default_factory=Acceptance.load)
    second: SecondLook | None = field(default_factory=SecondLook.load)
    shortlist: Shortlist = field(default_factory=Shortlist.load)
    usage: Usage = field(default_factory=Usage.load)

    @classmethod
    def load(cls) -> Engine:
        """Read the compiled knowledge (or compile it). Under 60 ms from a compiled index."""
        return cls(load())

    def rest(self) -> None:
        """Hold nothing in memory that the next question reads again from a mapped file, in about a millisecond."""
        with suppress(OSError, ValueError, KeyError):
            tables.opened().let_go()
        self.usage.rest()
        if self.second is not None:
            self.second.reader.let_go()

    def answer(self, query: Query, limit: int = 8) -> list[Candidate]:
        """The commands that the sentence means, best first; [] when the engine is not sure of any. Never raises,
        but with TERMA_DEBUG set."""
        return [ranked.candidate for ranked in self._safely(query) if ranked.inserts][:limit]

    def near(self, query: Query, limit: int = 3) -> list[Ranked]:
        """What is close, but not sure: each with the words of the sentence that its command does not answer."""
        return [ranked for ranked in self._safely(query) if not ranked.inserts and ranked.close][:limit]

    def offers(self, query: Query, limit: int = 8) -> tuple[list[Candidate], list[Ranked]]:
        """What it would insert, and what it would not, both best first: for who knows more, and may choose."""
        ranked = self._safely(query)
        sure = [one.candidate for one in ranked if one.inserts]
        return sure[:limit], [one for one in ranked if not one.inserts][:limit]

    def unknown(self, query: Query) -> tuple[str, ...]:
        """The words of the sentence that no command here is told by."""
        if (english := in_english(query.words)) is None:
            return ()
        if english.unknown and foreign(query.words):
            return english.unknown
        sentence, _ = understood(english.text[:MAX_LENGTH], self.index, self.usage)
        return tuple(
            token.text
            for token in sentence.tokens
            if token.kind == "word"
            and not token.stop
            and token.norm not in self.index.weight
            and not self.table.knows(token.norm)
        )

    def explain(self, query: Query) -> list[Ranked]:
        """Every draft that was measured, with what speaks against it."""
        return self._rank(query)

    def _safely(self, query: Query) -> list[Ranked]:
        try:
            return self._rank(query)
        except Exception:
            if os.environ.get("TERMA_DEBUG"):
                raise
            return []

    def _rank(self, query: Query) -> list[Ranked]:
        if len(query.words) > MAX_LENGTH:
            return []
        own = verbatim.said(query.words, self.index)
        english = Translated(query.words, ()) if own else in_english(query.words)
        return self._ranked(query, english) if english is not None else []

    def _ranked(self, query: Query, english: Translated, one: bool = False) -> list[Ranked]:
        """For the sentence in English. `one`: it was made of another about many files, and is about no more."""
        sentence, fixed = understood(english.text, self.index, self.usage)
        if not sentence.tokens or len(sentence.tokens) >= MAX_TOKENS:
            return []  # what is not read to its end cannot be accounted for
        context = Context(
            cwd=query.cwd, os=_system(query.os), shell=query.shell, path=query.path, history=query.history
        )
        about = asked(read(sentence), self.table, self.index, len(fixed), self.tagger)
        drafts = [
            *verbatim.drafts(query.words, sentence, context, self.index),
            *generators.drafts(sentence, context, self.index, fixed),
            *self.memory.drafts(about.facts, context, about.tags),
        ]
        drafts += completed(drafts, sentence, about.tags, self.memory.grafts)
        drafts += flagged(drafts, about.facts, self.memory.flags)
        measured = self.shortlist.of(
            weighed_drafts(sentence, drafts, context, self.index), about, self.table, MOST_MEASURED
        )
        ranked = [
            one
            for one in self._judged(about, measured, context)
            if not takes_a_word(english, one.candidate.command, self.index.tools)
        ]
        if (steps := in_steps(sentence)) is not None:
            ranked = self._with_both(query, english, steps, about.facts, context, ranked)
        certain = one or (ranked and ranked[0].inserts and ranked[0].candidate.score >= CERTAIN)
        if not certain and (each := self._for_each(query, english, about.facts, context)):
            ranked = sorted([*ranked, *each], key=surest)
        if os.geteuid() == 0 and not installed("sudo", query.path):
            ranked = for_root(ranked)
        if context.os == "linux":
            return ranked
        return for_system(ranked, "bsd" if "bsd" in (query.os or sys.platform).lower() else "macos")

    def _with_both(
        self,
        query: Query,
        english: Translated,
        steps: Steps,
        facts: Facts,
        context: Context,
        ranked: list[Ranked],
    ) -> list[Ranked]:
        """The candidates, and the two orders one behind the other: first where no candidate is sure that does both, or
        is surer."""
        top = ranked[0].candidate if ranked and ranked[0].inserts else None
        does_both = top is not None and "steps" not in broken(facts, top.command, context, self.table)
        if does_both and not steps.ordered:
            return ranked
        both = self._in_turn(query, english, steps, facts, context)
        first = both and both[0].inserts and not (does_both and top and top.score >= both[0].candidate.score)
        return [*both, *ranked] if first else [*ranked, *both]

    def _in_turn(
        self, query: Query, english: Translated, steps: Steps, facts: Facts, context: Context
    ) -> list[Ranked]:
        """The command for two orders that are each understood by themselves, as sure as both together; [] else."""
        first, second = (
            next((one for one in self._ranked(query, replace(english, text=words)) if one.inserts), None)
            for words in (steps.first, steps.second)
        )
        if first is None or second is None or first.candidate.command.rstrip().endswith("&"):
            return []
        if not leads_there(first.candidate.command, second.candidate.command):
            return []
        looks = effect(second.candidate.command) == "look"
        if steps.target and not looks:
            return []  # "pack a into b and delete it": which?
        if not steps.named and looks and effect(first.candidate.command) == "look":
            return []  # what is done with what was shown is no step of its own
        command = f"{first.candidate.command} && {second.candidate.command}"
        confidence = first.candidate.score * second.candidate.score
        return [self._composed(first, command, confidence, facts, context)]

    def _for_each(self, query: Query, english: Translated, facts: Facts, context: Context) -> list[Ranked]:
        """What is asked of many files, by what would be done to one; [] where that is not sure."""
        each = of_each(facts.sentence, facts.denied)
        if each is None or (done := self._sure_of(query, english, each.one)) is None:
            return []
        confidence, found = done.candidate.score, ""
        if each.listing:
            if (listed := self._sure_of(query, english, each.listing)) is None:
                return []
            confidence, found = confidence * listed.candidate.score, listed.candidate.command
        command = spread(done.candidate.command, each, self.memory.several, self.table, found)
        return [self._composed(done, command, confidence, facts, context)] if command else []

    def _sure_of(self, query: Query, english: Translated, words: str) -> Ranked | None:
        """What is inserted for a sentence that was made of this one."""
        ranked = self._ranked(query, replace(english, text=words), one=True)
        return next((one for one in ranked if one.inserts), None)

    def _composed(
        self, model: Ranked, command: str, confidence: float, facts: Facts, context: Context
    ) -> Ranked:
        """A command made of what others said, held against the sentence as a whole."""
        against = broken(facts, command, context, self.table)
        sure = confidence >= self.acceptance.insert[need(facts, command, self.table)]
        shown = replace(model.candidate, command=command, score=round(confidence, 4), placeholders=())
        return replace(model, candidate=shown, left=(), broken=against, inserts=sure and not against,
                       close=not against, keeps=not against)  # fmt: skip

    def _judged(self, about: Asked, drafts: list[Weighed], context: Context) -> list[Ranked]:
        accept, sentence = self.acceptance, about.facts.sentence
        found: list[Ranked] = []
        ranks: list[tuple[bool, float]] = []
        said = {token.norm for token in sentence.tokens if not token.stop}
        says_no_object = len(said) == 1 and said <= ACTIONS | SHOWING and not about.facts.question
        lacking = max((one.prior for one in drafts if one.draft.placeholders), default=0.0)
        measured = measure(about, drafts, context, self.index, self.table, self.pairing)
        for one, against, total, confidence in scored(accept, self.second, about, measured, context.names()):
            draft = one.one.draft
            shown = candidate(one.one, confidence)
            if not is_known(draft):
                shown = replace(
                    shown,
                    command=at_home(whole(draft.command, context), context, self.table, ones_own(sentence)),
                )
            # "here", "please": a command that says nothing of them leaves nothing open
            open_ = [sentence.tokens[i] for i in dict.fromkeys((*one.one.left, *one.unfit))]
            words = tuple(token.text for token in open_ if token.norm not in LIGHT)
            sure = confidence >= accept.close and (
                confidence >= accept.insert[need(about.facts, draft.command, self.table)]
            )
            keeps = its_persons(draft) or not (against or says_no_object)  # "list", "delete": of what?
            safe = keeps  # a place to fill is no danger
            keeps = keeps and not draft.placeholders
            if one.one.prior < lacking and confidence < CLEAR:
                keeps = False  # a likelier reading lacks a value: what fits without it was not meant
            ranks.append((not one.one.here, -total))
            found.append(
                Ranked(shown, round(one.one.coverage, 3), draft.score, words, against, keeps and sure,
                       safe and confidence >= accept.close, keeps)
            )  # fmt: skip
        if any(one.inserts for one in found):
            found = runnable_instead(found, [not missing for missing, _ in ranks], accept.insert["unasked"])
        best: dict[str, Ranked] = {}
        for ranked, _ in sorted(zip(found, ranks, strict=True), key=placed):
            best.setdefault(ranked.candidate.command, ranked)
        return list(best.values())


def weighed_drafts(
    sentence: Sentence, drafts: Iterable[Draft], context: Context, index: Index
) -> list[Weighed]:
    """The drafts that use every argument of the sentence, one of each command."""
    return weighed(sentence, (separated(draft, sentence) for draft in drafts), context, index)


def _system(name: str) -> str:
    name = (name or sys.platform).lower()
    return "macos" if name.startswith(("darwin", "macos", "mac")) or "bsd" in name else "linux"
