"""The embedded engine and a model on one key: who answers first, who stands in for whom, and what is said of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.errors import TermaError
from tests.conftest import Home, RunningAgent
from tests.e2e.test_model_chain import as_field, prompt_of, settings, shown
from tests.model_server import ModelServer, fails, says

KNOWN = "extract backup.tar.gz"
EMBEDDED = "tar -xf backup.tar.gz"
UNKNOWN = "frob the wibbles of quux"
PATH = "/usr/bin:/bin"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def hybrid(server: ModelServer, home: Home) -> Iterator[RunningAgent]:
    """An agent with the server's model, whose answers are held against the machine."""
    (root := home.root / "agent").mkdir()
    agent = RunningAgent(root)
    del agent.env["TERMA_ENGINE"]
    agent.configure(settings(server.base, TERMA_SUGGESTIONS__CHECK="true"))
    try:
        yield agent.start()
    finally:
        agent.stop()


@pytest.fixture
def without_7z(home: Home) -> str:
    """A PATH with what is installed here, but for 7z."""
    (folder := home.root / "bin").mkdir()
    for program in Path("/usr/bin").iterdir():
        if not program.name.startswith("7z"):
            (folder / program.name).symlink_to(program)
    return str(folder)


def ask(
    agent: RunningAgent, words: str, attempt: int = 0, path: str = PATH, **variables: str
) -> list[tuple[str, ...]]:
    fields = {"buffer": words, "cwd": "/", "path": path, "attempt": str(attempt)}
    return agent.ask("translate", **fields, settings=as_field(variables))


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("You can use the tar program with some of its options.", "m answered in words: You can use the tar"),
        ("list the files that are in it, then take them out", "m answered in words"),
        ("", "m gave no command"),
        ("# that cannot be done here", "m answered in words: that cannot be done here"),
        (
            "tar --unpack-all-of-it backup.tar.gz",
            "m invented something: tar has no option --unpack-all-of-it",
        ),
        ("frobnicate-archives backup.tar.gz", "m invented something: no such program: frobnicate-archives"),
    ],
)
def test_where_a_model_fails_the_embedded_answer_stands_in_and_says_so(server, hybrid, reply, why):
    server.will(says(reply))
    frames = ask(hybrid, KNOWN)
    assert frames[-1][2] == EMBEDDED
    assert shown(frames, "note")[-1].startswith("offline · ")
    assert why in shown(frames, "note")[-1]


def test_an_invented_command_stays_in_the_cycle_and_is_marked(server, hybrid):
    server.will(says("tar --unpack-all-of-it backup.tar.gz"))
    assert ask(hybrid, KNOWN)[-1][2] == EMBEDDED
    frames = ask(hybrid, KNOWN, 1)
    assert frames[-1][2] == "tar --unpack-all-of-it backup.tar.gz"
    assert shown(frames, "note")[-1].startswith("m · 2/2 · tar has no option")


def test_without_an_embedded_answer_an_invented_command_is_marked(server, hybrid):
    server.will(says("frobnicate-wibbles quux"))
    frames = ask(hybrid, UNKNOWN)
    assert frames[-1][2] == "frobnicate-wibbles quux"
    assert "no such program: frobnicate-wibbles" in shown(frames, "note")[-1]


def test_without_an_embedded_answer_prose_is_no_command(server, hybrid):
    server.will(says("Certainly, there are many ways to frob the wibbles."))
    with pytest.raises(TermaError) as caught:
        ask(hybrid, UNKNOWN)
    assert caught.value.code == "unknown"


def test_a_model_that_leads_has_the_embedded_answer_behind_it(server, hybrid):
    server.will(
        says("bsdtar -xf backup.tar.gz"), says("bsdtar -xf backup.tar.gz"), says("tar xf backup.tar.gz")
    )
    wanted = {"TERMA_SUGGESTIONS__CHECK": "false", "TERMA_SUGGESTIONS__LEAD": "model"}
    said = [ask(hybrid, KNOWN, number, **wanted) for number in range(3)]
    assert [frames[-1][2] for frames in said][:2] == ["bsdtar -xf backup.tar.gz", EMBEDDED]
    assert [shown(frames, "note")[-1].split(" · ")[0] for frames in said[:2]] == ["m", "offline"]


