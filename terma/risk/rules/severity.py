"""Rows read before all others: what makes a danger of a known program high, by the rule of the package."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import asks, operand_texts, rows

ORDER = 0  # before all others: its rows say how bad it is, whatever family a command belongs to
RULES = rows("""
# what serves others is taken to nothing
aws | autoscaling describe-*, application-autoscaling describe-* | | low
aws | autoscaling *, ecs update-service, application-autoscaling *, eks update-nodegroup-config \
    | --desired-capacity=0 --desired-count=0 --max-size=0 --max-capacity=0 --scaling-config=*desiredSize=0* \
    | high stops: takes a service to zero copies
gcloud | container clusters, compute instance-groups | --num-nodes=0 --size=0 \
    | high stops: takes a service to zero copies
az | vmss scale, aks scale, aks nodepool | --new-capacity=0 --node-count=0 \
    | high stops: takes a service to zero copies
heroku | ps:scale | +*=0 | high stops: takes a service to zero copies
docker | service scale | +*=0 | high stops: takes a service to zero copies
# clouds: what is opened to everybody, and rights
az | storage container create, storage container set-permission, storage account create, \
    storage account update \
    | --public-access=blob --public-access=container --allow-blob-public-access=true \
    | high leaks: shows files to everybody
az | role assignment, ad group member, ad app credential, ad sp credential, keyvault set-policy, \
    sql server | \
    +create +add +reset +set-policy +ad-admin | high grants: gives rights in the cloud
az | policy assignment, monitor diagnostic-settings, security *, lock delete | +delete +disable \
    | high stops: turns a protection off in the cloud
aws | s3api put-bucket-acl, s3api put-object-acl | --acl=private \
    | medium grants: changes who may read a bucket
aws | s3api put-bucket-versioning, s3api put-bucket-lifecycle-configuration |  \
    | high deletes: lets a bucket lose what it holds
aws | iam update-account-password-policy, iam delete-*, iam create-open-id-connect-provider, \
    iam create-saml-provider, \
    iam create-virtual-mfa-device | | high grants: gives rights in the cloud
aws | lambda create-function-url-config, lambda add-permission, rds modify-db-instance, \
    redshift modify-cluster, \
    es update-*, opensearch update-* \
    | --auth-type=NONE --publicly-accessible --principal=* | high network: opens a service to everybody
aws | ec2 revoke-*, ec2 delete-*, ec2 terminate-*, ec2 replace-route | \
    | high network: cuts the network of the cloud
aws | route53 change-resource-record-sets |  | high network: changes where names lead for everybody
aws | organizations leave-organization, organizations close-account, account close-account |  \
    | high deletes: closes an account
aws | sqs purge-queue, sns unsubscribe |  | high deletes: empties a queue
gcloud | sql instances patch, sql instances create | --authorized-networks=0.0.0.0/0* \
    | high network: opens a service to everybody
gcloud | run deploy, functions deploy, run services | --allow-unauthenticated \
    | high network: opens a service to everybody
gcloud | logging sinks, services disable, kms keys | +delete +disable +destroy \
    | high stops: turns a protection off in the cloud
gcloud | auth activate-service-account | | medium grants: takes on the rights of an account
gcloud | compute project-info add-metadata, compute instances add-metadata | | high grants: lets a key log in
# clusters
kubectl oc | drain, cordon | --all --selector --all-namespaces -l &-l \
    | high stops: moves everything off several nodes
