"""What a person ran is told with their next question: every failure, and the successes that say something."""

from __future__ import annotations

from terma.chat import PastCommand
from terma.dialogue import Ran
from terma.repl.prompt.remembered import FACTS, MAX_CHARACTERS, OUTPUTS, Remembered


def test_a_failure_outlives_whatever_came_after_it() -> None:
    kept = Remembered()
    kept.add(Ran("ls /first-fail", "no such file", 2))
    for number in range(30):
        kept.add(Ran("ls", "a b c", 0))
        kept.add(Ran(f"make part{number}", "built", 0))
    texts, facts = kept.take()
    assert [fact.command for fact in facts][-2:] == ["ls", "make part29"]
    assert facts[-2].output == "a b c"
    assert "ls /first-fail" in texts[0]
    assert not any("ran: ls\n" in text for text in texts)
    assert "make part29" in texts[-1]
    assert len(texts) == 6
    assert kept.take() == ([], ())


def test_many_long_failures_are_all_named_within_a_bound() -> None:
    kept = Remembered()
    for number in range(30):
        kept.add(Ran(f"./fails {number}", "words of it\n" * 20 + "x" * 5000, 1))
    texts, _ = kept.take()
    assert len(texts) == 30
    assert all(f"./fails {number}\n" in text for number, text in enumerate(texts))
    assert sum(map(len, texts)) <= MAX_CHARACTERS


def test_every_failure_stays_a_fact_and_older_outputs_are_not_kept():
    kept = Remembered()
    for number in range(FACTS + 20):
        kept.add(
            Ran(
                "ls /first-fail" if number == 3 else f"true {number}",
                "said",
                2 if number == 3 else 0,
                seconds=1.5,
            )
        )
    _, facts = kept.take()
    assert len(facts) == FACTS
    assert facts[0] == PastCommand("ls /first-fail", 2, None, 1.5)
    assert [fact.output for fact in facts][-OUTPUTS - 1 :] == [None, *["said"] * OUTPUTS]


def test_what_was_run_last_is_known_though_it_says_little():
    kept = Remembered()
    for command in ("make", "ls", "pwd"):
        kept.add(Ran(command, "a b c", 0))
    texts, _ = kept.take()
    assert texts[-1] == "The person ran last: pwd\nexit status 0"
    assert len(texts) == 2
    kept.add(Ran("make", "built", 0))
    assert len(kept.take().texts) == 1
