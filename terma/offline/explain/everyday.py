"""The programs that people type most: among equally near names, these were meant."""

from __future__ import annotations

EVERYDAY = frozenset(
    "ls cd cp mv rm cat less more head tail grep find sed awk sort uniq wc cut tr tee xargs echo"
    " printf touch mkdir rmdir ln chmod chown chgrp df du ps top kill pkill killall free uptime date"
    " cal who whoami id su sudo man history clear exit tar gzip gunzip zip unzip xz bzip2 zstd ssh"
    " scp rsync curl wget ping ip ss dig host nc git make gcc g++ clang cmake go cargo rustc python3"
    " python pip pip3 node npm npx yarn docker kubectl systemctl journalctl service apt apt-get dnf"
    " yum brew pacman snap vim vi nano emacs tmux screen watch file stat tree diff patch env export"
    " source which type alias mount umount lsblk crontab ifconfig netstat java javac mvn ruby perl"
    " bash zsh jq bc uname hostname passwd".split()
)
