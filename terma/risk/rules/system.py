"""The running machine: power, services, processes, firewall, network, kernel, schedules, shell history."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.opened_ports import over_ssh, serves
from terma.risk.rules.table import operand_texts, rows

RULES = rows("""
shutdown |  | -c -k --show | low
shutdown poweroff halt reboot kexec |  | !-w | high stops+root: shuts the machine down or restarts it
init telinit | 0, 6, 1, s, S |  | high stops+root: shuts the machine down or restarts it
systemctl loginctl | poweroff, reboot, halt, kexec, rescue, emergency, isolate, soft-reboot, default |  \
    | high stops+root: shuts the machine down or restarts it
systemctl | suspend, hibernate, hybrid-sleep, suspend-then-hibernate |  | medium stops: puts the machine to sleep
systemctl | set-default |  | medium changes+root: changes what the machine starts
systemctl | mask, stop, kill, disable | +ssh +sshd* +ssh.service +auditd* +rsyslog* +apparmor* +firewalld* +ufw* \
    +fail2ban* +systemd-* +NetworkManager* +networking* +network* +docker* +kubelet* +falco* +crowdstrike* \
    +falcon-sensor* +clamav* +dbus* +selinux* +syslog* +*log* +wazuh* +osquery* +iptables* +nftables* \
    | high stops+root: stops a service that others hang on, or that watches
systemctl | mask |  | medium stops+root: stops a service for good
systemctl | stop, kill, disable, mask | --user | medium stops: stops a service
systemctl | stop, kill, disable, mask |  | medium stops+root: stops a service
systemctl | restart, reload, try-restart, reload-or-restart, condrestart, force-reload | --user \
    | medium stops: restarts a service
systemctl | restart, reload, try-restart, reload-or-restart, condrestart, force-reload |  \
    | medium stops+root: restarts a service
