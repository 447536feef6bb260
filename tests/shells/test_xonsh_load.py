"""`xontrib load terma`: in every way, more than once, and gone without a trace when it is unloaded."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import WAIT, Home, RunningAgent, wait_until
from tests.shells.driver import PROMPT, TmuxShell
from tests.shells.in_xonsh import DONE, LOAD, XONSH, both, fill, fresh, needs_xonsh, program, run, xonsh
from tests.shells.oldest_xonsh import TREE

pytestmark = needs_xonsh
# All that a xontrib can change, as text; id() tells one object from another within this process.
SNAPSHOT = r"""
def _test_snapshot(name):
    import json
    xsh = __xonsh__
    shell = xsh.shell.shell
    events = {
        name: sorted(id(handler) for handler in event)
        for name, event in vars(xsh.builtins.events).items() if hasattr(event, 'fire')
    }
    prompter = shell.prompter
    seen = {
        'aliases': {name: id(value) for name, value in xsh.aliases._raw.items()},
        'events': {name: handlers for name, handlers in events.items() if handlers},
        'bindings': [id(binding) for binding in shell.key_bindings.bindings],
        'variables': sorted(map(str, xsh.env._vars)),
        'environment': sorted(set(xsh.env._d) - {'LAST_RETURN_CODE', 'XONSH_APPEND_NEWLINE'}),
        'completers': list(xsh.completers),
        'history': sorted(vars(xsh.history)),
        'prompter': [sorted(vars(prompter.default_buffer)), repr(prompter.bottom_toolbar), repr(prompter.rprompt)],
        'signals': [len(prompter.default_buffer.on_text_changed._handlers), len(prompter.app.pre_run_callables)],
        'modules': sorted(name for name in __import__('sys').modules if name.startswith('xontrib_terma.')),
    }
    with open($HOME + '/' + name + '.new', 'w') as file:
        file.write(json.dumps(seen))
    __import__('os').replace($HOME + '/' + name + '.new', $HOME + '/' + name)
