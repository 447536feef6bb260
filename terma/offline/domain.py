"""Evidence beside the words: which tools work on a file of this kind, and which need their subject named."""

from __future__ import annotations

from collections.abc import Mapping

from terma import regex as re
from terma.offline.assign import Filled
from terma.offline.index import Entry
from terma.offline.sentence import Sentence
from terma.offline.slot_types import FILE_TYPES, base_type

_SUBJECTS = {
    "git": "git commit branch repository stash merge tag remote rebase stage push pull checkout head upstream origin "
    "track untrack submodule tree unstage worktree conflict bisect blame hunk fork cherry-pick revert",
    "docker": "docker container image volume compose dockerfile registry",
    "compose": "compose docker container service stack",
    "kubectl": "kubernetes pod deployment cluster namespace kubectl node service ingress replica configmap secret helm",
    "gh": "gh github pull request issue repository pr release workflow gist",
    "cloud": "aws s3 ec2 terraform gcloud azure bucket cloud instance lambda",
    "database": "database sql table mysql postgres redis sqlite query psql mongo",
    "firewall": "firewall iptables ufw port traffic rule",
    "editor": "vim nano editor emacs vi",
    "multiplexer": "tmux screen session pane window",
    "tools": "", "node": "npm node yarn package project script dependency module",
}  # fmt: skip
_SETS = {family: frozenset(words.split()) for family, words in _SUBJECTS.items()}
_TOOL_FILES = {
    "awk": r"",
    "tar": r"\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|tzst)\Z",
    "unzip": r"\.(?:zip|jar|war|epub|docx|xlsx)\Z", "zip": r"\.zip\Z", "zipinfo": r"\.zip\Z",
    "gunzip": r"(?<!\.tar)\.gz\Z", "zcat": r"\.gz\Z", "zless": r"\.gz\Z", "zgrep": r"\.gz\Z|\*",
    "gzip": r"(?<!\.tar)\.gz\Z|\A(?!.*\.(?:gz|zip|xz|bz2)\Z)",
    "bunzip2": r"(?<!\.tar)\.bz2\Z", "bzcat": r"\.bz2\Z", "unxz": r"(?<!\.tar)\.xz\Z", "xzcat": r"\.xz\Z",
    "7z": r"\.7z\Z", "unrar": r"\.rar\Z", "dpkg": r"\.deb\Z", "rpm": r"\.rpm\Z", "unzstd": r"\.zst\Z",
    "jq": r"\.(?:json|jsonl|ndjson)\Z", "yq": r"\.ya?ml\Z", "sqlite3": r"\.(?:db|sqlite3?|csv|sql)\Z",
    "ffmpeg": r"\.(?:mp[34]|mkv|avi|mov|webm|wav|flac|ogg|m4a|gif|flv|wmv|srt|aac|m4v|ts|png|jpe?g)\Z",
    "ffprobe": r"\.(?:mp[34]|mkv|avi|mov|webm|wav|flac|ogg|m4a|flv|wmv|aac)\Z",
    "convert": r"\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|heic|ico|psd|pdf)\Z",
    "python3": r"\.(?:pyc?|json|zip)\Z|/|\A[\w-]+\Z",
    "mypy": r"\.pyi?\Z|/", "black": r"\.pyi?\Z|/", "pytest": r"\.py\Z|/|\A[\w-]+\Z", "node": r"\.[cm]?js\Z",
    "bash": r"\.(?:ba)?sh\Z", "pdftotext": r"\.pdf\Z",
    "gcc": r"\.(?:c|cc|cpp|h|o|out)\Z", "pandoc": r"\.\w+\Z", "make": r"(?i)makefile|\.mk\Z", "psql": r"\.sql\Z",
    "xmllint": r"\.(?:xml|html?|svg)\Z", "rar": r"\.rar\Z", "zstd": r"\.zst\Z|\A(?!.*\.(?:gz|zip|xz|bz2)\Z)",
}  # fmt: skip
_PATTERNS = {tool: re.compile(pattern, re.I) for tool, pattern in _TOOL_FILES.items()}
_SUFFIX = re.compile(r"[^/.]\.[A-Za-z0-9]{1,5}\Z")
_HARD = frozenset(("docker", "compose", "kubectl", "gh", "cloud", "firewall", "multiplexer", "database"))


def fitness(entry: Entry, filled: Mapping[str, Filled], sentence: Sentence) -> float:
    """A factor around 1: below it when the tool is not for such files, or its subject is not what was said."""
    factor = 1.0
    family = entry.source.partition(".")[0]
    subject = _SETS.get(family) or _SETS.get(family.partition("-")[0])
    if subject is not None:
        norms = {token.norm for token in sentence.tokens}
        manifest = family == "kubectl" and any(s.value.endswith((".yaml", ".yml")) for s in filled.values())
        if not norms & subject and entry.tool not in norms and not manifest:
            factor *= 0.75 if family in _HARD else 0.94
    pattern = _PATTERNS.get(entry.tool)
    if pattern is not None:
        names = [
            slot.value for name, slot in filled.items() if _is_file(entry.slots.get(name, ""), slot.value)
        ]
        if names:
            if entry.tool == "awk" and "-F" not in entry.run and all(n.endswith(".csv") for n in names):
                factor *= 0.9  # columns of such a file are parted by commas
            factor *= 1.02 if any(pattern.search(name) for name in names) else 0.85
    return factor


def _is_file(kind: str, value: str) -> bool:
    base = base_type(kind)
    return base in FILE_TYPES or (base == "path" and bool(_SUFFIX.search(value)))
