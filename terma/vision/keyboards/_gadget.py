"""Makes this computer a USB keyboard through the kernel's configfs, and unmakes it: as steps that can be read first.

The gadget is a boot-protocol keyboard. `wakeup_on_write` stays off, and the configuration announces no remote wake-up:
a key must never wake a machine that was put to sleep.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from terma.vision.errors import EyesError

BASE = Path("/sys/kernel/config/usb_gadget")
CONTROLLERS = Path("/sys/class/udc")
NAME = "terma"
_FUNCTION, _CONFIG, _ENGLISH = "functions/hid.usb0", "configs/c.1", "strings/0x409"
# HID 1.11, appendix B.1, with keys up to 0xFF: Japanese and Brazilian keyboards have some above 0x65.
DESCRIPTOR = bytes.fromhex(
    "05010906a101"  # usage page: generic desktop; usage: keyboard; collection: application
    "050719e029e71500250175019508 8102"  # modifiers: eight bits
    "950175088101"  # one byte that is reserved
    "9505750105081901290591029501750391 01"  # lights: five bits and three of padding, to the keyboard
    "95067508150026ff00050719002aff008100"  # six keys
    "c0"
)

_PROGRAMS = {"folder": "mkdir -p", "unlink": "rm", "remove": "rmdir"}


@dataclass(frozen=True, slots=True)
class Step:
    """One act below the gadget's folder. `value` is what is written, or where a link points to; `optional` where older
    kernels have no such file."""

    kind: Literal["folder", "write", "link", "unlink", "remove"]
    path: str
    value: bytes = b""
    optional: bool = False


def steps(controller: str) -> list[Step]:
    """What makes the keyboard. `controller` is a name in /sys/class/udc."""
    texts = {
        "idVendor": "0x1d6b",
        "idProduct": "0x0104",
        "bcdUSB": "0x0200",
        f"{_ENGLISH}/manufacturer": "terma",
        f"{_ENGLISH}/product": "terma keyboard",
        f"{_ENGLISH}/serialnumber": "1",
        f"{_FUNCTION}/protocol": "1",
        f"{_FUNCTION}/subclass": "1",
        f"{_FUNCTION}/report_length": "8",
        f"{_CONFIG}/{_ENGLISH}/configuration": "keyboard",
        f"{_CONFIG}/bmAttributes": "0x80",
        f"{_CONFIG}/MaxPower": "100",
    }
    folders = ["", _ENGLISH, _FUNCTION, _CONFIG, f"{_CONFIG}/{_ENGLISH}"]
    return [
        *(Step("folder", folder) for folder in folders),
        *(Step("write", path, text.encode()) for path, text in texts.items()),
        Step("write", f"{_FUNCTION}/wakeup_on_write", b"0", optional=True),
        Step("write", f"{_FUNCTION}/report_desc", DESCRIPTOR),
        Step("link", f"{_CONFIG}/hid.usb0", _FUNCTION.encode()),
        Step("write", "UDC", controller.encode()),
    ]


def undoing() -> list[Step]:
    """What takes it away again."""
    folders = [f"{_CONFIG}/{_ENGLISH}", _CONFIG, _FUNCTION, _ENGLISH, ""]
    return [
        Step("write", "UDC", b"\n", optional=True),
        Step("unlink", f"{_CONFIG}/hid.usb0", optional=True),
        *(Step("remove", folder, optional=True) for folder in folders),
    ]


def script(wanted: Sequence[Step], gadget: Path) -> str:
    """The steps as lines for `sh`, to be read and typed by a person."""
    lines = ["modprobe libcomposite", *(_line(step, gadget) for step in wanted)]
    return "\n".join(lines if any(step.kind == "folder" for step in wanted) else lines[1:])


def apply(wanted: Sequence[Step], gadget: Path) -> None:
    """Do them. Raises EyesError with the step that failed."""
    for step in wanted:
        path = gadget / step.path
        if step.optional and not (path.exists() or path.is_symlink()):
            continue
        try:
            _do(step, path, gadget)
        except OSError as error:
            if step.optional and step.path == "UDC":
                continue  # it was bound to nothing
            raise EyesError(f"{path}: {error.strerror}", _advice(step)) from None


def make(gadget: Path, controller: str) -> None:
    """Make the keyboard; what was begun is taken away again where a step fails. Raises EyesError."""
    if gadget.exists():
        raise EyesError(f"{gadget} is there already", "terma eyes hid-setup --undo --apply takes it away")
    try:
        apply(steps(controller), gadget)
    except EyesError:
        with contextlib.suppress(EyesError):
            apply(undoing(), gadget)
        raise


def controller(folder: Path = CONTROLLERS) -> str:
    """The first USB device controller of this computer. Raises EyesError where it has none."""
    with contextlib.suppress(OSError):
        for one in sorted(folder.iterdir()):
            return one.name
    raise EyesError(
        "this computer has no USB port that can be a device",
        "a Raspberry Pi Zero or 4 has one: dtoverlay=dwc2 in its config.txt, then a restart",
    )


def _do(step: Step, path: Path, gadget: Path) -> None:
    if step.kind == "folder":
        path.mkdir(parents=True, exist_ok=True)
    elif step.kind == "write":
        path.write_bytes(step.value)
    elif step.kind == "link":
        path.symlink_to(gadget / step.value.decode())
    elif step.kind == "unlink":
        path.unlink()
    else:
        path.rmdir()


def _line(step: Step, gadget: Path) -> str:
    path = gadget / step.path
    if step.kind == "write":
        line = f"printf '{_octal(step.value)}' > {path}"
    elif step.kind == "link":
        line = f"ln -s {gadget / step.value.decode()} {path}"
    else:
        line = f"{_PROGRAMS[step.kind]} {path}"
    return f"[ ! -e {path} ] || {line}" if step.optional else line


def _octal(value: bytes) -> str:
    """For printf of any POSIX shell."""
    plain = value.decode("ascii", "replace")
    if (
        plain.isprintable()
        and "\\" not in plain
        and "%" not in plain
        and "'" not in plain
        and value.isascii()
    ):
        return plain
    return "".join(f"\\{byte:03o}" for byte in value)


def _advice(step: Step) -> str:
    if step.kind == "folder":
        return "as root: modprobe libcomposite, and mount -t configfs none /sys/kernel/config"
    return "another gadget may hold the port: look into /sys/kernel/config/usb_gadget"
