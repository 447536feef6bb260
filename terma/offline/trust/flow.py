"""Which words of a command are read and which are written: the two ends of every program that carries things."""

from __future__ import annotations

from terma.offline.trust.command import Simple

_LAST_IS_TARGET = frozenset(
    "cp mv rsync scp ln install convert magick ffmpeg gsutil mmv pdftotext iconv-o sox qpdf cwebp pdftk".split()
)
_CARRYING_SUBS = {
    "docker": ("cp",), "podman": ("cp",), "kubectl": ("cp",), "rclone": ("copy", "sync", "move", "copyto", "moveto"),
    "aws": ("s3",), "gcloud": ("storage",), "git": ("clone",), "mc": ("cp", "mirror"), "adb": ("push", "pull"),
}  # fmt: skip
_OUT_OPTIONS = frozenset(("-o", "--output", "-O", "--output-document", "--out", "-outfile", "-out"))
_WITH_VALUE = {
    "ffmpeg": frozenset("-vf -af -ss -to -t -c:v -c:a -c -r -b:a -b:v -q:a -crf -preset -map -f -codec".split()),
    "scp": frozenset(("-P", "-i", "-o", "-l")), "rsync": frozenset(("-e",)), "install": frozenset(("-m", "-o", "-g")),
}  # fmt: skip
_NOT_OUT = frozenset("grep ps ls sort-k ssh mount lsof egrep rg useradd curl-O chown".split())


def carries(simple: Simple) -> bool:
    """Whether the program takes things from its first operands to its last."""
    return simple.program in _LAST_IS_TARGET or simple.sub in _CARRYING_SUBS.get(simple.program, ())


def ends(simple: Simple) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(what is read, what is written) among the command's words, as far as the program is known."""
    program = simple.program
    words = [word for word in simple.words[1:] if word != simple.sub]
    targets = [t for t in simple.writes if t != "/dev/null"]
    sources = list(simple.reads)
    if program == "dd":
        for word in words:
            key, _, value = word.partition("=")
            (sources if key == "if" else targets if key == "of" else []).append(value)
        return tuple(sources), tuple(targets)
    if program == "tar":
        return _tar(simple, sources, targets)
    plain: list[str] = []
    skip = ""
    for word in words:
        if skip:
            (targets if skip == "out" else plain if skip == "in" else []).append(word)
            skip = ""
        elif (
            (word in _OUT_OPTIONS and program not in _NOT_OUT and (program, word) != ("curl", "-O"))
            or (word in ("-t", "--target-directory") and program in ("cp", "mv", "ln", "install"))
            or (word == "-d" and program == "unzip")
        ):
            skip = "out"
        elif word == "-i" and program == "ffmpeg":
            skip = "in"
        elif word in _WITH_VALUE.get(program, ()):
            skip = "no"
        elif word[:1] != "-":
            plain.append(word)
    if carries(simple) and len(plain) > 1 and not (program in ("cp", "mv", "ln", "install") and targets):
        return (*sources, *plain[:-1]), (*targets, plain[-1])
    if carries(simple) or targets or sources:
        return (*sources, *plain), tuple(targets)
    return (), ()


def _tar(simple: Simple, sources: list[str], targets: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = list(simple.words[1:])
    flags = "".join(simple.options).replace("-", "") + (words[0] if words and words[0].isalpha() else "")
    plain: list[str] = []
    archive, place, skip = "", "", ""
    for word in words:
        if skip == "f":
            archive, skip = word, ""
        elif skip == "C":
            place, skip = word, ""
        elif skip:
            skip = ""
        elif word in ("-C", "--directory"):
            skip = "C"
        elif word.startswith("--file="):
            archive = word.partition("=")[2]
        elif (word[:1] == "-" and not word.startswith("--") and word.endswith("f")) or (
            word is words[0] and word.isalpha() and word.endswith("f")
        ):
            skip = "f"
        elif word[:1] != "-" and word is not words[0]:
            plain.append(word)
    if "c" in flags:
        return (*sources, *plain, *([place] if place else [])), (*targets, archive)
    if "x" in flags:
        return (*sources, archive), (*targets, *([place] if place else []))
    return (*sources, archive), tuple(targets)
