"""The running machine: power, services, processes, users, firewall, kernel, schedules, shell history."""

from __future__ import annotations

import re
from dataclasses import replace

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import Rule
from terma.risk.wrappers import WRAPPERS, after

_ENDS = "ends processes by name"
_FIREWALL = "changes the firewall"
_POWER = "shuts the machine down or restarts it"

RULES = (
    Rule("shutdown", "low", "", flags="-c"),
    Rule("shutdown poweroff halt reboot", "high", _POWER),
    Rule("init telinit", "high", _POWER, words="0|6|1"),
    Rule(
        "systemctl loginctl",
        "high",
        _POWER,
        words="poweroff|reboot|halt|kexec|rescue|emergency|isolate",
    ),
    Rule("systemctl", "medium", "puts the machine to sleep", "suspend|hibernate|hybrid-sleep"),
    Rule("systemctl", "medium", "stops a service", "stop|kill|disable|mask", "--user"),
    Rule("systemctl", "medium", "stops a service", "stop|kill|disable|mask", root=True),
    Rule(
        "systemctl", "medium", "restarts a service", "restart|reload|try-restart|reload-or-restart", "--user"
    ),
    Rule(
        "systemctl", "medium", "restarts a service", "restart|reload|try-restart|reload-or-restart", root=True
    ),
    Rule(
        "systemctl",
        "low",
        "",
        "start|enable|unmask|daemon-reload|edit|set-default|reset-failed",
        unless="--user",
        root=True,
    ),
    Rule(
        "service", "medium", "changes a service", anywhere="stop restart reload start force-reload", root=True
    ),
    Rule(
        "rc-service rc-update sv", "medium", "changes a service", anywhere="stop restart del down", root=True
    ),
    Rule("launchctl", "medium", "stops a service", words="unload|bootout|remove|disable|stop|kickstart"),
    Rule("brew", "medium", "stops a service", words="services stop|services restart"),
    Rule("killall5", "high", "ends almost every process"),
    Rule("killall", "low", "", flags="-l --list"),
    Rule("killall", "high", "ends every process of a user or terminal", flags="-u --user"),
    Rule("killall", "medium", _ENDS),
    Rule(
        "loginctl",
        "high",
        "ends every process of a user or terminal",
        anywhere=("terminate-user kill-user terminate-session kill-session"),
    ),
    Rule("rfkill", "high", "cuts the network", words="block"),
    Rule(
        "pkill",
        "high",
        "ends every process of a user or terminal",
        flags="-u -U -t --euid --uid --terminal -v --inverse",
    ),
    Rule("pkill skill xkill", "medium", _ENDS),
    Rule("userdel deluser groupdel delgroup", "high", "deletes a user or group", root=True),
    Rule("useradd adduser groupadd addgroup newusers", "low", "", root=True),
    Rule("usermod groupmod gpasswd chage chpasswd vipw visudo", "medium", "changes a user", root=True),
    Rule("passwd", "medium", "changes a password", unless="-S --status"),
    Rule("chsh chfn", "medium", "changes a user"),
    Rule("dscl", "high", "deletes a user or group", flags="-delete"),
    Rule(
        "iptables ip6tables ebtables arptables",
        "high",
        "removes firewall rules",
        flags="-F -X -D --flush --delete",
        root=True,
    ),
    Rule("iptables ip6tables ebtables arptables", "low", "", flags="-L -S --list --list-rules", root=True),
    Rule("iptables ip6tables ebtables arptables iptables-restore", "medium", _FIREWALL, root=True),
    Rule("nft", "low", "", words="list", root=True),
    Rule("nft", "high", "removes firewall rules", words="flush|delete|destroy", root=True),
    Rule("nft", "medium", _FIREWALL, root=True),
    Rule("ufw", "high", "turns the firewall off", words="disable|reset", root=True),
    Rule("ufw", "low", "", words="status|show|version", root=True),
    Rule("ufw", "medium", _FIREWALL, root=True),
    Rule(
        "firewall-cmd",
        "medium",
        _FIREWALL,
        flags="--permanent --reload --complete-reload --panic-on",
        root=True,
    ),
    Rule("ip", "high", "cuts the network", anywhere="down flush", root=True),
    Rule("ip", "medium", "changes the network", anywhere="add del delete set replace change up", root=True),
    Rule("ifconfig", "high", "cuts the network", anywhere="down", root=True),
    Rule("ifdown", "high", "cuts the network", root=True),
    Rule("route", "medium", "changes the network", words="add|del|delete|flush", root=True),
    Rule("nmcli", "medium", "changes the network", anywhere="down off delete disconnect modify"),
    Rule("tc", "medium", "changes the network", anywhere="add del replace change", root=True),
    Rule(
        "rmmod modprobe insmod",
        "medium",
        "changes the kernel's modules",
        unless="-n -c -D --show-depends",
        root=True,
    ),
    Rule("sysctl", "medium", "changes a kernel setting", flags="-w -p --write --load --system", root=True),
    Rule("setenforce", "high", "turns a protection off", words="0|Permissive|permissive", root=True),
    Rule("setenforce", "low", "", root=True),
    Rule("aa-disable aa-teardown", "high", "turns a protection off", root=True),
    Rule(
        "hostnamectl timedatectl localectl",
        "medium",
        "changes a system setting",
        anywhere=("set-hostname set-time set-timezone set-ntp set-locale set-keymap hostname"),
        root=True,
    ),
    Rule("hwclock", "medium", "changes the clock", flags="-w -s --systohc --hctosys --set", root=True),
    Rule("date", "medium", "changes the clock", flags="-s --set", root=True),
    Rule(
        "journalctl", "medium", "deletes logs", flags="--vacuum-size --vacuum-time --vacuum-files", root=True
    ),
    Rule("dmesg", "medium", "deletes logs", flags="-C -c --clear --read-clear", root=True),
    Rule("crontab", "high", "deletes the whole crontab", flags="-r"),
    Rule("crontab", "low", "", flags="-l -e"),
    Rule("crontab", "medium", "replaces the crontab"),
    Rule("atrm", "medium", "deletes scheduled jobs"),
    Rule("at batch", "medium", "deletes scheduled jobs", flags="-r -d"),
    Rule("tmux", "medium", "ends terminal sessions", words="kill-server|kill-session"),
    Rule("history", "medium", "deletes the shell's history", flags="-c -d"),
    Rule("renice chcpu", "medium", "changes running processes", flags="-u -g"),
    Rule("efibootmgr", "low", "", unless="-b -B -o -c -n -a -A -x -D -t -T", root=True),
    Rule("bootctl", "low", "", words="status|list"),
    Rule(
        "update-grub grub-install grub-mkconfig efibootmgr bootctl",
        "high",
        "changes how the machine boots",
        root=True,
    ),
    Rule("update-initramfs dracut mkinitcpio", "medium", "changes how the machine boots", root=True),
    Rule("defaults", "medium", "changes a system setting", words="delete|write"),
    Rule("csrutil spctl", "high", "turns a protection off", words="disable|--master-disable"),
    Rule("gsettings dconf", "medium", "changes a setting", words="reset|reset-recursively"),
    Rule(
        "gpg gpg2",
        "high",
        "deletes keys",
        flags=("--delete-secret-keys --delete-secret-key --delete-key --delete-keys"),
    ),
    Rule("ssh-add", "medium", "forgets keys", flags="-D"),
    Rule("supervisorctl pm2", "medium", "stops a service", words="stop|shutdown|restart|delete|kill"),
    Rule("su", "medium", "needs root", unless="-c"),
    Rule("su runuser pkexec doas chroot nsenter visudo", "medium", "needs root"),
    Rule("tcpdump", "medium", "needs root", unless="-r"),
    Rule("dmidecode sudoedit", "medium", "needs root"),
    Rule("sysadminctl", "high", "deletes a user or group", flags="-deleteUser", root=True),
)
_EVERYTHING = {"-1", "0"}


