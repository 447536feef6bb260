"""Files are no folders, and a picture is no text: "only the files here, not the folders" is no `ls -d */`, "delete all
empty files in this tree" no `find -type d … -delete`, and "print letter.pdf" no `cat`."""

from __future__ import annotations

from itertools import pairwise

from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_FOLDERS = frozenset(
    "directory directories folder folders dir dirs subfolder subfolders subdirectory".split()
)
_PLACES = frozenset("in of under from inside within below across into to at through its their and".split())
_SHOWS = frozenset(("cat", "less", "more", "nl", "tac"))
# What a terminal cannot show: pictures, sound, films, archives, office files, programs.
_NO_TEXT = frozenset(
    "pdf jpg jpeg png gif webp heic tif tiff mp3 flac wav ogg m4a mp4 mkv mov avi webm zip gz xz bz2 zst 7z rar"
    " iso img docx xlsx pptx odt ods db sqlite parquet npy so o class jar deb rpm".split()
)


def of_that_kind(facts: Facts, command: str, _: Context) -> bool:
    """Whether no folders are listed or deleted where files were named, and the other way round."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    folders = [i for i, text in enumerate(texts) if text in _FOLDERS]
    files = [i for i, token in enumerate(tokens) if token.norm == "file" and texts[i] in ("file", "files")]
    listed = {kind for simple in simples(command) for kind in _kinds(simple)}
    if listed == {"f"}:
        left_out = any(i in facts.denied for i in files)
        return not (left_out and any(i not in facts.denied for i in folders))
    if listed == {"d"}:
        only_places = all(_is_place(texts, i) for i in folders)
        wants_files = any(i not in facts.denied for i in files)
        return not (any(i in facts.denied for i in folders) or (wants_files and only_places))
    return True


def _kinds(simple: Simple) -> set[str]:
    """f, d: of which kind alone the command lists things."""
    found = {
        kind
        for before, (option, kind) in zip(("", *simple.words), pairwise(simple.words), strict=False)
        if simple.program == "find"
        and option == "-type"
        and before not in ("!", "-not")
        and "-exec" not in simple.words  # what is done to folders may be about files: `chmod g+s`
    }
    if simple.program == "ls" and any(word.endswith("*/") for word in simple.words):
        found.add("d")
    return found & {"f", "d"}


def _is_place(texts: list[str], i: int) -> bool:
    """Whether a folder is where things are, and not what is looked for."""
    return not _PLACES.isdisjoint(texts[max(0, i - 3) : i]) or texts[i + 1 : i + 2] == ["tree"]


def as_text(_: Facts, command: str, __: Context) -> bool:
    """Whether nothing that is no text goes to the terminal."""
    parsed = simples(command)
    return not (
        len(parsed) == 1
        and parsed[0].program in _SHOWS
        and not parsed[0].writes
        and any(word.rpartition(".")[2].lower() in _NO_TEXT for word in parsed[0].operands if "." in word)
    )
