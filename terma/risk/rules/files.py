"""Files: delete, overwrite, rewrite in place, change permissions or owners."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.overwrite import SYSTEM, appending, located, overwriting, replacing
from terma.risk.rules.table import Rule

_RECURSIVE = "deletes files, recursively"
_OVER = "overwrites what is there"
_IN_PLACE = "rewrites files in place"
_PERMISSIONS = "changes permissions, recursively"

RULES = (
    Rule("rmdir", "medium", "deletes empty directories"),
    Rule("unlink", "medium", "deletes a file"),
    Rule("trash trash-put gio rmtrash", "low", ""),
    Rule("trash-empty trash-rm", "high", "deletes the trash for good"),
    Rule("rename prename perl-rename mmv", "medium", "renames files, may overwrite", unless="-n --no-act"),
    Rule("sed gsed clang-format yq", "medium", _IN_PLACE, flags="-i --in-place"),
    Rule("perl ruby", "medium", _IN_PLACE, flags="-i"),
    Rule("awk gawk", "medium", _IN_PLACE, flags="-i --include"),
    Rule("mogrify", "medium", _IN_PLACE, unless="-path -format"),
    Rule("jpegoptim optipng", "medium", _IN_PLACE, unless="-d --dest -out -dir --stdout"),
    Rule("dos2unix unix2dos", "medium", _IN_PLACE, unless="-n -i"),
    Rule("gzip gunzip bzip2 bunzip2 xz unxz zstd compress lzma", "low", "", unless="-f --force --rm"),
    Rule("gzip gunzip bzip2 bunzip2 xz unxz zstd compress lzma", "medium", _OVER, flags="-f --force"),
    Rule("zstd", "medium", "deletes the originals", flags="--rm"),
    Rule("tar bsdtar", "high", "deletes the originals", flags="--remove-files"),
    Rule("tar bsdtar", "medium", _OVER, flags="--overwrite --unlink-first -U --recursive-unlink"),
    Rule("cpio pax", "medium", _OVER, flags="-u --unconditional"),
    Rule("rimraf del-cli", "high", _RECURSIVE),
    Rule("cmake", "high", _RECURSIVE, anywhere="rm remove_directory"),
    Rule("cmake", "medium", "deletes files", anywhere="remove"),
    Rule("tar", "medium", "deletes from the archive", flags="--delete"),
    Rule("zip", "high", "deletes the originals", flags="-m --move"),
    Rule("7z 7za", "high", "deletes the originals", flags="-sdel"),
    Rule("zip", "medium", "deletes from the archive", flags="-d --delete"),
    Rule("unzip", "medium", _OVER, flags="-o"),
    Rule("rsync", "low", "", flags="-n"),
    Rule("rsync", "high", "deletes what the source does not have", flags=(
        "--delete --del --delete-before --delete-during --delete-after --delete-excluded --delete-delay")),
    Rule("rsync", "high", "deletes the originals", flags="--remove-source-files"),
    Rule("lftp", "high", "deletes at the other end", flags="--delete"),
    Rule("ln", "medium", _OVER, flags="-f --force"),
    Rule("patch", "medium", _IN_PLACE, unless="-o --output"),
    Rule("chattr", "medium", "changes file attributes", root=True),
    Rule("setfacl", "high", _PERMISSIONS, flags="-R -b --remove-all"),
    Rule("7z 7za", "medium", _OVER, flags="-aoa -y"),
    Rule("chgrp", "high", _PERMISSIONS, flags="-R --recursive"),
    Rule("setfacl chgrp", "medium", "changes permissions"),
    Rule("chcon restorecon", "high", _PERMISSIONS, flags="-R -r", root=True),
    Rule("logrotate", "medium", "rotates and deletes logs", flags="-f --force", root=True),
    Rule("updatedb ldconfig", "low", "", root=True),
    Rule("fdupes", "high", "deletes duplicates", flags="-d --delete"),
    Rule("jdupes rmlint", "high", "deletes duplicates", flags="-d --delete"),
    Rule("make gmake ninja", "medium", "deletes what was built", anywhere="clean distclean mrproper",
         unless="-n"),
)  # fmt: skip

_HOME = r"(~[\w.-]*|\$HOME|\$\{HOME\}|/root|/home/?[\w.-]*|/Users/?[\w.-]*)"
_TARGETS = (
    (re.compile(r"/+(\*|\.\*|\.)?"), "deletes the whole system"),
    (re.compile(_HOME + r"/?(\*|\.\*)?"), "deletes a whole home directory"),
    (re.compile(r"/(bin|boot|dev|etc|lib\w*|media|mnt|opt|proc|run|s?bin|srv|sys|tmp|usr|var)/?\*?"),
     "deletes a system directory"),
    (re.compile(r"(\.\./?)+\*?"), "deletes the directory above"),
    (re.compile(r"(\./?)?(\*|\.\*|\*\.\*|\.\[!\.\]\*)|\.|\./|\$PWD|\$\(pwd\)"),
     "deletes everything in this directory"),
)  # fmt: skip
_EMPTY_PREFIX = re.compile(r"\$(?!\{?(?:HOME|PWD|OLDPWD|TMPDIR)\b)(\w+|\{\w+\})/(\*|\.|\w*/?$)?")


def deleted(targets: Iterable[Word]) -> Findings:
    """What is worse about some targets than about a plain file: the root, a home, `*`, an unset variable."""
    for word in targets:
        for pattern, reason in _TARGETS:
            if pattern.fullmatch(word.text):
                yield Finding("high", reason)
                break
        else:
            if word.dynamic and (empty := _EMPTY_PREFIX.match(word.text)):
                yield Finding("high", f"deletes from / when ${empty[1].strip('{}')[:24]} is empty")


def _rm(call: Call) -> Findings:
    flags = call.flags()
    if flags & {"--help", "--version"}:
        return
    yield from deleted(call.operands())
    if flags & {"-r", "-R", "--recursive"}:
        yield Finding("high", _RECURSIVE)
    elif call.bulk:
        yield Finding("high", "deletes every file on a list")
    else:
        yield Finding("medium", "deletes files")
    if any(re.match(r"/(etc|usr|bin|boot|lib|sbin|opt|var)/", word.text) for word in call.operands()):
        yield Finding("medium", "needs root")


def _find(call: Call) -> Findings:
    texts = [word.text for word in call.args]
    if "-delete" in texts:
        roots = [word for word in call.args[: _first_test(texts)] if word.text not in (".", "./")]
        if not call.args[_first_test(texts) + 1 :]:
            yield from deleted(roots or [Word(".")])
        yield Finding("high", _RECURSIVE)
    for option in ("-fprint", "-fprint0", "-fprintf", "-fls"):
        if option in texts[:-1]:
            yield from overwriting(call.args[texts.index(option) + 1], call)


def _first_test(texts: list[str]) -> int:
    return next(
        (at for at, text in enumerate(texts) if text[:1] in "-(!" and text[:2] not in ("-L", "-H")),
        len(texts),
    )


def _chmod(call: Call) -> Findings:
    flags, operands = call.flags(), [word.text for word in call.operands()]
    recursive = bool(flags & {"-R", "--recursive"})
    if recursive or call.bulk:
        gives_reading = operands and re.fullmatch(r"[ugo]*\+[rX]+", operands[0])
        yield Finding("medium" if gives_reading else "high", _PERMISSIONS)
    open_to_all = operands and re.fullmatch(
        r"[0-7]?[0-7]{2}[2367]|[ugo]*[ao][ugo]*[+=][rx]*w[rwx]*|\+w", operands[0]
    )
    if open_to_all:
        yield Finding("medium", "lets everyone write")
    if operands and re.fullmatch(r"[2-7]\d{3}|[ug]*\+s", operands[0]):
        yield Finding("medium", "lets a program run with its owner's rights")
    if operands and re.fullmatch(r"0+|[augo]*-[rwx]+|[augo]*=", operands[0]) and recursive:
        yield Finding("high", "takes permissions away, recursively")
    elif operands and re.fullmatch(r"0+|a?=", operands[0]):
        yield Finding("medium", "takes every permission away")


def _chown(call: Call) -> Findings:
    if call.flags() & {"-R", "--recursive"} or call.bulk:
        yield Finding("high", "changes owners, recursively")
    else:
        yield Finding("medium", "changes the owner")
    yield Finding("medium", "needs root")


def _tee(call: Call) -> Findings:
    for word in call.operands():
        if not word.process:
            yield from appending(word) if call.flags() & {"-a", "--append"} else overwriting(word, call)


def _tar(call: Call) -> Findings:
    first = call.args[0].text if call.args else ""
    if not re.fullmatch(r"-?[a-zA-Z]*x[a-zA-Z]*", first) and not call.flags() & {"-x", "--extract", "--get"}:
        return
    if call.flags() & {"-P", "--absolute-names"} or "P" in first:
        yield Finding("medium", "may write outside this directory")
    into = call.value("-C", "--directory", "--cd")
    if into is not None and (into.text == "/" or SYSTEM.match(into.text)):
        yield Finding("medium", "changes system files")


def _truncate(call: Call) -> Findings:
    for word in call.operands("-s -r --size --reference -o"):
        yield from overwriting(word, call)


def _copy(call: Call) -> Findings:
    """cp and mv: what stands at the target, in a directory under the source's name."""
    flags = call.flags()
    operands = call.operands("-t -S --target-directory --suffix -m -o -g")
    into = call.value("-t", "--target-directory")
    sources, target = (
        (operands, into) if into else (operands[:-1], operands[-1] if len(operands) > 1 else None)
    )
    if target is None or flags & {"-n", "--no-clobber", "-i", "--interactive", "-b", "--backup", "--help"}:
        return
    if call.name == "mv" and target.text == "/dev/null":
        yield Finding("high", "deletes files")
        return
    if call.name != "mv" and [word.text for word in sources] == ["/dev/null"]:
        yield from overwriting(target, call)
        return
    directory = located(target.text, call)
    if directory is not None and not target.dynamic and directory.is_dir():
        for source in sources:
            within = f"{target.text.rstrip('/')}/{source.text.rstrip('/').rsplit('/', 1)[-1]}"
            yield from replacing(replace(target, text=within, dynamic=source.dynamic or source.globs), call)
    else:
        yield from replacing(target, call)
    if call.name == "mv" and any(
        re.fullmatch(r"/|/\*|(~|\$HOME)(/\*?)?|/(etc|usr|bin|lib|boot|var)/?", s.text) for s in sources
    ):
        yield Finding("high", "moves a system or home directory away")
    elif call.name == "mv" and any(SYSTEM.match(source.text) for source in sources):
        yield Finding("medium", "changes system files")


