"""A finished command held against what the sentence says of ends, of members and of persons."""

from __future__ import annotations

import pytest

from terma.offline.draft import Context
from terma.offline.engine import Engine
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.offline.trust.facts import read
from terma.offline.trust.verify import broken
from terma.types import Query

TABLE = Association.load()


def against(words: str, command: str, path: str = "") -> tuple[str, ...]:
    return broken(read(Sentence.parse(words)), command, Context(path=path), TABLE)


@pytest.mark.parametrize(
    ("words", "command", "name"),
    [
        ("make a pdf from one.jpg and two.jpg", "convert one.jpg two.jpg", "direction"),
        ("a film from a.mp4, b.mp4 and c.mp4", "ffmpeg -i a.mp4 -i b.mp4 c.mp4", "direction"),
        ("unzip a.zip into out", "unzip a.zip", "into"),
        ("warnings since yesterday", "journalctl -p warning --since yesterday --until today", "open end"),
        ("commits since may", "git log --since=may --before=june", "open end"),
        ("the title of every book in books.json", "jq -r .title books.json", "each"),
        ("all ids from a.json", "jq '.id' a.json", "each"),
        ("mount /dev/sdb1", "umount /dev/sdb1", "undone"),
        ("gzip a.txt", "gunzip a.txt", "undone"),
        ("ban 192.0.2.7 in the jail sshd", "fail2ban-client set sshd unbanip 192.0.2.7", "undone"),
        ("hold nginx at its version", "apt-mark unhold nginx", "undone"),
        ("pin the first window", "wmctl --unpin 1", "undone"),
        ("disable cups but don't stop it", "systemctl disable --now cups", "running"),
        ("mask cups without stopping it", "systemctl mask --now cups", "running"),
        ("the size of .git", "du -sh --exclude=.git .", "left out"),
        ("which files mention foo, not in old", "grep -rL foo old", "denials"),
        ("lines of a.txt that start with B", "grep '^The' a.txt", "affixes"),
        ("files whose name ends in _old", "find . -name '*.bak'", "affixes"),
        ("only the files here, not the folders", "ls -d */", "kinds"),
        ("delete all empty files in this tree of folders", "find . -type d -empty -delete", "kinds"),
        ("folders below src but no files", "find src -type f", "kinds"),
        ("print letter.pdf", "cat letter.pdf", "as text"),
        ("make a.jpg grey but keep a.jpg", "convert a.jpg -colorspace Gray a.jpg", "spared"),
        ("commits since v1.4.0", "git log --since='last v1.4.0'", "a time"),
        ("what the unit web said since its start", "journalctl -u web --since start", "a time"),
        ("search the folder src/old for foo", "grep -r --exclude-dir src/old foo .", "left out"),
        ("make all directories in web 755", "chmod -R 755 web", "folders alone"),
        ("/data went read-only, make it writable again", "mount -o remount,ro /data", "left as"),
        ("mount /dev/sdc1 at /mnt read only", "mount -o rw,noatime /dev/sdc1 /mnt", "left as"),
        ("what is 2.5 times 4", "echo $((2.5 * 4))", "evaluated"),
        ("who wrote lines 4-9 of a.c", "git blame -L 4-9,4-9 a.c", "once"),
        ("does db.lan:5432 speak tls", "openssl s_client -connect db.lan:5432:5432", "once"),
        ("xz a.log, the original can go", "xz -k a.log", "let go"),
        ("take back the last commit and discard what it changed", "git reset --soft HEAD~1", "let go"),
        ("what cron logged up to yesterday", "journalctl -u cron --since yesterday", "right end"),
        ("commits since may", "git log --until=may", "right end"),
        ("turn a.png left by 90 into b.png", "convert a.png -rotate 90 b.png", "rotated"),
        ("rotate a.mp4 clockwise", "ffmpeg -i a.mp4 -vf transpose=2 b.mp4", "rotated"),
        ("port 9000 of box5 to my port 80", "ssh -L 9000:localhost:80 box5", "mapped"),
        ("my port 3000 as port 80 on web1", "ssh -R 3000:localhost:80 web1", "mapped"),
        ("delete the folder old", "rm old", "whole"),
        ("list the pictures by size, smallest on top", "ls -lhS", "first end"),
        ("what is here by date, the newest at the bottom", "ls -lt", "first end"),
        ("print fields 3 to 6 of a.csv", "cut -d, -f3,6 a.csv", "between"),
        ("print columns 3 through 6 of a.txt", "awk '{print $3, $6}' a.txt", "between"),
        ("strip the comments from all .py files", "find . -name '*.py' -delete", "parts"),
        ("remove the first line of a.txt", "rm a.txt", "parts"),
        ("rename *.htm to *.html", "mv *.htm *.html", "one name"),
        ("uninstall scipy", "sudo apt remove scipy", "registry"),
        ("copy the directory a to b", "cp a b", "whole"),
        ("sync photos/ to /mnt/b/photos/", "rsync -a photos/ /mnt/b/photos/:photos/", "hosts"),
        ("half of .5", 'echo "x: $(( .5 / 2 ))"', "evaluated"),
        ("delete what stands in brackets in a.txt", "sed -i 's/brackets//g' a.txt", "marks"),
        ("lines without a comma in a.csv", "grep -v comma a.csv", "marks"),
        ("what is in notes.gz", "tar -tzf notes.gz", "no archive"),
        ("mirror a to b", "rsync -an --delete a/ b/", "rehearsed"),
        ("apply the changes in web.yaml", "kubectl apply -f web.yaml --dry-run=client", "rehearsed"),
        ("ping the gateway", "ping 192.168.178.1", "elsewhere"),
        ("list the buckets in eu-north-1", "aws s3 ls --region us-east-2 s3://eu-north-1", "elsewhere"),
    ],
)
def test_a_command_that_says_something_else_is_broken(words: str, command: str, name: str) -> None:
    assert name in against(words, command)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("make all.pdf from one.jpg and two.jpg", "convert one.jpg two.jpg all.pdf"),
        ("unzip a.zip into out", "unzip a.zip -d out"),
        ("warnings between yesterday and today", "journalctl -p warning --since yesterday --until today"),
        ("warnings since yesterday until today", "journalctl -p warning --since yesterday --until today"),
        ("the title of every book in books.json", "jq -r '.[].title' books.json"),
        ("every title in books.json", "jq -r '.books[] | .title' books.json"),
        ("pretty print all of a.json", "jq . a.json"),
        ("the version in package.json", "jq -r .version package.json"),
        ("show what is mounted", "mount"),
        ("lift the ban of 192.0.2.7 in sshd", "fail2ban-client set sshd unbanip 192.0.2.7"),
        ("unhold nginx", "apt-mark unhold nginx"),
        ("sync photos/ to nas:/b/photos/", "rsync -a photos/ nas:/b/photos/"),
        ("sync photos/ to nas::b", "rsync -a photos/ rsync://nas/b"),
        ("delete the folder old", "rm -rf old"),
        ("copy the directory a to b", "cp -a a b"),
        ("copy a.txt to the folder b", "cp a.txt b"),
        ("remove old.txt from the folder b", "rm b/old.txt"),
        ("xz a.log, the original stays", "xz -k a.log"),
        ("xz a.log, the original can go", "xz a.log"),
        ("what cron logged up to yesterday", "journalctl -u cron --until yesterday"),
        ("commits from may until june", "git log --since=may --until=june"),
        ("turn a.png left by 90 into b.png", "convert a.png -rotate -90 b.png"),
        ("turn a.png left by 90 into b.png", "convert a.png -rotate 270 b.png"),
        ("my port 8080 to port 80 on web1", "ssh -L 8080:localhost:80 web1"),
        ("port 9000 of box5 to my port 80", "ssh -R 9000:localhost:80 box5"),
        ("sort a.tsv by column 3", "sort -k3,3 a.tsv"),
        ("nginx in docker with port 80 open at 80", "docker run -p 80:80 nginx"),
        ("take a.txt out of the index again", "git reset a.txt"),
        ("disable cups but don't stop it", "systemctl disable cups"),
        ("the size of all but .git", "du -sh --exclude=.git ."),
        ("pack src, leaving out .git", "tar --exclude=.git -cf src.tar src"),
        ("make all directories in web 755", "find web -type d -exec chmod 755 {} +"),
        ("/data is writable, make it read-only", "mount -o remount,ro /data"),
        ("/data went read-only, make it writable again", "mount -o remount,rw /data"),
        ("what is 25 times 4", "echo $((25 * 4))"),
        ("what is 2.5 times 4", "awk 'BEGIN { print 2.5 * 4 }'"),
        ("make all folders and files in web mine", "chown -R me web"),
        ("i have a zip called photos.zip, unpack it", "unzip photos.zip"),
        ("lines without the word comma in a.csv", "grep -v comma a.csv"),
        ("sort brackets.txt", "sort brackets.txt"),
        ("what is in notes.tgz", "tar -tzf notes.tgz"),
        ("dry-run of the sync from a to b", "rsync -an a/ b/"),
        ("what would mirroring a to b delete", "rsync -an --delete a/ b/"),
        ("scan 10.4.0.0/24 but .1", "nmap -sn 10.4.0.0/24 --exclude 10.4.0.1"),
        ("list the pictures by size, smallest on top", "ls -lhSr"),
        ("the newest files, by date with the oldest last", "ls -lt"),
        ("print fields 3 to 6 of a.csv", "cut -d, -f3-6 a.csv"),
        ("swap columns 1 and 3 of a.txt", "awk '{print $3, $1}' a.txt"),
        ("remove the oldest of the backups in old", "rm old/a.bak"),
        ("move *.htm into web", "mv *.htm web"),
        ("install redis", "sudo apt install redis"),
        ("which files mention foo, not in old", "grep -rl --exclude-dir=old foo ."),
        ("lines of a.txt that start with B", "grep '^B' a.txt"),
        ("which words of a.txt begin with un", "grep -ow 'un[a-z]*' a.txt"),
        ("start with the newest of these files", "ls -t"),
        ("only the files here, not the folders", "find . -maxdepth 1 -type f"),
        ("folders here, not the files", "ls -d */"),
        ("delete the empty directories in src", "find src -type d -empty -delete"),
        ("new files in web should inherit its group", "find web -type d -exec chmod g+s {} +"),
        ("put a.pdf and b.pdf into c.pdf", "cat a.pdf b.pdf > c.pdf"),
        ("make a.jpg grey as b.jpg but keep a.jpg", "convert a.jpg -colorspace Gray b.jpg"),
        ("commits since last friday", "git log --since='last friday'"),
        ("which lines mention foo, not in old", "grep -rn foo . | grep -v old/"),
    ],
)
def test_one_that_says_what_was_said_is_not(words: str, command: str) -> None:
    assert not {
        "direction",
        "into",
        "open end",
        "each",
        "undone",
        "left out",
        "folders alone",
        "running",
        "no archive",
        "rehearsed",
        "elsewhere",
        "marks",
    } & set(against(words, command))


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("sort a.txt but don't remove duplicates", "sort -u"),
        ("disable cups but don't stop it", "--now"),
        ("count the lines of a.txt without sorting them", "sort"),
    ],
)
def test_what_is_not_to_be_done_is_not_remembered_as_done(words: str, command: str) -> None:
    for one in Engine.load().answer(Query(words=words, cwd="/nonexistent")):
        assert command not in one.command


