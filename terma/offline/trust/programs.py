"""What is known of programs for reading a finished command: who has subcommands, who runs another, how options "
"stand."""

from __future__ import annotations

SUBCOMMANDS = frozenset(
    "git docker podman kubectl helm systemctl apt apt-get dnf yum pacman brew snap flatpak npm yarn pnpm pip "
    "pip3 pipx cargo go rustup gh aws gcloud az terraform ansible ip nmcli timedatectl hostnamectl localectl loginctl "
    "resolvectl networkctl ufw firewall-cmd tmux virsh lxc conda poetry uv bundle gem composer rclone restic borg zfs "
    "zpool btrfs cryptsetup openssl apt-cache apt-mark dpkg-query service oc minikube docker-compose nvme "
    "udevadm bluetoothctl wpctl pactl semanage fail2ban-client certbot redis-cli rabbitmqctl mc adb fastboot west "
    "idf.py arduino-cli samtools bcftools bedtools seqkit datamash scontrol sacctmgr jupyter dvc bpftool perf dotnet "
    "nix xrandr gsettings journalctl-vacuum update-alternatives a2ensite wp drush php7 artisan mkvmerge".split()
)
# Programs whose short options are words: `-name`, `-vf`, `-pix_fmt`.
LONG_OPTIONS = frozenset(
    "find ffmpeg ffprobe convert magick mogrify identify java openssl gcc g++ go nmcli xrandr tcpdump-filter Xvfb "
    "exiftool qemu-img terraform makemkvcon montage composite".split()
)
# Programs that run another, and their options that take a value of their own.
RUNNERS: dict[str, frozenset[str]] = {
    "sudo": frozenset(("-u", "-g", "-U", "-p")), "doas": frozenset(("-u",)), "nohup": frozenset(),
    "xargs": frozenset(("-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E")), "time": frozenset(("-f", "-o")),
    "nice": frozenset(("-n",)), "ionice": frozenset(("-c", "-n")), "timeout": frozenset(("-s", "-k")),
    "watch": frozenset(("-n",)), "strace": frozenset(("-e", "-o", "-p", "-s")), "ltrace": frozenset(("-e", "-o", "-p")),
    "setsid": frozenset(), "exec": frozenset(), "command": frozenset(), "env": frozenset(("-u",)),
    "stdbuf": frozenset(("-o", "-e", "-i")), "parallel": frozenset(("-j",)), "chronic": frozenset(),
    "flock": frozenset(("-w",)), "taskset": frozenset(("-c",)), "unbuffer": frozenset(), "caffeinate": frozenset(),
}  # fmt: skip
# Options that take the next word, where that word could be read as an operand that counts.
VALUED: dict[str, frozenset[str]] = {
    "tar": frozenset(("-C", "-f", "-X", "-T")), "rsync": frozenset(("-e",)), "scp": frozenset(("-P", "-i", "-l", "-o")),
    "cp": frozenset(("-t",)), "mv": frozenset(("-t",)), "ln": frozenset(("-t",)), "ssh": frozenset(("-p", "-i",
    "-o", "-L", "-R", "-D")),
    "sort": frozenset(("-o", "-k", "-t")), "curl": frozenset(("-o", "-H", "-d", "-X", "-u", "-A", "-T")),
    "kubectl": frozenset("-n --namespace -l --selector -c --container -o --tail --since --replicas".split()),
    "docker": frozenset("-e -p -v -w --name --network --tail --since --until -u --format --filter -t -n --env".split()),
    "journalctl": frozenset("-u -n -p -S -U --since --until --unit --lines --priority -g -o -t --grep".split()),
    "systemctl": frozenset(("-H", "-M", "-n", "-o", "-p", "-t")), "head": frozenset(("-n", "-c")),
    "tail": frozenset(("-n", "-c")), "ping": frozenset(("-c", "-i", "-W", "-s", "-t", "-I")),
    "ps": frozenset(("-p", "-u", "-o", "-C", "--sort")), "lsof": frozenset(("-p", "-u", "-c")),
    "useradd": frozenset(("-g", "-G", "-s", "-d", "-u", "-c")), "watch": frozenset(("-n",)),
    "helm": frozenset(("-n", "-f", "--set", "--version", "--namespace")),
    "wget": frozenset(("-O", "-P", "-o")), "unzip": frozenset(("-d",)), "git": frozenset(("-C", "-m", "-b", "-S",
    "-G", "-L")),
    "gpg": frozenset(("-o", "-r", "-u")), "gcc": frozenset(("-o",)), "pandoc": frozenset(("-o",)), "7z": frozenset(),
    "install": frozenset(("-m", "-o", "-g", "-t")), "chown": frozenset(), "rclone": frozenset(),
}  # fmt: skip

