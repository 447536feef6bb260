"""Containers, clusters and clouds: what deletes, opens, grants or stops there, often without a way back."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.container_runs import run_container
from terma.risk.rules.table import asks, rows

RULES = rows("""
docker podman nerdctl | system prune, volume prune, image prune, container prune, network prune, builder prune, \
    buildx prune, system reset, machine rm |  \
    | high deletes: deletes containers, images or volumes that are not in use
docker podman nerdctl | volume rm, volume remove |  | high deletes: deletes volumes and what they hold
docker podman nerdctl docker-compose podman-compose | compose down, down | -v --volumes --rmi \
    | high deletes: deletes volumes and what they hold
docker podman nerdctl docker-compose podman-compose | compose down, compose rm, down |  \
    | medium stops: stops and deletes containers
docker podman nerdctl | rm, container rm, pod rm | -f --force -v --volumes \
    | high deletes: deletes running containers
docker podman nerdctl | rm, container rm, pod rm |  | medium deletes: deletes containers
docker podman nerdctl | rmi, image rm | -f --force | high deletes: deletes images in use
docker podman nerdctl | rmi, image rm, image remove, manifest rm |  | medium deletes: deletes images
docker podman nerdctl | network rm, context rm, secret rm, config rm, plugin rm |  \
    | medium deletes: deletes networks
docker podman nerdctl | stack rm, service rm, swarm leave, node rm |  | high stops: removes a service
docker podman nerdctl | service scale, service update, node update, node demote, swarm update |  \
    | medium changes: changes what runs on the swarm
docker podman nerdctl | stop, kill, pause, container stop, container kill, restart, container restart, compose \
    stop, compose kill, compose restart, compose pause |  | medium stops: stops containers
docker podman nerdctl | commit |  | low
docker podman nerdctl | plugin install, plugin enable |  \
    | medium runs-unknown-code: installs a plugin with rights of its own
docker podman | login | -p --password | medium leaks: shows a password to everybody on this machine
docker podman | push, image push |  | low
docker podman | swarm init, swarm join |  | medium network: opens the machine to a swarm
docker-compose podman-compose | rm, stop, kill, restart, pause |  | medium stops: stops or deletes containers
docker podman nerdctl | ps, images, logs, inspect, stats, top, info, version, events, port, diff, history, search, \
    container ls, container list, container logs, container inspect, image ls, image history, image inspect, volume \
    ls, volume inspect, network ls, network inspect, system df, system info, context ls, compose ps, compose logs, \
    compose config, compose images, compose top, compose ls, manifest inspect, stack ls, stack ps, service ls, \
    service ps, service logs, node ls, buildx ls, scout *, secret ls |  | low
kubectl oc | delete | --dry-run=client --dry-run=server | low
kubectl oc k9s | delete |  | high deletes: deletes on the cluster
kubectl oc | replace | --force | high deletes: replaces what runs on the cluster
kubectl oc | drain |  | medium stops: moves everything off a node
kubectl oc | cordon, taint, uncordon |  | medium stops: moves everything off a node
kubectl oc | scale | --replicas=0 &--all | high stops: takes a service to zero copies
kubectl oc | create clusterrolebinding, adm policy, policy add-*, create rolebinding, create role, create \
    clusterrole, certificate approve, auth reconcile |  | high grants: gives rights on the cluster
kubectl oc | create token |  | medium grants: makes a token of an account
kubectl oc | config view | !--raw | low
kubectl oc \
    | config set-credentials, config set-cluster, config delete-context, config delete-cluster, config unset \
    |  | medium changes: changes how the cluster is reached
kubectl oc | expose | --type=LoadBalancer --type=NodePort | medium network: gives a service a public address
kubectl oc | port-forward | --address=0.0.0.0 --address=*0.0.0.0* \
    | medium network: opens a port of the cluster to everybody
kubectl oc | proxy | --address=0.0.0.0 --accept-hosts --disable-filter \
    | high network: opens the cluster to everybody
kubectl oc | apply, create, replace | -f=http* --filename=http* \
    | high runs-unknown-code: runs on the cluster what it downloads
kubectl oc | edit *role*, patch *role*, replace *role*, edit scc, edit *webhook* |  \
    | high grants: gives rights on the cluster
kubectl oc | apply, patch, replace, edit, set, annotate, label, rollout restart, rollout undo, rollout pause, \
    scale, autoscale, create, run | | medium changes: changes what runs on the cluster