def _kill(call: Call) -> Findings:
    """One process by number is no broad kill; all of them, a pattern or a list from elsewhere is."""
    texts = [word.text for word in call.args]
    if {"-l", "-L"} & set(texts):
        return
    targets = texts[1:] if texts and re.match(r"-(\w|[A-Z]+$)", texts[0]) else texts
    if _EVERYTHING & set(targets):
        yield Finding("high", "ends every process it may")
    elif call.bulk or any(word.programs or word.dynamic for word in call.args):
        yield Finding("medium", "ends every process on a list")
    elif {"-9", "-KILL", "-SIGKILL"} & set(texts) or any(re.match(r"-\d{2,}", text) for text in targets):
        yield Finding("medium", "ends a process without letting it save")
    if "1" in targets:
        yield Finding("high", "ends the process that all others hang on")


def _pkill(call: Call) -> Findings:
    if any(word.text in (".", ".*", "", "^", "*") for word in call.operands()):
        yield Finding("high", "ends every process it may")


def _sudo(call: Call) -> Findings:
    inner = after(call.args, WRAPPERS["sudo"])
    own = replace(call, words=call.words[: len(call.words) - len(inner)]).flags()
    if not inner and own & {"-l", "-k", "-K", "-v", "-V", "--list", "--help", "--version"}:
        return
    yield Finding("medium", "needs root")
    if not inner and own & {"-i", "-s"}:
        yield Finding("medium", "opens a root shell")


CHECKS = {"kill": _kill, "pkill": _pkill, "sudo": _sudo}
