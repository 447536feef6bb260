"""What a person ran is told with their next question: every failure, and the successes that say something."""

from __future__ import annotations

from terma.chat import PastCommand
from terma.dialogue import Ran
from terma.repl.prompt.remembered import FACTS, MAX_CHARACTERS, MAX_OUTPUTS, Remembered


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


def test_every_failure_stays_a_fact_with_what_it_printed():
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
    assert facts[0] == PastCommand("ls /first-fail", 2, "said", 1.5)


def test_of_outputs_those_of_the_oldest_successes_go_first():
    kept = Remembered()
    kept.add(Ran("make test", "one test failed", 2))
    for number in range(40):
        kept.add(Ran(f"cat {number}", f"{number} " * 500, 0))
    _, facts = kept.take()
    assert facts[0].output == "one test failed"
    assert facts[1].output is None
    assert facts[-1].output is not None
    assert sum(len(fact.output or "") for fact in facts) <= MAX_OUTPUTS


def test_where_only_failures_printed_the_oldest_are_kept_in_short():
    kept = Remembered()
    for number in range(30):
        kept.add(Ran(f"./fails {number}", "x" * 5000, 1))
    _, facts = kept.take()
    assert 0 < len(facts[0].output or "") <= 300
    assert sum(len(fact.output or "") for fact in facts) <= MAX_OUTPUTS


def test_what_was_run_last_is_known_though_it_says_little():
    kept = Remembered()
    for command in ("make", "ls", "pwd"):
        kept.add(Ran(command, "a b c", 0))
    texts, _ = kept.take()
    assert texts[-1] == "The person ran last: pwd\nexit status 0"
    assert len(texts) == 2
    kept.add(Ran("make", "built", 0))
    assert len(kept.take().texts) == 1
