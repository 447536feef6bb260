"""Commands run, sentences are answered, and what could be either is asked about."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma.routing import Known, Signal, dictionary, forced, is_certain_command, route
from terma.routing.decide import CERTAIN
from terma.routing.evidence import UNSURE, weigh
from terma.routing.line import cut
from tests.unit.routing.lines import LEARNED, SETS, judged, lines, machine, report

DOCS = Path(__file__).parents[3] / "docs" / "routing.md"
# Idioms, and files called like the words of a sentence: `rm this that`.
HARD = ("route_fresh_7", "route_fresh_11")


@pytest.fixture(scope="session")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Known]]:
    folder = tmp_path_factory.mktemp("machines")
    with pytest.MonkeyPatch.context() as patch:  # nobody's own aliases of git
        patch.setenv("HOME", str(folder))
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        dictionary._git_verbs.cache_clear()
        dictionary._git_verbs()
    yield {name: machine(name, folder) for name in ("server", "full", "bare")}
    dictionary._git_verbs.cache_clear()


def test_the_persons_aliases_of_git_are_verbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text(
        "[user]\n\tname = x\n[alias]\n\tfrob = log -1\n[core]\n\tpager = less\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    dictionary._git_verbs.cache_clear()
    try:
        assert dictionary.has_extension("git", "frob", Known(""))
        assert not dictionary.has_extension("git", "pager", Known(""))
    finally:
        dictionary._git_verbs.cache_clear()


@pytest.fixture
def server(machines: dict[str, Known]) -> Known:
    return machines["server"]


@pytest.mark.parametrize("name", SETS)
def test_the_table_in_the_docs_is_what_comes_out(machines: dict[str, Known], name: str) -> None:
    row = report(name, machines["server"])
    assert row in DOCS.read_text(encoding="utf-8"), f"docs/routing.md should say\n{row}"


@pytest.mark.parametrize("name", LEARNED)
@pytest.mark.parametrize("where", ["server", "full", "bare"])
def test_few_lines_are_misjudged_on_any_machine(machines: dict[str, Known], name: str, where: str) -> None:
    outcome = judged(name, machines[where])
    wrong = [(line.text, f"{taken.score:.2f}") for line, taken in outcome.mistakes]
    hard = name in HARD
    assert outcome.right >= (0.95 if hard else 0.97 if where == "server" else 0.965), wrong
    assert outcome.sure <= (0.04 if hard else 0.02) * outcome.table.total(), wrong


@pytest.mark.parametrize("name", LEARNED)
def test_no_sentence_is_ever_a_certain_command(machines: dict[str, Known], name: str) -> None:
    for known in machines.values():
        assert [
            x.text for x in lines(name) if x.kind == "prompt" and is_certain_command(route(x.text, known))
        ] == []


def test_no_line_is_said_to_be_both() -> None:
    kinds: dict[str, set[str]] = {}
    for line in (line for name in SETS for line in lines(name)):
        kinds.setdefault(line.text, set()).add(line.kind)
    assert {text for text, found in kinds.items() if len(found) > 1} == set()


@pytest.mark.parametrize(
    ("line", "kind", "rest"),
    [
        ("!make me", "command", "make me"),
        ("! make", "command", "make"),
        ("$ ls -la", "command", "ls -la"),
        ("> ls", "prompt", "ls"),
        (">why", "prompt", "why"),
        ("\\ls", "command", "\\ls"),
        ("\\ why", "command", "why"),
        ("!!", "command", "!!"),
        ("!$", "command", "!$"),
        ("!-2", "command", "!-2"),
        ("  !ls", "command", "ls"),
    ],
)
def test_a_prefix_decides(server: Known, line: str, kind: str, rest: str) -> None:
    assert forced(line) == (kind, rest)
    found = route(line, server)
    assert (found.kind, found.unsure) == (kind, False)
    assert found.signals[0].name == "prefix"


@pytest.mark.parametrize(
    "line", ["$HOME/bin/x", "$EDITOR a", ">> log", "> out.txt", ">&2 echo", "!", ">", "$", "\\", "", " "]
)
def test_what_is_no_prefix_forces_nothing(line: str) -> None:
    assert forced(line) == (None, line)


def test_a_file_that_is_there_speaks_for_a_command(tmp_path: Path, server: Known) -> None:
    def score(line: str) -> float:
        found = route(line, Known(server.path, cwd=str(tmp_path)))
        return found.score if found.kind == "command" else -found.score

    before = score("sort sandwiches")
    (tmp_path / "sandwiches").touch()
    assert before < 0 < score("sort sandwiches")


def test_a_target_of_the_makefile_speaks_for_make(tmp_path: Path, server: Known) -> None:
    known = Known(server.path, cwd=str(tmp_path))
    assert route("make sandwich", known).kind == "prompt"
    (tmp_path / "Makefile").write_text("sandwich bread: butter\n\ttrue\n")
    assert route("make sandwich", known).kind == "command"
    assert route("make me a sandwich", known).kind == "prompt"


def test_a_makefile_without_the_target_speaks_against_make(tmp_path: Path, server: Known) -> None:
    known = Known(server.path, cwd=str(tmp_path))
    assert route("make flash", known).kind == "command"
    (tmp_path / "Makefile").write_text("all:\n\ttrue\n")
    assert route("make frobs", known).kind == "prompt"
    assert route("make -C firmware frobs", known).kind == "command"


@pytest.mark.parametrize(
    ("command", "prompt"),
    [
        ("sort names", "cat food"),  # a noun by which people call files, and an idiom
        ("cp this that", "cp this there"),  # words in a row
        ("./say the word", "./say is slow"),  # a script takes words; something is said of it
        ("ls # what is in here", "count the # of files"),
        ("head -1 list", "head list of options"),
        ("test -f this", "test this"),
        ("cargo run -- find me", "cargo find me"),
        ("npx cowsay good morning", "npx is slow"),
        ("ps aux | head -3", "ls | wc -l gives one more than i see"),
        ("at now + 1 hour", "at now it hangs"),
    ],
)
def test_a_command_and_a_prompt_that_looks_like_it(
    machines: dict[str, Known], command: str, prompt: str
) -> None:
    assert route(command, machines["full"]).kind == "command"
    assert route(prompt, machines["full"]).kind == "prompt"


def test_aliases_and_functions_are_commands_and_an_alias_is_looked_through(server: Known) -> None:
    known = Known(server.path, aliases={"please": "sudo", "g": "git"}, functions={"frobnicate"})
    assert route("please", known).kind == "command"
    assert route("g status", known).kind == "command"
    assert route("g why", known).kind == "prompt"
    assert route("frobnicate thing-1", known).kind == "command"
    assert route("frobnicate", server).kind == "prompt"


def test_an_alias_of_itself_ends(server: Known) -> None:
    known = Known(server.path, aliases={"a": "b", "b": "a", "ls": "ls --color", "sudo": "sudo "})
    assert route("a x", known)
    assert route("ls -l", known).kind == "command"
    assert route("sudo sudo sudo sudo sudo sudo sudo ls", known).kind == "command"


def test_a_new_program_on_path_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "FRESH", 0.0)
    known = Known(str(tmp_path))
    assert route("frobnicate", known).kind == "prompt"
    (tmp_path / "frobnicate").touch()
    assert route("frobnicate", known).kind == "command"


def test_verbs_of_programs_beside_it_count(tmp_path: Path, server: Known) -> None:
    (tmp_path / "git").touch()
    (tmp_path / "git-frob").touch()
    assert route("git frob now", Known(str(tmp_path))).kind == "command"
    assert route("git frob now", server).kind == "prompt"


def test_a_script_of_several_lines_is_a_command_and_a_pasted_error_is_not(server: Known) -> None:
    assert route("cd /tmp\nls -la\nrm -f x", server).kind == "command"
    assert route("for f in *; do\n  echo $f\ndone", server).kind == "command"
    assert route("cat <<EOF > note.txt\nDear all,\nwhy is that?\nEOF", server).kind == "command"
    paste = 'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nKeyError: 1'
    assert route(paste, server).kind == "prompt"
    assert route("make test\nprints this error\nwhat is wrong with it", server).kind == "prompt"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("!ls", "prefix"),
        ("ls -la", "dictionary"),
        ("why is it slow", "question"),
        ("git status", "structure"),
        ("list the files", "structure"),
    ],
)
def test_the_four_signals_are_named_and_weighed(server: Known, line: str, name: str) -> None:
    found = route(line, server)
    assert name in {signal.name for signal in found.signals}
    assert all(signal.weight and signal.why for signal in found.signals)
    total = sum(signal.weight for signal in found.signals)
    assert (total > 0) == (found.kind == "command")


def test_an_even_line_is_unsure(server: Known) -> None:
    assert route("> out.txt", server).unsure
    even = Signal("structure", UNSURE - 0.01, "it could be"), Signal("structure", UNSURE, "it is")
    assert [weigh([one]).unsure for one in even] == [True, False]


@pytest.mark.parametrize(
    "line", ["ls -la src/", "vim ", "git status", "cat /etc/hosts | wc -l", "./x.sh -v && make"]
)
def test_a_certain_command(machines: dict[str, Known], line: str) -> None:
    assert is_certain_command(route(line, machines["full"]))


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80) | st.text(alphabet="ab '\"`$(){}[]<>|&;!?*~#=-\\/\n\t.,", max_size=60))
def test_any_text_is_judged(text: str) -> None:
    found = route(text, Known("/usr/bin:/bin:relative", cwd="/tmp"))
    assert found.kind in ("command", "prompt")
    assert 0.5 <= found.score <= 1
    assert cut(text)


def test_a_huge_line_is_judged_soon(server: Known) -> None:
    for text in (
        "a" * 1_000_000,
        "ls " * 300_000,
        "'" * 100_000,
        "$(" * 50_000,
        "((" * 50_000,
        "x=" * 50_000,
    ):
        assert route(text, server).score >= 0.5


def test_threads_may_ask_at_once(server: Known) -> None:
    kinds: list[str] = []
    threads = [
        threading.Thread(target=lambda: kinds.append(route("git status", server).kind)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kinds == ["command"] * 8


def test_it_needs_the_standard_library_alone() -> None:
    code = "import sys, terma.routing as r; r.route('ls', r.Known('/bin')); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded & {"asyncio", "pydantic", "httpx", "rich", "prompt_toolkit"} == set()


def test_a_command_with_anything_against_it_is_not_certain() -> None:
    known = Signal("dictionary", 9.0, "it is here")
    against = Signal("question", -0.1, "it could be asked")
    assert is_certain_command(weigh([known]))
    assert weigh([known, against]).score >= CERTAIN
    assert not is_certain_command(weigh([known, against]))
