"""Who may do what: permissions, owners, accounts, groups, setuid, capabilities, keys that open doors."""

from __future__ import annotations

from collections.abc import Callable

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules.table import NEEDS_ROOT, asks, rows

_RECURSIVE = "changes permissions, recursively"

RULES = rows("""
userdel deluser groupdel delgroup |  |  | high deletes+root: deletes a user or group
useradd adduser groupadd addgroup newusers usermod |  \
    | -o --non-unique -G=*sudo* -G=*wheel* -G=*docker* -aG=*sudo* \
    -aG=*wheel* -aG=*docker* -G=*adm* -aG=*lxd* -aG=*disk* -aG=*root* -aG=*shadow* -aG=*libvirt* --groups=*sudo* \
    --groups=*docker* --groups=*wheel* +sudo +docker +wheel +admin +root +lxd +disk -u=0 --uid=0 -ou \
    | high grants+root: gives an account the rights of root
useradd adduser groupadd addgroup newusers |  | 1 !-D | medium grants+root: makes an account
gpasswd |  | +sudo +docker +wheel +lxd +disk +root +admin +shadow \
    | high grants+root: gives an account the rights of root
usermod groupmod gpasswd chage chpasswd vipw vigr usermod newgrp |  | -l --list | low
chpasswd |  |  | high grants+root: changes passwords
newgrp sg | docker, root, disk, lxd, sudo, wheel |  | medium grants: takes on the rights of a group
usermod groupmod useradd |  | -p= --password= | high grants+root: lets an account in without its password
chage |  | 1 &+root | high grants+root: changes how root logs in
usermod groupmod gpasswd chage chpasswd vipw vigr |  |  | medium grants+root: changes a user
passwd |  | -S --status -l &-S | low
passwd |  | -d --delete -u --unlock | high grants+root: lets an account in without its password
passwd |  | +root | high grants+root: changes a password
passwd |  |  | medium grants: changes a password
chsh chfn |  | !-l | medium grants: changes a user
dscl |  | -delete | high deletes: deletes a user or group
dscl |  | -append -create -passwd -change | high grants: changes a user or group
dseditgroup sysadminctl | | -a -deleteUser -addUser -resetPasswordFor -o=edit \
    | high grants+root: changes a user or group
visudo |  | !-c !--check | medium grants+root: changes who may become root
setcap |  | -r | medium grants+root: takes rights from a program
setcap |  | !-v | high grants+root: gives a program rights of root
setfacl |  | -b --remove-all &-R | high grants: changes permissions, recursively
setfacl |  | -m=o:*w* -m=other:*w* -m=*,o:*w* | high grants: lets everyone write
setfacl |  | --restore | high grants: changes permissions
setfacl |  | -m -x -b -M -X -k -d -R --modify --remove --remove-all --set | medium grants: changes permissions
xhost |  | +-* !+- | medium grants: closes the screen to a client
xhost |  | 1 | medium grants: lets others use the screen and the keyboard
ssh-copy-id |  | !-n | medium grants: lets a key log in
ssh-add |  | -A -K --apple-use-keychain | low
authselect authconfig pam-auth-update pam_tally2 |  | 1 !+current !+list !+check \
    | medium grants+root: changes how people log in
net |  | +sam +user +localgroup | medium grants: changes a user
smbpasswd pdbedit |  | -a -x -e -d | medium grants: changes a user
samba-tool ipa |  | +add +delete +create +setpassword +user-add +group-add-member +user-del \
    | high grants: changes a user or group of the domain
kadmin kadmin.local |  \
    | -q=cpw* -q=*addprinc* -q=*delprinc* -q=*_principal* -q=change_password* -q=ktadd* -q=modprinc* \
    | high grants: changes a user of the domain
kadmin kadmin.local | add_principal, addprinc, delete_principal, delprinc, cpw, ktadd, -q |  \
    | high grants: changes a user of the domain
htpasswd |  | -D | medium deletes: deletes a web user
htpasswd |  | 1 !-n | medium grants: changes a web user
mosquitto_passwd rabbitmqctl | add_user, set_permissions, set_user_tags, change_password, set_topic_permissions | | \
    \
    high grants: changes a user
docker-credential-desktop |  |  | low
icacls takeown |  | 1 | high grants: changes permissions
polkit pkaction pklocalauthority |  |  | low
chroot |  | 1 | medium root: needs root
""")

