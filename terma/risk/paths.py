"""What stands behind a path, told from its name: secrets, files that start programs, the system, devices."""

from __future__ import annotations

from typing import Literal

from terma import regex as re

HOME = r"(?:~[\w.-]*|\$HOME|\$\{HOME\}|/root|/home/[^/]+|/Users/[^/]+|/home/?|/Users/?)"
_TEMPORARY = re.compile(r"/(?:tmp|var/tmp|dev/shm|private/tmp)(?:/.*)?")
_MOUNTED = re.compile(r"/(?:mnt|media|run/media|Volumes)(?:/|$)")
_DOWNLOADS = re.compile(r"(?:.*/)?[Dd]ownloads?/.+")
SYSTEM = re.compile(r"/(etc|usr|bin|sbin|lib\w*|boot|opt|root|var(?!/tmp)|System|Library)(/|$)")
DEVICE = re.compile(r"/dev/(?!null$|zero$|full$|std|tty|fd/|pts/|tcp/|udp/|shm(?:/|$)|u?random$|ptmx$).+")

HISTORIES = re.compile(
    r"\.(?:bash|zsh|sh|fish|python|psql|mysql|node_repl)_?(?:history|hst)\b|\$\{?HISTFILE|/var/log/(?:wtmp|btmp"
    r"|lastlog|auth\.log|audit)|/var/run/utmp|fish_history"
)

