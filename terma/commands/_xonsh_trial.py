"""`terma try` in xonsh: the start-up file of the trial, and terma for every xonsh at its end."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path

import terma
from terma import paths

LINE = "xontrib load terma  # added by terma init"
BESIDE = "For every xonsh: xpip install 'xontrib-terma[xonsh]'"


def prepare(place: Path, clean: bool, environment: dict[str, str], binary: str, greeting: str) -> list[str]:
    """Write the start-up file into `place`; the arguments of xonsh. Changes `environment`."""
    environment["TERMA_BIN"] = binary
    environment["XONSH_HISTORY_BACKEND"] = "dummy"
    here = str(Path(terma.__file__).parents[1])
    file = place / "rc.xsh"
    file.write_text(
        "import importlib.util, sys\n"
        "$XONSH_HISTORY_BACKEND = 'dummy'\n"
        "$XONSH_SUPPRESS_WELCOME = True\n"  # a banner between what terma says and its first step
        f"if importlib.util.find_spec('xontrib_terma') is None: sys.path.append({here!r})\n"
        f"xontrib load terma\n{greeting}\n",
        encoding="utf-8",
    )
    own = [] if clean else [str(each) for each in _own_files(environment) if each.is_file()]
    return ["-i", "--rc", *own, str(file)]


def _own_files(environment: dict[str, str]) -> list[Path]:
    """The start-up files that xonsh reads where none is named."""
    if told := environment.get("XONSHRC"):
        return [Path(each) for each in told.split(os.pathsep)]
    config = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "xonsh"
    folder = config / "rc.d"
    more = sorted(each for each in folder.glob("*") if each.suffix in (".xsh", ".py"))
    return [Path("/etc/xonsh/xonshrc"), config / "rc.xsh", *more, Path.home() / ".xonshrc"]


def code(lines: list[str], says: list[str], steps: list[str], end: list[str]) -> str:
    """What the start-up file reads: `lines` are printed, then the steps are shown, `end` is run behind the last."""
    told = "".join(f"print({line!r})\n" for line in lines)
    if not says:
        return told
    return f"{told}from xontrib_terma import tour as _terma_tour\n_terma_tour.begin({says!r}, {steps!r}, {end!r})\n"


def loads_by_itself() -> bool:
    """Whether every xonsh beside this terma loads it."""
    beside = metadata.entry_points(group="xonsh.xontribs", name="terma")
    return bool(beside) and _has_xonsh() and not os.environ.get("XONTRIBS_AUTOLOAD_DISABLED")


def _has_xonsh() -> bool:
    """Whether xonsh is installed where terma is."""
    try:
        metadata.distribution("xonsh")
    except metadata.PackageNotFoundError:
        return False
    return True


def install() -> int:
    """One line in ~/.xonshrc, where terma is beside xonsh; else what to do. Exit status."""
    from terma.commands import _startup_file
    from terma.commands.init import startup_file

    if not _has_xonsh():
        print(BESIDE)
        return 1
    file = startup_file("xonsh")
    _startup_file.add(file, LINE)
    print(f"added one line to {paths.shown(file)}")
    return 0
