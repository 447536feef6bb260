"""The services of the AWS command line and their operations, from the models and sources of its own installation."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from terma import reading

MAX_MODEL = 16_000_000  # bytes unpacked: ec2's, the longest, has four million
MAX_SOURCE = 400_000
_OPERATION = re.compile(r'"name":\s*"([A-Za-z]\w+)",\s*"http"')
_QUOTED = re.compile(r"""['"]([a-z][a-z0-9-]+)['"]""")
_COMMAND = re.compile(r"""\bNAME = ['"]([a-z][a-z0-9-]+)['"]""")
_RENAMED = re.compile(r"""rename_command\(\s*\w+,\s*['"]([\w-]+)['"],\s*['"]([\w-]+)['"]""")


def squeezed(word: str) -> str:
    """A name as the models and the command line have it alike: `describe-instances`, `DescribeInstances`."""
    return re.sub(r"[-_]", "", word).lower()


def services(program: Path) -> frozenset[str]:
    """The names of all services and commands, squeezed; empty where the installation is not one that is read here."""
    found = _place(program)
    if found is None:
        return frozenset()
    models, sources = found
    names = {folder.name for folder in models.iterdir() if folder.is_dir()}
    said = {word for text in _texts(sources.rglob("*.py")) for word in _QUOTED.findall(text)}
    return frozenset(map(squeezed, names | said | {"help"}))


def operations(program: Path, service: str) -> frozenset[str]:
    """All that may stand behind `service`, squeezed; empty where that is not known."""
    found = _place(program)
    if found is None:
        return frozenset()
    models, sources = found
    own = [one for one in sources.iterdir() if squeezed(one.stem) == squeezed(service)]
    files = [file for one in own for file in ([one] if one.is_file() else one.rglob("*.py"))]
    if _handwritten(files, service):  # `aws s3`: every command of its is a class with a name
        names = {word for text in _texts(files) for word in _COMMAND.findall(text)}
    elif model := max((models / _model(sources, service)).glob("*/service-2.json*"), default=None):
        names = set(_OPERATION.findall(_unpacked(model)))
        names |= {word for text in _texts(files) for word in _QUOTED.findall(text)} | {"wait"}
    else:
        return frozenset()
    return frozenset(map(squeezed, names | {"help"})) if names else frozenset()


def _place(program: Path) -> tuple[Path, Path] | None:
    """(the folder of the models, the folder of what is written by hand)."""
    above = program.resolve().parent.parent
    for pattern in ("lib/python3*/*-packages", "versions/*/lib/python3*/*-packages"):
        with suppress(OSError):
            for packages in sorted(above.glob(pattern), reverse=True):
                models, sources = packages / "botocore/data", packages / "awscli/customizations"
                if models.is_dir() and sources.is_dir():
                    return models, sources
    return None


def _renames(sources: Path) -> dict[str, str]:
    """The model's name of each service that is called otherwise: s3 of `s3api`."""
    said = (found for text in _texts(sources.rglob("*.py")) for found in _RENAMED.findall(text))
    return {new: old for old, new in said}


def _model(sources: Path, service: str) -> str:
    return _renames(sources).get(service, service)


def _handwritten(files: list[Path], service: str) -> bool:
    """Whether the service's own commands stand in place of the model's, which has another name then."""
    return any(old == service for text in _texts(files) for old, _ in _RENAMED.findall(text))


def _texts(files: Iterator[Path] | list[Path]) -> Iterator[str]:
    return (reading.text(file, MAX_SOURCE) for file in files)


def _unpacked(file: Path) -> str:
    data = reading.whole(file, MAX_MODEL)
    if file.suffix == ".gz":
        with suppress(zlib.error):
            data = zlib.decompressobj(wbits=31).decompress(data, MAX_MODEL)
    return data.decode("utf-8", "replace")
