"""What a copy or a link overwrites: cp, mv, ln, rsync, tar."""

from __future__ import annotations

from dataclasses import replace

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.overwrite import VITAL, is_new, located, overwriting, replacing
from terma.risk.paths import SYSTEM, whole_home
from terma.risk.rules.table import asks


def unpacks(call: Call) -> Findings:
    first = call.args[0].text if call.args else ""
    if not re.fullmatch(r"-?[a-zA-Z]*x[a-zA-Z]*", first) and not call.flags() & {"-x", "--extract", "--get"}:
        return
    if call.flags() & {"-P", "--absolute-names"} or "P" in first:
        yield Finding("medium", "may write outside this directory", "overwrites")
    yield from _into(call.value("-C", "--directory", "--cd"), call)


# Where others that unpack or patch are told to do it.
INTO = {
    "unzip": ("-d",), "cpio": ("-D", "--directory"), "patch": ("-d", "--directory"), "7z": ("-o",), "7za": ("-o",),
    "7zz": ("-o",), "bsdcpio": ("-D",), "unsquashfs": ("-d", "-dest"), "unar": ("-o",), "ar": ("--output",),
}  # fmt: skip


def unpacks_into(call: Call) -> Findings:
    if not asks(call) and not call.flags() & {"-l", "-t", "--list", "--check", "-C", "-Z", "-v"}:
        yield from _into(call.value(*INTO[call.name]), call)


def _into(into: Word | None, call: Call) -> Findings:
    """What it costs that files of somebody's choice come to lie in `into`."""
    if into is not None and (into.text == "/" or SYSTEM.match(into.text)):
        whole = re.fullmatch(r"/(?:\w+/?)?", into.text) and not call.elsewhere
        yield Finding("high" if whole else "medium", "changes system files", "overwrites")
    elif into is not None and whole_home(into.text) and not call.elsewhere:
        yield Finding("medium", "may write over settings in your home directory", "overwrites")


def mirrors(call: Call) -> Findings:
    operands = call.operands("-e --rsh --exclude --include --files-from --port")
    if (
        len(operands) > 1
        and re.fullmatch(r"/(?:etc|usr|bin|lib|boot|var|root)?/?", operands[-1].text)
        and "-n" not in call.flags()
    ):
        yield Finding("high", "overwrites the system's own files", "overwrites")


def copies(call: Call) -> Findings:
    """cp and mv: what stands at the target, in a directory under the source's name."""
    flags = call.flags()
    operands = call.operands("-t -S --target-directory --suffix -m -o -g")
    into = call.value("-t", "--target-directory")
    sources, target = (
        (operands, into) if into else (operands[:-1], operands[-1] if len(operands) > 1 else None)
    )
    if target is None or flags & {"-n", "--no-clobber", "-i", "--interactive", "-b", "--backup", "--help"}:
        return
    if (
        any("many" in word.origins for word in sources)
        and not target.dynamic
        and not target.text.endswith("/")
        and "." in target.text
    ):
        yield Finding(
            "high", "overwrites one file with each of many: all but the last are lost", "overwrites"
        )
    if call.name == "mv" and target.text == "/dev/null":
        yield Finding("high", "deletes files", "deletes")
        return
    if call.name != "mv" and [word.text for word in sources] == ["/dev/null"]:
        yield from overwriting(target, call)
        return
    directories = located(target.text, call) or []
    if not target.dynamic and any(directory.is_dir() for directory in directories):
        for source in sources:
            within = f"{target.text.rstrip('/')}/{source.text.rstrip('/').rsplit('/', 1)[-1]}"
            yield from replacing(replace(target, text=within, dynamic=source.dynamic or source.globs), call)
    elif len(sources) != 1 or not _is_spare(target.text, sources[0].text):
        yield from replacing(target, call)
        yield from _forced(call, sources, target)
    if call.name == "mv" and any(
        re.fullmatch(r"/|/\*|(~|\$HOME)(/\*?)?|/(etc|usr|bin|lib|boot|var)/?", s.text) for s in sources
    ):
        yield Finding("high", "moves a system or home directory away", "deletes")
    elif call.name == "mv" and any(SYSTEM.match(source.text) for source in sources):
        vital = any(VITAL.match(source.text) or source.text in _ACCOUNTS for source in sources)
        yield Finding("high" if vital else "medium", "changes system files", "overwrites")


def _forced(call: Call, sources: tuple[Word, ...], target: Word) -> Findings:
    """`mv -f A B` where no A is: the line is meant for another place or time, where a B is to be expected."""
    asks_nothing = call.flags() & {"-f", "--force"} and not paths.temporary(target.text)
    if asks_nothing and all(is_new(one.text, call) or located(one.text, call) is None for one in sources):
        yield Finding("medium", "overwrites what is there, without a question", "overwrites")


def _is_spare(name: str, source: str) -> bool:
    """Whether `name` is that of `source` with a suffix of its own, in the same directory: no settings of anybody."""
    return (
        not SYSTEM.match(name)
        and name.startswith((f"{source}.", f"{source}-", f"{source}_", f"{source}~"))
        and "/" not in name[len(source) :]
    )


_ACCOUNTS = {"/etc/passwd", "/etc/shadow", "/etc/group", "/etc/sudoers", "/etc/ssh", "/etc/pam.d"}

_LIBRARIES = re.compile(r"/(?:usr/)?lib\w*/")


def links(call: Call) -> Findings:
    """A link in the place of a library or of a program that is there: all that starts finds the other one."""
    operands = call.operands("-t -S --target-directory --suffix")
    target = call.value("-t", "--target-directory") or (operands[-1] if len(operands) > 1 else None)
    if target is None or not call.flags() & {"-f", "--force"} or target.text.startswith("/etc/"):
        return
    there = any(path.is_file() for path in located(target.text, call) or ())
    if VITAL.match(target.text) and (there or _LIBRARIES.match(target.text)):
        yield Finding("high", "changes system files", "overwrites")