systemctl | enable, link | +/tmp/* +/dev/shm/* +/var/tmp/* \
    | high persists: starts a program from a place that anybody may write
systemctl | enable, link, reenable, preset, preset-all, edit, set-property, set-environment, import-environment, \
    add-wants, add-requires, revert |  | medium persists: starts a program at every boot or login
systemctl | start, unmask, daemon-reload, daemon-reexec, reset-failed | --user | low
systemctl | start, unmask, daemon-reload, daemon-reexec, reset-failed |  | medium root: needs root
systemctl loginctl | status, show, cat, list-*, is-*, help, get-default, show-environment, session-status, \
    user-status |  | low
loginctl | enable-linger |  | medium persists: keeps programs running after the logout
loginctl machinectl |  | +terminate-user +kill-user +terminate-session +kill-session +terminate-seat +poweroff \
    +terminate | high stops: ends every process of a user or terminal
service |  | +stop +restart +reload +start +force-reload | medium stops+root: changes a service
service |  | +status --status-all | low
rc-service sv s6-svc runsvctrl svcadm | | +stop +restart +del +down +disable -d \
    | medium stops+root: changes a service
rc-update chkconfig update-rc.d | | +add +on +defaults +enable \
    | medium persists+root: starts a program at every boot
rc-update chkconfig update-rc.d | | 1 !--list | medium stops+root: changes a service
reg reg.exe | add, import, delete |  | medium changes: changes a system setting
incrontab |  | -l --list | low
incrontab |  |  | medium persists: runs something when files change
nssm sc.exe | install, create, config, set |  | medium persists: starts a program at every boot
gitlab-runner actions-runner teleport zabbix_agentd | install, register | \
    | medium persists: starts a program at every boot
ldapmodify ldapadd ldapdelete ldappasswd ldapmodrdn nsupdate snmpset |  | !-V !-n \
    | medium changes: changes what others depend on
launchctl | load, bootstrap, submit, enable, setenv, kickstart |  | medium persists: starts a program at every login
launchctl | unload, bootout, remove, disable, stop, kill, reboot | | medium stops: stops a service
brew | services stop, services restart, services start |  | medium stops: stops a service
scancel qdel bkill condor_rm oardel | | 1 -u --user --me -A --account | medium stops: ends jobs of the cluster
killall5 |  |  | high stops: ends almost every process
killall pkill skill |  | -0 | low
killall |  | -l --list | low
killall |  | -u --user | high stops: ends every process of a user or terminal
killall |  |  | medium stops: ends processes by name
rfkill | block |  | high network: cuts the network
pkill |  | -u -U -t --euid --uid --terminal -v --inverse | high stops: ends every process of a user or terminal
pkill skill xkill |  |  | medium stops: ends processes by name
iptables ip6tables |  | -j=ACCEPT &-j !-s !-p !-d !--dport !-i !-o !-m !-L !-C \
    | high network+root: lets everybody in
iptables ip6tables ebtables arptables |  | -P --policy &-P \
    | high network+root: changes what the firewall does with everything
iptables ip6tables ebtables arptables |  | -F -X -D --flush --delete -Z | high network+root: removes firewall rules
iptables ip6tables ebtables arptables |  | -L -S -C --list --list-rules --check | low
arp |  | -d -s -f --delete --set --file | medium network+root: changes whom this machine takes for its neighbours
conntrack |  | -F --flush -D --delete | high stops+root: ends the connections that go through this machine
iptables-save ip6tables-save nft-list conntrack |  | !-D !-F !--delete !--flush | low
iptables ip6tables ebtables arptables iptables-restore ip6tables-restore ipset |  | !-t=-- !--test \
    | medium network+root: changes the firewall
nft | list |  | low
nft |  | -c --check | low
nft | flush, delete, destroy, reset |  | high network+root: removes firewall rules
nft |  |  | medium network+root: changes the firewall
ufw | disable, reset |  | high network+root: turns the firewall off
ufw | status, show, version, app list, app info |  | low
ufw | default | +allow | high network+root: lets everybody in
ufw |  |  | medium network+root: changes the firewall
firewall-cmd |  | --panic-on --set-default-zone --set-default-zone=trusted \
    | high network+root: changes what the firewall does with everything
firewall-cmd |  | --permanent --reload --complete-reload --add-port --add-service --remove-port --remove-service \
    --zone=* --add-rich-rule --add-masquerade --runtime-to-permanent --add-source !--list-all !--list-ports \
    !--list-services !--get-active-zones | medium network+root: changes the firewall
firewall-cmd |  |  | low
pfctl |  | -d -F | high network+root: turns the firewall off
exportfs |  | -o=*no_root_squash* | high grants+root: gives the root of other machines every right on these files
exportfs |  | -v -s !-o !-u !-a !-r | low
exportfs |  | +*:/* | medium network+root: offers files to others
pfctl |  | -s -vs !-f !-d !-F !-k !-K | low
pfctl |  | -e -f | medium network+root: changes the firewall
fail2ban-client | stop, unban, set, reload, restart |  | medium stops+root: changes a protection
ip | addr show, address show, a show, a s, link show, l show, l s, route show, r show, neigh show, n show, rule show, \
    addr list, addr ls, link list, link ls, route list, route ls, route get | | low
ip | link set, l set | +down | high network+root: cuts the network
ip |  | +flush | high network+root: cuts the network
ip | route del, route delete, route replace, r del, addr del, address del, a del, addr delete, link del, link \
    delete, route change | | high network+root: cuts the network
ip |  | +add +del +delete +set +replace +change +up +append +prepend | medium network+root: changes the network
ip |  |  | low
ifconfig |  | +down | high network+root: cuts the network
ifdown |  | 1 | high network+root: cuts the network
ifconfig |  | +up +netmask +hw +promisc +add | medium network+root: changes the network
dhclient dhcpcd udhcpc |  | -r -x -k --release --exit | high network+root: cuts the network
ldconfig |  | 1 | medium persists+root: changes which libraries every program loads
ifup dhclient dhcpcd wpa_supplicant hostapd wg-quick openvpn openconnect vpnc pppd brctl bridge ovs-vsctl netplan \
    iwconfig iw vconfig | | !+show !+get !+status !+list !+dev !+showstp !+version !+info !+fdb !0 \
    | medium network+root: changes the network
route | add, del, delete, flush |  | medium network+root: changes the network
nmcli |  | +down +off +delete +disconnect +modify +add +up +connect +reload +on +edit +clone \
    | medium network: changes the network
resolvectl systemd-resolve |  | +dns +domain +flush-caches +revert +dnssec --set-dns --interface \
    | medium network+root: changes the network
networksetup scutil |  | -setdnsservers -setwebproxy -setairportpower -setnetworkserviceenabled -setmanual \
    -setsocksfirewallproxy -setautoproxyurl --set | medium network: changes the network
tc |  | +add +del +replace +change | medium network+root: changes the network
ethtool |  | -s -K -G -A -C -L -E --change --offload | medium network+root: changes the network
macchanger |  | !-s | medium network+root: changes the network
arpspoof ettercap bettercap responder dnsspoof mitmproxy mitmdump sslstrip aireplay-ng airodump-ng airmon-ng mdk4 \
    hping3 slowloris thc-ssl-dos ab-flood | | | high network: attacks or listens to others' traffic
nmap |  | +192.168.* +10.* +172.1[6-9].* +172.2?.* +fe80:* &-sn !-A !--script | low
nmap masscan zmap rustscan unicornscan |  | -V -sL -h --iflist | low
masscan zmap |  |  | high network: scans other machines
nmap rustscan unicornscan |  | +*/* +*-* +*[*]* -iL -p- -sS -sU -A -O --script -sV -iR -sT -sn \
    | medium network: scans other machines
