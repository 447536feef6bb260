"""A program that is not here is invented only where nobody knows one of that name."""

from __future__ import annotations

import asyncio

import pytest

from terma.agent import offering
from terma.types import Query


def kinds(command: str, words: str = "do it") -> dict[str, str]:
    query = Query(words=words, path="/nowhere", cwd="/", os="linux")
    return {problem.text: problem.kind for problem in asyncio.run(offering.checked(command, query))}


@pytest.mark.parametrize("program", ["lvextend", "lpstat", "squeue", "wakeonlan", "kubeadm", "samtools"])
def test_a_program_that_people_have_elsewhere_is_absent(program: str):
    assert set(kinds(f"{program} --help").values()) == {"absent"}


def test_what_nobody_knows_is_invented():
    assert kinds("frobnicate-archives --help") == {"no such program: frobnicate-archives": "invented"}


def test_what_the_person_named_is_not_invented():
    assert kinds("./load_geo.sh", "run load_geo.sh please") == {"no such program: ./load_geo.sh": "absent"}
    assert kinds("frob --twice", "call frob twice") == {"no such program: frob": "absent"}
