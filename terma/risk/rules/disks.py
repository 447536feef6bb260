"""Disks, partitions, volumes: what formats or wipes, and what a mistyped device costs."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.overwrite import overwriting
from terma.risk.rules.table import Rule

_FORMATS = "formats a disk: everything on it is lost"
_WIPES = "wipes a disk or a file for good"
_VOLUME = "destroys a volume"

RULES = (
    Rule("mkfs* mke2fs newfs* mkdosfs mkntfs mkudffs", "high", _FORMATS, root=True),
    Rule("mkswap", "high", _FORMATS, root=True),
    Rule("wipefs", "high", _WIPES, flags="-a --all -o --offset", root=True),
    Rule("shred srm wipe scrub blkdiscard", "high", _WIPES),
    Rule("fdisk sfdisk gdisk sgdisk cfdisk", "low", "", flags="-l -p --list --print -d --dump", root=True),
    Rule("fdisk sfdisk gdisk sgdisk cfdisk", "high", "changes the partitions of a disk", root=True),
    Rule("parted", "low", "", anywhere="print", root=True),
    Rule("parted", "low", "", flags="-l --list", root=True),
    Rule("parted", "high", "changes the partitions of a disk", root=True),
    Rule(
        "hdparm",
        "high",
        _WIPES,
        flags="--security-erase --security-erase-enhanced --trim-sector-ranges",
        root=True,
    ),
    Rule("hdparm nvme", "high", _WIPES, words="format|sanitize", root=True),
    Rule("cryptsetup", "high", _FORMATS, words="luksFormat|erase|luksErase|reencrypt", root=True),
    Rule("lvremove vgremove pvremove lvreduce", "high", _VOLUME, root=True),
    Rule("lvcreate vgcreate pvcreate lvextend lvresize vgextend", "medium", "changes volumes", root=True),
    Rule("zpool", "high", _VOLUME, words="destroy|labelclear|remove", root=True),
    Rule("zfs", "high", _VOLUME, words="destroy|rollback", root=True),
    Rule("btrfs", "high", _VOLUME, words="subvolume delete|device remove", root=True),
    Rule("mdadm", "high", _VOLUME, flags="--zero-superblock --stop -S --remove --create -C", root=True),
    Rule("resize2fs xfs_growfs tune2fs resize.f2fs", "medium", "changes a file system", root=True),
    Rule("fsck* e2fsck xfs_repair", "medium", "repairs a file system in place", unless="-n -N", root=True),
    Rule("badblocks", "high", _WIPES, flags="-w", root=True),
    Rule("umount", "medium", "unmounts a file system", root=True),
    Rule("swapoff", "medium", "turns swap off", root=True),
    Rule("swapon losetup", "low", "", unless="--show -s --summary -a -l --list", root=True),
    Rule(
        "diskutil",
        "high",
        _FORMATS,
        words="eraseDisk|eraseVolume|partitionDisk|zeroDisk|reformat|secureErase",
    ),
    Rule("diskutil", "high", _VOLUME, words="apfs deleteContainer|apfs deleteVolume"),
    Rule("tmutil", "high", "deletes backups", words="delete|deletelocalsnapshots"),
    Rule("restic borg", "high", "deletes backups", words="forget|prune|delete"),
    Rule("virsh", "high", _VOLUME, words="undefine|destroy|vol-delete|pool-delete"),
    Rule("VBoxManage", "high", _VOLUME, flags="--delete"),
)


def _dd(call: Call) -> Findings:
    for word in call.args:
        if word.text.startswith("of="):
            yield from overwriting(word, call, word.text[3:])


def _fuser(call: Call) -> Findings:
    if "-k" in call.flags():
        yield Finding("high", "ends every process that uses it")


def _reads_device(call: Call) -> Findings:
    """`cat x > /dev/sda` is a redirect; `badblocks /dev/sda` and friends need root only."""
    if any(re.match(r"/dev/(sd|nvme|vd|hd|mmcblk|disk)", word.text) for word in call.args):
        yield Finding("medium", "needs root")


def _mount(call: Call) -> Findings:
    """Alone it lists what is mounted."""
    if call.operands("-t -o") or call.flags() & {"-a", "--all"}:
        yield Finding("medium", "needs root")


CHECKS = {
    "mount": _mount,
    "dd": _dd,
    "dcfldd": _dd,
    "fuser": _fuser,
    "smartctl": _reads_device,
    "hexdump": _reads_device,
}