_ROOT_MODE = re.compile(r"0*[2-7]\d{3}|(?:\S*,)?[ugoa]*[+=][rwxXt]*s[rwxXst]*(?:,\S*)?")
_OPEN_MODE = re.compile(
    r"0*[0-7]?[0-7]{2}[2367]|([ugo]*[ao][ugo]*)?[+=][rxX]*w[rwxX]*(,.*)?|\S*,[ao][+=]\S*w\S*"
)
_READ_BY_ALL = re.compile(
    r"0*[0-7]?[0-7][0-7][4-7]|([ugo]*[ao][ugo]*)?[+=][rwxX]*r[rwxX]*|0*[0-7][4-7][0-7]|[ug]*g[+=]\S*r\S*"
)


# Reading for all, writing for the owner, less for others: nobody gets what is not theirs.
_SPARING = re.compile(r"(?:(?:[ugoa]*\+[rX]+|u\+rwX|[go]+-[rwxX]+)(?:,(?!$)|$))+")

# The owner's own reading and writing, and that programs run.
_OWNERS = re.compile(r"u\+[rwxX]+|[ugoa]*\+x")


def _below(bulk: bool) -> Callable[[Word], bool]:
    """Whether a word names what lies below where the line stands."""
    if bulk:
        return lambda word: "below" in word.origins
    return lambda word: not word.dynamic and word.text[:1] not in ("/", "~", ".", "*", "")


def _chmod(call: Call) -> Findings:
    flags, operands = call.flags(), call.operands()
    if asks(call) or "--reference" in flags:
        return
    mode = next((word.text for word in call.args if re.fullmatch(r"-[rwxXst]+", word.text)), "")
    mode, files = (mode, operands) if mode else ((operands[0].text, operands[1:]) if operands else ("", ()))
    recursive = bool(flags & {"-R", "--recursive"}) and not mode.startswith("-R")
    yield from _to_all(mode, files, recursive or call.bulk)
    if (recursive or call.bulk) and not (_OWNERS.fullmatch(mode) and all(map(_below(call.bulk), files))):
        gives_reading = _SPARING.fullmatch(mode) and not call.bulk
        yield Finding("medium" if gives_reading else "high", _RECURSIVE, "grants")
    if re.fullmatch(r"0+|[augo]*-[rwx]+|[augo]*=", mode) and recursive:
        yield Finding("high", "takes permissions away, recursively", "stops")
    elif re.fullmatch(r"0+|a?=", mode):
        yield Finding("medium", "takes every permission away", "stops")
    if any(paths.SYSTEM.match(word.text) for word in files):
        globs = any(word.globs and paths.SYSTEM.match(word.text) for word in files)
        yield Finding("high" if globs else "medium", "changes permissions of system files", "grants")


def _to_all(mode: str, words: tuple[Word, ...], many: bool) -> Findings:
    if _ROOT_MODE.fullmatch(mode):
        yield Finding("high", "lets a program run with its owner's rights", "grants")
    if _OPEN_MODE.fullmatch(mode):
        at_large = many or any(
            paths.SYSTEM.match(word.text) or paths.grants(word.text) or word.holds for word in words
        )
        yield Finding("high" if at_large else "medium", "lets everyone write", "grants")
    if _READ_BY_ALL.fullmatch(mode) and any(word.holds & {"secret", "private"} for word in words):
        yield Finding("high", "lets others read a key or a password", "leaks")


_ONESELF = re.compile(r"\$\{?(?:USER|LOGNAME|UID|EUID)\b|\$\((?:id -un?|whoami)\)")


def _chown(call: Call) -> Findings:
    owner = next(iter(call.operands()), None)
    # who is not root can give to himself only what is his already
    if asks(call) or (owner is not None and not call.as_root and _ONESELF.match(owner.text)):
        return
    if any(paths.grants(word.text) for word in call.operands()[1:]):
        yield Finding("high", "lets somebody else say who may do what", "grants")
    elif call.flags() & {"-R", "--recursive"} or call.bulk:
        yield Finding("high", "changes owners, recursively", "grants")
    else:
        yield Finding("medium", "changes the owner", "grants")
    yield NEEDS_ROOT


def _install(call: Call) -> Findings:
    mode = call.value("-m", "--mode")
    if mode is not None and _ROOT_MODE.fullmatch(mode.text):
        yield Finding("high", "lets a program run with its owner's rights", "grants")


def _setfacl(call: Call) -> Findings:
    if any(paths.SYSTEM.match(word.text) for word in call.operands("-m -x -M -X --modify --remove")):
        yield Finding("high", "changes permissions of system files", "grants")


def _umask(call: Call) -> Findings:
    texts = [word.text for word in call.operands()]
    if texts and re.fullmatch(r"0*|0*[01]0?[01]?", texts[0]):
        yield Finding("medium", "lets everyone write what is made from now on", "grants")


CHECKS = {"setfacl": _setfacl, "chmod": _chmod, "chown": _chown, "install": _install, "umask": _umask}
