"""tar, zip and the compressors: the wrong format, the wrong end, the missing name."""

from __future__ import annotations

import re

from terma import reading
from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.members import ends_early, meant_member, members
from terma.offline.explain.rule import Facts, Rule

OPENERS = (
    ((".tar.gz", ".tgz"), "tar -xzf"), ((".tar.bz2", ".tbz2", ".tbz"), "tar -xjf"), ((".tar.xz", ".txz"), "tar -xJf"),
    ((".tar.zst",), "tar --zstd -xf"), ((".tar",), "tar -xf"), ((".zip", ".jar"), "unzip"), ((".gz",), "gzip -d"),
    ((".bz2",), "bzip2 -d"), ((".xz",), "xz -d"), ((".7z",), "7z x"), ((".rar",), "unrar x"), ((".zst",), "unzstd"),
)  # fmt: skip
MAGIC = ((b"\x1f\x8b", "gzip", "tar -xzf"), (b"BZh", "bzip2", "tar -xjf"), (b"\xfd7zXZ", "xz", "tar -xJf"), (b"PK\x03\x04", "zip", "unzip"), (b"7z\xbc\xaf", "7z", "7z x"))  # fmt: skip


def _archive(case: Case) -> str:
    return next(
        (v for v in case.operands if v.lower().endswith(tuple(e for ends, _ in OPENERS for e in ends))),
        case.operands[-1] if case.operands else "",
    )


def _kind(case: Case, path: str) -> tuple[str, str]:
    """What the file is by its first bytes, and what opens it."""
    try:
        head = reading.head(case.at(path), 262 + 8)
    except (OSError, ValueError):
        return "", ""
    found = next(((name, run) for start, name, run in MAGIC if head.startswith(start)), ("", ""))
    plain = {"gzip": "gzip -d", "bzip2": "bzip2 -d", "xz": "xz -d"}.get(found[0], "")
    if plain and not re.search(r"\.(?:tar|t[gbx]z2?)\b", path):
        return found[0], plain
    return ("tar", "tar -xf") if not found[0] and head[257:262] == b"ustar" else found


def _open(case: Case, facts: Facts) -> list[str]:
    path = _archive(case)
    kind, run = _kind(case, path)
    if not run and not case.exists(path):
        run = next((run for ends, run in OPENERS if path.lower().endswith(ends)), "")
        kind = "named"
    if not run or (run.split()[0] == case.program and case.program != "tar"):
        return []
    if case.program == "tar" and run.startswith("tar"):
        return _as_tar(case, run)
    if case.program.endswith("cat"):
        run = {"gzip -d": "zcat", "bzip2 -d": "bzcat", "xz -d": "xzcat"}.get(run, run)
    fixed = f"{run} {quote(path)}"
    ending = {"gzip -d": ".gz", "bzip2 -d": ".bz2", "xz -d": ".xz", "unzstd": ".zst"}.get(run, "")
    if ending and not path.endswith(ending):  # they ask for their own ending, and read any from their input
        target = path.rpartition(".")[0] or f"{path}.out"
        fixed = f"{run} < {quote(path)} > {quote(target)}" if not case.exists(target) else ""
    if not fixed:
        return []
    return [fixed] if kind and fixed.replace(" -", " ") != case.command.replace(" -", " ") else []


def _as_tar(case: Case, run: str) -> list[str]:
    """The command with the letter of the right compression in its first options, all else as it was typed."""
    letter = next((each for each in "zjJ" if each in run.partition("-x")[2]), "")
    mode = next((word for word in case.args if re.fullmatch(r"-?[A-Za-z]*f", word)), "")
    right = re.sub("[zjJ]", "", mode)[:-1] + letter + "f"
    return [case.swap(mode, right)] if mode and right != mode else []


def _wrong(case: Case, facts: Facts) -> str:
    path = _archive(case)
    kind = _kind(case, path)[0]
    what = {
        "unzip": "a zip file",
        "tar": "a tar archive in that format",
        "gunzip": "a gzip file",
        "gzip": "a gzip file",
    }.get(case.program, "an archive that it knows")
    said = f"{path} is not {what}: not in the format that {case.program} expects"
    if kind == "tar" and case.program == "tar":
        return f"{path} is a plain tar archive, not compressed: not in gzip format, or whatever the letter in the options asks for. Leave that letter out."
    if kind == "zip" and ends_early(case, path):
        return f"{path} is a zip archive that was cut off: the list at its end, the central directory, is missing. Fetch or copy it again; zip -FF path saves what is whole.".replace(
            "path", path, 1
        )
    if kind:
        return f"{said}. Its content is {kind}{', so tar or its own tool opens it' if case.program == 'unzip' else ''}."
    return (
        f"{said}. It may be damaged, cut off, or an error page that was saved; file {path} tells what it is."
    )


