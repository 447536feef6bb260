"""Programs that run another program: what stands behind sudo, xargs, find -exec or bash -c is what counts."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from terma.risk.model import Call, Word, words

BECOMING = {"sudo", "doas", "pkexec"}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`values`: options whose value follows, as blank-separated names without dashes. `operands`: how many
    arguments come before the command. `joined`: its arguments are joined and given to a shell."""

    values: str = ""
    operands: int = 0
    joined: bool = False
    bulk: bool = False
    elsewhere: bool = False


WRAPPERS: dict[str, Wrapper] = {
    "sudo": Wrapper("u g p h C T r t U D R user group host chdir"),
    "doas": Wrapper("u C"),
    "pkexec": Wrapper("user"),
    "env": Wrapper("u C unset chdir"),
    "nice": Wrapper("n adjustment"),
    "ionice": Wrapper("c n p P u class classdata"),
    "nohup": Wrapper(),
    "time": Wrapper("f o"),
    "timeout": Wrapper("k s kill-after signal", operands=1),
    "stdbuf": Wrapper("i o e"),
    "setsid": Wrapper(),
    "chrt": Wrapper("T P D", operands=1),
    "taskset": Wrapper(operands=1),
    "watch": Wrapper("n q interval", joined=True),
    "xargs": Wrapper("a d E I L n P s arg-file delimiter max-args max-procs replace max-lines", bulk=True),
    "parallel": Wrapper("j a N n L S I P jobs", joined=True, bulk=True),
    "command": Wrapper(),
    "builtin": Wrapper(),
    "exec": Wrapper("a"),
    "noglob": Wrapper(),
    "-": Wrapper(),  # zsh: as if it were a login shell
    "nocorrect": Wrapper(),
    "coproc": Wrapper(),
    "repeat": Wrapper(operands=1, bulk=True),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "strace": Wrapper("o e p s u E a I O P S X"),
    "ltrace": Wrapper("o e p s u"),
    "caffeinate": Wrapper("t w"),
    "flock": Wrapper("w E timeout", operands=1),
    "chroot": Wrapper(operands=1, elsewhere=True),
    "unshare": Wrapper(),
    "nsenter": Wrapper("t S G target"),
    "systemd-run": Wrapper("p u unit property on-calendar on-active"),
    "systemd-inhibit": Wrapper(),
    "runuser": Wrapper("u"),
    "gosu": Wrapper(operands=1),
    "sshpass": Wrapper("p f e P"),
    "setpriv": Wrapper(),
    "firejail": Wrapper(),
    "fakeroot": Wrapper(),
    "faketime": Wrapper(operands=1),
    "numactl": Wrapper("m N C"),
    "xvfb-run": Wrapper("s n e f p w"),
    "dbus-run-session": Wrapper(),
    "su-exec": Wrapper(operands=1),
    "torsocks": Wrapper(),
    "proxychains": Wrapper("f"),
    "proxychains4": Wrapper("f"),
    "unbuffer": Wrapper(),
    "rlwrap": Wrapper(),
    "entr": Wrapper(bulk=True),
    "npx": Wrapper("p package"),
    "pnpx": Wrapper("p package"),
    "bunx": Wrapper("p package"),
    "uvx": Wrapper("p python from with"),
    "watchexec": Wrapper("w e i f exts watch ignore filter"),
    "hyperfine": Wrapper("w m M r p c s n L S P warmup runs prepare cleanup setup shell", joined=True),
    "pdsh": Wrapper("w x l f g t u R", joined=True, elsewhere=True),
    "clush": Wrapper("w x l g", joined=True, elsewhere=True),
    "mosh": Wrapper("p ssh server client", operands=1, elsewhere=True),
    "adb": Wrapper("s", operands=1, joined=True, elsewhere=True),
    "ssh": Wrapper("b c D E e F I i J L l m O o p Q R S W w B", operands=1, joined=True, elsewhere=True),
}
# Programs that run another behind one of their own first words, and how many operands stand before it.
_VERBS = {
    ("run", 0): "uv poetry pipenv pdm hatch rye conda mamba micromamba dotenv op",
    ("exec", 0): "npm pnpm yarn bun bundle mise asdf rbenv pyenv",
    ("dlx", 0): "pnpm yarn",
    ("x", 0): "bun npm",
    ("exec", 1): "direnv",
    ("run", 1): "rustup",
}
_VERB_VALUES = Wrapper("n p e f name prefix env-file package with python extra group")
SHELLS = {"sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "xonsh", "rbash"}
_CONTAINERS = {"docker", "podman", "nerdctl", "lxc", "kubectl", "oc"}
_CONTAINER_VALUES = (
    "-e -u -w -v -p -m --name --network --env --user --workdir --volume --entrypoint --mount -n -c"
)
_TMUX = {
    "new",
    "new-session",
    "neww",
    "new-window",
    "splitw",
    "split-window",
    "send-keys",
    "send",
    "run-shell",
    "run",
}


def inner_calls(call: Call) -> Iterator[Call]:
    """The commands that `call` starts from its own words."""
    wrapper = WRAPPERS.get(call.name)
    if wrapper:
        rest = after(call.args, wrapper)
        if rest and not wrapper.joined and not (call.name in ("command", "exec") and _only_asks(call)):
            inner = call.inner(rest, bulk=wrapper.bulk, elsewhere=wrapper.elsewhere)
            yield replace(inner, as_root=True) if call.name in BECOMING else inner
    elif call.name in ("find", "gfind"):
        yield from _each(call, {"-exec", "-execdir", "-ok", "-okdir"}, {";", "+"})
    elif call.name in ("fd", "fdfind"):
        yield from _each(call, {"-x", "-X", "--exec", "--exec-batch"}, {";"})
    elif call.name in _CONTAINERS:
        yield from _in_container(call)
    elif call.name in (".", "source") and call.args and "/" not in call.args[0].text:
        yield call.inner(call.args)  # a name alone is looked for in PATH
    elif call.name == "git" and [word.text for word in call.operands()[:2]] == ["bisect", "run"]:
        yield call.inner(call.operands()[2:])
    else:
        yield from _behind_verb(call)


def _behind_verb(call: Call) -> Iterator[Call]:
    for (verb, operands), names in _VERBS.items():
        rest = after(call.args, _VERB_VALUES) if call.name in names.split() else ()
        if rest and rest[0].text == verb:
            inner = after(rest[1:], replace(_VERB_VALUES, operands=operands))
            yield from [call.inner(inner)] if inner else []


def scripts(call: Call) -> Iterator[str]:
    """The pieces of shell text that `call` hands to a shell."""
    name, texts = call.name, [word.text for word in call.args]
    wrapper = WRAPPERS.get(name)
    if wrapper and wrapper.joined and not (name == "parallel" and {"--dry-run", "--dryrun"} & {*texts}):
        yield " ".join(word.text for word in after(call.args, wrapper))
    if name in SHELLS | {"su", "runuser", "script", "flock", "busybox", "vagrant"}:
        script = _command_option(call)
        if script is not None:
            yield script.text
    elif name == "env" and (split := call.value("-S", "--split-string")):
        yield split.text
    elif name == "ansible" and (module := call.value("-a", "--args")):
        yield module.text
    elif name == "eval":
        yield " ".join(texts)
    elif name in ("trap", "complete") or (name == "git" and "foreach" in texts):
        yield from (text for text in texts if " " in text)
    elif name == "alias":
        yield from (text.partition("=")[2] for text in texts if "=" in text)
    elif name in ("tmux", "screen") and (name == "screen" or _TMUX & set(texts)):
        yield from (text for text in texts if " " in text)


def _command_option(call: Call) -> Word | None:
    """What follows -c, also in a cluster such as `-lc`."""
    for at, word in enumerate(call.args[:-1]):
        if re.fullmatch(r"-[a-zA-Z]*c|--command", word.text):
            return call.args[at + 1]
    return None


def _only_asks(call: Call) -> bool:
    return bool(call.flags() & {"-v", "-V"})


def after(args: tuple[Word, ...], wrapper: Wrapper) -> tuple[Word, ...]:
    """`args` from the wrapped command on: options, assignments and leading operands are passed over."""
    takers = {f"-{name}" if len(name) == 1 else f"--{name}" for name in wrapper.values.split()}
    at, operands = 0, wrapper.operands
    while at < len(args):
        text = args[at].text
        if text == "--":
            at += 1
            return args[at + operands :]
        if text.startswith("-") and len(text) > 1:
            at += 2 if text in takers else 1
        elif _ASSIGNMENT.match(text):
            at += 1
        elif operands:
            operands -= 1
            at += 1
        else:
            return args[at:]
    return ()


_FOUND_BELOW = frozenset({"below"})


def _looks_below(call: Call) -> bool:
    """Whether find looks at nothing but what lies below the directory where it runs."""
    roots = list(takewhile(lambda word: word.text[:1] not in "-(!", call.args)) or [Word(".")]
    return not any(
        root.dynamic or root.text[:1] in ("/", "~") or ".." in root.text.split("/") for root in roots
    )


def _each(call: Call, starts: set[str], ends: set[str]) -> Iterator[Call]:
    command: list[Word] | None = None
    holds = frozenset[str]().union(*(word.holds for word in call.args)) if call.args else frozenset[str]()
    found = _FOUND_BELOW if call.name in ("find", "gfind") and _looks_below(call) else frozenset[str]()
    for word in call.args:
        if word.text in starts:
            command = []
        elif command is not None and word.text in ends:
            yield call.inner(tuple(command), bulk=True)
            command = None
        elif command is not None:
            named = replace(word, holds=word.holds | holds, origins=word.origins | found)
            command.append(named if "{}" in word.text else word)
    if command:
        yield call.inner(tuple(command), bulk=True)


def _in_container(call: Call) -> Iterator[Call]:
    texts = [word.text for word in call.args]
    if "--" in texts:
        rest = call.args[texts.index("--") + 1 :]
    else:
        operands = call.operands(_CONTAINER_VALUES)
        names = [word.text for word in operands]
        verb = next((verb for verb in ("exec", "run") if verb in names[:2]), None)
        if verb is None:
            return
        image = operands[names.index(verb) + 1 : names.index(verb) + 2]
        rest = call.args[texts.index(image[0].text) + 1 :] if image else ()
    if rest:
        yield call.inner(rest, elsewhere=True)


def split_words(text: str) -> tuple[Word, ...]:
    """`text` cut at blanks, for text that no parser could read."""
    try:
        return words(*shlex.split(text, comments=True))
    except ValueError:
        return words(*text.split())
