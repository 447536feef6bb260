"""Programs that run another program: what stands behind sudo, xargs, find -exec or bash -c is what counts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from terma import regex as re
from terma.risk.model import Call, Word, words
from terma.risk.wrapper_table import BECOMING, SHELLS, VERB_VALUES, VERBS, WRAPPERS, Wrapper

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


CONTAINERS = {"docker", "podman", "nerdctl", "lxc", "kubectl", "oc"}
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
    elif call.name in CONTAINERS:
        yield from _in_container(call)
    elif call.name in (".", "source") and call.args and "/" not in call.args[0].text:
        yield call.inner(call.args)  # a name alone is looked for in PATH
    elif call.name == "git" and [word.text for word in call.operands()[:2]] == ["bisect", "run"]:
        yield call.inner(call.operands()[2:])
    else:
        yield from _behind_verb(call)


def _behind_verb(call: Call) -> Iterator[Call]:
    for (verb, operands), names in VERBS.items():
        rest = after(call.args, VERB_VALUES) if call.name in names.split() else ()
        if rest and rest[0].text == verb:
            inner = after(rest[1:], replace(VERB_VALUES, operands=operands))
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
    elif call.words and call.words[0].dynamic and (script := _command_option(call)) is not None:
        yield script.text  # `${SHELL} -c`, or whatever stands there
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
            at += 2 if text in takers or _last_takes(text, takers) else 1
        elif _ASSIGNMENT.match(text):
            at += 1
        elif operands:
            operands -= 1
            at += 1
        else:
            return args[at:]
    return ()


def _last_takes(text: str, takers: set[str]) -> bool:
    """Whether `text` is several letters in one word, the last of which alone takes a value: `-fL SPEC`."""
    letters = text[1:]
    if text.startswith("--") or len(letters) < 2:
        return False
    return f"-{letters[-1]}" in takers and not any(f"-{letter}" in takers for letter in letters[:-1])


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


def in_running_container(call: Call) -> Iterator[Call]:
    """What `docker exec NAME …` and its like start, which prints what that container holds."""
    if "exec" in [word.text for word in call.operands(_CONTAINER_VALUES)[:2]]:
        yield from _in_container(call)


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