# Keys and credentials: whoever holds one is the person.
_SECRET = re.compile(
    r"""(?:^|.*/)(?:
    \.ssh(?:/(?!known_hosts|config$|authorized_keys|environment|rc$|.*\.pub$).*)?
    | id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?!.*\.pub$)[^/]*
    | [^/]*(?:priv|key|secret|server|client|tls|ssl)[^/]*\.(?:pem|der)
    | (?!.*(?:cert|chain|public|pub|ca)[^/]*$)[^/]*\.(?:pem|ppk)
    | [^/]*\.(?:key|p12|pfx|jks|keystore|kdbx?|keytab|asc\.key|ovpn|agekey)(?:\.(?:old|bak|orig|txt))?
    | [^/]*_(?:rsa|ed25519|ecdsa)
    | ssh_host_[a-z0-9]+_key | deploy_key | private[_-]?key[^/]*
    | \.aws/?(?:credentials|cli/.*|sso/.*|config|\*)? | \.azure(?:/.*)? | \.oci(?:/.*)? | \.config/gcloud(?:/.*)?
    | application_default_credentials\.json | service[-_]?account[^/]*\.json | gcp[^/]*key[^/]*\.json
    | \.?netrc | _netrc | \.pgpass | \.my\.cnf | \.git-credentials | \.config/git/credentials | \.vault-token
    | \.gnupg(?:/.*)? | secring\.gpg | \.password-store(?:/.*)?
    | \.config/(?:gh/hosts\.yml|hub|op(?:/.*)?|rclone/rclone\.conf)
    | \.terraform\.d/credentials[^/]* | credentials(?:\.(?:json|ya?ml|ini|csv|toml))? | \.htpasswd | \.s3cfg
    | \.boto
    | \.cargo/credentials(?:\.toml)? | \.gem/credentials | \.pypirc | \.config/age(?:/.*)? | \.config/sops(?:/.*)?
    | Keychains(?:/.*)? | [^/]*\.keychain(?:-db)? | keyrings(?:/.*)? | kwalletd?(?:/.*)?
    | (?:logins\.json|key[34]\.db|cookies\.sqlite|Cookies|Login\ Data[^/]*|Web\ Data)
    | (?:\.mozilla|\.config/(?:google-chrome|chromium|BraveSoftware|microsoft-edge))(?:/.*)?
    | \.(?:bitcoin|ethereum|electrum|monero)(?:/.*)? | wallet\.dat | g?shadow-?(?:\.bak)? | master\.passwd
    | etc/(?:kubernetes/(?:admin|super-admin)\.conf|krb5\.keytab|wireguard(?:/.*)?
        |ssl/private(?:/.*)?|NetworkManager/system-connections(?:/.*)?|letsencrypt/(?:live|archive)(?:/.*)?)
    | proc/(?:\d+|self|\*|\$\w+|\$\(.*\))/(?:environ|mem) | dev/(?:k?mem|port)
    | proc/kcore | (?:var/)?run/secrets(?:/.*)?
    | wpa_supplicant\.conf | wg\d+\.conf | [^/]*\.secrets | \.kaggle(?:/.*)?
    # in a program's own folder of a home
    | (?:\.(?!cache/|git/|github/|next/|venv/|tox/)[\w-]+|\.config/[\w.-]+|
        (?:~|\$HOME|/root|/home/[^/]+)/\.cache/[\w.-]+)/(?:[\w.-]+/){0,3}
        (?:access[_-]?|auth[_-]?|refresh[_-]?|api[_-]?)?(?:tokens?|credentials?|secrets?|cookies?|apikey|keyring)
        (?:\.\w{1,6})?
    )/?\*?""",
    re.X,
)
# What tells much of a person or a project, and often holds a secret, but is also looked at every day.
_PRIVATE = re.compile(
    r"""(?:^|.*/)(?:
    \.env(?:\.(?!.*(?:example|sample|template|dist|defaults?|tmpl))[^/]+)? | [^/]+\.env | \.envrc
    | \.kube(?:/.*)? | kubeconfig[^/]* | [^/]*\.kubeconfig | \.docker(?:/config\.json)? | \.npmrc
    | \.yarnrc(?:\.yml)? | auth\.json
    | secrets?(?:[._-][^/]*)?\.(?:ya?ml|json|env|toml|txt|ini|enc|properties) | secrets?/.* | passwords?(?:\.\w+)?
    | [^/]*\.(?:tfstate|tfvars)(?:\.backup)? | terraform\.tfstate(?:\.d)? | wp-config\.php | database\.yml
    | master\.key
    | \.(?:bash|zsh|sh|python|psql|mysql|sqlite|node_repl|rediscli|mongosh|fish|irb|lesshs?)_?(?:history|hst|t)
    | fish_history | \.local/share/(?:fish|atuin|zsh)(?:/.*)? | \.viminfo | environ | \.histfile | history\.db
    | \.thunderbird(?:/.*)? | \.purple(?:/.*)? | \.config/(?:Slack|Signal|discord|filezilla|remmina)(?:/.*)?
    | etc/sudoers(?:\.d(?:/.*)?)? | Maildir(?:/.*)? | (?:Messages/)?chat\.db | \.local/share/TelegramDesktop(?:/.*)?
    | sitemanager\.xml
    )/?\*?""",
    re.X,
)
_ACCOUNTS = re.compile(r"/etc/(?:passwd|group|hosts\.equiv|sudoers.*)?|/etc/?\*?|/(?:\*|proc/\d+/environ)?")
_WHOLE_HOME = re.compile(HOME + r"(?:/(?:\*|\.|\.\*|\.config|Documents|Desktop|Mail|Private)?)?/?(?:\*)?")
_NO_SECRET = re.compile(
    r".*(?:\.pub|README|example|sample|template|fixture|dummy|fake)[^/]*|.*/testdata/.*|.*\.(?:md|rst|py|go|rs|c|h)"
)

