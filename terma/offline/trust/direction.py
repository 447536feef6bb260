"""What is read and what is written, held against where the sentence says that things come from and go to."""

from __future__ import annotations

from terma.offline.draft import Context
from terma.offline.trust.command import Simple, effect, simples
from terma.offline.trust.facts import Facts
from terma.offline.trust.flow import carries, ends


def direction(facts: Facts, command: str, _: Context) -> bool:
    """What is to be read is not written, and what is to be written is not read."""
    for simple in simples(command):
        sources, targets = ends(simple)
        if not targets and not sources:
            continue
        for i, role in facts.roles.items():
            text = facts.sentence.tokens[i].value
            if i not in facts.literals and not carries(simple):
                continue
            if role == "source" and _among(text, targets) and not _among(text, sources):
                return False
            if role == "target" and _among(text, sources) and not _among(text, targets):
                return False
    return _first_is_source(facts, command)


_RELATES = frozenset(
    "compare difference relative link symlink connect ssh tunnel forward belong according close next".split()
)


_ONLY_SHOW = frozenset(
    "cut sort head tail grep awk cat find ls wc du paste uniq tr comm join nl sed tac column jq stat file rev".split()
)


def written(facts: Facts, command: str, _: Context) -> bool:
    """What is to go into a file goes there: a command that only looks does not answer."""
    tokens = facts.sentence.tokens
    if facts.question or effect(command) != "look" or _RELATES & {token.norm for token in tokens}:
        return True
    if not any(simple.program in _ONLY_SHOW for simple in simples(command)):
        return True
    return not any(
        role == "target" and tokens[i].kind == "file" and any(j < i for j in facts.literals)
        for i, role in facts.roles.items()
    )


def into(facts: Facts, command: str, _: Context) -> bool:
    """What something is to go into is in the command, also where its name is a function word: "into out"."""
    tokens = facts.sentence.tokens
    words = {word.strip("/") for simple in simples(command) for word in simple.operands}
    return all(
        tokens[i].text in words for i, role in facts.roles.items() if role == "target" and tokens[i].stop
    )


def likened(facts: Facts, command: str, _: Context) -> bool:
    """What another is to be made like is the model: "touch a.txt with the timestamp of b.txt" takes that of b.txt."""
    tokens = facts.sentence.tokens
    after = {tokens[i].value for i in facts.literals if i and tokens[i - 1].text.lower() in _OF_ANOTHER}
    for simple in simples(command):
        models = _models(simple)
        if models and after & (set(simple.operands) - models) and not after & models:
            return False
    return True


_OF_ANOTHER = frozenset(("of", "as", "like", "from"))


def _models(simple: Simple) -> set[str]:
    """The files that `--reference` names, or `-r` of touch."""
    found = set()
    for word, behind in zip(simple.words, (*simple.words[1:], ""), strict=True):
        option, _, value = word.partition("=")
        if option == "--reference" or (option == "-r" and simple.program == "touch"):
            found.add(value or behind)
    return found


def _first_is_source(facts: Facts, command: str) -> bool:
    """Who says what to carry and then where to: the first is not overwritten."""
    tokens = facts.sentence.tokens
    goals = [i for i, role in facts.roles.items() if role == "target"] or [
        i for i, token in enumerate(tokens) if token.text.lower() in ("to", "into", "onto")
    ]
    if not facts.carries or not goals:
        return True
    goal = min(goals)
    before = [
        i
        for i in facts.literals
        if i < goal and tokens[i].kind in ("file", "path", "glob", "remotepath", "url")
    ]
    if not before or facts.roles.get(before[0], "source") != "source":
        return True
    text = tokens[before[0]].value
    for simple in simples(command):
        sources, targets = ends(simple)
        if _among(text, targets) and not _among(text, sources):
            return False
    return True


def _among(text: str, words: tuple[str, ...]) -> bool:
    """Whether it is one of the words, or the path or the host of one (`user@host:path`)."""
    bare = text.strip("/") or "/"
    return any(
        word.strip("/") == bare
        or (len(bare) > 1 and word.strip("/").endswith((":" + bare, ":/" + bare)))
        or (":" in word and "://" not in word and word.partition(":")[0].rpartition("@")[2] == bare)
        for word in words
    )