# Verbs of subcommands, read alike for every program that has them.
DESTROYING = frozenset(
    "rm rmi prune delete destroy uninstall remove purge drop clean autoremove wipe erase kill reset rollback forget "
    "flush flushall flushdb revoke unregister kill-session kill-server kill-window kill-pane kill-job branch-delete "
    "luksErase labelclear del terminate rb nuke undefine vacuum".split()
)
LOOKING = frozenset(
    "status log show diff list ls ps get describe logs images info inspect top stats search cat blame help version "
    "list-units list-timers list-unit-files list-dependencies list-jobs is-active is-enabled is-failed shortlog "
    "reflog grep ls-files ls-remote ls-tree whatchanged rev-parse describe config-get cat-file count-objects "
    "rev-list merge-base show-ref name-rev check-ignore port history events df outdated audit view freeze check "
    "plan validate output state-list whoami account list-sessions list-windows list-panes lsp show-options "
    "policy depends rdepends showpkg madison explain api-resources cluster-info config-view auth can-i diff-tree "
    "fsck verify-commit verify-tag var get-default cat show-environment list-sessions user-status session-status "
    "query lookup statistics addr-show neigh route-show monitor leaves uses depth search-api pods tree metadata "
    "doc vet test bench env sizes size sinfo for-each-ref range-diff cherry bisect-log ping idle failed list-keys "
    "x509 s_client verify asn1parse ciphers speed flagstat idxstats depth faidx-show get-all dumpxml domstate "
    "security-check verify-release info-all blame-plot critical-chain systemd-analyze printenv root why fund "
    "timesync-status show-timesync hist metrics".split()
)  # fmt: skip
LOOKERS = frozenset(
    "ls cat less more head tail grep egrep fgrep zgrep rg ag wc sort uniq cut tr awk gawk mawk sed find fd tree du df "
    "stat file which whereis type command man info apropos whatis help echo printf date cal uptime who w whoami id "
    "groups last lastb lastlog users ps top htop pgrep pidof pstree free vmstat iostat mpstat sar lsof ss netstat ip "
    "ifconfig ping traceroute tracepath mtr dig host nslookup whois nmap arp route curl lsblk blkid lscpu lsmem lspci "
    "lsusb lsmod dmesg journalctl uname hostname hostnamectl env printenv set history alias diff cmp comm join paste "
    "column nl tac rev fold fmt expand unexpand od xxd hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum "
    "sha512sum b2sum cksum sum base64 base32 jq yq xmllint bc dc expr seq shuf numfmt factor test [ true false sleep "
    "yes basename dirname realpath readlink pwd getent locate mdfind zcat bzcat xzcat zless zstdcat gunzip-l nproc "
    "getconf ulimit locale tty stty-a time watch tee-null ldd nm objdump readelf size addr2line c++filt ltrace strace "
    "perf valgrind gdb ffprobe mediainfo exiftool identify pdfinfo pdftotext soxi fc-list xdpyinfo ncdu glances iotop "
    "iftop nethogs bmon speedtest-cli lsattr getfacl getcap namei pmap slabtop lslocks lsns findmnt mountpoint "
    "systemd-analyze loginctl timedatectl tcpdump tshark capinfos screen tmux python3 python node ruby perl php java "
    "pytest mypy flake8 pylint shellcheck eslint tsc make hyperfine squeue sinfo sacct sstat nvidia-smi units "
    "tput clear reset look ncal zipinfo zipgrep zcmp zdiff rpm dpkg dpkg-query apt-cache pacman dnf yum openssl gpg "
    "sqlite3 psql mysql redis-cli mongosh kubectl docker podman git helm gh aws gcloud az terraform ansible nmcli "
    "iw iwlist rfkill bluetoothctl resolvectl networkctl virsh lxc zfs zpool btrfs smartctl hdparm sensors dmidecode "
    "lshw inxi acpi upower xclip xsel pbpaste nc ncat telnet ssh sftp ftp lftp showmount rpcinfo ntpq "
    "chronyc ethtool mii-tool bridge tc iptables nft ufw fail2ban-client crontab atq at jobs fg bg wait dirs cd pushd "
    "popd datamash csvcut csvstat csvlook csvgrep csvsort mlr xsv duckdb samtools bcftools bedtools seqkit gnuplot "
    "dtc fdtdump picocom minicom cu can-utils candump i2cdetect i2cget gpioinfo gpioget lsgpio modinfo od vim vi nano "
    "emacs code ab wrk siege httping whatweb nikto nginx apachectl sshd visudo named-checkconf haproxy xz gzip bzip2 "
    "unzip tar zip 7z unrar zstd sync wall write mesg mail logger trap cowsay fortune figlet units sl xargs parallel "
    "for : ar cpio ent binwalk foremost yara clamscan rkhunter chkrootkit lynis auditctl ausearch aureport aa-status "
    "getenforce sestatus semanage systemctl service update-alternatives timeout nice nohup bash sh zsh su".split()
)  # fmt: skip
DESTROYERS = frozenset(
    "rm rmdir shred wipefs truncate mkfs dd fdisk parted sgdisk cfdisk sfdisk userdel groupdel deluser delgroup kill "
    "pkill killall skill xkill mkswap blkdiscard lvremove vgremove pvremove unlink reboot shutdown poweroff halt "
    "dropdb dropuser fuser-k scancel srm wipe badblocks-w init telinit".split()
)
