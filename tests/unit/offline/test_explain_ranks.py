"""The order of the rules has named bands, and each kind of rule stands in the band that is meant for it."""

from __future__ import annotations

from terma.offline.explain.explainer import rules
from terma.offline.explain.rule import GENERIC, Rank


def test_bands_are_tried_one_after_the_other() -> None:
    bands = [rule.band for rule in rules()]
    assert bands == sorted(bands)
    assert set(bands) == set(Rank), "no band is empty"


def test_what_is_inferred_without_output_comes_last() -> None:
    inferred = [rule for rule in rules() if rule.name.startswith("inferred.")]
    assert inferred
    assert {rule.band for rule in inferred} == {Rank.INFERRED}


def test_messages_that_most_programs_share_come_after_the_tools_own_words() -> None:
    shared = [rule for rule in rules() if rule.name.partition(".")[0] == "options"]
    assert {rule.band for rule in shared} <= {Rank.COMMON, Rank.ADVICE}
    early = [
        rule.name
        for rule in rules()
        if rule.band == Rank.LOOKED_UP and rule.name.partition(".")[0] in GENERIC and not rule.bound
    ]
    assert [name for name in early if not name.startswith("network.ssh")] == []


def test_a_number_below_the_first_band_belongs_to_it() -> None:
    assert (Rank.of(3), Rank.of(15), Rank.of(16), Rank.of(99)) == (
        Rank.LOOKED_UP,
        Rank.LOOKED_UP,
        Rank.TOOL,
        Rank.INFERRED,
    )
