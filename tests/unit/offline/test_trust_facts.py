"""The facts of a sentence, and that no command stands which breaks one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from terma.offline.draft import Context
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.offline.trust.facts import read
from terma.offline.trust.running import running
from terma.offline.trust.verify import broken

TABLE = Association.load()


def wrong(words: str, command: str) -> tuple[str, ...]:
    return broken(read(Sentence.parse(words)), command, Context(), TABLE)


@pytest.mark.parametrize(
    ("words", "command", "fact"),
    [
        ("which files in /srv can anybody write to", "chmod a+w /srv", "looks"),
        ("is wheels2.service running", "systemctl start wheels2.service", "looks"),
        ("should i restart wheels2", "systemctl restart wheels2", "looks"),
        ("may we delete the pods in wheels2", "kubectl delete pods -n wheels2", "looks"),
        # what only `risk` knows to change something
        ("which keys are in redis", "redis-cli flushdb", "looks"),
        ("which environments does conda have", "conda env remove -n wheels2", "looks"),
        ("where was wares.jpg taken", "exiftool -gps:all= wares.jpg", "looks"),
        ("who holds the session", "psql -c 'select pg_terminate_backend(4711)'", "looks"),
        ("show only the funny lines of wares.txt", "grep funny wares.txt", "ordinary"),
        ("show the lines of wares.txt and keep following", "cat wares.txt", "steps"),
        ("disable wheels2 at boot but leave it running", "systemctl disable --now wheels2", "running"),
        ("no wheels2 at boot any more, it stays up for now", "systemctl stop wheels2", "running"),
        ("enable wheels2 at boot but don't start it yet", "systemctl enable --now wheels2", "running"),
        ("enable wheels2 without starting it", "systemctl enable --now wheels2", "running"),
        ("run wares with host port 6380 and container port 6379", "docker run -p 6379:6380 wares", "mapped"),
        ("container port 80 to host port 8080, image wares", "podman run -dp 80:8080 wares", "mapped"),
        ("local port 9000 to remote port 80 on web7", "ssh -NL 80:localhost:9000 web7", "mapped"),
        ("move wares.txt to /mnt/stick", "mv /mnt/stick wares.txt", "direction"),
        ("an image of /dev/sdq into card.img", "dd if=card.img of=/dev/sdq", "direction"),
        ("copy wares.txt to web7:/srv", "scp web7:/srv wares.txt", "direction"),
        ("unpack wares.tar.zst under /opt/wheels2", "tar -caf wares.tar.zst /opt/wheels2", "direction"),
        ("fetch web7:/srv/x into wheels2/", "rsync -a wheels2/ web7:/srv/x", "direction"),
        (
            "delete the files in wheels2 except the ones in keep/",
            "find wheels2 keep/ -type f -delete",
            "denials",
        ),
        ("don't kill process 4711", "kill 4711", "denials"),
        ("never delete wares.txt", "rm wares.txt", "denials"),
        ("list wares.txt without sorting", "sort -u wares.txt", "denials"),
        (
            "delete logs in /srv/log older than 9 days",
            "find /srv/log / -name '*.log' -mtime +9 -delete",
            "root",
        ),
        ("show the first 17 lines of wares.txt", "head wares.txt", "literals"),
        ("copy wares.txt to /mnt and then delete it", "cp wares.txt /mnt", "steps"),
        ("copy wares.csv to the wheels2 folder", "cp -r wheels2 wares.csv", "direction"),
        ("bring down wlan7", "sudo ip link set wlan7 up", "turned"),
        ("turn the radio off", "nmcli radio wifi on", "turned"),
        ("copy a.txt to server web7", "scp web7:a.txt .", "direction"),
        ("fetch a.txt from server web7", "scp a.txt web7:", "direction"),
        ("turn off ip forwarding", "sudo sysctl -w net.ipv4.ip_forward=1", "switched"),
        ("enable signing of commits", "git config commit.gpgsign=false", "switched"),
        ("switch wlan7 on", "sudo ip link set wlan7 down", "switched"),
        ("turn on the container wheels2", "docker stop wheels2", "switched"),
        ("power wheels2 off", "virsh start wheels2", "switched"),
        ("rows of wares.txt no longer than 72 characters", "awk 'length > 72' wares.txt", "bounds"),
        ("rows of wares.txt that are not longer than 72", "grep -E '.{72,}' wares.txt", "bounds"),
        ("files not bigger than 17M", "find . -type f -size +17M", "bounds"),
        ("files at most 17 MB", "find . -type f -size +17M", "bounds"),
        ("files of 17M or more", "find . -type f -size -17M", "bounds"),
        ("json items with a price under 17", "jq '.[] | select(.price > 17)' wares.json", "bounds"),
        ("processes of everyone but user mara", "ps -u mara", "denials"),
        ("take write access from the group in wares/", "chmod -R g+w wares/", "granted"),
        ("let everybody read wares.txt", "chmod a-r wares.txt", "granted"),
        ("convert wares.txt to windows line endings", "dos2unix wares.txt", "converted"),
        ("turn the svg wares.svg into a pdf", "pdf2svg wares.svg", "converted"),
        ("show wares.txt without empty lines, do not modify it", "sed -i '/^$/d' wares.txt", "denials"),
        ("make a copy of a.odt and call it b.odt", "mv a.odt b.odt", "kept"),
        ("capture what comes from 10.7.7.7 on wlan7", "sudo tcpdump -i wlan7 host 10.7.7.7", "filtered"),
        ("capture what goes to 10.7.7.7 on wlan7", "sudo tcpdump -i wlan7 src host 10.7.7.7", "filtered"),
        ("routes that use 10.7.7.1", "sudo ip route replace default via 10.7.7.1", "ordered"),
        ("strace ./wheels2 but only show what failed", "strace ./wheels2 but only show what failed", "prose"),
        (
            "shrink wares.png to half and post it",
            "convert wares.png -resize 50% -quality 80 half.png",
            "steps",
        ),
        ("unmount /media/wheels2, and after that mail it", "umount /media/wheels2", "steps"),
        ("pip where is wares installed", "pip install --user wares", "looks"),
        ("which wheels2 migrations have not run", "python3 manage.py migrate", "looks"),
        ("put a password on wares.pdf", "qpdf --decrypt wares.pdf open.pdf", "turned"),
        ("unpack wares.zip but only the .pdf files", "unzip wares.zip -x '*.pdf'", "alone"),
        ("copy only *.pdf from wares to crates", "rsync -a --exclude='*.pdf' wares/ crates/", "alone"),
        ("npm add wares and wares-dom", "npm install wares-dom", "beside"),
        ("commits by Wanda since monday", "git log --author=Wanda --author=monday", "beside"),
        ("replace spaces by tabs in wares.py", "expand wares.py", "translated"),
        ("pack wheels2 into wheels2.tar.xz", "tar -czf wheels2.tar.xz wheels2", "archived"),
        ("remove image wares:1 but keep wares:2", "docker rmi wares:1 wares:2", "spared"),
        ("delete wares.txt, leave crates.txt", "rm wares.txt crates.txt", "spared"),
        ("delete the last 7 lines of wares.txt", "tail -n 7 wares.txt", "end"),
        ("drop all but the first 7 rows of wares.csv", "tail -n +8 wares.csv", "end"),
        ("show wares.txt without the first 7 lines", "head -n 7 wares.txt", "end"),
        ("undo the last commit and rinse the changes", "git reset --soft HEAD~1", "steps"),
        ("sort wares.txt by the colour and save it", "sort colour.txt > wares.txt", "invented"),
        ("rename .JPG to .jpg", 'for f in *.jpg; do mv "$f" "${f%.jpg}.jpg"; done', "apart"),
        (
            "when does the cert of wheels.lan end",
            "openssl s_client -connect wheels.lan:443 -servername mail.example.com",
            "invented",
        ),
        (
            "lines of wares.txt that are not in crates.txt",
            "comm -3 <(sort crates.txt) <(sort wares.txt)",
            "compared",
        ),
        (
            "lines of wares.txt that are not in crates.txt",
            "comm -23 <(sort crates.txt) <(sort wares.txt)",
            "compared",
        ),
    ],
)
def test_a_command_that_breaks_a_fact_is_told(words: str, command: str, fact: str) -> None:
    assert fact in wrong(words, command)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("move wares.txt to /mnt/stick", "mv wares.txt /mnt/stick"),
        ("put wares.txt into /mnt/stick", "cp wares.txt /mnt/stick"),
        ("an image of /dev/sdq into card.img", "sudo dd if=/dev/sdq of=card.img bs=4M"),
        ("unpack wares.tar.zst under /opt/wheels2", "tar -xf wares.tar.zst -C /opt/wheels2"),
        ("delete the files in wheels2 except *.keep", "find wheels2 -type f ! -name '*.keep' -delete"),
        ("lines of wares.txt that do not contain crate", "grep -v crate wares.txt"),
        ("find files in / larger than 2 GB", "find / -type f -size +2G"),
        ("logs of the last 2 weeks in /srv", "find /srv -name '*.log' -mtime -14"),
        ("copy wares.txt to /mnt and then delete it", "cp wares.txt /mnt && rm wares.txt"),
        ("copy wares.csv to the wheels2 folder", "cp wares.csv wheels2/"),
        ("bring wlan7 down", "sudo ip link set wlan7 down"),
        ("switch wlan7 off", "sudo ip link set wlan7 down"),
        ("show wares.txt without empty lines, do not modify it", "sed '/^$/d' wares.txt"),
        ("revoke write access of others on wares.txt", "chmod o-w wares.txt"),
        ("wares.txt from windows to unix line endings", "dos2unix wares.txt"),
        ("files no older than 17 days", "find . -type f -mtime -17"),
        ("files older than 17 days", "find . -type f -mtime +17"),
        ("rows of wares.txt not longer than 72", "awk 'length <= 72' wares.txt"),
        ("rows of wares.csv where column 3 is over 50", "awk -F, '$3 > 50' wares.csv"),
        ("capture what comes from 10.7.7.7 on wlan7", "sudo tcpdump -i wlan7 src host 10.7.7.7"),
        (
            "stop the containers that use the wheels2 image",
            "docker stop $(docker ps -q --filter ancestor=wheels2)",
        ),
        ("which process listens on port 7070", "ss -ltnp 'sport = :7070'"),
        ("how long does wares.py take", "time python3 wares.py"),
        ("unpack wares.zip but only the .pdf files", "unzip wares.zip '*.pdf'"),
        ("npm add wares and wares-dom", "npm install wares wares-dom"),
        ("commits by Wanda since monday", "git log --author=Wanda --since=monday"),
        ("replace spaces by tabs in wares.py", "unexpand wares.py"),
        ("replace tabs by spaces in wares.py", "expand wares.py"),
        ("pack wheels2 into wheels2.tar.xz", "tar -cJf wheels2.tar.xz wheels2"),
        ("remove image wares:1 but keep wares:2", "docker rmi wares:1"),
        ("delete the last 7 lines of wares.txt", "head -n -7 wares.txt"),
        ("show the last 7 lines of wares.txt", "tail -n 7 wares.txt"),
        ("skip the first row of wares.csv", "tail -n +2 wares.csv"),
        ("put a password on wares.pdf", "qpdf --encrypt key key 256 -- wares.pdf locked.pdf"),
        ("unstage wares.txt", "git restore --staged wares.txt"),
        ("sort my wares and save them to sorted.txt", "sort wares.txt > sorted.txt"),
        ("start wares and keep it from stopping", "sudo systemctl enable --now wares"),
        ("rename .JPG to .jpg", 'for f in *.JPG; do mv "$f" "${f%.JPG}.jpg"; done'),
        ("headers of http://wheels.test/", "curl -I http://wheels.test/"),
        ("lines of wares.txt that are not in crates.txt", "comm -13 <(sort crates.txt) <(sort wares.txt)"),
        ("disable wheels2 at boot but leave it running", "systemctl disable wheels2"),
        ("run wares with host port 6380 and container port 6379", "docker run -p 6380:6379 wares"),
        ("local port 9000 to port 80 of web7", "ssh -NL 9000:localhost:80 web7"),
    ],
)
def test_a_command_that_keeps_to_the_facts_stands(words: str, command: str) -> None:
    assert wrong(words, command) == ()


def test_what_is_kept_from_running_may_be_stopped() -> None:
    said = "keep wheels2 from running", "keep wheels2 running"
    assert [running(read(Sentence.parse(words)), "systemctl stop wheels2", Context()) for words in said] == [
        True,
        False,
    ]


def test_on_says_where_unless_it_belongs_to_a_verb() -> None:
    assert "switched" not in wrong("halt wheels2 on web7", "ssh web7 docker stop wheels2")
    assert "switched" in wrong("turn wheels2 on", "docker stop wheels2")


@pytest.mark.parametrize(
    ("words", "command", "holds"),
    [
        ("install dependencies", "sudo apt install dependencies", False),
        ("install the headers", "brew install headers", False),
        ("install everything", "sudo dnf install everything", False),
        ("install the missing packages", "sudo apt install missing", False),
        ("install redis", "sudo apt install redis", True),
        ("install the docker packages", "sudo apt install docker", True),
        ("install fail2ban", "sudo apt install fail2ban", True),
    ],
)
def test_a_word_that_names_no_package_is_not_installed(words: str, command: str, holds: bool) -> None:
    assert ("packages" not in broken(read(Sentence.parse(words)), command, Context(), TABLE)) is holds


@pytest.mark.parametrize(
    ("words", "leaves_out", "does_not"),
    [
        ("all columns of wages.csv but the first", "cut -d, -f2- wages.csv", "cut -d, -f1 wages.csv"),
        (
            "pack site but without .git, site.tgz",
            "tar czf site.tgz --exclude=.git site",
            "tar czf site.tgz site",
        ),
        ("lines of app.log that do not contain retry", "grep -v retry app.log", "grep retry app.log"),
        (
            "rows of t.csv where column 2 is not paid",
            "awk -F, '$2 != \"paid\"' t.csv",
            "awk -F, '$2 == \"paid\"' t.csv",
        ),
        ("files here not owned by root", "find . ! -user root", "find . -user root"),
        ("everything in log.txt but the last 3 lines", "head -n -3 log.txt", "tail -n 3 log.txt"),
        ("traffic on eth0 that is not ssh", "tcpdump -i eth0 not port 22", "tcpdump -i eth0 port 22"),
    ],
)
def test_what_is_left_out_is_left_out_by_a_sign_of_exclusion(words, leaves_out, does_not) -> None:
    assert "denials" not in wrong(words, leaves_out)
    assert "denials" in wrong(words, does_not)


@pytest.mark.parametrize(
    ("words", "right", "turned_round"),
    [
        ("what changed from v1.4 to v1.5", "git diff v1.4 v1.5", "git diff v1.5 v1.4"),
        ("commits from v2.0 to v2.1", "git log v2.0..v2.1", "git log v2.1..v2.0"),
        ("commits of fix-7 that are not in dev-2", "git log dev-2..fix-7", "git log fix-7..dev-2"),
        ("what was changed from old.conf to new.conf", "diff old.conf new.conf", "diff new.conf old.conf"),
    ],
)
def test_two_states_are_compared_in_the_order_that_was_said(words, right, turned_round) -> None:
    assert "compared" not in wrong(words, right)
    assert "compared" in wrong(words, turned_round)


@pytest.mark.parametrize(
    ("words", "looks", "changes"),
    [
        ("is the database on db4 up", "pg_isready -h db4", "pg_ctl start -h db4"),
        ("which aws account is this", "aws sts get-caller-identity", "aws sts assume-role"),
        ("which printers does this machine have", "lpstat -p", "lpadmin -p"),
        ("what is the value of kernel.hostname", "sysctl kernel.hostname", "sysctl -w kernel.hostname=x"),
    ],
)
def test_a_question_may_be_answered_by_the_very_command_that_answered_others(words, looks, changes) -> None:
    table = replace(
        TABLE,
        answers=frozenset({"pg_isready pg_isready -h", "lpstat lpstat -p", "sysctl"})
        | frozenset(TABLE.answers),
    )
    facts = read(Sentence.parse(words))
    assert facts.question
    assert "looks" not in broken(facts, looks, Context(), table)
    assert "looks" in broken(facts, changes, Context(), table)


def test_no_file_is_read_that_is_made_of_a_word_and_not_there() -> None:
    missing, there = (
        "/proc/self/wares",
        "/proc/self/status",
    )  # /proc/self is a directory wherever the tests run
    assert "absent" in wrong("show the wares of this process", f"cat {missing}")
    assert "absent" not in wrong("show the status of this process", f"cat {there}")
    assert "absent" not in wrong(f"show {missing}", f"cat {missing}")  # they named it themselves
    assert "absent" not in wrong("show the wares of wheels2", "cat /proc/no-such-place/wares")
    assert "absent" not in wrong("write hello into the wares", f"echo hello > {missing}")