"""


def snapshot(shell: TmuxShell, home: Home, name: str) -> dict[str, object]:
    """What the xonsh under test holds now."""
    run(shell, f"_test_snapshot('{name}')")
    file = home.home / name
    wait_until(file.exists, "the snapshot")
    seen: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
    return seen


@both
def test_unload_leaves_nothing_after_load_twice_reload_and_use(agent: RunningAgent, which: str) -> None:
    agent.will_say("echo ", "done")
    agent.will_explain("so\n", fixes=("echo fixed",))
    with xonsh(agent, SNAPSHOT, load="", which=which) as shell:
        for name in ("warm", "before"):  # xonsh itself loads things at its first commands
            before = snapshot(shell, agent, name)
        run(shell, "xontrib load terma")
        run(shell, "xontrib load terma")
        run(shell, "xontrib reload terma")
        loaded = snapshot(shell, agent, "loaded")
        fresh(fill(shell, "say done", DONE))
        run(shell, "nosuchcommand")
        run(shell, "?why").wait_for("ready> echo fixed")
        fresh(shell)
        run(shell, "xontrib unload terma")
        after = snapshot(shell, agent, "after")
        assert loaded != before
        changed = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
        assert changed == {}


def test_an_unloaded_key_is_its_owners_again(agent: RunningAgent) -> None:
    with xonsh(agent) as shell:
        run(shell, "xontrib unload terma")
        shell.type("ab").press("C-t")
        assert shell.line().text == "ba"


def test_what_the_person_put_in_our_place_meanwhile_stays(agent: RunningAgent) -> None:
    with xonsh(agent) as shell:
        run(shell, "aliases['terma'] = 'echo mine'")
        run(shell, "xontrib unload terma")
        run(shell, "terma").wait_for("\nmine\n")


def test_an_alias_of_the_persons_own_is_left_alone(agent: RunningAgent) -> None:
    with xonsh(agent, "aliases['terma'] = 'echo mine'") as shell:
        run(shell, "terma why").wait_for("\nmine why\n")


@pytest.mark.parametrize(
    "load",
    [
        LOAD,
        "xontrib load -f xontrib_terma\n",
        LOAD + LOAD,
        "import xontrib_terma\nxontrib_terma._load_xontrib_(__xonsh__)\n",
    ],
)
def test_every_way_to_load_it_works(agent: RunningAgent, load: str) -> None:
    agent.will_say("echo loaded")
    with xonsh(agent, load=load) as shell:
        shell.type("say it").press("C-t").wait_for("echo loaded")


@both
def test_it_loads_at_the_prompt_too(agent: RunningAgent, which: str) -> None:
    agent.will_say("echo loaded")
    with xonsh(agent, load="", which=which) as shell:
        run(shell, "xontrib load terma")
        shell.type("say it").press("C-t").wait_for("echo loaded")


def test_disabled_it_can_be_loaded_later(agent: RunningAgent) -> None:
    agent.will_say("echo loaded")
    with xonsh(agent, "$TERMA_DISABLE = '1'") as shell:
        run(shell, "del $TERMA_DISABLE")
        run(shell, "xontrib load terma")
        shell.type("say it").press("C-t").wait_for("echo loaded")


def in_readline(shell: TmuxShell, line: str) -> TmuxShell:
    """Runs a line from an empty prompt to the next one."""
    shell.wait_screen(lambda screen: screen.endswith("ready>"), "an empty prompt").type(line).wait_for(line)
    return shell.press("Enter").wait_screen(lambda screen: screen.endswith("ready>"), f"the end of {line!r}")


@both
def test_without_prompt_toolkit_it_says_that_there_is_no_key_and_the_rest_works(
    agent: RunningAgent, which: str
) -> None:
    agent.will_explain("So it is.\n", fixes=("echo fixed",))
    with xonsh(agent, "$SHELL_TYPE = 'readline'\n", which=which, ready="its key needs") as shell:
        in_readline(shell, "nosuchcommand").wait_for("not found")
        in_readline(shell, "?why does it end with $(touch PWNED):").wait_for("So it is.")
        in_readline(shell, "terma why | cat")
        assert shell.screen().count("So it is.") == 2
        shell.press("Up", "Up").wait_for("ready> ?why does it end with $(touch PWNED):")
        shell.press("C-a", "C-k")
        in_readline(shell, "xontrib unload terma")
        in_readline(shell, "print('te' + 'rma' in aliases)").wait_for("\nFalse")
        assert shell.screen().count("its key needs") == 1
        assert not list(agent.root.rglob("PWNED"))


@pytest.mark.parametrize("reason", ["$TERMA_DISABLE = '1'", "$TERM = 'dumb'"])
def test_it_stays_out_where_it_is_not_wanted(agent: RunningAgent, reason: str) -> None:
    with xonsh(agent, reason, "$TERM = 'tmux-256color'") as shell:
        run(shell, "print('te' + 'rma' in aliases)").wait_for("\nFalse\n")
        assert ("terma suggest" in shell.screen()) is ("dumb" in reason)


@both
def test_a_script_gets_nothing_of_it(home: Home, which: str) -> None:
    script = home.home / "script.xsh"
    script.write_text(f"import sys; sys.path.insert(0, {str(TREE)!r})\n{LOAD}print('terma' in aliases)\n")
    done = subprocess.run(
        [program(which), "--no-rc", str(script)],
        env=home.env,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.stdout.splitlines()[-1:] == ["False"], done


def test_loading_imports_nothing_heavy(home: Home) -> None:
    heavy = "asyncio socket subprocess json terma prompt_toolkit.application pydantic httpx"
    code = (
        f"import sys; sys.path.insert(0, {str(TREE)!r}); __xonsh__.env['XONSH_INTERACTIVE'] = True\n"
        "from xonsh.completers.completer import add_one_completer\n"
        "before = set(sys.modules)\nimport xontrib_terma; xontrib_terma._load_xontrib_(__xonsh__)\n"
        "assert xontrib_terma._session._undo\n"
        f"print('heavy:', sorted((set(sys.modules) - before) & set({heavy!r}.split())))\n"
    )
    script = home.home / "script.xsh"
    script.write_text(code)
    done = subprocess.run(
        [XONSH, "--no-rc", str(script)],
        env=home.env,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.stdout.splitlines()[-1:] == ["heavy: []"], done


@both
def test_what_talks_to_the_agent_loads_with_the_first_key(agent: RunningAgent, which: str) -> None:
    """And xonsh's own completers, which take it longer than all of us, with the first `terma` on the line."""
    parts = (
        "xontrib_terma.stream xontrib_terma.reach xontrib_terma.completer terma.wire xonsh.completers.init"
    )
    asked = f"print('loaded:', [name for name in {parts.split()!r} if name in __import__('sys').modules])"
    agent.will_say("echo done")
    (agent.home / "asked.py").write_text(asked)
    with xonsh(agent, which=which, size=(24, 140)) as shell:
        run(shell, "exec(open('asked.py').read())").wait_for("\nloaded: []")
        fresh(fill(shell, "say it", DONE))
        run(shell, "exec(open('asked.py').read())").wait_for("\nloaded: ['xontrib_terma.stream'")


def test_the_settings_have_their_documentation(agent: RunningAgent) -> None:
    with xonsh(agent) as shell:
        run(shell, "print(__xonsh__.env.get_docs('TERMA_KEY').doc)").wait_for("c-x c-t")


@pytest.mark.parametrize(
    ("told", "pressed"), [("c-x c-t", ["C-x", "C-t"]), ("^X^T", ["C-x", "C-t"]), ("^[h", ["M-h"])]
)
def test_terma_key_names_another_key(agent: RunningAgent, told: str, pressed: list[str]) -> None:
    agent.will_say("echo other")
    with xonsh(agent, f"$TERMA_KEY = {told!r}") as shell:
        shell.type("say it").press(*pressed).wait_for("echo other")


def test_a_key_that_does_not_exist_is_said_and_the_usual_one_works(agent: RunningAgent) -> None:
    agent.will_say("echo other")
    with xonsh(agent, "$TERMA_KEY = 'c-nokey'", ready="names no key") as shell:
        shell.wait_for(PROMPT.strip()).type("say it").press("C-t").wait_for("echo other")


def test_xontrib_list_shows_it(home: Home) -> None:
    text = Path(TREE, "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points."xonsh.xontribs"]' in text
    with xonsh(home) as shell:
        run(shell, "xontrib list").wait_for("terma")
