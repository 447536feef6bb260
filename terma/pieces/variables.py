"""The variables in a word, told by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from terma.shell_syntax import nodes as tree

_SPECIAL = {
    "?": "the exit status of the last command", "@": "all arguments, each as one word",
    "#": "how many arguments there are",
    "$": "the number of this shell's process", "!": "the number of the last process in the background",
    "0": "the name of this shell or script", "*": "all arguments", "_": "the last word of the command before",
    "-": "the shell's own options",
}  # fmt: skip


def variables(parts: Iterable[tree.Part]) -> Iterator[tuple[str, str]]:
    """(`$HOME`, `the variable HOME`) for each expansion of a variable."""
    for part in parts:
        if isinstance(part, tree.Parameter):
            if part.name in _SPECIAL:
                yield part.source, _SPECIAL[part.name]
            elif part.name.isdecimal():
                yield part.source, f"argument {part.name} of the script or function"
            else:
                rest = part.source.strip("${}").removeprefix(part.name)
                changed = "" if not rest else " changed as is written" if rest[0] in "%#/:^,@" else ""
                listed = ", all its values" if rest.startswith(("[@]", "[*]")) else ""
                yield part.source, f"the variable {part.name}{listed or changed}"
        elif isinstance(part, tree.DoubleQuoted):
            yield from variables(part.parts)
        elif isinstance(part, tree.ArithmeticExpansion):
            yield part.source, "a sum, computed by the shell"


def is_plain(parts: Iterable[tree.Part]) -> bool:
    """Whether nothing of it expands, in quotes of either kind."""
    return all(
        is_plain(one.parts)
        if isinstance(one, tree.DoubleQuoted)
        else isinstance(one, tree.Literal | tree.Escaped | tree.SingleQuoted)
        for one in parts
    )
