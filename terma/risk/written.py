"""What a command writes or fetches: into which files, and whether they are for a moment only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from terma.risk import paths
from terma.risk.model import Call, Redirect, Word
from terma.risk.sources import is_quiet


def files_written(
    call: Call, redirects: Iterable[Redirect], out: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    """The files that `call` makes, with the origins of what stands in them."""
    for one in redirects:
        if one.operator in (">", ">>", ">|", "&>", "&>>"):
            yield one.target.text, out
    given = (
        frozenset[str]().union(*(word.holds | word.origins for word in call.args))
        if call.args
        else frozenset[str]()
    )
    name = call.name
    if name in ("cp", "mv", "install", "ln", "rsync", "dd"):
        operands = call.operands("-m -o -g -t -S")
        if len(operands) > 1:
            last = operands[-1].text
            yield (last[3:] if last.startswith("of=") else last), given
    elif name in (
        "tar",
        "gtar",
        "bsdtar",
        "zip",
        "7z",
        "7za",
        "rar",
        "gpg",
        "openssl",
        "base64",
        "sqlite3",
        "pg_dump",
        "mysqldump",
    ):
        if target := _archive(call):
            yield target.text, given | out
    elif name in ("docker", "podman", "nerdctl", "buildah"):
        built = [*call.values("-t", "--tag")] if "build" in [word.text for word in call.args[:2]] else []
        yield from ((word.text, frozenset({"built"})) for word in built)
    elif name == "tee":
        yield from ((word.text, out) for word in call.operands())
    elif name in ("curl", "wget", "fetch", "aria2c", "http"):
        yield from ((text, frozenset({"network"})) for text in _downloaded(call))
    elif (
        name == "scp"
        and len(call.operands("-i -P -o -F -J -l")) > 1
        and ":" in call.operands("-i -P -o -F -J -l")[0].text
    ):
        for word in call.operands("-i -P -o -F -J -l"):
            yield word.text, frozenset({"network"})


def _archive(call: Call) -> Word | None:
    if call.name in ("zip", "7z", "7za", "rar"):
        names = [word for word in call.operands() if word.text not in ("a", "u")]
        return names[0] if names else None
    found = call.value("-f", "--file", "-o", "--output", "-out", "-r")
    if (
        found is None
        and call.args
        and re.fullmatch(r"-?[a-zA-Z]*f", call.args[0].text)
        and len(call.args) > 1
    ):
        found = call.args[1]
    return found


def _downloaded(call: Call) -> Iterator[str]:
    named = call.value("-o", "--output") if call.name != "wget" else call.value("-O", "--output-document")
    if named is None and call.name == "wget":
        named = next(
            (
                call.args[at + 1]
                for at, word in enumerate(call.args[:-1])
                if re.fullmatch(r"-[a-zA-Z]*O", word.text)
            ),
            None,
        )
    if named is None and call.name != "wget":
        named = next(
            (
                call.args[at + 1]
                for at, word in enumerate(call.args[:-1])
                if re.fullmatch(r"-[a-zA-Z]*o", word.text)
            ),
            None,
        )
    if named is not None:
        yield named.text
        return
    for word in call.operands("-H -A -e -P -d -X -u"):
        if "/" in word.text:
            yield word.text.partition("?")[0]


def fetches(call: Call) -> str:
    """Where `call` brings a whole tree here, so that what runs in it came from elsewhere: "cloned" or "network"."""
    texts = [word.text for word in call.args[:3]]
    if call.name in ("git", "hg", "svn", "gh") and (
        "clone" in texts or ("checkout" in texts and call.name == "svn")
    ):
        return "cloned"
    if call.name == "wget" and call.flags() & {"-r", "-m", "--recursive", "--mirror"}:
        return "network"
    unpacks = call.name in ("tar", "gtar", "bsdtar", "unzip", "cpio", "7z") and not is_quiet(call)
    if unpacks:
        held = frozenset[str]().union(*(word.holds for word in call.args)) | (
            call.feed.origins if call.feed else frozenset()
        )
        return "network" if "network" in held else ""
    return ""


def stages_a_secret(call: Call) -> bool:
    """`git add .env`: what the next push sends holds it."""
    return (
        call.name == "git"
        and any(word.text == "add" for word in call.args[:3])
        and any(word.holds & {"secret", "private"} for word in call.args)
    )


def temporary(word: Word) -> bool:
    """Whether `word` names only what this line itself made to be thrown away."""
    return "temporary" in word.origins and not paths.secrecy(word.text)


def made_in_temporary(call: Call, redirects: Iterable[Redirect]) -> Iterator[str]:
    """What `call` makes in a temporary directory, as it is named."""
    made = [one.target for one in redirects if one.operator in (">", ">>", ">|", "&>", "&>>")]
    if call.name in ("mkdir", "touch", "mkfifo"):
        made += call.operands("-m --mode -t -d -r")
    yield from (
        word.text.rstrip("/") for word in made if paths.temporary(word.text) and word.text.count("/") > 1
    )


_MOUNTING = re.compile(r"mount(?:\.\w+)?|sshfs|s3fs|gcsfuse|curlftpfs|davfs2|rclone|goofys|simple-mtpfs")
_FAR = re.compile(r"[\w.@-]+:.*|//[\w.-]+/.*|https?://.*")


def mounts(call: Call) -> list[str]:
    """The directories in which another machine's files lie from now on: `sshfs me@host:/ /mnt`."""
    if not _MOUNTING.fullmatch(call.name):
        return []
    operands = [word.text for word in call.operands("-t -o -i -p")]
    near = call.name in ("s3fs", "gcsfuse", "goofys") or any(map(_FAR.fullmatch, operands[:-1]))
    return [operands[-1].rstrip("/")] if len(operands) > 1 and near and operands[-1].strip("/.~") else []