def test_an_engine_that_leads_names_the_model_that_the_same_key_asks(server, hybrid):
    server.will(says("bsdtar -xf backup.tar.gz"))
    wanted = {"TERMA_SUGGESTIONS__CHECK": "false", "TERMA_SUGGESTIONS__LEAD": "engine"}
    first = ask(hybrid, KNOWN, **wanted)
    assert first[-1][2] == EMBEDDED
    assert shown(first, "note")[-1] == "offline · extract · the same key asks m"
    assert not server.seen
    second = ask(hybrid, KNOWN, 1, **wanted)
    assert second[-1][2] == "bsdtar -xf backup.tar.gz"
    assert shown(second, "note")[-1].startswith("m · 2/2")


def test_a_list_holds_both_also_where_the_engine_leads(server, hybrid):
    server.will(says("bsdtar -xf backup.tar.gz"))
    wanted = as_field({"TERMA_SUGGESTIONS__CHECK": "false", "TERMA_SUGGESTIONS__LEAD": "engine"})
    frames = hybrid.ask("translate", buffer=KNOWN, cwd="/", path=PATH, list="1", settings=wanted)
    rows = [(frame[1], frame[4].split(" · ")[0]) for frame in frames if frame[0] == "item"]
    assert rows[0] == (EMBEDDED, "offline")
    assert ("bsdtar -xf backup.tar.gz", "m") in rows


def test_two_that_say_the_same_are_one_answer(server, hybrid):
    server.will(says(EMBEDDED))
    wanted = {"TERMA_SUGGESTIONS__LEAD": "engine"}
    ask(hybrid, KNOWN, **wanted)
    frames = ask(hybrid, KNOWN, 1, **wanted)
    assert "m says the same" in shown(frames, "note")[-1]


def test_a_model_that_repeats_itself_adds_no_answer(server, hybrid):
    """Else the key steps from a command to the same one, and counts it twice."""
    server.will(*(says("frob --all wibbles"),) * 8)
    assert ask(hybrid, UNKNOWN)[-1][1:] == ("replace", "frob --all wibbles", "index=0", "total=1")
    for attempt in (1, 2):
        frames = ask(hybrid, UNKNOWN, attempt)
        assert frames[-1][1:] == ("replace", "frob --all wibbles", "index=0", "total=1")
        assert any("the only answer" in note for note in shown(frames, "note"))


def test_a_model_that_has_nothing_more_to_say_leaves_the_answer_that_stands(server, hybrid):
    """Else the line keeps a command, and an error below it says that there is none."""
    presses = 14
    server.will(*(says("You can use the tar program with some of its options."),) * presses)
    frames = [ask(hybrid, KNOWN, attempt)[-1] for attempt in range(presses)]
    assert {frame[0] for frame in frames} == {"done"}
    commands = [frame[2] for frame in frames]
    kinds = len(set(commands))
    assert kinds < presses
    assert commands == (commands[:kinds] * presses)[:presses]
    assert f"total={kinds}" in frames[-1]


def test_what_the_engine_knows_goes_to_the_model_as_data(server, hybrid):
    server.will(says(EMBEDDED))
    ask(hybrid, KNOWN)
    user = prompt_of(server)["user"]
    data, _, words = user.rpartition("~~~~\n\n")
    assert words == f"Words: {KNOWN}"
    assert f"which may be wrong:\n{EMBEDDED}" in data


def test_without_names_of_files_no_candidates_are_sent(server, hybrid):
    server.will(says(EMBEDDED))
    ask(hybrid, KNOWN, TERMA_PRIVACY__FILES="false")
    assert EMBEDDED not in prompt_of(server)["user"]


def test_secrets_in_hints_stay_here(server, hybrid):
    secret = "ghp_" + "a1B2" * 9
    server.will(says("ls"))
    ask(hybrid, f"set the environment variable TOKEN to {secret}")
    assert secret not in json.dumps(server.wait_for(1).body)


def test_a_program_says_which_engine_answered(server, hybrid):
    server.will(says("You would have to use tar for that."))
    said = json.loads(hybrid.ask("suggest", words=KNOWN, cwd="/", path=PATH)[-1][2])
    assert (said["command"], said["engine"]) == (EMBEDDED, "offline")
    assert "m answered in words" in said["candidates"][0]["note"]


