"""What only reads or says, whoever runs it: the rows that let `sudo X` stay as harmless as X is."""

from __future__ import annotations

from terma.risk.rules.table import rows

ORDER = 100  # behind all others: what only looks unless one of them says more
RULES = rows("""
ls cat head tail less more most bat batcat nl tac wc sort uniq cut tr column fold fmt paste join comm rev od \
    hexdump xxd strings |  |  | low
grep egrep fgrep zgrep rg ag ack zcat zless xzcat bzcat jq yq xq awk gawk mawk sed gsed find fd locate plocate tree \
    file stat |  |  | low
du df free uptime w who whoami id groups last lastb lastlog getent finger users logname tty uname hostname arch \
    nproc lscpu |  |  | low
lsmem lsusb lspci lsblk lshw lsof lslocks lsns lsipc lslogins lsattr lsmod blkid dmidecode dmesg inxi hwinfo \
    sensors acpi |  |  | low
ps top htop btop atop iotop iftop nethogs nload vmstat iostat mpstat pidstat sar pstree pgrep pidof pmap pwdx smem \
    glances |  |  | low
ss netstat ping ping6 fping traceroute tracepath mtr dig nslookup host whois arp ip ethtool nmcli iwlist iw \
    resolvectl lldpctl |  |  | low
systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt journalctl coredumpctl timedatectl hostnamectl \
    localectl |  |  | low
md5sum sha1sum sha256sum sha512sum b2sum cksum shasum diff cmp diff3 sdiff vimdiff colordiff readlink realpath \
    basename dirname zdump |  |  | low
echo printf true false test [ sleep date cal env printenv which type whereis whatis man info help apropos yes seq \
    expr bc |  |  | low
smartctl sg_inq sg_map lsscsi findmnt mountpoint swapon fdisk getfacl getcap getfattr getenforce sestatus aa-status \
    ausearch aureport |  |  | low
nginx apachectl sshd visudo named-checkconf named-checkzone haproxy postconf mailq postqueue exiqgrep varnishadm \
    squidclient |  |  | low
dpkg-query rpmquery debsums needrestart checkrestart apt-cache lsb_release fwupdmgr update-alternatives locale |  | \
    \
     | low
tcpdump tshark ngrep conntrack ipcalc iptables-save ip6tables-save nft ufw firewall-cmd ipset fail2ban-client \
    auditctl |  |  | low
psql mysql sqlite3 redis-cli mongosh mongo git docker kubectl podman crictl virsh zpool zfs lvs vgs pvs btrfs mdadm \
    openssl certbot |  |  | low
strace ltrace perf bpftrace bcc-tools execsnoop opensnoop gdb lsfd time timeout watch tmux screen exit return cd \
    pwd sync |  |  | low
rsync-daemon logger tput clear reset stty history alias jobs wait read let ulimit getconf getopt cat-file base64 \
    base32 |  |  | low
chronyc ntpq ntpstat rabbitmqctl rabbitmq-diagnostics pg_lsclusters pg_isready pg_config mysqladmin etcdctl consul \
    vault nomad |  |  | low
wg rfkill bluetoothctl iwconfig ipmitool dmsetup multipath drbdadm pcs crm ceph gluster unbound-control slabtop \
    numastat |  |  | low
turbostat vnstat arp-scan semanage sealert audit2why audit2allow sesearch matchpathcon cloud-init snapper timeshift \
    restic borg |  |  | low
gitlab-ctl supervisorctl pm2 monit clamscan rkhunter chkrootkit lynis debsecan apt-get apt-mark php node ruby \
    python3-config |  |  | low
snap flatpak apt yum dnf zypper pacman rpm dpkg brew lxc lxd-client incus multipass k3s k9s helm terraform aws \
    gcloud az gh |  |  | low
fc-list kbdinfo setxkbmap xrandr xdpyinfo xset sensors-detect nvidia-smi rocm-smi lstopo hwloc-ls cpupower powertop \
    tuned-adm |  |  | low
""")
