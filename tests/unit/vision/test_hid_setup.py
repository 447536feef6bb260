"""The steps that make this computer a USB keyboard: in a folder that stands for configfs."""

from __future__ import annotations

import subprocess

import pytest

from terma.cli import main
from terma.vision.errors import EyesError
from terma.vision.keyboards import _gadget


@pytest.fixture
def gadget(place):
    return place / "gadgets" / "terma"


def test_the_keyboard_is_made_as_the_kernel_wants_it(gadget):
    _gadget.make(gadget, "fe980000.usb")
    function = gadget / "functions/hid.usb0"
    assert (gadget / "UDC").read_text() == "fe980000.usb"
    assert [(function / name).read_text() for name in ("protocol", "subclass", "report_length")] == [
        "1",
        "1",
        "8",
    ]
    assert (gadget / "configs/c.1/hid.usb0").resolve() == function.resolve()
    assert int((gadget / "configs/c.1/bmAttributes").read_text(), 16) & 0x20 == 0, "it could wake the machine"


def test_wake_up_on_write_is_off_where_the_kernel_has_it(gadget):
    attribute = gadget / "functions/hid.usb0/wakeup_on_write"
    attribute.parent.mkdir(parents=True)
    attribute.write_text("1")
    _gadget.apply(_gadget.steps("udc"), gadget)
    assert attribute.read_text() == "0"


def test_the_descriptor_says_eight_bytes_in_and_one_out():
    at, size, count, sent = 0, 0, 0, {0x80: 0, 0x90: 0}
    while at < len(_gadget.DESCRIPTOR):
        head = _gadget.DESCRIPTOR[at]
        length = (0, 1, 2, 4)[head & 3]
        value = int.from_bytes(_gadget.DESCRIPTOR[at + 1 : at + 1 + length], "little")
        at += 1 + length
        if head & 0xFC == 0x74:
            size = value
        elif head & 0xFC == 0x94:
            count = value
        elif head & 0xFC in sent:
            sent[head & 0xFC] += size * count
    assert (sent[0x80], sent[0x90]) == (64, 8)


def test_the_printed_lines_do_the_same_in_a_real_shell(gadget, capsys):
    assert main(["eyes", "hid-setup", "--at", str(gadget.parent), "--udc", "udc0"]) == 0
    lines = capsys.readouterr().out.replace("modprobe libcomposite\n", "")
    subprocess.run(["sh", "-eu"], input=lines, text=True, check=True)
    typed = {path.relative_to(gadget): path.read_bytes() for path in gadget.rglob("*") if path.is_file()}
    other = gadget.with_name("other")
    _gadget.make(other, "udc0")
    done = {path.relative_to(other): path.read_bytes() for path in other.rglob("*") if path.is_file()}
    assert typed == done and len(done) == 14


def test_undoing_takes_things_away_from_the_inside_out():
    steps = _gadget.undoing()
    assert steps[0].path == "UDC" and steps[1].kind == "unlink"
    folders = [step.path for step in steps if step.kind == "remove"]
    assert set(folders) == {step.path for step in _gadget.steps("udc") if step.kind == "folder"}
    for number, folder in enumerate(folders):
        inside = [other for other in folders if other.startswith(f"{folder}/") or (other and not folder)]
        assert all(folders.index(other) < number for other in inside)


def test_undoing_what_is_not_there_is_no_error(gadget):
    _gadget.apply(_gadget.undoing(), gadget)


def test_a_keyboard_that_is_there_is_left_alone(gadget):
    gadget.mkdir(parents=True)
    with pytest.raises(EyesError, match="there already"):
        _gadget.make(gadget, "udc")


def test_a_step_that_fails_is_named(gadget):
    gadget.parent.mkdir()
    gadget.parent.chmod(0o500)
    (gadget.parent / "blocked").write_text("")
    with pytest.raises(EyesError, match="blocked"):
        _gadget.make(gadget.parent / "blocked" / "terma", "udc")


def test_a_computer_without_such_a_port_is_told_so(place):
    with pytest.raises(EyesError, match="no USB port"):
        _gadget.controller(place / "nothing")
    (place / "udc" / "b.usb").mkdir(parents=True)
    assert _gadget.controller(place / "udc") == "b.usb"