def test_a_program_that_is_not_installed_is_asked_again_where_one_that_is_here_could_do_it(
    server, hybrid, without_7z
):
    server.will(says("7z x backup.tar.gz"), says("tar -xzf backup.tar.gz"))
    assert ask(hybrid, KNOWN, path=without_7z)[-1][2] == "tar -xzf backup.tar.gz"
    assert "no such program: 7z" in server.seen[1].body["messages"][-1]["content"]


@pytest.mark.parametrize("words", [UNKNOWN, f"{KNOWN} with 7z"])
def test_else_it_stands_marked_with_the_package_that_brings_it(server, hybrid, without_7z, words):
    server.will(says("7z x backup.tar.gz"))
    frames = ask(hybrid, words, path=without_7z, TERMA_SUGGESTIONS__LEAD="model")
    assert frames[-1][2] == "7z x backup.tar.gz"
    assert "no such program: 7z (apt install" in shown(frames, "note")[-1]
    assert len(server.seen) == 1


def test_a_command_that_was_cut_off_is_not_offered(server, hybrid):
    server.will(says("find / -name '*.log' -mti", finish="length"))
    with pytest.raises(TermaError) as caught:
        ask(hybrid, UNKNOWN)
    assert "m was cut off at the limit of tokens" in caught.value.message
    assert "max_tokens" in caught.value.message
    frames = ask(hybrid, KNOWN)
    assert frames[-1][2] == EMBEDDED
    assert "m was cut off at the limit of tokens" in shown(frames, "note")[-1]


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "abort", "model_length"])
def test_a_command_that_the_server_cut_off_is_not_offered(server, hybrid, reason):
    server.will(says("rm -rf /srv/www/old", finish=reason))
    with pytest.raises(TermaError) as caught:
        ask(hybrid, UNKNOWN)
    assert "m was cut off" in caught.value.message


@pytest.mark.parametrize("reason", ["stop", "end_turn", "eos_token", "COMPLETE"])
def test_every_word_for_its_own_end_is_one(server, hybrid, reason):
    server.will(says("bsdtar --version", finish=reason))
    assert ask(hybrid, UNKNOWN, TERMA_SUGGESTIONS__CHECK="false")[-1][2] == "bsdtar --version"


def test_a_whole_command_before_cut_words_stands(server, hybrid):
    server.will(says("```\nbsdtar --version\n```\nThis prints the ver", finish="length"))
    assert ask(hybrid, UNKNOWN, TERMA_SUGGESTIONS__CHECK="false")[-1][2] == "bsdtar --version"


def test_an_explanation_that_was_cut_off_says_so(server, hybrid):
    server.will(says("The target is mis", finish="length"))
    frames = hybrid.ask("why", command="make tset", status="2", cwd="/", shell="bash", columns="200")
    assert "cut off at the limit of tokens" in "".join(frame[2] for frame in frames if frame[0] == "say")
    server.will(says("The target is mis", finish="content_filter"))
    frames = hybrid.ask("why", command="make tset", status="2", cwd="/", shell="bash", columns="200")
    assert "cut off by its server (content_filter)" in "".join(
        frame[2] for frame in frames if frame[0] == "say"
    )


def test_what_was_run_is_learned_shown_and_forgotten(server, hybrid):
    server.will(says("bsdtar -xf backup.tar.gz"))
    wanted = as_field({"TERMA_SUGGESTIONS__LEAD": "model", "TERMA_SUGGESTIONS__CHECK": "false"})
    fields = {"buffer": KNOWN, "cwd": "/", "path": PATH, "settings": wanted}
    with hybrid.connect() as shell:
        list(shell.ask("translate", fields))
        list(shell.ask("translate", fields | {"attempt": "1"}))
        ran = {"command": EMBEDDED, "status": "0", "duration": "7"}
        list(shell.ask("translate", fields | ran | {"buffer": UNKNOWN}))
    (entry,) = json.loads(terma(hybrid, "learned", "--json"))
    assert (entry["words"], entry["command"], entry["times"]) == (KNOWN, EMBEDDED, 1)
    assert EMBEDDED in terma(hybrid, "learned")
    assert terma(hybrid, "forget", "1") == f"forgotten: {EMBEDDED} for {KNOWN}\n"
    assert json.loads(terma(hybrid, "learned", "--json")) == []


