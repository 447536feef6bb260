"""Whether a command leaves something running when it has ended, so that its proposal can say so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from terma.risk.model import Call
from terma.risk.syntax import read
from terma.risk.wrappers import inner_calls, scripts
from terma.shell_syntax import BASH, ShellSyntaxError, nodes, parse, readings

LONGEST = 4000  # code points that are looked at
_DEEPEST = 4  # scripts in scripts, programs that run programs
_BACKGROUND = ("&", "&!", "&|")
# Long options by which any program says that it leaves its terminal
_LEAVES = frozenset("--detach --detached --daemon --daemonize --background".split())
_RUNS = frozenset("run start up exec new new-session new-window".split())
# Short ones; a program with subcommands does so in those that start something
_SHORT: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "tmux": (frozenset({"-d"}), _RUNS),
    "screen": (frozenset({"-d", "-m"}), frozenset()),
    "docker": (frozenset({"-d"}), _RUNS),
    "podman": (frozenset({"-d"}), _RUNS),
    "nerdctl": (frozenset({"-d"}), _RUNS),
    "setsid": (frozenset({"-f"}), frozenset()),
    "ssh": (frozenset({"-f"}), frozenset()),
    "wget": (frozenset({"-b"}), frozenset()),
    "start-stop-daemon": (frozenset({"-b"}), frozenset()),
}
_WAITS = frozenset("--wait --scope --pty --pipe -t -P".split())


def lasts(command: str, shell: str) -> bool:
    """Whether a part of `command` is put in the background (`&`, `coproc`), as `shell` reads it, and not waited
    for: in a function that it calls and a script that it hands to a shell, too."""
    return _lasts(command, shell, _DEEPEST)


def detaches(command: str, shell: str) -> bool:
    """Whether a program of it is told to leave the terminal by itself: a container, a session of tmux, a daemon."""
    return len(command) <= LONGEST and any(map(_detaches, _calls(command, shell)))


def _lasts(command: str, shell: str, deep: int) -> bool:
    if not ("&" in command or "coproc" in command) or len(command) > LONGEST or not deep:
        return False
    for dialect in (*readings(shell), BASH):  # fish writes `&` as bash does
        try:
            script = parse(command, dialect)
        except ShellSyntaxError:
            continue
        return _in(script, {}) or any(
            _lasts(inner, "", deep - 1) for call in _calls(command, shell) for inner in scripts(call)
        )
    return False


def _in(script: nodes.Script, functions: dict[str, nodes.Compound]) -> bool:
    """The last word counts: `server & wait` leaves nothing. `functions` are those defined before, and here."""
    running = False
    for statement in script.statements:
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                if isinstance(command, nodes.Compound):
                    if command.kind == "function":
                        functions[command.name] = command
                    elif command.kind == "coproc":
                        running = True
                    else:
                        running = running or any(_in(body, functions) for body in command.bodies)
                elif name := _name(command):
                    called = functions.pop(name, None)  # one that calls itself is looked into once
                    running = name != "wait" and (
                        running
                        or (called is not None and any(_in(body, functions) for body in called.bodies))
                    )
        running = running or statement.terminator in _BACKGROUND
    return running


def _name(command: nodes.Command) -> str:
    words = command.words if isinstance(command, nodes.Simple) else ()
    return (words[0].literal or "") if words else ""


def _calls(command: str, shell: str) -> Iterator[Call]:
    """Its commands, and those that they run."""
    calls = read(command, shell)[0]
    for _ in range(_DEEPEST):
        yield from calls
        calls = [inner for call in calls for inner in inner_calls(call)]


def _detaches(call: Call) -> bool:
    flags = call.flags()
    if call.name == "systemd-run":
        return not flags & _WAITS
    letters, verbs = _SHORT.get(call.name, (frozenset(), frozenset()))
    short = letters and letters <= flags and (not verbs or any(word.text in verbs for word in call.args))
    return bool(short or flags & _LEAVES)