kubectl oc | label, annotate | +*=privileged +*.kubernetes.io/*=unconfined | high grants: gives rights on the cluster
kubectl oc | label, annotate, patch, taint | --all | high changes: changes everything of a kind on the cluster
kubectl oc | taint | +*NoExecute* !+*NoExecute*- | high stops: moves everything off a node
kubectl oc | set image, set env | --all | high changes: changes everything of a kind on the cluster
kubectl oc | rollout restart | --all-namespaces -A | high stops: restarts everything on the cluster
kubectl oc | create clusterrolebinding, create rolebinding | --clusterrole=view --clusterrole=edit \
    | medium grants: gives rights on the cluster
kubectl oc | run, create deployment \
    | --privileged --overrides=*hostPID* --overrides=*privileged* --overrides=*hostPath* \
    | high grants: gives a container full power over a node
kubectl oc | patch, set serviceaccount | +*cluster-admin* -p=*cluster-admin* -p=*privileged* \
    | high grants: gives rights on the cluster
kubectl oc | patch | -p=*finalizers* --patch=*finalizers* | high deletes: deletes on the cluster
helm | install, upgrade | +http://* | high runs-unknown-code: runs on the cluster what it downloads
terraform tofu terragrunt | apply, plan, destroy, init, validate | -help | low
terraform tofu terragrunt | plan |  | low
ceph-volume | lvm zap, raw zap, simple scan |  | high disks+root: wipes a disk or a file for good
ceph | osd set, osd down, osd crush, mds fail, osd reweight, auth caps, auth get-or-create, config set, \
    auth del, orch \
    host, orch rm | | high changes: changes the storage cluster for everybody
# the network of the machine: what shuts the way in
iptables ip6tables |  | -C -L -S --list --check | low
iptables ip6tables |  | -A -I &-j=DROP &--dport=22 | high network+root: shuts the way in
iptables ip6tables |  | -A -I &-j=REJECT &--dport=22 | high network+root: shuts the way in
iptables ip6tables |  | -A -I &-j=DROP !-s !-p !-d !--dport !-m !-i !--source \
    | high network+root: shuts the way in
iptables-restore ip6tables-restore | | !-t !--test !-n !--noflush \
    | high network+root: replaces every firewall rule
ufw | deny, reject, delete allow, delete limit | +22 +22/tcp +ssh +OpenSSH \
    | high network+root: shuts the way in
ufw | default | +deny +reject &+outgoing | high network+root: cuts the network
ufw | allow from any | 1 !+port | high network+root: lets everybody in
firewall-cmd |  | --remove-service=ssh --remove-port=22/tcp | high network+root: shuts the way in
ip | link delete, rule flush, netns delete, neigh flush | | high network+root: cuts the network
route | del, delete, flush | | high network+root: cuts the network
nmcli | networking off, radio all, networking, device disconnect, dev disconnect, con delete, \
    connection delete | +off \
    +disconnect +delete | high network: cuts the network
networksetup |  | -setairportpower -setnetworkserviceenabled &+off | high network: cuts the network
netplan | apply | | medium network+root: changes the network
tc | qdisc add, qdisc replace | +100% | high network+root: cuts the network
# disks
zfs zpool | destroy, rollback | -n &-v | low
zfs | destroy | -n | low
zpool | add, attach, replace | -n | low
lvremove vgremove pvremove lvreduce lvconvert lvresize |  | --help -t --test | low
zpool | export, upgrade | | high disks+root: takes a pool away
cryptsetup | luksClose, close, luksSuspend | | medium disks+root: changes an encrypted disk
cryptsetup | luksHeaderBackup | | medium leaks+root: copies the key slots of a disk
cryptsetup | luksAddKey, luksChangeKey | +/tmp/* | high grants+root: changes the keys of an encrypted disk
mdadm |  | --detail -D --examine -E --query -Q --examine-scan | low
tune2fs | | -O=^* -U | high disks+root: changes a file system
vgexport vgcfgrestore lvmdevices | | !--list !-l | high disks+root: destroys a volume
# repositories
gh | repo edit | --visibility | high leaks: changes who sees a repository
gh | auth token, auth status |  | low
gh | secret set, variable set |  | medium grants: changes the secrets of a repository
gh | repo deploy-key add, ssh-key add | | high grants: adds a key to an account
gh | ruleset, repo edit | --default-branch --enable-* | medium changes: changes a repository for everybody
glab | repo delete, api | -X=DELETE --method=DELETE | high deletes: deletes on the remote
glab | deploy-key add, ssh-key add, token create | | high grants: adds a key to an account
glab | repo update, repo edit | --visibility=public | high leaks: shows a repository to everybody
glab | ci delete, ci cancel, pipeline delete, mr close, issue close, ci run, ci trigger \
    | | medium changes: starts or stops work on the remote
gh | run cancel, workflow disable, pr close, issue close | | medium stops: stops work on the remote
git | push | --all --mirror --tags &+https://*@* | medium leaks: sends the whole repository
npm | owner add, access grant, token create, access public, hook add |  | high grants: changes who may publish
npm pnpm yarn | unpublish, deprecate | | high deletes: takes a package back from the registry
cargo | owner | --add -a | high grants: changes who may publish
cargo | yank | | high deletes: takes a package back from the registry
gem | owner | -a --add | high grants: changes who may publish
# screens and tunnels
x11vnc |  | -nopw !-localhost | high network: shows the screen to others, without a password
vncserver tightvncserver Xvnc tigervncserver | | -SecurityTypes=None --SecurityTypes=None \
    | high network: shows the screen to others, without a password
xhost |  | ++ | high grants: lets everybody use the screen and the keyboard
xhost |  | 0 | low
iodine iodined dnscat dnscat2 ptunnel hans icmptunnel sshuttle-server | | !-v !-h \
    | high network: opens a tunnel past the guards of the network
ipmitool | raw, chassis bootdev, user set, lan set, sol set | | high changes: changes the machine below its system
drbdadm | create-md, wipe-md, invalidate, invalidate-remote | | high disks+root: destroys a volume
virt-customize virt-sysprep guestfish | \
    | --root-password --password --run-command --ssh-inject --firstboot-command --run \
    | high grants: changes who may log in to a machine
ngrok localtunnel lt bore frpc chisel zrok pagekite gost rathole sish tunnelmole loophole serveo playit pinggy \
    | version, list, info, config check, diagnose, status, help | | low
ngrok |  | | high network: opens this machine to the internet
localtunnel lt zrok pagekite tunnelmole bore frpc chisel gost rathole loophole playit pinggy |  | \
    | high network: opens this machine to the internet
cloudflared | tunnel | --url | high network: opens this machine to the internet
tailscale | status, ip, ping, netcheck, version, whois, bugreport | | low
tailscale | funnel | | high network: opens this machine to the internet
code | tunnel | | high network: opens this machine to the internet
tmate upterm teleconsole sshx | | !-V !version | high network: offers a shell to others
vncconnect rustdesk anydesk teamviewer | | --password --get-id --with-password --set-password \
    | high network: shows the screen to others
# services others hang on, people, logs
rabbitmqctl | stop_app, stop, shutdown, forget_cluster_node, close_all_connections, clear_policy, \
    clear_parameter \
    | | high stops: stops the queue for everybody
rabbitmqctl rabbitmqadmin | list_*, status, cluster_status, list, show, report, environment | | low
mysqladmin mariadb-admin |  | +status +processlist +extended-status +ping +version +variables | low
mysqladmin mariadb-admin | | +shutdown +flush-hosts +kill | high stops: stops the database for everybody
pg_ctl pg_ctlcluster | | +stop &-m=immediate | high stops: stops the database for everybody
etcdctl | get, endpoint *, member list, version, snapshot status, snapshot save, watch, check * | | low
etcdctl | user *, role *, auth disable | !+list !+get | high grants: changes who may do what on the cluster
kafka-acls kafka-acls.sh |  | --add --remove | high grants: changes who may do what on the queue
nats | stream purge, stream rm, stream delete, consumer rm, kv del, kv purge, object del | \
    | high deletes: deletes queues
pulsar-admin | topics delete, namespaces delete, tenants delete, persistent delete, topics terminate, \
    namespaces \
    clear-backlog, topics skip-all | | high deletes: deletes queues
mongod redis-server mysqld postgres | | --noauth --skip-grant-tables --protected-mode=no \
    | high grants: lets everybody into the database
mysqld_safe mariadbd mysqld | | --skip-grant-tables | high grants: lets everybody into the database
jenkins-cli java | +delete-job, delete-job, groovy, safe-shutdown, delete-node | \
    | high deletes: deletes on the build server
fly | -t, destroy-pipeline | +destroy-pipeline +destroy-team | high deletes: deletes on the build server
gitlab-runner | unregister | --all-runners | high stops: takes build machines away
gitlab-runner | register | | medium runs-unknown-code: lets a server run jobs here
auditctl | | -l -s -v !-D !-e | low
auditctl | | -D -e=0 | high stops+root: turns a protection off
wevtutil | cl, clear-log | | high history: deletes the record of what happened
journalctl | \
    | --vacuum-size=1* --vacuum-time=1s --vacuum-files=1 --vacuum-size=0* --vacuum-time=0* --vacuum-time=1m* \
    | high history+root: deletes the record of what happened
log | erase | | high history+root: deletes the record of what happened
chage | | -E=0 -E=-1 | medium grants+root: changes a user
pam-auth-update authselect authconfig | | --force --remove --disable* \
    | high grants+root: changes how people log in
realm | leave, deny, permit | | high grants+root: changes how people log in
faillock pam_tally2 | | --reset -r | medium grants+root: lets an account in again
# macOS
csrutil | status, authenticated-root status | | low
csrutil | disable, clear, enable --without, authenticated-root disable | | high stops: turns a protection off
fdesetup | disable, removerecovery, changerecovery, add, authrestart | \
    | high disks+root: opens an encrypted disk
fdesetup | status, list, isactive | | low
defaults | read, domains, find, read-type | | low
defaults | write, delete | +*com.apple.security* +*loginwindow* +*LaunchServices* +*LSQuarantine* +LoginHook \
    | high persists: changes what guards a login or a download
defaults | delete | +-g +NSGlobalDomain +-globalDomain | high changes: deletes settings of every program
xattr | | -d &+com.apple.quarantine | high runs-unknown-code: lets a downloaded program start unasked
xattr | | -c -cr | medium changes: changes file attributes
systemsetup | | -setremotelogin -setremoteappleevents &+on \
    | high network+root: lets others log in from elsewhere
systemsetup | | -setremotelogin &+off | high network+root: shuts the way in
kickstart | | -activate | high network+root: lets others command this screen
profiles | install, remove, -I, -R | | high grants+root: puts the machine under other rules
umount | | +/ +/usr +/var +/boot +/home -a --all -R | high disks+root: unmounts what the machine runs on
modprobe rmmod | | -r &+e1000* +igb +ixgbe +r8169 +virtio_net +iwlwifi +nvme +ext4 +xfs \
    | high network+root: cuts the network
resolvectl systemd-resolve | dns | 1 | medium network+root: changes the network
dscl | | -list -read -search | low
tccutil | reset | | medium grants: takes back what programs may do
nvram | | -c -d | high changes+root: changes how the machine boots
nvram | | -p | low
pmset | | -g | low
pmset | | -a -b -c | medium changes+root: changes a system setting
pwpolicy | | -clearaccountpolicies -setpolicy -disableuser | high grants+root: changes how people log in
asr | | --erase --target | high disks+root: formats a disk: everything on it is lost
bless | | --info -info | low
# password managers
op bw lpass pass gopass keepassxc-cli 1password rbw | item delete, vault delete, document delete, delete, \
    rm, \
    remove, move, user suspend | | high deletes: deletes passwords
bw lpass op gopass keepassxc-cli | export, document get, audit -f | | high leaks: writes every password out
pass gopass | init, recipients add | | high grants: changes who reads the passwords
vault | operator unseal, operator init | | high grants: opens the store of secrets
vault | login | | medium grants: takes on the rights of an account
# backups and boot
restic borg kopia rustic | forget, prune, delete | -n --dry-run | low
restic kopia rustic | unlock, repair *, rebuild-index, migrate | | medium changes: changes a backup
restic kopia | key remove, key passwd | | high deletes: takes keys of a backup away
duplicity | remove-*, cleanup | --force | high deletes: deletes backups
bacula bconsole | delete, purge, prune | | high deletes: deletes backups
proxmox-backup-client vzdump | snapshot forget, forget, prune | !--dry-run | high deletes: deletes backups
velero | backup delete, schedule delete, restore create | | high deletes: deletes or restores backups
update-initramfs | | -d | high changes+root: changes how the machine boots
dracut mkinitcpio | | --force -f -P | medium changes+root: changes how the machine boots
grub-editenv grub2-editenv | | +list | low
grub-editenv grub2-editenv | | +set +unset +create | high changes+root: changes how the machine boots
kexec | | -l -e -p | high stops+root: shuts the machine down or restarts it
xl vim-cmd esxcli govc | vmsvc/destroy, vm.destroy, destroy, vm process kill, vmsvc/power.off, datastore.rm, \
    snapshot.remove, vm.power | | high deletes: destroys a virtual machine or its disks
esxcli | network firewall set, system maintenanceMode set, software vib install | \
    | high changes: changes a host of machines
machinectl | remove, clean, terminate, poweroff | | high deletes: deletes machines
nova openstack | server delete, volume delete, image delete, project delete, network delete | \
    | high deletes: deletes in the cloud
gcore |  | !-h | high leaks+root: writes the memory of a process out
dnsmasq unbound named | | +stop | medium stops: stops a service
postsuper | | -d -h | high deletes+root: deletes mail
doveadm | expunge, mailbox delete, backup | !+-n | high deletes: deletes mail
exim exim4 | | -bp -bpc -bV -bt | low
exim exim4 exiqgrep | | -Mrm | high deletes+root: deletes mail
""")

_ADDRESS = re.compile(r"(?:http://|git://|\w*https?://(?:\d+\.){3}\d+)")


def _ansible(call: Call) -> Findings:
    """`ansible all -m file -a state=absent`: the module's words say what is lost, on every machine at once."""
    module, given = call.value("-m", "--module-name"), call.value("-a", "--args")
    if asks(call) or call.flags() & {"-C", "--check"}:
        return
    name = module.text.rpartition(".")[2] if module else "command"
    text = given.text if given else ""
    if re.search(r"\bstate=(?:absent|stopped)", text):
        yield Finding("high", "deletes or stops on many machines", "deletes")
    elif name in ("reboot", "authorized_key", "user") or re.search(
        r"\b(?:rm|reboot|shutdown|mkfs|dd|userdel|iptables)\b", text
    ):
        yield Finding("high", "changes many machines at once", "runs-unknown-code")


def _pulled(call: Call) -> Findings:
    """ansible-pull and its like: rules from an address that nobody vouches for, run with every right here."""
    if any(_ADDRESS.match(word.text) for word in call.args) and not asks(call):
        yield Finding("high", "runs what it downloads", "runs-unknown-code")


def _drained(call: Call) -> Findings:
    """`kubectl drain $(kubectl get nodes …)`: not a node, but whichever are named elsewhere."""
    verb, *rest = operand_texts(call) or [""]
    if verb in ("drain", "cordon", "taint", "delete", "scale") and not asks(call):
        several = len(rest) > 2 and verb not in ("delete", "taint")
        if several or any(word.programs for word in call.args) or call.bulk:
            yield Finding("high", "stops what is named elsewhere on the cluster", "stops")
    if verb == "scale" and any(word.text == "0" for word in call.values("--replicas")):
        yield Finding("high" if len(rest) > 2 else "medium", "takes a service to zero copies", "stops")


_STOPS = re.compile(r"(?:stop|reboot|disable|detach|deallocate|suspend|reset)(?:-\w+)*")


def _many(call: Call) -> Findings:
    """Machines of a cloud that another command lists: whichever they are."""
    listed = call.bulk or any(word.programs for word in call.args)
    if listed and any(_STOPS.fullmatch(text) for text in operand_texts(call)[:4]) and not asks(call):
        yield Finding("high", "stops what is named elsewhere in the cloud", "stops")


def _endless(call: Call) -> Findings:
    """Programs that keep what they read in memory, given what never ends."""
    endless = any(word.text in ("/dev/zero", "/dev/urandom", "/dev/random") for word in call.args)
    if endless and not call.flags() & {"-c", "--bytes", "-m"}:
        yield Finding("high", "fills the memory until the machine stands still", "stops")


def _pushed(call: Call) -> Findings:
    """A store of passwords that goes to another place."""
    where = call.value("-C", "--git-dir")
    if operand_texts(call)[:1] == ["push"] and where is not None and where.holds & {"secret"}:
        yield Finding("high", "sends a key or a password away", "leaks")


_DEBUGGERS = re.compile(r"\b(?:system|popen|execve?|dlopen|fork)\s*\(")


_MEMORY = re.compile(r"\bgenerate-core-file\b|\bgcore\b|\bdump\s+(?:binary\s+)?memory\b")


def _attached(call: Call) -> Findings:
    """A debugger that makes a running process of somebody else's run code."""
    if any(_DEBUGGERS.search(word.text) for word in call.args):
        yield Finding("high", "makes a running program run other code", "runs-unknown-code")
    elif any(_MEMORY.search(word.text) for word in call.args):
        yield Finding("medium", "writes the memory of a running program to a file", "leaks")


def _applescript(call: Call) -> Findings:
    """`do shell script "…" with administrator privileges`."""
    if any("administrator privileges" in word.text for word in call.args):
        yield Finding("high", "needs root: runs a script with every right", "root")


CHECKS = {
    "ansible": _ansible,
    **dict.fromkeys(("aws", "gcloud", "az", "doctl", "hcloud", "openstack"), _many),
    **dict.fromkeys(("ansible-pull", "puppet", "chef-client", "chef-solo"), _pulled),
    **dict.fromkeys(("kubectl", "oc"), _drained),
    **dict.fromkeys(("tail", "sort", "tac", "grep", "less", "shuf", "sponge"), _endless),
    "git": _pushed,
    **dict.fromkeys(("gdb", "lldb"), _attached),
    "osascript": _applescript,
}
