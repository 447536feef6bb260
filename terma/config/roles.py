"""Roles: what a model is told to be, each a markdown file with a few settings on top. A user's file wins over ours.

---
description: answers questions at the prompt
model: careful            # optional, a name of the settings
temperature: 0.2
tools: [run_command, read_file]
---
You are …
"""

from __future__ import annotations

from pathlib import Path

import terma
from terma import added, paths, reading, registry
from terma import regex as re
from terma.errors import ConfigError, TermaError, UsageError
from terma.records import dataclass

SHIPPED = Path(terma.__file__).parent / "defaults" / "roles"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")
MAX_BYTES = 64 * 1024
KEYS = ("description", "engine", "model", "temperature", "tools")


@dataclass(frozen=True, slots=True)
class Role:
    """`text` is the system prompt. `model`, `engine` "" and `temperature` None: as the settings say. `tools` None:
    all that the conversation has."""

    name: str
    text: str
    description: str = ""
    engine: str = ""
    model: str = ""
    temperature: float | None = None
    tools: tuple[str, ...] | None = None
    shipped: bool = True


def names(folder: Path | None) -> list[str]:
    """The roles there are, those of `folder` (the user's) and ours, sorted."""
    found = {file.stem for place in (SHIPPED, folder) if place for file in registry.files(place, ".md")}
    return sorted(name for name in found if NAME.match(name))


def load(name: str, folder: Path | None) -> Role:
    """Raises UsageError for a role that does not exist, ConfigError for a file that cannot be read as one."""
    if not NAME.match(name):
        raise UsageError(f"there is no role {name!r}", f"the roles are: {', '.join(names(folder))}")
    file = folder / f"{name}.md" if folder else None
    if file is not None and reading.is_regular(file):
        _check(file)
        return parse(name, _text(file), str(file))
    if (SHIPPED / f"{name}.md").is_file() or name in _kept:
        return _shipped(name)
    raise UsageError(f"there is no role {name!r}", f"the roles are: {', '.join(names(folder))}")


def _check(file: Path) -> None:
    """A role is what a model is told to be: raises ConfigError for one that somebody else may write."""
    try:
        added.check_own(file)
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}", "check its owner and mode") from None
    except TermaError as error:
        raise ConfigError(error.message, "and look at what it says") from None


def source(name: str, folder: Path | None) -> str:
    """The file of a role as it was written, front matter and all. Raises like `load`."""
    role = load(name, folder)
    file = SHIPPED / f"{name}.md" if role.shipped or folder is None else folder / f"{name}.md"
    return _text(file)


def copy_shipped(folder: Path) -> list[Path]:
    """Write the roles of ours that `folder` has no file for, to be changed there; the files that were written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for file in registry.files(SHIPPED, ".md"):
        own = folder / file.name
        if not own.exists() and not own.is_symlink():
            paths.write_atomic(own, file.read_bytes())
            written.append(own)
    return written


_kept: dict[str, Role] = {}  # an agent whose package was removed still answers what it was asked


def _shipped(name: str) -> Role:
    if name not in _kept:
        file = SHIPPED / f"{name}.md"
        _kept[name] = parse(name, _text(file), str(file), shipped=True)
    return _kept[name]


def parse(name: str, text: str, where: str, shipped: bool = False) -> Role:
    """A role out of the text of its file. Raises ConfigError with the line."""
    head, body = _split(text, where)
    values: dict[str, str] = {}
    for number, line in enumerate(head, 2):
        plain = re.sub(r"(?:^|\s)#.*", "", line).strip()
        if not plain:
            continue
        key, colon, value = plain.partition(":")
        if not colon or key.strip() not in KEYS:
            raise ConfigError(
                f"{where}:{number}: no role has {key.strip()!r}", f"known are: {', '.join(KEYS)}"
            )
        values[key.strip()] = value.strip().strip("\"'")
    if not body.strip():
        raise ConfigError(f"{where}: the role says nothing", "write beneath --- what the model should be")
    return Role(
        name=name,
        text=body.strip(),
        description=values.get("description", ""),
        engine=values.get("engine", ""),
        model=values.get("model", ""),
        temperature=_temperature(values.get("temperature", ""), where),
        tools=_list(values["tools"]) if "tools" in values else None,
        shipped=shipped,
    )


def _split(text: str, where: str) -> tuple[list[str], str]:
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return [], text
    for number, line in enumerate(lines[1:], 1):
        if line.strip() == "---":
            return lines[1:number], "\n".join(lines[number + 1 :])
    raise ConfigError(f"{where}:1: the part between --- and --- has no end", "close it with ---")


def _temperature(text: str, where: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise ConfigError(
            f"{where}: temperature: expected a number from 0 to 2, not {text!r}", "mend the role's file"
        )
    return value


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.strip("[]").split(",") if part.strip())


def _text(file: Path) -> str:
    try:
        return reading.whole(file, MAX_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: not UTF-8", "save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}", "check its owner and mode") from None
