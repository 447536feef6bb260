"""What tools call their subcommands, for those that name no neighbours when one is misspelt."""

from __future__ import annotations

_APT = (
    "install remove update upgrade search list show autoremove purge full-upgrade edit-sources download clean"
)
_YUM = "install remove update upgrade search list info check-update clean history group reinstall repolist provides makecache"
_COMPOSE = "up down build ps logs exec run start stop restart pull push config images kill rm create top"
SUBCOMMANDS: dict[str, str] = {
    "git": "add am archive bisect blame branch checkout cherry-pick clean clone commit config describe diff fetch gc grep"
    " init log merge mv pull push rebase reflog remote reset restore revert rm show stash status submodule switch tag worktree",
    "docker": "attach build builder buildx commit compose config container context cp create diff events exec export history"
    " image images import info inspect kill load login logout logs network pause plugin port ps pull push rename restart rm"
    " rmi run save scout search start stats stop swarm system tag top unpause update version volume wait",
    "docker-compose": _COMPOSE, "podman": "build exec images inspect kill logs ps pull push rm rmi run start stop pod machine",
    "npm": "install ci run test start stop publish update uninstall init audit outdated list link exec pack version view"
    " login logout config cache search root prune rebuild help run-script",
    "yarn": "add install remove run test upgrade init build start publish global why cache config list outdated link dlx",
    "pnpm": "add install remove run test update init start publish exec dlx list outdated store why",
    "go": "build run test mod get install fmt vet clean doc env generate list tool version work bug fix",
    "cargo": "build run test check new init add remove update install publish search clean doc bench fmt clippy tree fix",
    "rustup": "update default toolchain target component show install doc override self",
    "pip": "install uninstall list show freeze download search check wheel config cache debug index",
    "uv": "add remove run sync lock venv pip tool python init build publish export tree cache self",
    "poetry": "add install remove update run shell build publish init lock show env config check new",
    "conda": "install create activate deactivate list remove update env search info config clean init run",
    "apt": _APT, "apt-get": _APT + " source build-dep dist-upgrade", "apt-cache": "search show policy depends rdepends",
    "dnf": _YUM, "yum": _YUM, "zypper": "install remove update search refresh info dup addrepo repos patch",
    "brew": "install uninstall update upgrade list search info doctor cleanup tap untap services link unlink cask outdated"
    " reinstall deps leaves pin edit create home",
    "snap": "install remove refresh list find info start stop revert connect", "flatpak": "install uninstall update list run search info",
    "pacman": "", "apk": "add del update upgrade search info fix",
    "systemctl": "start stop restart reload status enable disable mask unmask is-active is-enabled is-failed list-units"
    " list-unit-files daemon-reload show cat edit reboot poweroff suspend kill isolate reset-failed list-timers",
    "kubectl": "get describe create apply delete logs exec edit run expose scale rollout port-forward config top cp label"
    " annotate explain patch replace drain cordon uncordon taint attach auth cluster-info api-resources version",
    "helm": "install uninstall upgrade list repo search template lint rollback status show pull create dependency history",
    "terraform": "init plan apply destroy validate fmt output show state import workspace refresh console graph taint",
    "vagrant": "up halt destroy ssh status reload provision init box suspend resume plugin global-status snapshot",
    "adb": "push pull shell install uninstall devices logcat reboot connect disconnect start-server kill-server forward root",
    "gem": "install uninstall list search update build push env info fetch cleanup query sources",
    "bundle": "install update exec add remove show outdated init lock config check open clean",
    "rails": "new server console generate destroy db:migrate test routes runner dbconsole",
    "heroku": "apps logs run ps config create login open addons releases domains pg restart info",
    "gh": "auth pr issue repo gist run workflow release api browse alias search secret status", "composer":
    "install update require remove create-project dump-autoload init show search validate outdated",
    "mvn": "clean compile test package install deploy verify validate site", "gradle": "build clean test run tasks assemble check",
    "react-native": "start run-android run-ios link unlink init bundle log-android log-ios upgrade info",
    "flutter": "run build create doctor pub test analyze clean upgrade devices emulators", "dart": "run test pub compile analyze format",
    "dotnet": "build run test new restore publish add remove clean pack list tool sln", "ng": "serve build new generate test lint add update",
    "svn": "checkout commit update add delete status log diff info merge revert switch copy move resolve",
    "hg": "add clone commit diff init log merge pull push status update branch heads revert summary branches bookmarks",
    "ip": "addr address link route neighbour rule netns tunnel maddress monitor", "nmcli": "device connection general networking radio monitor",
    "tmux": "attach-session new-session kill-session list-sessions kill-server split-window new-window rename-session",
    "gulp": "default build watch serve test clean", "grunt": "default build watch serve test clean",
    "az": "account group vm storage network acr aks login webapp functionapp provider", "aws":
    "s3 ec2 iam lambda sts configure cloudformation logs ecs eks rds dynamodb ssm sqs sns s3api",
    "gcloud": "auth config compute container projects services app functions run storage init info",
    "virsh": "list start shutdown destroy define undefine console dumpxml edit reboot", "ollama": "run pull list serve show rm ps create",
    "supervisorctl": "start stop restart status reload reread update tail", "pm2": "start stop restart delete list logs monit save",
    "ansible-galaxy": "install init list remove search role collection", "pre-commit": "run install autoupdate uninstall clean",
    "lein": "run test repl deps new uberjar jar clean compile install", "hdfs": "dfs dfsadmin fsck namenode datanode",
}  # fmt: skip
SUBCOMMANDS |= {
    "pyenv": "install uninstall local global shell versions version which rehash init virtualenv activate deactivate commands root update",
    "rbenv": "install uninstall local global shell versions version which rehash init commands root",
    "nvm": "install use ls ls-remote alias unalias current run exec uninstall which deactivate reinstall-packages",
    "rake": "test spec build install release clean default db:migrate routes", "mix": "test compile deps.get run format new phx.server ecto.migrate",
    "vue": "create add invoke inspect serve build ui init config upgrade info", "ansible": "", "sdk": "install use list default current uninstall upgrade",
    "deno": "run test fmt lint compile install task cache bench check doc eval info init upgrade", "bun": "run install add remove test build x init create update link pm",
    "fly": "launch deploy status logs ssh secrets scale apps auth open", "hugo": "server new build mod version deploy", "jekyll": "serve build new clean doctor",
    "mkdocs": "serve build new gh-deploy", "alembic": "upgrade downgrade revision current history heads merge stamp init", "nix": "build run develop shell flake profile search",
    "rustc": "", "zig": "build run test fmt init cc", "swift": "build run test package", "bazel": "build test run query clean fetch info", "buf": "build lint generate format push",
    "service": "start stop restart status reload", "ufw": "enable disable allow deny status reload delete limit reset logging default",
    "rc-service": "start stop restart status", "launchctl": "load unload list start stop bootstrap bootout kickstart print enable disable",
    "eksctl": "create get delete scale upgrade utils", "minikube": "start stop delete status dashboard service tunnel addons ssh", "kind": "create delete get load export build",
    "argocd": "app login cluster repo proj account", "skaffold": "dev run build deploy delete debug init render", "consul": "agent members kv services join leave",
    "vault": "read write list delete login status kv secrets auth policy token operator server", "packer": "build validate init fmt inspect console",
    "serverless": "deploy remove invoke logs info create", "firebase": "deploy init login serve emulators functions hosting use", "vercel": "deploy dev login env logs domains link",
    "netlify": "deploy dev login link init status sites env functions", "wrangler": "dev deploy publish init login tail secret kv", "expo": "start build publish init install eject",
    "ionic": "serve build start generate capacitor cordova", "cordova": "create platform plugin build run emulate prepare", "drush": "cr status updb cim cex en pmu user",
    "php artisan": "", "wp": "plugin theme core db user post option cache", "black": "", "hatch": "build run env new test version publish shell fmt", "rye": "sync add remove run init build publish",
    "pdm": "add remove install update run init build publish lock sync list", "nox": "", "tox": "run list config devenv", "jupyter": "notebook lab console nbconvert kernelspec",
    "conan": "install create build export search remote profile", "vcpkg": "install remove list search update upgrade integrate", "meson": "setup compile test install configure init",
}  # fmt: skip
# The second word of tools that go two words deep.
DEEPER = {
    "git stash": "list pop apply drop show clear branch push save create store", "git remote": "add remove rename get-url set-url show prune update set-head set-branches",
    "git submodule": "add update init status sync deinit foreach summary", "git worktree": "add list remove prune move lock unlock repair", "git bisect": "start good bad skip reset log run visualize",
    "git lfs": "install track untrack push pull fetch ls-files status migrate prune", "git notes": "add show list remove append edit copy", "git flow": "init feature release hotfix support",
    "docker image": "ls rm pull push build tag inspect history prune save load import", "docker container": "ls rm run start stop restart exec logs inspect prune kill cp attach",
    "docker volume": "ls rm create inspect prune", "docker network": "ls rm create inspect prune connect disconnect", "docker system": "df prune info events", "docker compose": _COMPOSE,
    "docker context": "ls use create rm inspect show", "docker buildx": "build ls create use rm inspect bake prune", "npm cache": "clean verify add ls", "npm config": "get set delete list edit",
    "pip config": "get set list unset edit debug", "pip cache": "dir info list purge remove", "kubectl rollout": "status restart undo history pause resume", "kubectl config":
    "view use-context get-contexts current-context set-context set-cluster delete-context", "kubectl create": "deployment service configmap secret namespace job cronjob ingress role",
    "helm repo": "add list update remove index", "terraform workspace": "list new select delete show", "terraform state": "list show mv rm pull push", "gh pr":
    "create list view checkout merge close diff status review checks comment edit ready reopen", "gh issue": "create list view close comment edit reopen status", "gh repo":
    "clone create view fork list delete sync edit rename", "gh auth": "login logout status token refresh", "gh run": "list view watch rerun cancel download", "go mod": "init tidy vendor download verify graph why edit",
    "conda env": "list create remove export update", "poetry env": "use list info remove", "poetry cache": "clear list", "aws s3": "ls cp mv rm sync mb rb presign website", "uv pip":
    "install uninstall list freeze compile sync show tree check", "uv tool": "install run list upgrade uninstall dir", "uv python": "install list find pin dir uninstall", "ip addr": "show add del flush",
    "ip link": "show set add delete", "ip route": "show add del get flush replace", "rustup target": "add list remove", "rustup component": "add list remove", "rustup toolchain": "install list uninstall link",
    "brew services": "list start stop restart run info cleanup", "nmcli device": "status show connect disconnect wifi", "nmcli connection": "show up down add modify delete edit import export",
    "nmcli con": "show up down add modify delete", "hdfs dfs": "", "az group": "create list delete show exists", "az vm": "create list delete start stop restart show", "snap": "", "virsh": "",
    "openssl": "", "tmux": "", "pulumi stack": "init ls select rm output", "supabase db": "push pull reset diff dump", "wp plugin": "install activate deactivate list update delete", "flutter pub": "get add upgrade outdated run",
}  # fmt: skip
DEEPER_SYNONYMS = {"delete": "remove", "del": "remove", "uninstall": "remove", "new": "create"}
SUBCOMMANDS["pip3"] = SUBCOMMANDS["pip"]
# A word of another tool's, for what this one calls otherwise.
SYNONYMS: dict[str, dict[str, str]] = {
    "apt": {"uninstall": "remove", "erase": "remove", "add": "install", "find": "search", "delete": "remove"},
    "dnf": {"uninstall": "remove", "erase": "remove", "add": "install", "find": "search", "purge": "remove"},
    "pip": {"remove": "uninstall", "add": "install", "update": "install --upgrade", "upgrade": "install --upgrade"},
    "brew": {"delete": "uninstall", "add": "install", "find": "search", "purge": "uninstall"},
    "npm": {"delete": "uninstall", "erase": "uninstall", "upgrade": "update"},
    "git": {"delete": "rm", "remove": "rm", "undo": "reset", "rename": "mv", "history": "log", "update": "pull", "ignore": "status"},
    "docker": {"delete": "rm", "list": "ps", "ls": "ps", "remove": "rm", "shell": "exec", "status": "ps"},
    "systemctl": {"list": "list-units", "remove": "disable", "begin": "start", "reenable": "enable"},
    "cargo": {"uninstall": "remove", "compile": "build", "start": "run", "lint": "clippy", "format": "fmt"},
    "go": {"compile": "build", "add": "get", "format": "fmt", "lint": "vet", "start": "run"},
    "yum": {"uninstall": "remove", "add": "install", "find": "search", "purge": "remove"},
    "kubectl": {"list": "get", "show": "get", "ls": "get", "remove": "delete", "rm": "delete", "start": "run"},
    "snap": {"uninstall": "remove", "update": "refresh", "search": "find"},
    "gem": {"remove": "uninstall", "add": "install"}, "conda": {"uninstall": "remove", "add": "install"},
    "vagrant": {"start": "up", "stop": "halt", "restart": "reload", "delete": "destroy"},
}  # fmt: skip
SYNONYMS["apt-get"], SYNONYMS["pip3"] = SYNONYMS["apt"], SYNONYMS["pip"]
