"""Which files hold keys and passwords as a rule, whoever asks: by their names, and the directories that programs keep
such things in. Standard library alone, since the search runs it in a bare process."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase

# What editors and people hang on a name: `server.key.old`, `id_rsa~`, `.netrc.swp`, `#auth.json#`.
_COPY = re.compile(
    r"(?:~|#|\.(?:bak|backup|old|orig|save|saved|copy|tmp|temp|rej|prev|disabled|sw[a-z]|un~|txt|gz|xz|bz2|zst|zip|tar|tgz"
    r"|dpkg-(?:old|new|dist)|rpm(?:save|new|orig)|\d{1,14})|[._-]\d{4}-\d\d-\d\d)\Z"
)
_NAMES = frozenset(
    ".netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .npmrc .yarnrc .yarnrc.yml .pypirc "
    ".git-credentials .dockercfg .dockerconfigjson .boto .s3cfg .passwd-s3fs .vault-token .terraformrc "
    "terraform.rc auth.json kubeconfig .htpasswd .msmtprc .fetchmailrc .mailrc .muttrc .esmtprc .getmailrc "
    "rclone.conf wpa_supplicant.conf .smbcredentials .databrickscfg nuget.config wp-config.php "
    "local.settings.json .envrc .viminfo .lesshst .rediscli_history shadow gshadow .k5login krb5.keytab "
    "key3.db key4.db logins.json signons.sqlite cookies.sqlite cookies cookies.txt cookies.binarycookies "
    "wallet.dat .erlang.cookie .cookie master.key .pwd.lock sssd.conf tnsnames.ora "
    "application_default_credentials.json adc.json access_tokens.db .ngrok.yml ngrok.yml .netrc.gpg mail.rc "
    "login.keychain login.keychain-db .xauthority .iceauthority recentservers.xml sitemanager.xml "
    "filezilla.xml kaggle.json .sentryclirc .condarc pip.conf .mbsyncrc mbsyncrc .offlineimaprc .lftprc neomuttrc "
    ".wakatime.cfg .linode-cli linode-cli cli2.json .flaskenv auth.txt google-services.json "
    "googleservice-info.plist dump.rdb vault.yml vault.yaml profiles.yml shadow- gshadow- .authinfo authinfo "
    "userlist.txt cwallet.sso .clasprc.json .google_authenticator adbkey privatekey sasl_passwd".split()
) | {"login data", "web data", "login data for account"}
_PATTERNS = tuple(
    "*.pem *.key *.p8 *.p12 *.pfx *.pvk *.jks *.keystore *.bks *.ppk *.kdb *.kdbx *.psafe3 *.1pux "
    "*.agilekeychain *.opvault *.keychain *.keytab *.asc *.gpg *.age *.ovpn *.rdp *.nmconnection *.tfstate "
    "*.tfvars *.tfvars.json *.auto.tfvars *_history *-history .histfile *.env .env.* *.wallet "
    "*service-account*.json *service_account*.json *serviceaccount*.json *kubeconfig* *.kubeconfig "
    "client_secret*.json *firebase-adminsdk*.json *.jwk *.jwks *credentials*.csv *accesskeys*.csv "
    "*_rsa *_dsa *_ecdsa *_ed25519 *_ecdsa_sk *_ed25519_sk ssh_host_*_key *.pkcs8 *.snk *.private *priv*.der "
    "kube_config* kube-config* *bitwarden*export* *lastpass*export* *1password*.csv *.1pif *.hprof "
    "key.properties *keystore*.properties "
    "signing.properties settings-security.xml *.mobileconfig "
    "wg[0-9]*.conf env.prod* env.stag* rootkey*.csv *.vscdb *.remmina".split()
)
_PUBLIC = tuple(
    "*.pub *.example *.sample *.template *.dist *.tmpl *.crt.pem *cert.pem *chain.pem *ca.pem "
    "public*.pem pub.pem *[._-]pub.pem *[._-]public.pem cacert*.pem".split()
)
_WORDS = re.compile(
    r"(?:^|[._-])(?:secrets?|credentials?|creds|private[_-]?keys?|(?:recovery|backup)[_-]?codes?|mnemonic|seed[_-]?phrase|passwords?|passwds?|passphrases?|pass|htpasswd|tokens?|apikeys?|api[_-]keys?)(?:[._-]|\Z)"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # accessTokens.json
_CODE = re.compile(
    r"\.(?:py[iwx]?|[cm]?[jt]sx?|go|rs|c|h|cc|cpp|hpp|cs|java|kt|scala|rb|php|pl|pm|lua|swift|m|ex|exs|erl|hs|ml|clj|r"
    r"|md|rst|html?|css|scss|svg|vue|svelte|po|proto|tex|1|3|5|7|8)\Z"
)
# Directories whose files are secrets, and single files of others.
_PLACES = tuple(
    "*/.ssh/* */.gnupg/* */.password-store/* */.aws/* */.azure/* */.oci/* */.kube/* */.docker/config.json "
    "*/.config/gcloud/* */.config/gh/hosts.yml */.config/hub */.config/glab-cli/* */.config/op/* "
    "*/.config/doctl/* */.config/rclone/* */.local/share/keyrings/* */.local/share/kwalletd/* "
    "*/library/keychains/* */.cargo/credentials* */.gem/credentials */.bundle/config */.m2/settings*.xml "
    "*/.gradle/gradle.properties */.snowsql/* */.pulumi/* */.terraform.d/* */.composer/* */.config/composer/* "
    "*/.config/filezilla/* */.purple/* */.mozilla/*/key* */.config/*/login* */wireguard/*.conf "
    "*/networkmanager/system-connections/* */ssl/private/* */letsencrypt/live/* */letsencrypt/archive/* "
    "*/etc/kubernetes/*.conf */.mc/config.json "
    "/etc/shadow* /etc/gshadow* /etc/sudoers* /etc/ppp/*-secrets */run/secrets/* /proc/*/environ "
    "*/bitwarden*/data.json */.electrum/* */.bitcoin/* */.ethereum/keystore/* */.config/sops/* */.minisign/* "
    "*/.rhosts */.config/*/hosts.* */.config/*/auth* */.config/*/accounts* */.config/*/apps.json "
    "*/.config/*/key */.config/*/cli.toml */.local/share/*/key */.config/stripe/* */.config/heroku* */.config/msmtp/* "
    "*/.config/fly/* */.fly/* */.netlify/* */.argocd/* */.config/argocd/* */.config/helm/* */.snowflake/* "
    "*/.jupyter/*.json */.irssi/config */.weechat/sec.conf */.config/hexchat/servlist.conf".split()
)


def is_private(path: str | os.PathLike[str]) -> bool:
    """Whether the file at `path`, or the one that a link there leads to, holds secrets by its name or place."""
    given = os.fspath(path)
    try:
        real = os.path.realpath(given)
    except (OSError, ValueError):
        real = given
    return any(_private(one) for one in {given, real})


def _private(path: str) -> bool:
    low, whole = path.lower(), path.rpartition("/")[2]
    name = _original(low.rpartition("/")[2])
    if any(fnmatchcase(name, pattern) for pattern in _PUBLIC):
        return False
    if not _NAMES.isdisjoint((whole.lower(), name, name.removeprefix("."), f".{name}")):
        return True
    if any(fnmatchcase(name, pattern) for pattern in _PATTERNS):
        return True
    if name.startswith(("id_", ".id_")) and "." not in name[1:]:  # an editor hides its own copy
        return True
    words = _original(_CAMEL.sub("_", whole).lower())
    if (_WORDS.search(name) or _WORDS.search(words)) and not _CODE.search(name):
        return True
    place = os.path.join(low.rpartition("/")[0], name)  # noqa: PTH118
    return any(fnmatchcase(f"/{place}".replace("//", "/"), pattern) for pattern in _PLACES)


def _original(name: str) -> str:
    """`name` without what marks a copy of it."""
    for _ in range(4):
        bare = name.removeprefix("#").removeprefix(".#")
        if (found := _COPY.search(bare)) and found.start() > 0:
            bare = bare[: found.start()]
        if bare == name:
            break
        name = bare
    return name
