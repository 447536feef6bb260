"""Files: delete, overwrite, rewrite in place, change permissions or owners."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from terma import regex as re
from terma.risk import making
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.overwrite import appending, overwriting, replacing
from terma.risk.paths import HISTORIES, SYSTEM, startup
from terma.risk.rules.copies import INTO, copies, links, mirrors, unpacks, unpacks_into
from terma.risk.rules.table import NEEDS_ROOT, rows
from terma.risk.written import temporary

_RECURSIVE = "deletes files, recursively"
_IN_PLACE = "rewrites files in place"

RULES = rows("""
rmdir |  |  | low
gio |  | --empty | high deletes: deletes the trash for good
trash trash-put gio rmtrash trash-list |  |  | low
trash-empty trash-rm |  |  | high deletes: deletes the trash for good
zmv |  | -f !-n | medium overwrites: renames files, may overwrite
rename prename perl-rename mmv |  | !-n !--no-act !-V | medium overwrites: renames files, may overwrite
sed gsed clang-format yq |  | -i --in-place --inplace | medium overwrites: rewrites files in place
perl ruby |  | -i | medium overwrites: rewrites files in place
awk gawk |  | -i --include | medium overwrites: rewrites files in place
mogrify |  | !-path !-format | medium overwrites: rewrites files in place
jpegoptim optipng pngquant |  | !-d !--dest !-out !-dir !--stdout !-o | medium overwrites: rewrites files in place
optipng |  |  | medium overwrites: rewrites files in place
dos2unix unix2dos |  | !-n !-i | medium overwrites: rewrites files in place
recode iconv-in-place |  | 1 !-l | medium overwrites: rewrites files in place
gzip gunzip bzip2 bunzip2 xz unxz zstd compress lzma |  | !-f !--force !--rm | low
gzip gunzip bzip2 bunzip2 xz unxz zstd compress lzma |  | -f --force | medium overwrites: overwrites what is there
zstd |  | --rm | medium deletes: deletes the originals
tar bsdtar gtar |  | --remove-files | high deletes: deletes the originals
tar bsdtar gtar |  | --overwrite --unlink-first -U --recursive-unlink | medium overwrites: overwrites what is there
cpio pax |  | -u --unconditional | medium overwrites: overwrites what is there
rimraf del-cli |  |  | high deletes: deletes files, recursively
cmake |  | +rm +remove_directory | high deletes: deletes files, recursively
cmake |  | +remove | medium deletes: deletes files
cmake |  | --install !--prefix=. !--prefix=./* !--prefix=[!/$~]* | medium changes: installs files
tar gtar |  | --delete | medium deletes: deletes from the archive
zip |  | -m --move | high deletes: deletes the originals
7z 7za |  | -sdel | high deletes: deletes the originals
zip |  | -d --delete | medium deletes: deletes from the archive
unzip |  | -o | medium overwrites: overwrites what is there
rsync |  | -n --dry-run | low
rsync |  | --delete --del --delete-before --delete-during --delete-after --delete-excluded --delete-delay \
    --delete-missing-args | high deletes: deletes what the source does not have
rsync |  | --remove-source-files | high deletes: deletes the originals
rdiff-backup unison |  | --remove-older-than -force | high deletes: deletes what the source does not have
lftp |  | --delete | high deletes: deletes at the other end
ln |  | -f --force | medium overwrites: overwrites what is there
patch |  | --dry-run -C --check | low
patch |  | !-o !--output | medium overwrites: rewrites files in place
chattr |  | -R | high changes+root: changes file attributes
chattr |  | 1 | medium changes+root: changes file attributes
chgrp |  | -R --recursive | high grants: changes permissions, recursively
chgrp |  | 1 | medium grants: changes permissions
chcon restorecon |  | -R -r | high grants+root: changes permissions, recursively
logrotate |  | -d --debug | low
logrotate |  | -f --force | medium deletes+root: rotates and deletes logs
tmpreaper tmpwatch |  | !-t !--test | high deletes: deletes old files
7z 7za |  | -aoa -y | medium overwrites: overwrites what is there
fdupes jdupes rmlint rdfind czkawka_cli |  | -d --delete -deleteduplicates -D | high deletes: deletes duplicates
rdfind |  | -makehardlinks -makesymlinks | medium overwrites: overwrites what is there
make gmake ninja just |  | -n --just-print --dry-run | low
make gmake ninja |  | +distclean +mrproper +maintainer-clean +purge +clobber \
    | medium deletes: deletes what was built
bleachbit |  | -c --clean | high deletes: deletes files by a list
mv-all detox |  | !-n | medium overwrites: renames files, may overwrite
mkfifo mknod |  |  | low
gvfs-trash xattr | | -c -d | medium changes: changes file attributes
git-crypt gocryptfs encfs ecryptfs-setup-private |  |  | low
openssl gpg |  | --shred-after | medium deletes: deletes the originals
ansible-vault | encrypt, decrypt, rekey |  | medium overwrites: rewrites files in place
gh-ost pt-archiver |  | --purge --execute | high deletes: deletes rows
certutil wevtutil |  | cl -delstore | high deletes: deletes records
lastlog faillock faillog |  | -C -r --reset --clear | medium history: rewrites the record of logins
""")

_HOME = r"(~[\w.-]*|\$HOME|\$\{HOME\}|/root|/home/?[\w.-]*|/Users/?[\w.-]*)"
_TARGETS = (
    (re.compile(r"/+(\*|\.\*|\.)?"), "deletes the whole system"),
    (re.compile(_HOME + r"/?(\*|\.\*)?"), "deletes a whole home directory"),
    (re.compile(r"/(bin|boot|dev|etc|lib\w*|media|mnt|opt|proc|run|s?bin|srv|sys|tmp|usr|var)/?\*?"),
     "deletes a system directory"),
    (re.compile(r"(\.\./?)+\*?"), "deletes the directory above"),
    # zsh's qualifiers say of which kind, and not which of them
    (re.compile(r"(\./?)?(\*\*+/)*(\*|\.\*|\*\.\*|\.\[!\.\]\*)(\([.@/DN^-]+\))?|\.|\./|\$PWD|\$\(pwd\)"),
     "deletes everything in this directory"),
)  # fmt: skip
_EMPTY_PREFIX = re.compile(r"\$(?!\{?(?:HOME|PWD|OLDPWD|TMPDIR)\b)(\w+|\{\w+\})/(\*|\.|\w*/?$)?")