nmap |  | +localhost +127.* !+*.* | low
nikto sqlmap hydra medusa wfuzz gobuster dirb ffuf patator crackmapexec msfconsole msfvenom wpscan nuclei \
    feroxbuster enum4linux impacket-* metasploit | | !-V | high network: attacks other machines
tcpdump tshark dumpcap |  | -w | medium network+root: records traffic to a file
tcpdump tshark |  | -r -D -L | low
rmmod modprobe insmod |  | -n -c -D --show-depends --dry-run --showconfig | low
insmod |  |  | high runs-unknown-code+root: loads code into the kernel
rmmod modprobe |  |  | medium changes+root: changes the kernel's modules
kmod lsmod modinfo |  |  | low
depmod |  |  | medium changes+root: changes the kernel's modules
sysctl |  | +kernel.randomize_va_space=0 +kernel.yama* +kernel.kptr_restrict=0 +kernel.unprivileged_bpf_disabled=0 \
    +kernel.sysrq=1 +kernel.core_pattern=* +kernel.modprobe=* +fs.protected_*=0 +kernel.dmesg_restrict=0 \
    +kernel.modules_disabled=0 | high changes+root: turns a protection off
sysctl |  | -w -p --write --load --system +*=* | medium changes+root: changes a kernel setting
sysctl |  |  | low
setenforce | 0, Permissive, permissive |  | high stops+root: turns a protection off
setenforce |  |  | medium root: needs root
setsebool semanage semodule chcon auditctl |  | !-l !--list !-s !-L !-D !+list \
    | medium changes+root: changes a protection
auditctl |  | -D -e | high stops+root: turns a protection off
aa-disable aa-teardown aa-complain apparmor_parser |  | 1 -R -r 0 | high stops+root: turns a protection off
hostnamectl timedatectl localectl |  | +set-* +hostname +set-hostname \
    | medium changes+root: changes a system setting
