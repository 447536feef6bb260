"""How far a model is believed follows from how its answers fared, and from nothing else."""

from __future__ import annotations

from terma.suggest.standing import Standing


def after(count: int, command: str = "ls -t", **said: object) -> Standing:
    standing = Standing()
    for number in range(count):
        known = {"invented": False, "checked": True, "beside": "ls -t", "sure": 0.8} | said
        standing.answered(f"sentence {number}", command, **known)  # type: ignore[arg-type]
    return standing


def test_a_new_model_is_believed():
    assert Standing().believed() == 1.0
    assert Standing().believed(checked=False) == 1.0


def test_one_that_agrees_as_often_as_the_engine_is_right_stays_believed():
    assert after(30).believed() == 1.0


def test_one_whose_programs_are_others_is_believed_less_and_less():
    few, many = after(3, "cat x").believed(), after(30, "cat x").believed()
    assert many < 0.2 < few < 0.8


def test_one_that_has_no_command_where_there_most_likely_is_one_is_believed_less_and_less():
    few, many = after(3, "").believed(), after(30, "").believed()
    assert many < 0.2 < few < 0.8
    assert after(30, "", sure=0.0).believed() == 1.0  # there may be none


def test_what_cannot_be_checked_counts_as_what_could_be_did():
    standing = after(30, invented=True)
    assert standing.believed() == 1.0
    assert standing.believed(checked=False) < 0.15


def test_the_same_sentence_again_is_no_news():
    standing = Standing()
    for _ in range(30):
        standing.answered("one", "cat x", invented=False, checked=True, beside="ls", sure=0.8)
    assert standing.believed() > 0.75


def test_a_better_model_in_its_place_is_soon_believed_again():
    standing = after(200, "cat x")
    for number in range(60):
        standing.answered(f"later {number}", "ls", invented=False, checked=True, beside="ls -t", sure=0.8)
    assert standing.believed() > 0.7


def test_sudo_and_a_path_are_not_the_program():
    assert after(30, "sudo /usr/bin/ls").believed() == 1.0
