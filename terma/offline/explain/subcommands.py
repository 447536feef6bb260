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