def _target(case: Case) -> str:
    """The folder after -C."""
    return next(
        (
            after
            for flag, after in zip(case.args, case.args[1:], strict=False)
            if flag in ("-C", "--directory")
        ),
        "",
    )


def _folder_first(case: Case, facts: Facts) -> list[str]:
    """The folder made first, where something is to be unpacked into it: what is to be packed cannot lie in a new one."""
    unpacks = re.search(r"(?:^|\s)(?:-?[A-Za-z]*x[A-Za-z]*|--extract|--get)(?=\s|$)", " ".join(case.args))
    return [f"mkdir -p {quote(facts['path'])} && {case.command}"] if unpacks else []


def _cluster(case: Case) -> str:
    """The letters of tar that create an archive and have `f` before other letters; "" where there are none."""
    return next(
        (
            value
            for value in case.args[:1]
            if re.fullmatch(r"-[a-zA-Z]*c[a-zA-Z]*f[jJzvapP]+|-[a-zA-Z]*f[jJzvapP]*c[jJzvapP]*", value)
        ),
        "",
    )


def _of_folder(case: Case, facts: Facts) -> list[str]:
    """`tar czf logs/` with the archive's name before the folder."""
    mode = case.args[0] if case.args else ""
    if case.args[-2:-1] == ("-C",) and case.is_dir(case.args[-1]):
        return [case.append(".")]  # the folder was gone into, and nothing of it named
    if len(case.args) != 2 or not case.is_dir(case.args[1]) or not mode.rstrip().endswith("f"):
        return []
    ending = next(
        (end for letter, end in (("z", ".tar.gz"), ("j", ".tar.bz2"), ("J", ".tar.xz")) if letter in mode),
        ".tar",
    )
    name = case.args[1].rstrip("/") + ending
    return [case.insert(quote(name), mode)] if not case.exists(name) else []


def _zipped(case: Case, facts: Facts) -> list[str]:
    """zip with -r where a folder was given; with the folder that the archive is named after where none was."""
    if any(case.is_dir(name) for name in case.operands[1:]):  # the first is the archive
        return [case.insert("-r")]
    stem = case.operands[0].removesuffix(".zip") if len(case.operands) == 1 else ""
    if not case.is_dir(stem):
        return []
    return [case.append(quote(stem)).replace(f"{case.program} ", f"{case.program} -r ", 1)]


def _begun(case: Case, path: str) -> str:
    """The one zip archive here whose name goes on where `path` ends."""
    folder, _, name = path.removesuffix(".zip").rpartition("/")
    found = [one for one in case.listing(folder or ".") if one.startswith(name) and one.endswith(".zip")]
    return (f"{folder}/" if folder else "") + found[0] if len(found) == 1 and len(name) > 2 else ""


def _member(case: Case, facts: Facts) -> list[str]:
    """The member that was meant, by the names in the archive itself."""
    packed = next((value for value in case.operands if case.is_file(value) and value != facts["path"]), "")
    name = meant_member(facts["path"].rstrip(), members(case, packed)) if packed else ""
    return [case.swap(facts["path"].rstrip(), name)] if name else []


