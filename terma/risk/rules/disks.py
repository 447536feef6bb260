"""Disks, partitions, volumes, mounts, backups: what formats or wipes, and what a mistyped device costs."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.overwrite import VITAL, overwriting
from terma.risk.paths import grants
from terma.risk.rules.table import NEEDS_ROOT, rows

RULES = rows("""
mkfs* mke2fs newfs* mkdosfs mkntfs mkudffs mkswap mkexfatfs | | +*.img +*.raw +*.iso +*.bin +/tmp/* !+/dev/* \
    | medium overwrites: makes a file a disk of its own
mke2fs* mkfs.ext* mkntfs* mkfs.nt* |  | -n | low
mkfs.xfs* newfs* |  | -N | low
mkfs* mke2fs newfs* mkdosfs mkntfs mkudffs mkswap mkexfatfs |  |  \
    | high disks+root: formats a disk: everything on it is lost
wipefs |  | -n --no-act | low
wipefs |  | -a --all -o --offset -f | high disks+root: wipes a disk or a file for good
wipefs |  |  | low
blkdiscard |  |  | high disks+root: wipes a disk or a file for good
shred srm wipe scrub nwipe |  |  | high deletes: wipes a disk or a file for good
fdisk sfdisk gdisk sgdisk cfdisk |  | -l -p --list --print -d --dump -n --no-act -P --pretend -s -V --verify -J \
    --json -v -i --show-size | low
fdisk sfdisk gdisk sgdisk cfdisk |  |  | high disks+root: changes the partitions of a disk
parted |  | +print | low
parted |  | -l --list | low
parted partprobe kpartx growpart |  | !-n !-l | high disks+root: changes the partitions of a disk
hdparm |  | --security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector --security-set-pass \
    --dco-restore | high disks+root: wipes a disk or a file for good
hdparm |  | -i -I -t -T -tT -C --direct | low
hdparm |  |  | medium disks+root: changes how a disk works
nvme | format, sanitize, write, write-zeroes, delete-ns, detach-ns, dsm, fw-download, fw-commit, fw-activate |  | \
    high disks+root: wipes a disk or a file for good
cryptsetup luksHeaderRestore | luksFormat, erase, luksErase, reencrypt, luksHeaderRestore, luksKillSlot, \
    luksRemoveKey |  | high disks+root: formats a disk: everything on it is lost
cryptsetup | luksDump, status, isLuks, benchmark, luksUUID |  | low
cryptsetup | luksAddKey, luksChangeKey |  | medium grants+root: changes the keys of an encrypted disk
cryptsetup |  |  | medium disks+root: changes an encrypted disk
lvremove vgremove pvremove lvreduce vgreduce |  | !-t !--test | high disks+root: destroys a volume
lvresize |  | -L=-* --size=-* -l=-* -L=?[0-9]* | high disks+root: may cut a volume short
lvconvert |  |  | high disks+root: changes volumes
pvcreate vgcreate |  | -ff --force &-y -f | high disks+root: destroys a volume
lvcreate vgcreate pvcreate lvextend lvresize vgextend pvresize pvmove lvchange vgchange vgrename lvrename vgimport \
    vgexport |  | !-t !--test | medium disks+root: changes volumes
lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan lsblk blkid findmnt df swapon-show |  |  | low
zpool | destroy, labelclear, remove, split, clear, offline, detach, initialize |  \
    | high disks+root: destroys a volume
zfs | destroy, rollback, recv -F, receive -F |  | high disks+root: destroys a volume
zfs zpool | list, status, get, history, iostat, events, diff, holds |  | low
zfs | snapshot, snap, send |  | low
zfs zpool |  |  | medium disks+root: changes volumes
btrfs | subvolume delete, device remove, device delete, filesystem resize, balance start, rescue *, check |  \
    | high disks+root: destroys a volume
btrfs | subvolume list, filesystem df, filesystem show, filesystem usage, device stats, scrub status, subvolume \
    show, device usage, balance status, qgroup show |  | low
btrfs | subvolume snapshot |  | low
btrfs |  |  | medium disks+root: changes a file system
mdadm |  | --zero-superblock --stop -S --remove -r --create -C --fail -f --build --grow \
    | high disks+root: destroys a volume
mdadm |  | --detail -D --examine -E --query -Q --scan | low
mdadm |  |  | medium disks+root: changes an array of disks
resize2fs |  | -M +[0-9]*[KMGTs] | high disks+root: shrinks a file system
fallocate |  | -p --punch-hole -c --collapse-range -z --zero-range | medium overwrites: empties a part of a file
debugfs |  | -w | high disks+root: writes into a file system's own data
e2label fatlabel swaplabel dosfslabel ntfslabel |  | !+/dev/* 0 | low
resize2fs xfs_growfs tune2fs resize.f2fs e2label fatlabel xfs_admin ntfslabel btrfstune dosfslabel swaplabel \
    e4defrag xfs_fsr ntfsresize |  | !-l !-n | medium disks+root: changes a file system
dumpe2fs tune2fs xfs_info |  |  | low
fsck* e2fsck xfs_repair dosfsck |  | -n -N | low
xfs_repair |  | -L | high disks+root: throws the log of a file system away
zpool | create |  | high disks+root: formats a disk: everything on it is lost
fsck* e2fsck xfs_repair dosfsck ntfsfix |  |  | medium disks+root: repairs a file system in place
dmsetup | remove_all, wipe_table |  | high disks+root: destroys a volume
dmsetup | remove, suspend, load, reload, create, rename, clear, message |  | medium disks+root: changes volumes
badblocks |  | !-w !-n | low
badblocks |  | -w | high disks+root: wipes a disk or a file for good
umount fusermount fusermount3 |  | 1 -a -l -f -R -A --all | medium disks+root: unmounts a file system
swapoff |  | 1 -a --all | medium disks+root: turns swap off
swapon losetup |  | -l --list -s --summary --show -a -j --noheadings | low
losetup |  | -d -D --detach | medium disks+root: detaches a disk image
swapon |  | 1 | medium disks+root: turns swap on
eject |  |  | low
diskutil | eraseDisk, eraseVolume, partitionDisk, zeroDisk, reformat, secureErase, randomDisk, resizeVolume |  | \
    high disks: formats a disk: everything on it is lost
diskutil | apfs deleteContainer, apfs deleteVolume, apfs eraseVolume |  | high disks: destroys a volume
diskutil | unmount, unmountDisk, eject, rename |  | medium disks: unmounts a file system
hdiutil | erasekeys |  | high disks: wipes a disk image
tmutil | delete, deletelocalsnapshots |  | high deletes: deletes backups
tmutil | disable, stopbackup, removedestination |  | medium stops: turns backups off
restic borg duplicity kopia \
    | forget, prune, delete, remove-older-than, remove-all-but-n-full, snapshot delete, key \
    remove |  | high deletes: deletes backups
borg restic kopia | key export, key add, change-passphrase |  | medium grants: changes the keys of a backup
snapper timeshift | delete, rollback, undochange |  | high deletes: deletes backups
timeshift |  | --delete --delete-all --restore | high deletes: deletes or restores backups
virsh | undefine, destroy, vol-delete, pool-delete, snapshot-delete, vol-wipe, pool-destroy, snapshot-revert, \
    managedsave-remove, detach-disk |  | high deletes: destroys a virtual machine or its disks
virsh | shutdown, reboot, suspend, reset |  | medium stops: stops a virtual machine
VBoxManage vboxmanage | controlvm * poweroff, unregistervm, closemedium, snapshot * delete, snapshot * restore |  | \
    \
    high deletes: stops or deletes a virtual machine
VBoxManage vboxmanage |  | --delete | high deletes: destroys a virtual machine
qemu-img | resize | --shrink | high disks: cuts the end of a disk off
qemu-img | resize, rebase, commit, snapshot |  | medium disks: changes a disk image
multipass lxc incus | delete, purge |  | high deletes: deletes machines
multipass lxc incus | stop, restart |  | medium stops: stops machines
qm pct | destroy |  | high deletes: deletes a machine
qm pct | stop, shutdown, reset |  | medium stops: stops a machine
sg_format sg_sanitize |  |  | high disks+root: formats a disk: everything on it is lost
avrdude |  | -U=*:r:* !-e | low
avrdude |  | -e -U | high disks: writes firmware
flashrom dfu-util esptool.py fwupdmgr flashcp |  \
    | -w --write +write_flash +update +install +erase_flash -D \
    -U -E --erase | high disks+root: writes firmware
st-flash probe-rs openocd stm32flash picotool nrfjprog JLinkExe cc-tool | erase, write, download, load, program | \
    | high disks: writes firmware
openocd nrfjprog stm32flash |  | -c=*program* -c=*flash* -c=*erase* -w --program --eraseall \
    | high disks: writes firmware
blockdev |  | --setro --setrw --flushbufs --rereadpt --setra --setbsz | medium disks+root: changes how a disk works
blockdev |  |  | low
flash_erase flash_eraseall nandwrite ubiformat |  |  | high disks+root: wipes flash memory
devmem devmem2 | | 1 | high changes+root: writes straight into the machine's memory
i2cset wrmsr | | 1 | high changes+root: writes straight into a chip
setpci | | +*=* | high changes+root: writes straight into a chip
MegaCli MegaCli64 megacli | | -CfgClr -CfgLdDel -CfgForeign -PDClear -LDInit \
    | high disks+root: wipes a disk or a file for good
fastboot | | -w | high disks: wipes a device
fastboot | erase, flash, format, oem unlock, flashing unlock, -w |  | high disks: wipes a device
xfs_freeze fsfreeze |  | -f --freeze | high stops+root: stops every write to a file system
quotaoff setquota edquota quotaon |  |  | medium changes+root: changes quotas
storcli megacli perccli arcconf hpssacli ssacli |  | +del +delete +clear +init +erase \
    | high disks+root: destroys an array of disks
""")


_ENDLESS = {"/dev/zero", "/dev/urandom", "/dev/random"}
_FILLS = Finding("medium", "fills a disk until nothing is left on it", "disks")


def _endless(call: Call) -> Findings:
    """What never ends by itself, into a file."""
    endless = call.name == "yes" or any(word.text in _ENDLESS for word in call.args)
    into = [one.target.text for one in call.redirects if one.operator in (">", ">>", ">|", "&>", "&>>", ">&")]
    if endless and any(not re.match(r"/dev/(?!shm/)|\d+$|-$", text) for text in into):
        yield _FILLS


def _dd(call: Call) -> Findings:
    for word in call.args:
        if word.text.startswith("of="):
            yield from overwriting(word, call, word.text[3:])
    fills = any(word.text[:3] == "if=" and word.text[3:] in _ENDLESS for word in call.args)
    if fills and not any(word.text.startswith("count=") for word in call.args):
        yield _FILLS


def _fuser(call: Call) -> Findings:
    if "-k" in call.flags():
        yield Finding("high", "ends every process that uses it", "stops")


def _mount(call: Call) -> Findings:
    """Alone it lists what is mounted."""
    if not call.operands("-t -o") and not call.flags() & {"-a", "--all"}:
        return
    yield NEEDS_ROOT
    options = {one for word in call.values("-o", "--options") for one in word.text.split(",")}
    covered = [word.text for word in call.operands("-t -o")[-1:]]
    if "suid" in options:
        yield Finding("high", "lets what lies there run with its owner's rights", "grants")
    if "remount" in options:
        yield Finding("medium", "changes how a file system is mounted", "disks")
    elif (
        any(
            re.fullmatch(r"/(etc|usr|proc|dev)?/?", text) or VITAL.match(text) or grants(text)
            for text in covered
        )
        and "ro" not in options
    ):
        yield Finding("high", "mounts over a system directory", "disks")
    else:
        yield Finding("medium", "mounts a file system", "disks")


CHECKS = {
    "yes": _endless,
    "cat": _endless,
    "mount": _mount,
    "dd": _dd,
    "dcfldd": _dd,
    "pv": _dd,
    "fuser": _fuser,
}