def test_a_program_of_this_machine_is_no_user_unless_it_is_called_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "ruby").touch()
    path = str(tmp_path)
    assert "user" in against("kill all ruby processes", "pkill -u ruby", path)
    assert "user" not in against("kill all processes of ruby", "pkill -u ruby", path)
    assert "user" not in against("kill what the user ruby runs", "pkill -u ruby", path)
    assert "user" not in against("kill all bob processes", "pkill -u bob", path)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("files under home", "~"),
        ("how big is my home folder", "~"),
        ("pdfs in the home directory", "~"),
        ("files in my home", "~"),
    ],
)
def test_home_is_a_place(words: str, value: str) -> None:
    assert value in [token.value for token in Sentence.parse(words).tokens]


@pytest.mark.parametrize(
    "words", ["the home directory of bob", "is anybody home", "go home", "the home page"]
)
def test_not_every_home_is_ones_own(words: str) -> None:
    assert "~" not in [token.value for token in Sentence.parse(words).tokens]


def test_a_folder_that_is_here_is_read_by_nothing_that_reads_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "src").mkdir()
    (tmp_path / "notes").touch()
    here = Context(cwd=str(tmp_path), path="")
    said = read(Sentence.parse("show src"))
    assert "no file" in broken(said, "cat src", here, TABLE)
    assert "no file" in broken(said, "head -n 3 src/", here, TABLE)
    assert "no file" not in broken(said, "ls src", here, TABLE)
    assert "no file" not in broken(said, "cat notes", here, TABLE)
    assert "no file" in broken(read(Sentence.parse("show notes")), "echo notes", here, TABLE)
    assert "no file" not in broken(read(Sentence.parse("echo notes")), "echo notes", here, TABLE)
