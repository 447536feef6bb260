"""The commands that a question means by the work that they do ("did I run the tests", "did I delete anything")."""

from __future__ import annotations

from terma.agent.chat.deeds.of_one import MAX_LISTED, commands, ended, listed
from terma.agent.chat.deeds.record import Record
from terma.agent.chat.deeds.senses import Sense
from terma.agent.chat.deeds.words import spoken
from terma.agent.chat.unanswered import norms
from terma.offline.lemma import lemma

_WIDE = norms("change edit touch break make")  # what all that writes does: no command is known by that


def named_by(thing: str, known: Record, sense: Sense) -> str:
    """The commands that say all words of `thing`, in whatever number or tense ("the tests": `make test`), or do it."""
    wanted = {lemma(word) for word in spoken(thing)}
    found = [
        deed
        for deed in known.deeds
        if wanted <= {lemma(word) for word in spoken(deed.command)} or wanted <= sense(deed.command)
    ]
    if found:
        return "\n".join(f"- {ended(deed)}" for deed in found[-MAX_LISTED:])
    said = f"Of the {commands(len(known.deeds))} that I know of, none is `{thing}`."
    near = [deed for deed in known.deeds if spoken(deed.command) & spoken(thing)]
    return f"{said} Like it in a word:\n\n{listed(near)}" if near else said


def acts(verb: str, known: Record, sense: Sense) -> str:
    """The commands that are known to do what `verb` says, and that what others did is not known from their names."""
    meant = norms(verb)
    if not known.deeds or not meant or meant & _WIDE:
        return ""
    found = [deed for deed in known.deeds if meant & sense(deed.command)]
    rest = (
        f"What others of the {commands(len(known.deeds))} that I know of did besides is not known from them."
    )
    if found:
        return "\n".join(f"- {ended(deed)}" for deed in found[-MAX_LISTED:]) + f"\n\n{rest}"
    none = f"None of the {commands(len(known.deeds))} that I know of is known to {min(meant)}"
    return f"{none}; what a program of your own did inside is not known here."