# Files that run something later: at a login, in each shell, at boot, by the clock, or when a tool starts.
Startup = Literal["system", "login", "user", "tool"]
_STARTUPS: tuple[tuple[Startup, re.Pattern[str], str], ...] = (
    ("login", re.compile(r".*\.ssh/(?:authorized_keys2?|rc|environment)|.*/authorized_keys2?(?:\.d/.*)?|\.?rhosts"
    r"|.*/\.rhosts|/etc/ssh/\S*authorized\S*"),
     "who may log in"),
    ("system", re.compile(
        r"/etc/(?:cron\S*|at\.allow|rc\.local|rc\d?\.d/.*|init\.d/.*|inittab|init/.*|profile(?:\.d(?:/.*)?)?"
        r"|bash\.bashrc|bashrc|zsh(?:/.*|rc|env|profile)?"
        r"|environment(?:\.d/.*)?|ld\.so\.(?:preload|conf.*)|systemd/(?:system|user)(?:/.*)?"
        r"|udev/rules\.d(?:/.*)?|pam\.d(?:/.*)?|pam\.conf"
        r"|update-motd\.d(?:/.*)?|xdg/autostart(?:/.*)?|X11/(?:Xsession\.d(?:/.*)?|xinit/.*)"
        r"|apt/apt\.conf\.d(?:/.*)?|apt/sources\.list\S*"
        r"|yum\.repos\.d(?:/.*)?|modules(?:-load\.d(?:/.*)?)?|modprobe\.d(?:/.*)?"
        r"|NetworkManager/dispatcher\.d(?:/.*)?|network/if-\S+\.d(?:/.*)?"
        r"|dhcp/\S*hooks\S*|skel(?:/.*)?|logrotate\.d(?:/.*)?|polkit-1/.*|security/.*|periodic/.*|gitconfig|kubernetes/manifests/.*|grub\.d/.*|default/grub|kernel/\S+"
        r"|ssh/sshrc|anacrontab)"
        r"|/var/service(?:/.*)?|/etc/(?:sv|runit|s6|service)/.*|/var/spool/(?:cron|at|anacron)(?:/.*)?|/(?:usr/)?(?:local/)?lib/systemd/(?:system|user"
        r"|system-generators)(?:/.*)?"
        r"|/(?:System/)?Library/Launch(?:Agents|Daemons)(?:/.*)?|/usr/lib/python\S*/(?:sitecustomize"
        r"|usercustomize)\.py|/etc/initramfs-tools/.*"),
     "every start of the system or of a login"),
    ("user", re.compile(
        rf"(?:{HOME}/|.*/(?:home|Users)/[^/]+/|)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases"
        rf"|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc"
        r"|tcshrc|login|xinitrc|xprofile|xsession(?:rc)?|xsessionrc|pam_environment|bashrc\.d/.*|zshrc\.d/.*"
        r"|profile\.d/.*|shrc|xonshrc|inputrc)"
        rf"|(?:{HOME}/|)(?:\.config/(?:fish/(?:config\.fish|conf\.d/.*|functions/.*)|autostart(?:/.*)?"
        rf"|systemd/user(?:/.*)?|environment\.d(?:/.*)?"
        r"|plasma-workspace/(?:env|autostart|shutdown)(?:/.*)?|xonsh/.*|nushell/.*|autostart-scripts/.*"
        r"|sway/config|i3/config|hypr/.*|openbox/autostart)"
        r"|\.local/share/systemd/user(?:/.*)?|\.local/share/dbus-1/services(?:/.*)?|Library/Launch(?:Agents"
        r"|Daemons)(?:/.*)?|\.kde\S*/Autostart(?:/.*)?|\.i3/config)"),
     "each login or shell"),
    ("tool", re.compile(
        r"(?:.*/)?\.git/(?:hooks(?:/.*)?|config)|(?:.*/)?(?:\.gitconfig|\.config/git/config|hooks/(?:pre|post"
        r"|update)-?\S*|\.git-templates?/\S*|sitecustomize\.py|usercustomize\.py|\.pythonrc(?:\.py)?|\.vimrc"
        r"|\.nanorc"
        r"|\.npmrc|\.pip/pip\.conf|\.config/pip/pip\.conf|pip\.conf|\.pypirc|\.gemrc|\.cargo/config(?:\.toml)?"
        r"|\.bundle/config|\.m2/settings\.xml|\.envrc|\.direnvrc"
        r"|\.vim/plugin/.*|\.vim/autoload/.*|\.config/nvim/\S+|\.gdbinit|\.lldbinit|\.screenrc|\.tmux\.conf"
        r"|\.emacs|\.emacs\.d/.*|\.mailcap|\.irbrc|\.ssh/config"
        r"|\.ipython/\S*startup/.*|\.jupyter/\S+|\.docker/config\.json|\.curlrc|\.wgetrc|\.config/powershell/\S+"
        r"|\.config/htop/htoprc)|.*/site-packages/[^/]*\.pth"),
     "each start of a tool"),
)  # fmt: skip
_GRANTING = re.compile(
    r"/etc/(?:sudoers(?:\.d(?:/.*)?)?|passwd-?|g?shadow-?|group-?|gshadow|doas\.conf|security/.*|polkit-1/.*"
    r"|subuid|subgid|login\.defs|selinux/config|ssh/sshd_config\S*(?:/.*)?|hosts\.(?:allow|deny)|krb5\.conf"
    r"|nsswitch\.conf"
    r"|pam\.d/.*|crypttab|exports(?:\.d/.*)?|docker/daemon\.json|kubernetes/.*|rancher/.*|samba/smb\.conf|vsftpd\.conf"
    r"|postgresql/\S*/(?:pg_hba|pg_ident)\.conf|(?:redis|valkey)/\S+\.conf|mongod?\.conf|mysql/\S*\.cnf|my\.cnf"
    r"|sssd/.*|openldap/.*|ldap/.*|xrdp/.*|audit/.*|apparmor(?:\.d)?/.*|sysctl\.d/\S*(?:hard|secur)\S*)"
    r"|/var/lib/(?:pgsql|postgresql)/\S*/pg_hba\.conf|/private/etc/(?:sudoers|pam\.d)\S*"
)


