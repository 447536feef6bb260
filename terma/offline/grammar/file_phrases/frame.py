"""What a sentence about files says: which files, what to do with them, and what to do with the output."""

from __future__ import annotations

from dataclasses import field

from terma.offline.grammar.file_phrases.fileset import FileSet
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.records import dataclass


@dataclass(slots=True)
class FileFrame:
    """Filled by the phrases of this folder. `action` is one verb of the renderers ("" = list the files);
    `text` is what is searched for or replaced, `new` what it becomes; `dest` a directory or file to write to."""

    sentence: Sentence
    files: FileSet = field(default_factory=FileSet)
    action: str = ""
    verb: str = ""
    text: str = ""
    new: str = ""
    dest: str = ""
    perm: str = ""
    owner: str = ""
    flags: set[str] = field(default_factory=set)
    attributes: list[str] = field(default_factory=list)
    order: str = ""
    descending: bool = True
    limit: int = 0
    from_end: bool = False
    count: bool = False
    sink: str = ""
    naming: str = ""
    nouns: int = 0
    trust: float = 1.0

    def token(self, index: int) -> Token | None:
        tokens = self.sentence.tokens
        return tokens[index] if 0 <= index < len(tokens) else None

    def low(self, index: int) -> str:
        token = self.token(index)
        return token.text.lower() if token else ""

    def between(self, left: Token, right: Token) -> str:
        """What was written between two tokens: punctuation that tells lists from clauses."""
        return self.sentence.raw[left.end : right.start]


MACROS = {
    "dir": "directory|subdirectory|folder",
    "file": "file",
    "in": "in|under|inside|within|from|beneath|below|across|throughout|of|at|through|on",
    "more": "more|larger|bigger|greater|over|above|exceeding|exceed|heavier|beyond",
    "less": "less|smaller|under|below|fewer|lesser|lower",
    "ago": "ago|old",
    "mod": "modified|changed|edited|updated|altered|touched|written|modify|modification|change|edit|update",
    "acc": "accessed|read|opened|access|used|viewed",
    "born": "created|made|added|born",
    "except": "except|excluding|exclude|ignoring|ignore|skip|skipping|omit|besides|but|other",
    "having": "containing|contain|contains|mentioning|mention|holding|having|have|with|including|matching",
    "wordnoun": "word|text|string|phrase|pattern|line|character|expression|term",
    "name": "named|called|name|titled",
    "show": "show|list|print|display|report|output|give|tell|write",
    "delete": "delete|remove|erase|rm|clean|purge|clear|drop|wipe",
    "them": "them|it|those|they|result|these",
    "go": (
        "descend|recurse|go|look|recursive|search|enter|include|including|contain|recursing|"
        "descending|going|looking"
    ),
    "sub": "subdirectory|subdirectories|subfolders|sub-directories|sub-folders|sub-directory",
    "largest": "largest|biggest|heaviest|large",
    "smallest": "smallest|tiniest|small",
    "newest": "newest|latest|recent",
    "oldest": "oldest|old",
}

# Words that are never the text that somebody looks for.
NOT_TEXT = frozenset(
    "all file directory subdirectory every each line word text string only find show list count delete move "
    "copy in "
    "duplicate empty hidden large largest small smallest old oldest new newest any executable broken "
    "symlink link "
    "matching match with without both either not been never contain containing being be "
    "mentioned used total number that which whose named size name recursive total".split()
)