kubectl oc | debug | node/* +node/* | high grants: opens a shell on a node
kubectl oc | cp |  | low
kubectl oc | get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, config get-*, \
    config current-context, auth can-i, auth whoami, events, rollout status, rollout history, diff, wait, options | \
    \
     | low
helm | uninstall, delete, del |  | high deletes: deletes on the cluster
helm | upgrade, rollback |  | medium changes: changes what runs on the cluster
helm | install |  | medium changes: changes what runs on the cluster
helm | plugin install |  | medium runs-unknown-code: installs a plugin of somebody else's
kustomize skaffold argocd flux | app delete, delete, uninstall, app rollback |  \
    | high deletes: deletes on the cluster
argocd flux | app sync, reconcile, app set, suspend, resume |  | medium changes: changes what runs on the cluster
minikube kind k3d vagrant eksctl kops rke gcluster | delete, delete *, cluster delete, destroy |  \
    | high deletes: deletes a machine or cluster
vagrant minikube | halt, suspend, stop |  | medium stops: stops a machine
kubeadm | reset |  | high deletes: takes a node out of its cluster
k3s-uninstall.sh k3s-killall.sh |  |  | high deletes: deletes a cluster
crictl ctr | rm, rmi, rmp, stop, stopp, images rm, containers rm, tasks kill | | medium deletes: deletes containers
terraform tofu terragrunt pulumi cdk | destroy |  | high deletes: destroys infrastructure
terraform tofu terragrunt | apply | -destroy --destroy | high deletes: destroys infrastructure
terraform tofu terragrunt pulumi | apply, up | -auto-approve --auto-approve --yes -y \
    | high changes: changes infrastructure without asking
terraform tofu terragrunt pulumi cdk | apply, up, deploy |  | medium changes: changes infrastructure
terraform tofu terragrunt | state rm, state push, taint, force-unlock, workspace delete, import, state mv |  \
    | high changes: changes the record of infrastructure
pulumi | stack rm, cancel, state delete |  | high deletes: deletes the record of infrastructure
cdk sam serverless sls | destroy, remove, delete |  | high deletes: destroys infrastructure
serverless sls sam chalice zappa wrangler vercel netlify firebase eb | deploy, publish, up, sync |  \
    | medium changes: publishes to production
wrangler vercel netlify firebase eb fly flyctl | delete, remove, rm, terminate, env rm, sites:delete, apps:delete, \
    hosting:disable, firestore:delete, database:remove, secret delete, kv namespace delete, volumes destroy, apps \
    destroy | | high deletes: deletes in the cloud
adb | reboot, root, remount, sideload, uninstall, disable-verity, restore | \
    | medium changes: changes a device
packer | build | -force --force | high deletes: destroys infrastructure
packer |  |  | low
aws | s3 rm, s3 rb, s3api delete-object, s3api delete-objects, s3api delete-bucket | !--dryrun \
    | high deletes: deletes in the cloud
aws | s3 sync, s3 mv | --delete &--delete !--dryrun | high deletes: deletes in the cloud
aws | s3 cp, s3 sync, s3 mv | --acl=public* | high leaks: shows files to everybody
aws | s3 presign |  | medium leaks: makes an address that anybody may read
aws | s3api put-bucket-acl, s3api put-object-acl, s3api put-bucket-policy, s3api delete-public-access-block, s3api \
    put-public-access-block, s3api put-bucket-website | | high grants: changes who may read a bucket
aws | iam create-access-key, iam attach-*, iam put-*-policy, iam add-user-to-group, iam create-login-profile, iam \
    update-login-profile, iam update-assume-role-policy, iam create-policy-version, iam set-default-policy-version, \
    iam create-user, iam create-role, iam add-role-to-instance-profile, iam create-service-specific-credential, iam \
    upload-ssh-public-key, sts assume-role, kms create-grant, kms put-key-policy, lambda add-permission, \
    organizations *-policy, sso-admin *-account-assignment, secretsmanager put-resource-policy, eks \
    create-access-entry, eks associate-access-policy, ecr set-repository-policy, ram create-resource-share, iam \
    deactivate-mfa-device |  | high grants: gives rights in the cloud
aws | ec2 authorize-security-group-ingress |  | high network: opens a port in the cloud
aws \
    | ec2 authorize-security-group-egress, ec2 create-*-route, ec2 create-route, ec2 modify-instance-attribute, ec2 \
    associate-*, route53 change-resource-record-sets, ec2 allocate-address, ec2 create-vpc-peering-connection |  | \
    medium network: changes the network of the cloud
aws | ec2 modify-snapshot-attribute, ec2 modify-image-attribute, rds modify-db-snapshot-attribute |  \
    | high leaks: shares a disk or a database with others
aws | ssm send-command, ssm start-session, ssm start-automation-execution, ec2-instance-connect \
    send-ssh-public-key, ecs execute-command |  | high runs-unknown-code: runs commands on other machines
aws | lambda update-function-code, lambda create-function, lambda invoke, codebuild start-build, cloudformation \
    deploy, cloudformation create-stack, cloudformation update-stack, ecs update-service, ecs run-task, ec2 \
    run-instances, autoscaling *, rds modify-*, rds restore-*, rds promote-*, elbv2 modify-*, cloudfront update-*, \
    cloudfront create-invalidation, s3api put-bucket-*, eks update-cluster-config, eks update-nodegroup-config, \
    events put-rule, scheduler create-schedule |  \
    | medium changes: changes what runs in the cloud
aws | cloudtrail stop-logging, cloudtrail delete-trail, guardduty delete-*, config stop-*, logs delete-*, kms \
    disable-key, kms schedule-key-deletion, cloudtrail update-trail, guardduty update-detector |  \
    | high stops: turns a protection off in the cloud
aws gcloud az gsutil doctl hcloud linode-cli flyctl fly heroku oci ibmcloud scw aliyun openstack civo vultr-cli |  \
    | +delete +destroy +terminate +purge +remove +rm +delete-* +terminate-* !--dryrun !--dry-run \
    | high deletes: deletes in the cloud
gcloud | projects add-iam-policy-binding, projects set-iam-policy, iam service-accounts keys, iam roles *, iam \
    service-accounts add-*, organizations add-iam-policy-binding, resource-manager *, storage buckets \
    add-iam-policy-binding, run services add-iam-policy-binding, functions add-iam-policy-binding, kms keys \
    add-iam-policy-binding, compute instances add-iam-policy-binding, secrets add-iam-policy-binding, secrets \
    versions | !+get-iam-policy !+list !+describe !+access | high grants: gives rights in the cloud
gcloud |  | +add-iam-policy-binding +set-iam-policy | high grants: gives rights in the cloud
gcloud | compute firewall-rules create, compute firewall-rules update, sql instances patch, compute routes *, dns \
    record-sets * | !+list !+describe | high network: opens the network of the cloud
gcloud | compute instances stop, compute instances reset, compute instances suspend, sql instances restart, app \
    versions stop, compute instances update |  | medium stops: stops something in the cloud
gcloud |  \
    | +create +update +patch +deploy +set +resize +enable +disable +restart +start +stop +move +import +apply \
    !+list !+describe !+get | medium changes: changes something in the cloud
az | role assignment create, ad sp create-for-rbac, ad app credential, ad sp credential, ad user create, ad group \
    member, keyvault set-policy, role definition create, ad app permission, storage account keys, identity create | \
    \
    !+list | high grants: gives rights in the cloud
az | network nsg rule create, network nsg rule update, sql server firewall-rule create, vm open-port, storage \
    account update | | high network: opens the network of the cloud
az | vm run-command |  | high runs-unknown-code: runs commands on other machines
az | vm stop, vm deallocate, vm restart, webapp stop, webapp restart, aks stop |  \
    | medium stops: stops something in the cloud
az |  | +create +update +set +deploy +restart +import +start +up !+list !+show \
    | medium changes: changes something in the cloud
gsutil | rm, rb |  | high deletes: deletes in the cloud
gsutil | rsync | &-d | high deletes: deletes in the cloud
gsutil | iam ch, acl ch, acl set, defacl *, iam set |  | high grants: changes who may read a bucket
doctl hcloud linode-cli openstack |  | +stop +shutdown +reboot +power-off +poweroff +rebuild +reset +resize \
    +restart | medium stops: stops something in the cloud
heroku | apps:destroy, pg:reset, addons:destroy, domains:remove, pipelines:destroy, releases:rollback, pg:copy, \
    config:unset |  | high deletes: deletes in the cloud
heroku | ps:scale, ps:stop, ps:restart, maintenance:on, config:set, ps:kill |  \
    | medium stops: changes what runs in the cloud
heroku | access:add, authorizations:create, keys:add |  | medium grants: gives rights in the cloud
rclone | sync, delete, purge, move, moveto, rmdirs, cleanup, deletefile, rmdir, dedupe | !-n \
    | high deletes: deletes at the other end
rclone | serve | !--addr=localhost* !--addr=127.* | medium network: offers files to others
mc s3cmd s5cmd b2 | rm, rb, del, delete-*, sync, mirror \
    | +rm +rb +del --delete-removed --remove --delete +delete-* \
    | high deletes: deletes in the cloud
mc | policy set, anonymous set, admin policy |  | high grants: changes who may read a bucket
s3cmd | setacl | --acl-public | high grants: changes who may read a bucket
salt | * |  !+test=True !+test.ping !+grains.* !+*.list* !+*.version* !+status.* !+disk.usage !+*.get* \
    !+network.interfaces | \
    high runs-unknown-code: runs commands on many machines
salt-ssh salt-call salt-run |  | !+test.ping !+grains.* !+*.list* !+*.get* !+manage.* \
    | medium runs-unknown-code: runs commands on other machines
ansible-playbook |  | --check -C --syntax-check --list-hosts --list-tasks --list-tags | low
ansible-playbook ansible-pull |  |  | medium changes: changes other machines
puppet | agent, apply, node | !--noop | medium changes: changes other machines
chef-client knife mco bolt cf-agent | node delete, bootstrap, ssh, command run, rpc, cookbook delete, client \
    delete, apply, plan run, script run | | medium changes: changes other machines
chef-client |  | --why-run -W | low
chef-client cf-agent |  |  | medium changes: changes this machine by rules from elsewhere
nomad | job stop, stop, job purge, system gc, node drain, alloc stop, job deregister, namespace delete |  \
    | high stops: stops jobs of the cluster
nomad | job run, run, job revert, node eligibility |  | medium changes: changes what runs on the cluster
consul | kv delete, leave, force-leave, snapshot restore, acl token *, acl policy *, acl bootstrap, intention * |  \
    | high changes: changes the cluster's own data
vault | kv delete, kv destroy, delete, kv metadata delete, secrets disable, auth disable, operator seal, token \
    revoke, lease revoke, kv undelete, policy delete, operator rekey, operator generate-root, operator raft |  | \
    high deletes: deletes secrets or shuts them in
vault | policy write, token create, auth enable, write auth/*, write sys/*, write */roles/* |  \
    | medium grants: gives rights to secrets
vault | audit disable |  | high stops: turns a protection off
consul-template envconsul supervisorctl | shutdown |  | medium stops: stops a service
ceph rados rbd \
    | osd purge, osd destroy, osd out, osd rm, osd pool delete, osd lost, pool delete, purge, rm, fs rm, \
    mon remove, snap purge |  | high deletes: deletes from the storage cluster
gluster | volume delete, volume stop, peer detach, volume remove-brick, volume reset |  \
    | high deletes: deletes from the storage cluster
pcs crm | cluster destroy, resource delete, stonith *, cluster stop, cluster standby, node standby, resource stop, \
    resource disable |  | high stops: stops services of a cluster
doas-cloud cloud-init | clean |  | medium changes: sets a machine up anew
tailscale | funnel, serve, up, set, down, logout |  | medium network: changes who reaches this machine
cloudflared | tunnel | !+list !+info | medium network: opens this machine to the internet
ngrok localtunnel lt bore frpc chisel zrok ngrok2 pagekite gost rathole sish tunnelmole | \
    | !+version !+list !+info \
    | medium network: opens this machine to the internet
""")


def _cloud(call: Call) -> Findings:
    """Verbs that carry their object: `terminate-instances`, `delete-db-instance`."""
    if asks(call):
        return
    verbs = [word.text for word in call.operands()[:6]]
    if any(
        re.match(r"(batch-)?(delete|terminate|destroy|purge|deregister|release|schedule-key-deletion)-", verb)
        for verb in verbs
    ):
        yield Finding("high", "deletes in the cloud", "deletes")
    elif any(
        re.match(r"(stop|reboot|detach|revoke|disable|disassociate|cancel|reset)-", verb) for verb in verbs
    ):
        yield Finding("medium", "stops something in the cloud", "stops")


CHECKS = {"aws": _cloud, "doctl": _cloud, **dict.fromkeys(("docker", "podman", "nerdctl"), run_container)}
