"""The agent as a shell meets it: ask over the socket, read frames."""

from __future__ import annotations

import json

import pytest

from terma.errors import TermaError


def test_an_answer_comes_in_pieces_and_is_repeated_whole(agent):
    agent.will_say("rm ", "-r build", wait=0.01)
    frames = agent.ask("translate", buffer="delete build")
    assert [frame[1] for frame in frames if frame[0] == "delta"] == ["rm", " -r build"]
    assert frames[-1][:3] == ("done", "replace", "rm -r build")


def test_the_state_line_says_thinking_first_and_the_source_last(agent):
    agent.will_say("ls", candidates=("ls -l",))
    notes = [frame[1] for frame in agent.ask("translate", buffer="list") if frame[0] == "note"]
    assert notes == ["scripted · thinking", "scripted · script · 1/2"]


def test_an_engine_s_remarks_are_shown_as_its_own_and_clean(agent):
    agent.will_do({"note": "half\x1b[2J way\n"}, {"delta": "ls"})
    assert ("note", "scripted · half way") in agent.ask("translate", buffer="list")


def test_attempts_go_through_the_candidates_and_start_again(agent):
    agent.will_say("ls", candidates=("ls -l", "ls -a"))
    answers = [agent.ask("translate", buffer="list", attempt=attempt)[-1] for attempt in range(4)]
    assert [answer[2] for answer in answers] == ["ls", "ls -l", "ls -a", "ls"]
    assert [answer[3:5] for answer in answers] == [(f"index={n}", "total=3") for n in (0, 1, 2, 0)]


def test_the_cursor_goes_to_the_first_placeholder(agent):
    agent.will_say("cp {file} {target}")
    done = agent.ask("translate", buffer="copy a file")[-1]
    assert {"cursor=3", "select=6"} <= set(done[3:])


def test_several_lines_are_counted_in_the_state_line(agent):
    agent.will_say("for f in *; do\n  echo $f\ndone")
    frames = agent.ask("translate", buffer="echo each file")
    assert [frame[1] for frame in frames if frame[0] == "note"][-1] == "scripted · script · 3 lines"


def test_what_would_drive_the_terminal_is_gone(agent):
    agent.will_say("ls\x1b[31m", "\r\nrm -rf x\x1b]52;c;AAAA", "\x07\x9b0n\u202e\n\n")
    frames = agent.ask("translate", buffer="list")
    assert frames[-1][2] == "ls\nrm -rf x"
    assert "".join(frame[1] for frame in frames if frame[0] == "delta") == "ls\nrm -rf x"


def test_an_unknown_sentence_is_an_error_with_a_hint(agent):
    agent.forget()
    with pytest.raises(TermaError) as caught:
        agent.ask("translate", buffer="fold the laundry")
    assert caught.value.code == "unknown"
    assert caught.value.hint


def test_an_engine_that_is_not_there_is_never_replaced(agent):
    agent.will_say("ls")
    with pytest.raises(TermaError, match="'quantum' is not available") as caught:
        agent.ask("translate", buffer="list", engine="quantum")
    assert "scripted" in caught.value.hint


def test_suggest_gives_a_program_its_candidates(agent):
    agent.will_say("cp {file} x", candidates=("mv a b", "cp {file} x"))
    frames = agent.ask("suggest", words="copy", count=5)
    answer = json.loads(frames[-1][2])
    assert answer["command"] == "cp {file} x"
    assert [each["command"] for each in answer["candidates"]] == ["cp {file} x", "mv a b"]
    assert answer["candidates"][0]["placeholders"] == [{"name": "file", "start": 3, "end": 9}]
    assert answer["engine"] == "scripted"
    assert agent.ask("suggest", words="copy")[-1][2].count('"source"') == 1


def test_status_tells_who_it_is(agent):
    status = json.loads(agent.ask("status")[-1][2])
    assert status["pid"] == agent.pid
    assert status["socket"] == str(agent.socket)
    assert status["requests"] == 1
    assert status["rss"] > 5_000_000