def test_nothing_is_learned_where_that_is_switched_off(server, hybrid):
    server.will(says("bsdtar -xf backup.tar.gz"))
    wanted = as_field({"TERMA_LEARNING__ENABLED": "false", "TERMA_SUGGESTIONS__CHECK": "false"})
    fields = {"buffer": KNOWN, "cwd": "/", "path": PATH, "settings": wanted}
    with hybrid.connect() as shell:
        list(shell.ask("translate", fields))
        ran = {"command": "bsdtar -xf backup.tar.gz", "status": "0", "duration": "7"}
        list(shell.ask("translate", fields | ran | {"buffer": UNKNOWN}))
    assert json.loads(terma(hybrid, "learned", "--json")) == []


def terma(agent: RunningAgent, *words: str) -> str:
    done = subprocess.run(
        [agent.env["TERMA_BIN"], *words], env=agent.env, capture_output=True, text=True, check=True
    )
    return done.stdout


SMALL = {"TERMA_SUGGESTIONS__LEAD": "model"}


@pytest.fixture
def small(server: ModelServer, hybrid: RunningAgent) -> RunningAgent:
    """An agent whose model tells by its name that it is a small one."""
    hybrid.configure(settings(server.base, TERMA_MODELS__M__MODEL="tiny:0.5b"))
    return hybrid


def test_a_small_model_is_bounded_by_a_grammar_of_this_machine_and_the_sentence(server, small):
    server.will(says("tar -xf backup.tar.gz"))
    assert ask(small, KNOWN, **SMALL)[-1][2] == EMBEDDED
    made = server.wait_for(1).body["grammar"]
    assert made.startswith("root ::= ")
    assert '"tar "' not in made  # a program is a word, and what stands behind it is bounded as well
    assert '"tar" ' in made
    assert '"backup.tar.gz"' in made


def test_a_model_that_is_not_small_is_sent_no_grammar(server, hybrid):
    server.will(says("tar -xf backup.tar.gz"))
    ask(hybrid, KNOWN, TERMA_SUGGESTIONS__LEAD="model")
    assert "grammar" not in server.wait_for(1).body


@pytest.mark.parametrize(
    ("status", "refusal"),
    [
        (400, "Unrecognized request argument supplied: grammar"),
        (422, "[{'type': 'extra_forbidden', 'loc': ('body', 'grammar')}]"),
        (400, "Failed to initialize samplers: "),
        (400, "Extra inputs are not permitted as request fields"),
    ],
)
def test_a_server_that_refuses_a_grammar_is_not_sent_one_again(server, small, status, refusal):
    server.will(fails(status, refusal), says("tar -xf backup.tar.gz"))
    assert ask(small, KNOWN, **SMALL)[-1][2] == EMBEDDED
    ask(small, "extract other.tar.gz", **SMALL)
    assert ["grammar" in server.wait_for(number).body for number in (1, 2, 3)] == [True, False, False]


def test_a_secret_of_the_sentence_is_not_in_the_grammar(server, small):
    server.will(says("echo done"))
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    ask(small, f"frob the wibbles with {secret[:40]}", **SMALL, TERMA_SUGGESTIONS__CHECK="false")
    sent = server.wait_for(1).body
    assert "wibbles" in sent["grammar"]
    assert secret[:40] not in json.dumps(sent)


ENGINE_KNOWS = [
    "list files", "show disk usage", "count lines in a.txt", "extract a.tar.gz", "show running processes",
    "sort a.txt", "show the first 5 lines of a.txt", "make a directory called b", "find files larger than 10M",
    "rename a.txt to b.txt", "show hidden files", "find python files", "delete empty directories",
]  # fmt: skip


def test_a_model_that_nothing_marks_as_small_leads_no_more_once_its_answers_are_others(server, hybrid):
    server.will(says("uptime"))
    asked = [ask(hybrid, words) for words in ENGINE_KNOWS]
    assert shown(asked[-1], "note")[-1].startswith("offline · ")
    before = len(server.seen)
    assert before < len(ENGINE_KNOWS)
    server.will(says(EMBEDDED))
    assert shown(ask(hybrid, KNOWN, TERMA_SUGGESTIONS__LEAD="model"), "note")[-1].startswith(
        "m"
    )  # what was set