hostname |  | 1 -F -b !-f !-i !-I !-s !-d !--fqdn !--ip-address !-A | medium changes+root: changes a system setting
hostnamectl timedatectl localectl |  |  | low
hwclock |  | -w -s --systohc --hctosys --set | medium changes+root: changes the clock
date |  | -s --set | medium changes+root: changes the clock
ntpdate chronyc ntpd sntp |  | -q +tracking +sources +sourcestats -d | low
ntpdate ntpd rdate |  | 1 | medium changes+root: changes the clock
journalctl |  | --vacuum-size --vacuum-time --vacuum-files --rotate --flush | medium deletes+root: deletes logs
dmesg |  | -C -c --clear --read-clear | medium deletes+root: deletes logs
utmpdump wtmp |  | -r | medium history: rewrites the record of logins
crontab |  | -r | high deletes: deletes the whole crontab
crontab |  | -l -e -V | low
crontab |  |  | medium persists: replaces the crontab
at batch |  | -l -c | low
at batch |  | -r -d | medium deletes: deletes scheduled jobs
atrm |  |  | medium deletes: deletes scheduled jobs
at batch |  |  | medium persists: runs something later
atq |  |  | low
systemd-run |  | --on-calendar --on-boot --on-active --on-startup --on-unit-active --timer-property \
    | medium persists: runs something later
tmux | set*, bind*, set-hook, run* | +default-shell +default-command +if-shell +run-shell \
    | medium persists: runs in each terminal from now on
