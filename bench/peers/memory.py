"""Memory: what waits beside the shells, and what one question takes at its peak."""

from __future__ import annotations

import os
import statistics

from bench.peers.figures import Row, Table
from bench.peers.place import Place
from bench.peers.spending import Used, program, resident

ROUNDS = 3
QUESTIONS = 12


def measure(place: Place) -> Table:
    """The table, with an agent that just started; its first row is of one that has not asked a model yet."""
    agent = place.agent
    fields = {"cwd": str(place.work), "path": os.environ["PATH"], "shell": "bash"}
    for _ in range(QUESTIONS):
        agent.ask("translate", buffer="show free disk space", settings="", engine="offline", **fields)
    embedded = resident(agent.pid)
    for number in range(QUESTIONS):
        agent.ask(
            "translate", buffer=f"sizes of all folders {number}", settings="TERMA_MODEL=played", **fields
        )
    modelled = resident(agent.pid)
    rows = [
        Row("terma, embedded engine", (embedded, 0.0, None)),
        Row("terma, a model", (modelled, 0.0, None)),
    ]
    for who, words, answers in (
        ("shell_gpt", ["sgpt", "--shell", "--no-interaction", "--no-cache", "sizes of all folders"], ()),
        ("llm-cmd-comp", ["llm", "cmdcomp", "sizes of all folders"], ((b"finish", b"\r"),)),
        ("llm-cmd", ["llm", "cmd", "sizes of all folders"], ((b"sort", b"\x15true\r"),)),
    ):
        if place.has(words[0]):
            used = [
                program([str(place.bin / words[0]), *words[1:]], place.env, place.work, answers)
                for _ in range(ROUNDS)
            ]
            rows.append(Row(who, (0.0, *_middle(used))))
    return Table(
        "Memory",
        ("at rest (MB)", "a question's own process, at its peak (MB)", "its processor (ms)"),
        tuple(rows),
        "terma's agent waits for all shells of a person and leaves when none has asked for long; the "
        "others start a process for each question and leave nothing behind. terma starts none in zsh, and "
        "in bash a netcat of 2 MB, which is not counted. Resident memory; pages that processes share are "
        "counted in each. The processor time is of the peers' whole process; terma's stands in the tables "
        "of the key.",
        (0, 1),
    )


def _middle(used: list[Used]) -> tuple[float, float]:
    processor = statistics.median(one.processor for one in used)
    return statistics.median(one.megabytes for one in used), processor * 1e3
