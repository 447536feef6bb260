"""Memory keeps to its bound, forgets the oldest first, and never tears a call from its result."""

from __future__ import annotations

import random

import pytest

from terma.chat import ChatMessage, ToolCall, Usage
from terma.conversation.memory import LEFT_OUT, Memory
from terma.conversation.tokens import estimate
from tests.unit.conversation.scripted import balanced

LONG = "\n".join(f"line {n} of a long output" for n in range(200))


def user(text: str) -> ChatMessage:
    return ChatMessage("user", text)


def said(text: str, *ids: str) -> ChatMessage:
    return ChatMessage(
        "assistant", text, tuple(ToolCall(one, "run_command", '{"command": "ls"}') for one in ids)
    )


def result(name: str, text: str = LONG) -> ChatMessage:
    return ChatMessage("tool", text, tool_call_id=name)


def conversation(turns: int) -> list[ChatMessage]:
    made = []
    for n in range(turns):
        made += [
            user(f"question {n}"),
            said("", f"a{n}", f"b{n}"),
            result(f"a{n}"),
            result(f"b{n}"),
            said(f"answer {n}"),
        ]
    return made


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("hello world", 2, 3),
        ("The quick brown fox jumps over the lazy dog.", 9, 12),
        ("把所有的图片文件压缩成一个归档", 12, 20),
        ("x" * 1000, 150, 300),
        ("2026-11-21T17:15:33.123Z ERROR connection refused", 15, 30),
    ],
)
def test_tokens_are_about_right(text, low, high):
    assert low <= estimate(text) <= high


def test_below_the_bound_nothing_goes():
    memory = Memory("system", 100_000, conversation(3))
    assert memory.fit() == ""
    assert memory.messages == conversation(3)


def test_results_of_tools_go_first_and_the_oldest_of_them():
    memory = Memory("system", 6_000, conversation(3))
    assert memory.tokens > 6_000
    assert "tool result" in memory.fit()
    assert memory.tokens <= 6_000
    texts = [message.content for message in memory.messages]
    assert "left out of memory" in texts[2]
    assert texts[-2] == LONG
    assert [text for text in texts if text.startswith(("question", "answer"))] == [
        text for n in range(3) for text in (f"question {n}", f"answer {n}")
    ]


def test_words_go_when_results_were_not_enough_and_the_first_question_stays():
    words = "words " * 300
    turns = [message for n in range(10) for message in (user(f"question {n} {words}"), said(f"answer {n}"))]
    memory = Memory("system", 2_000, turns)
    assert "turn" in memory.fit()
    assert memory.tokens <= 2_000
    assert memory.messages[0] == turns[0]
    assert memory.messages[1].content == LEFT_OUT
    assert memory.messages[-1].content == "answer 9"
    assert [m.role for m in memory.messages] == ["user", "assistant"] * (len(memory.messages) // 2)


def test_a_full_memory_shrinks_below_its_bound_so_that_its_beginning_stays_for_a_while():
    memory = Memory("system", 6_000, conversation(4))
    memory.fit()
    before = list(memory.messages)
    memory.add(user("one more"))
    assert memory.fit() == ""
    assert memory.messages[: len(before)] == before


def test_one_long_question_is_shortened():
    memory = Memory("system", 2_000, [user("Data\n" + LONG * 20 + "\nwhat is this?")])
    assert "too long" in memory.fit()
    assert memory.tokens <= 2_000
    assert memory.messages[0].content.endswith("what is this?")


def test_a_long_turn_of_many_steps_loses_its_oldest_steps():
    turn = [user("do it")]
    for n in range(30):
        turn += [said(f"step {n}", f"c{n}"), result(f"c{n}")]
    memory = Memory("system", 3_000, turn)
    memory.fit()
    assert memory.tokens <= 3_000
    assert memory.messages[0] == turn[0]
    assert memory.messages[-2].content == "step 29"
    assert balanced(memory.messages)


@pytest.mark.parametrize("seed", range(60))
def test_whatever_goes_calls_and_results_stay_together_and_the_bound_holds(seed):
    chance = random.Random(seed)
    memory = Memory("system " * chance.randint(1, 20), chance.randint(500, 4000))
    ids = 0
    for _ in range(chance.randint(1, 25)):
        memory.add(user("why? " * chance.randint(1, 400)))
        for _ in range(chance.randint(0, 4)):
            names = [f"c{(ids := ids + 1)}" for _ in range(chance.randint(1, 3))]
            memory.add(said("hm " * chance.randint(0, 100), *names))
            for name in names:
                memory.add(result(name, "out\n" * chance.randint(0, 900)))
        if chance.random() < 0.8:
            memory.add(said("so " * chance.randint(1, 200)))
        memory.fit()
        assert balanced(memory.messages)
        assert memory.messages[0].role == "user"
        assert memory.tokens <= memory.limit or all(len(m.content) <= 800 for m in memory.messages)
        sent = memory.sent()
        assert sent[0].role == "system"


def test_a_question_that_had_no_answer_stays_one_by_itself():
    memory = Memory("", messages=[user("one"), user("two")])
    assert memory.sent() == (user("one"), user("two"))
    assert memory.undo() == user("two")


def test_a_summary_takes_the_place_of_all_but_the_first_question():
    memory = Memory("system", messages=conversation(3))
    memory.compact(" it was about files ")
    assert [m.role for m in memory.messages] == ["user", "assistant"]
    assert memory.messages[0].content == "question 0"
    assert memory.messages[1].content.endswith("it was about files")


def test_the_digest_names_questions_commands_and_answers():
    text = Memory("", messages=conversation(2)).digest()
    for words in ("asked: question 1", "called run_command", "answered: answer 0"):
        assert words in text
    assert LONG[:20] not in text


def test_what_was_used_is_added_up():
    memory = Memory()
    memory.used(Usage(100, 10, cached_tokens=50, cost=0.25))
    memory.used(Usage(200, 20))
    totals = memory.totals
    assert (totals.requests, totals.prompt_tokens, totals.completion_tokens) == (2, 300, 30)
    assert (totals.cost, totals.unpriced, totals.cached_tokens) == (0.25, 1, 50)
    memory.clear()
    assert memory.totals == totals
    assert memory.messages == []