def deleted(targets: Iterable[Word]) -> Findings:
    """What is worse about some targets than about a plain file: the root, a home, `*`, an unset variable."""
    for word in targets:
        for pattern, reason in _TARGETS:
            if pattern.fullmatch(word.text):
                yield Finding("high", reason, "deletes")
                break
        else:
            if word.dynamic and (empty := _EMPTY_PREFIX.match(word.text)):
                yield Finding("high", f"deletes from / when ${empty[1].strip('{}')[:24]} is empty", "deletes")


# What a tool makes again by itself, below the directory where one stands. A whole build is more than that.
_MADE_AGAIN = re.compile(
    r"(?:\./)?(?:(?!\.\.)[\w.@-]+/)*(?:"
    r"\.[\w-]*cache|[\w-]+_cache|__pycache__|htmlcov|\.coverage|\.tox|\.nox|\.eggs|[\w.-]+\.egg-info"
    r"|cmake-build-[\w-]+|\.next|\.nuxt|\.turbo"
    r"|(?:\*|[\w-]+)\.(?:o|obj|d|pyc|pyo|class|gcno|gcda|aux|toc|synctex\.gz)|core|a\.out"
    r")/?(?:\*/?)?"
)


def _made_again(word: Word) -> bool:
    return not word.dynamic and bool(_MADE_AGAIN.fullmatch(word.text))


def _rm(call: Call) -> Findings:
    flags, operands = call.flags(), call.operands()
    if flags & {"--help", "--version"} or (operands and all(map(temporary, operands))):
        return
    if operands and not call.bulk and all(map(_made_again, operands)):
        return
    if not operands and not call.bulk and flags & {"-i", "-I", "--interactive"}:
        return  # an alias that asks about each file
    yield from deleted(operands)
    if flags & {"-r", "-R", "--recursive"}:
        yield Finding("high", _RECURSIVE, "deletes")
    elif call.bulk or any("many" in word.origins for word in operands):
        yield Finding("high", "deletes every file on a list", "deletes")
    elif any(word.holds & {"secret", "private"} or startup(word.text) for word in operands):
        yield Finding("high", "deletes what is missed at once: keys, histories or start-up files", "deletes")
    else:
        yield Finding("medium", "deletes files", "deletes")
    if any(HISTORIES.search(word.text) for word in operands):
        yield Finding("medium", "deletes the shell's history", "history")
    if any(re.search(r"(?:^|/)\.git/?$", word.text) for word in operands):
        yield Finding("high", "deletes a repository with its history", "history")
    if any(SYSTEM.match(word.text) for word in operands):
        yield Finding("high", "deletes system files", "deletes")
        yield NEEDS_ROOT


def _find(call: Call) -> Findings:
    texts = [word.text for word in call.args]
    if "-delete" in texts:
        roots = [word for word in call.args[: _first_test(texts)] if word.text not in (".", "./")]
        if not call.args[_first_test(texts) + 1 :]:
            yield from deleted(roots or [Word(".")])
        yield Finding("high", _RECURSIVE, "deletes")
    for option in ("-fprint", "-fprint0", "-fprintf", "-fls"):
        if option in texts[:-1]:
            yield from overwriting(call.args[texts.index(option) + 1], call)


def _first_test(texts: list[str]) -> int:
    return next(
        (at for at, text in enumerate(texts) if text[:1] in "-(!" and text[:2] not in ("-L", "-H")),
        len(texts),
    )


def _tee(call: Call) -> Findings:
    for word in call.operands():
        if word.process:
            continue
        if call.flags() & {"-a", "--append"}:
            yield from appending(word, call)
        else:
            yield from overwriting(word, call, product=call.name == "tee" and _is_printed(word, call))


def _is_printed(word: Word, call: Call) -> bool:
    """Whether `tee` keeps a copy of what a program of the line prints."""
    upstream = call.feed.calls if call.feed is not None else ()
    return bool(upstream) and making.is_product(word, replace(upstream[-1], bulk=call.bulk))


def _truncate(call: Call) -> Findings:
    for word in call.operands("-s -r --size --reference -o"):
        yield from overwriting(word, call)


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
        yield Finding("medium", _IN_PLACE, "overwrites")


CHECKS = {
    "exiftool": _exiftool, "ln": links,
    **dict.fromkeys(INTO, unpacks_into),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), unpacks),
    "rsync": mirrors, "rm": _rm, "grm": _rm, "unlink": _rm, "find": _find, "gfind": _find, "tee": _tee,
    "sponge": _tee, "truncate": _truncate, "sort": _sort, "ffmpeg": _ffmpeg,
    **dict.fromkeys(("cp", "mv", "gcp", "gmv", "install"), copies), **dict.fromkeys(_OUTPUTS, _output),
}  # fmt: skip
