"""A finished command held against what is only to be seen, what is only told, and what stands beside."""

from __future__ import annotations

import pytest

from terma.offline.draft import Context
from terma.offline.index import load
from terma.offline.trust.association import Association
from terma.offline.trust.facts import read
from terma.offline.trust.verify import broken
from terma.offline.understood import understood
from terma.offline.usage import Usage

USAGE = Usage.load()
TABLE = Association.load()


def against(words: str, command: str) -> tuple[str, ...]:
    return broken(read(understood(words, load(), USAGE)[0]), command, Context(path=""), TABLE)


@pytest.mark.parametrize(
    ("words", "command", "name"),
    [
        ("mirror pics/ to nas:/pics, delete what is gone, show only", "rsync -a --delete pics/ nas:/pics", "shown"),
        ("update all packages, a dry run first", "apt-get upgrade -y", "shown"),
        ("only show which images prune takes", "docker image prune -f", "shown"),
        ("show the lines of a.txt that end in a blank", "sed -i 's/ $//' a.txt", "shown"),
        ("list plugins that need to update", "wp plugin update --all", "shown"),
        ("see the refused packets in the journal", "sudo ufw logging on", "shown"),
        ("everything in /srv/films should belong to ann", "find /srv/films -user ann", "acts"),
        ("the firewall should be up", "ufw status", "acts"),
        ("put the clipboard into a file called clip.txt", "xclip -selection clipboard < clip.txt", "direction"),
        ("is the nginx configuration fine before I reload?", "nginx -t && systemctl reload nginx", "looks"),
        ("what opens pdf files", 'for f in *.pdf; do xdg-open "$f"; done', "looks"),
        ("show whether wifi works", "nmcli radio wifi off", "shown"),
        ("stopped machines in eu-west-1", "aws ec2 stop-instances --instance-ids eu-west-1", "told"),
        ("all machines incl stopped", "docker stop incl", "told"),
        ("append-only bit on something in /srv?", "chattr +a /srv", "looks"),
        ("kernel: is forwarding on", "sysctl -w net.ipv4.ip_forward=1", "looks"),
        ("restart exim and dovecot", "systemctl restart exim", "beside"),
        ("install with only the group docs", "poetry install --without docs", "left out"),
        ("deactivate the plugin akismet", "wp plugin deactivate --all --exclude=akismet", "left out"),
        ("sync web/ to srv:/web, delete extras, keep media out", "rsync -a --delete web/ srv:/web/", "denials"),
        ("what day was 3 august 1990", "date -d 1990-02-03 +%A", "dated"),
        ("group a.json by .state", "jq 'group_by(.city)' a.json", "fields"),
        ("snapshot of pool/srv as pool/srv@noon", "zfs snapshot pool/srv@pool/srv@noon", "once"),
        ("lines of a.csv whose 3rd field is 20 or less", "awk -F, '$3 < 20' a.csv", "inclusive"),
        ("rows of a.csv with at least 9 in column 2", "awk -F, '$2 > 9' a.csv", "inclusive"),
        ("start redis now, but don't make it start at boot", "systemctl disable --now redis", "running"),
        ("restart redis properly, not just a reload", "systemctl reload redis", "not enough"),
        ("history of deploy/shop", "kubectl rollout history deployment/deploy/shop", "once"),
    ],
)  # fmt: skip
def test_what_breaks_a_fact_is_named(words: str, command: str, name: str) -> None:
    assert name in against(words, command)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("mirror pics/ to nas:/pics, delete what is gone, show only", "rsync -an --delete pics/ nas:/pics"),
        ("update all packages, a dry run first", "apt-get upgrade --dry-run"),
        ("show the file a.txt, then delete it", "cat a.txt && rm a.txt"),
        ("list the scripts of this project", "npm run"),
        ("I have the file a.deb, how do I install it?", "sudo apt install ./a.deb"),
        ("php files in uploads, there should be none", "find uploads -name '*.php'"),
        ("show the ten last lines of the mail queue, off the network", "mailq | tail -n 10"),
        ("list services that start, enable", "systemctl list-unit-files --state enable"),
        ("I want the job web stopped", "docker stop web"),
        ("audio of a.mp4 copied to a.m4a", "ffmpeg -i a.mp4 -vn -c:a copy a.m4a"),
        ("could you please restart nginx?", "systemctl restart nginx"),
        ("how do I rename a.txt to b.txt?", "mv a.txt b.txt"),
        ("restart exim and dovecot", "systemctl restart exim dovecot"),
        ("restart exim and show its log", "systemctl restart exim && journalctl -u exim"),
        ("install without the group docs", "poetry install --without docs"),
        ("add user web without a shell and with a home", "useradd -m -s /usr/sbin/nologin web"),
        ("what day was 3 august 1990", "date -d 1990-08-03 +%A"),
        ("group a.json by .state", "jq 'group_by(.state)' a.json"),
        ("snapshot of pool/srv as pool/srv@noon", "zfs snapshot pool/srv@noon"),
        ("lines of a.csv whose 3rd field is 20 or less", "awk -F, '$3 <= 20' a.csv"),
        ("lines of a.csv whose 3rd field is below 20", "awk -F, '$3 < 20' a.csv"),
        ("start redis now, but don't make it start at boot", "systemctl start redis"),
        ("stop redis and let it not start again", "systemctl disable --now redis"),
        ("restart redis properly, not just a reload", "systemctl restart redis"),
        ("build the image shop?", "docker build -t shop ."),
        ("copy b/c to a", "cp b/c a/b/c"),
    ],
)  # fmt: skip
def test_what_keeps_to_the_facts_may_stand(words: str, command: str) -> None:
    assert not {
        "shown",
        "told",
        "looks",
        "beside",
        "left out",
        "dated",
        "fields",
        "once",
        "inclusive",
        "running",
        "not enough",
    } & set(against(words, command))


def test_what_another_file_is_to_be_made_like_is_the_model() -> None:
    """The other way round the model is changed, and nothing tells."""
    words = "touch report.txt with the timestamp of draft.txt"
    assert "likened" in against(words, "touch -r report.txt draft.txt")
    assert "likened" not in against(words, "touch -r draft.txt report.txt")
    assert "likened" in against("same owner as a.txt for b.txt", "chown --reference=b.txt a.txt")
    assert "likened" not in against("same owner as a.txt for b.txt", "chown --reference=a.txt b.txt")