_GZIPS = "gzip gunzip zcat bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress pigz"
RULES = (
    Rule("archive.not_zip", ("cannot find zipfile directory", "end-of-central-directory signature not found", "not a zipfile"), "", _wrong, _open, rank=18),
    Rule("archive.zip_missing", "cannot find or open", r"cannot find or open (?P<path>[^\s,]+)", "unzip cannot find the file {path}: no such file.", lambda c, f: [c.swap(f["path"], near)] if (near := c.near_path(f["path"]) or _begun(c, f["path"])) else [], rank=18, speakers="unzip zipinfo funzip zip"),
    Rule("archive.zip_nothing", "nothing to do!", r"zip error: Nothing to do! \((?P<path>[^)]+)\)", "zip found nothing to pack into {path}: the names match no file, or a folder lacks -r (recursive).", _zipped, program="zip", rank=19, rewrites=True),
    Rule("archive.zip_name", "name not matched", r"name not matched: (?P<path>[^\n]+)", "zip found no file {path}: the name is not matched by anything here.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], program="zip", rank=18),
    Rule("archive.tar_format", ("not in gzip format", "this does not look like a tar archive", "not a bzip2 file", "file format not recognized", "not in xz format"), "", _wrong, _open, program="tar gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zstdcat unzip 7z ar bsdtar lz4 lz4cat", rank=18, rewrites=True),
    Rule("archive.suffix", "unknown suffix", r"(?P<path>[^\s:]+): unknown suffix", "{path} has an unknown suffix: gunzip opens files that end in .gz, and this one does not look compressed. If it is, name it so first.", _open, rank=18, rewrites=True, speakers=_GZIPS),
    Rule("archive.suffix_has", "already has", r"(?P<path>[^\s:]+) already has (?P<end>\.\w+) suffix", "{path} already has the suffix {end}: it is compressed already, so it was left unchanged.", rank=18, speakers=_GZIPS),
    Rule("archive.overwrite", ("already exists;", "already exists -- skipping", "do you wish to overwrite"), r"(?P<path>[^\s:]+) already exists", "{path} already exists, and {program} overwrites nothing without -f.", lambda c, f: [c.insert("-f")] if c.program in ("gzip", "gunzip", "bzip2", "xz", "zstd") else [], rank=18, speakers=_GZIPS),
    Rule("archive.dir", "is a directory -- ignored", r"(?P<path>[^\s:]+) is a directory -- ignored", "{path} is a directory, and gzip packs single files. tar packs a directory.", lambda c, f: [f"tar -czf {quote(f['path'].rstrip('/') + '.tar.gz')} {quote(f['path'])}"] if c.program in ("gzip", "pigz") and c.operands == (f["path"],) else [], rank=18),
    Rule("archive.tar_mode", ("you must specify one of the '-acdtrux'", "must specify one of -c"), "", "tar was not told what to do: give one of -x (unpack), -c (pack) or -t (list).", lambda c, f: ["tar -xf " + " ".join(quote(o) for o in c.operands if c.exists(o))] if any(c.exists(o) for o in c.operands) else [], rank=18),
    Rule("archive.tar_empty", "cowardly refusing to create an empty archive", "", "tar was given nothing to pack: it refuses to create an empty archive. Name the files after the archive.", _of_folder, program="tar bsdtar", rank=18, rewrites=True),
    Rule("archive.tar_member", "not found in archive", r"tar: (?P<path>[^:]+): Not found in archive", "The archive holds no {path}: not found in it. tar -tf lists what it holds.", _member, program="tar bsdtar", rank=18, rewrites=True),
    Rule("archive.zip_member", "filename not matched", r"filename not matched: +(?P<path>[^\n]+)", "The archive holds no {path}: that name is not matched in it. unzip -l lists what it holds.", _member, program="unzip", rank=18, rewrites=True),
    Rule("archive.tar_folder", "cannot open: no such file", r"tar: (?P<path>[^:]+): Cannot open: No such file", lambda c, f: f"The folder {f['path']} that -C names does not exist (no such file or directory); tar makes none." if _target(c) == f["path"] else "",
         lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else _folder_first(c, f), program="tar", rank=17),
    Rule("archive.tar_cluster", "cannot stat: no such file", r"tar: (?P<path>[^:]+): Cannot stat: No such file", lambda c, f: f"-f takes the very next letters as the archive: in {_cluster(c)} that is {_cluster(c).partition('f')[2]}, and {f['path']} was read as a file to pack (no such file)." if _cluster(c) and f["path"] in c.args and not c.exists(f["path"]) else "", lambda c, f: [c.swap(_cluster(c), _cluster(c).replace("f", "") + "f")], program="tar", rank=17, rewrites=True),
    Rule("archive.tar_pack", "cannot stat: no such file", r"tar: (?P<path>[^:]+): Cannot stat: No such file", lambda c, f: f"tar found no {f['path']} to pack: no such file or directory." + (f" There is {c.near_path(f['path'])}." if c.near_path(f["path"]) else ""), lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], program="tar", rank=18),
    Rule("archive.tar_missing", "cannot open: no such file", r"tar(?: \(child\))?: (?P<path>[^:]+): Cannot open: No such file", lambda c, f: f"tar cannot open {f['path']}: no such file. -f takes the very next word as the archive.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=18),
    Rule("archive.truncated", ("unexpected end of file", "unexpected eof", "corrupted data", "invalid compressed data", "crc error"), "", lambda c, f: f"{_archive(c) or 'What it read'} ends too early (unexpected end of file) or is corrupted, as by a download or copy that was cut off. Fetch it again." if c.program in "tar gzip gunzip zcat bunzip2 bzip2 xz unxz unzip zstd 7z".split() else "", rank=19),
)  # fmt: skip