_SHADOWS = re.compile(
    rf"(?:{HOME}/(?:\.local/)?bin|/usr/local/s?bin|/opt/\w+/bin)/"
    r"(?:ls|cd|cat|git|sudo|su|ssh|scp|bash|sh|zsh|python3?|node|npm|pip3?|docker|kubectl|curl|ps|grep|find"
    r"|passwd|gpg|vim?)"
)
_DATA = re.compile(r".*\.(?:sql|dump|sqlite3?|db|bak|mbox|pst|pcap)(?:\.(?:gz|bz2|xz|zst))?", re.I)


def is_data(text: str) -> bool:
    """Whether `text` names a dump or a database: nothing secret by its name, but not for strangers."""
    return bool(_DATA.fullmatch(text))


def secrecy(text: str) -> str:
    """What reading the file `text` gives: "secret", "private", or "" for nothing of note."""
    path = text.rstrip("/") if len(text) > 1 else text
    bare = "/" not in path and "." not in path and not path.startswith("id_")
    if bare or _NO_SECRET.fullmatch(path):  # `grep credentials f`: a word, and no file
        return ""
    if _SECRET.fullmatch(path):
        return "secret"
    return "private" if _PRIVATE.fullmatch(path) else ""


def whole_home(text: str) -> bool:
    """Whether `text` is a whole home directory, the accounts of the machine, all its settings, or everything."""
    return bool(_WHOLE_HOME.fullmatch(text) or _ACCOUNTS.fullmatch(text))


def startup(text: str) -> tuple[Startup, str] | None:
    """Which kind of start-up file `text` is, and when it is read; None where it is none."""
    return next(((kind, when) for kind, pattern, when in _STARTUPS if pattern.fullmatch(text)), None)


def shadows(text: str) -> bool:
    """Whether a program at `text` is found in the place of an everyday one."""
    return bool(_SHADOWS.fullmatch(text))


def grants(text: str) -> bool:
    """Whether the file `text` says who may do what on this machine."""
    return bool(_GRANTING.fullmatch(text))


def carried(text: str) -> bool:
    """Whether `text` lies on a disk that is put in, or on one of the network."""
    return bool(_MOUNTED.match(text))


def loose(text: str) -> bool:
    """Whether `text` lies where anybody may write, or where what was downloaded lies."""
    return temporary(text) or bool(_DOWNLOADS.match(text))


def temporary(text: str) -> bool:
    """Whether `text` lies where everyone may write and nobody keeps anything."""
    return bool(_TEMPORARY.fullmatch(text))
