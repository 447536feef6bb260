"""Questions whether a program is here: answered off the asking shell's PATH, also where they take for granted what is
not so ("why is git not installed")."""

from __future__ import annotations

import re

from terma.machine.programs import is_builtin, where
from terma.types import Query

_NAME = r"(?P<name>[A-Za-z0-9][\w.+-]*)"
_FORMS = tuple(
    re.compile(
        rf"(?i)^\W*(?:(?:and|so|but|ok)\s+)*(?:{form})(?:\s+(?:here|yet|already|on (?:this|my) \w+))*\W*$"
    )
    for form in (
        rf"(?P<why>why\s+)?(?:is|isn't)\s+{_NAME}\s+(?:not\s+)?(?:already\s+)?(?:installed|on (?:my|the) path)",
        rf"why\s+(?:is|isn't)\s+{_NAME}\s+(?P<gone>missing|not\s+there|gone|not\s+found)",
        rf"(?P<why>why\s+)?(?:do|don't)\s+(?:i|we|you)\s+(?:not\s+)?have\s+{_NAME}(?P<said>\s+installed)?",
        rf"(?:have|has)\s+(?:i|we|this \w+)\s+got\s+{_NAME}(?P<said>\s+installed)?",
    )
)


def told(question: str, query: Query) -> str:
    """Markdown; "" where the question is another one. A name that is no program's counts where it is asked whether it
    is installed: what is on the PATH is all that is claimed."""
    for form in _FORMS:
        if (found := form.match(question)) is None:
            continue
        name = found["name"].rstrip(".")
        file = where(name, query.path, query.cwd or "/")
        groups = found.groupdict()
        if file:
            return f"`{name}` is here: {file}."
        if is_builtin(name, query.shell):
            return f"`{name}` is a word of {query.shell} itself."
        if "said" in groups and not groups["said"]:
            return ""  # "do I have mail"
        why = " Why, nothing here tells." if groups.get("why") or groups.get("gone") else ""
        return f"No program `{name}` is on your PATH.{why} What is no program (a library, say) is not looked for."
    return ""