_OUTPUTS = {
    "curl": ("-o", "--output"), "wget": ("-O", "--output-document"), "gcc": ("-o",), "cc": ("-o",),
    "clang": ("-o",), "openssl": ("-out",), "gpg": ("-o", "--output"), "pandoc": ("-o", "--output"),
    "ssh-keygen": ("-f",),
    "zstd": ("-o",), "age": ("-o", "--output"), "pg_dump": ("-f", "--file"), "g++": ("-o",),
}  # fmt: skip


def _output(call: Call) -> Findings:
    word = call.value(*_OUTPUTS[call.name])
    if word is not None and not (call.name == "ssh-keygen" and call.flags() & {"-l", "-y", "-R", "-F", "-e"}):
        yield from replacing(word, call)


def _sort(call: Call) -> Findings:
    word = call.value("-o", "--output")
    if word is not None:
        yield from overwriting(word, call)


def _ffmpeg(call: Call) -> Findings:
    if "-y" in [word.text for word in call.args] and call.operands():
        yield from overwriting(call.operands()[-1], call)


def _exiftool(call: Call) -> Findings:
    if any(re.match(r"-[^=<]+[=<]", word.text) for word in call.args):
        yield Finding("medium", _IN_PLACE)


CHECKS = {
    "exiftool": _exiftool,
    **dict.fromkeys(("tar", "gtar", "bsdtar"), _tar),
    "rm": _rm, "grm": _rm, "find": _find, "gfind": _find, "chmod": _chmod, "chown": _chown, "tee": _tee,
    "sponge": _tee, "truncate": _truncate, "sort": _sort, "ffmpeg": _ffmpeg,
    **dict.fromkeys(("cp", "mv", "gcp", "gmv", "install"), _copy), **dict.fromkeys(_OUTPUTS, _output),
}  # fmt: skip