tmux | kill-server, kill-session |  | medium stops: ends terminal sessions
screen |  | +quit | medium stops: ends terminal sessions
fc |  | -p | medium history: keeps no history of what follows
fc |  | -l -A -I -R -W | low
fc |  |  | medium runs-unknown-code: runs a line of the history again
enable |  | -f | medium runs-unknown-code: loads code into the shell
zmodload |  | +/* | medium runs-unknown-code: loads code into the shell
hash |  | -p +*=* | medium persists: puts another program in the place of one
history |  | -c -d -w | medium history: deletes the shell's history
history |  |  | low
renice chcpu |  | -u -g -d | medium changes: changes running processes
cpupower ionice-all powertop |  | +frequency-set --auto-tune | medium changes+root: changes how the machine runs
efibootmgr |  | -b -B -o -c -n -a -A -x -D -t -T | high changes+root: changes how the machine boots
efibootmgr |  |  | low
bootctl | status, list |  | low
update-grub grub-install grub-mkconfig grub2-install grub2-mkconfig bootctl grub-set-default grub-reboot lilo \
    extlinux grubby kernelstub mokutil bless nvram | | !--list-enrolled !--sb-state !--info \
    | high changes+root: changes how the machine boots
update-initramfs dracut mkinitcpio kernel-install |  | !-l | medium changes+root: changes how the machine boots
lsinitramfs lsinitcpio |  |  | low
defaults | delete, write |  | medium changes: changes a system setting
csrutil spctl | disable, authenticated-root disable |  | high stops: turns a protection off
spctl |  | --master-disable --global-disable | high stops: turns a protection off
dconf | reset | -f | high deletes: deletes settings with all that is below them
gsettings dconf | reset, reset-recursively, set, write, load | | medium changes: changes a setting
gpg gpg2 |  | --delete-secret-keys --delete-secret-key --delete-key --delete-keys --delete-secret-and-public-key | \
    high deletes: deletes keys
gpg gpg2 |  | --recv-keys --import &--import | low
ssh-add |  | -D -d | medium changes: forgets keys
ssh-keygen |  | -R | medium changes: forgets a host's key
ssh-keygen |  | -p | medium grants: changes the passphrase of a key
supervisorctl pm2 monit | stop, shutdown, restart, delete, kill, stopall, flush, unmonitor |  \
    | medium stops: stops a service
pm2 | startup, save |  | medium persists: starts a program at every boot
nginx apachectl apache2ctl httpd haproxy |  | -s=stop -s=quit -s=reload +stop +restart +graceful +graceful-stop \
    -k=stop -k=restart -k=graceful | medium stops+root: stops a service
nginx apachectl apache2ctl httpd sshd postfix haproxy named-checkconf visudo |  \
    | -t -T -v -V +configtest +check -c \
    -S -l | low
postsuper |  | -d | high deletes+root: deletes mail
postfix exim sendmail | stop, reload, flush | | medium stops+root: stops a service
exim exim4 |  | -Mrm -bp | medium deletes+root: deletes mail
lpadmin cancel lprm cupsdisable | | -x -a 1 | medium deletes: deletes print jobs or printers
chrt taskset prlimit |  | -p --pid | medium changes: changes running processes
gdb strace ltrace rr |  | --version | low
sysdig bpftrace perf |  | !+record | low
systemd-tmpfiles |  | --remove --clean --purge | medium deletes+root: deletes files by a list
tuned-adm | profile, off | | medium changes+root: changes how the machine runs
swapon-all zramctl |  | -r --reset | medium disks+root: turns swap off
a2enmod a2dismod a2ensite a2dissite phpenmod phpdismod lighty-enable-mod |  |  \
    | medium changes+root: changes a web server
certbot | delete, revoke, unregister |  | high deletes+root: deletes certificates
certbot acme.sh |  | +renew +certonly +install 0 --apache --nginx --force-renewal --issue \
    | medium changes+root: changes certificates
update-ca-certificates update-ca-trust |  |  | medium grants+root: changes whom this machine trusts
trust security | anchor, add-trusted-cert, import, delete-certificate, delete-keychain, remove-trusted-cert, \
    authorizationdb write, set-keychain-settings | | high grants: changes whom this machine trusts
keytool |  | -list -printcert -exportcert | low
keytool |  | -delete | high deletes: deletes a key
keytool |  | -importcert -import | medium grants: changes whom Java trusts
logger wall write mesg |  |  | low
wall |  | 1 | low
echo-sysrq |  |  | high stops: shuts the machine down or restarts it
""")
_EVERYTHING = {"-1", "0"}


def _kill(call: Call) -> Findings:
    """One process by number is no broad kill; all of them, a pattern or a list from elsewhere is."""
    texts = [word.text for word in call.args]
    if {"-l", "-L", "-0"} & set(texts):
        return
    targets = texts[1:] if texts and re.match(r"-(\w|[A-Z]+$)", texts[0]) else texts
    variables = {"$!", "${!}"} | {
        text for text in texts if re.fullmatch(r"\$\w*(pid|PID)\w*|\$\{\w*(pid|PID)\w*\}|%\d*", text)
    }
    if _EVERYTHING & set(targets):
        yield Finding("high", "ends every process it may", "stops")
    elif call.bulk or any(
        (word.programs or word.dynamic) and word.text not in variables for word in call.args
    ):
        yield Finding("medium", "ends every process on a list", "stops")
    elif _hard(texts, targets) and not (set(targets) and set(targets) <= {"$!", "${!}"}):
        yield Finding("medium", "ends a process without letting it save", "stops")
    if "1" in targets:
        yield Finding("high", "ends the process that all others hang on", "stops")


def _hard(texts: list[str], targets: list[str]) -> bool:
    """Whether the signal leaves a process no time, or goes to a whole group of them."""
    hard = {"-9", "-KILL", "-SIGKILL", "-STOP", "-SIGSTOP"} & set(texts)
    return bool(hard) or any(re.match(r"-\d{2,}", text) for text in targets)


def _pkill(call: Call) -> Findings:
    if any(word.text in (".", ".*", "", "^", "*") for word in call.operands()):
        yield Finding("high", "ends every process it may", "stops")


def _history(call: Call) -> Findings:
    """`unset HISTFILE`, `set +o history`: nothing of what follows is kept."""
    texts = {word.text for word in call.args}
    if (call.name == "unset" and texts & {"HISTFILE", "HISTSIZE", "HISTFILESIZE", "SAVEHIST"}) or (
        call.name == "set" and texts >= {"+o", "history"}
    ):
        yield Finding("medium", "keeps no history of what follows", "history")


def _busy(call: Call) -> Findings:
    """`ip` and friends whose verb is shortened: `ip l s eth0 down` is found by its last word."""
    texts = operand_texts(call)
    if texts[:1] and texts[0] in ("l", "li", "link") and texts[-1:] == ["down"]:
        yield Finding("high", "cuts the network", "network")


CHECKS = {
    "kill": _kill, "pkill": _pkill, "ip": _busy,
    **dict.fromkeys(("ssh", "autossh"), over_ssh), **dict.fromkeys(("python", "python2", "python3"), serves),
    **dict.fromkeys(("unset", "set"), _history),
}  # fmt: skip
