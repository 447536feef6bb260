"""Packages: what is installed for everybody or from strangers, removed, or taken back from a registry."""

from __future__ import annotations

from terma.risk.rules.package_runners import RUNNERS, deno, go, nix, other_index, runner
from terma.risk.rules.table import rows

RULES = rows("""
apt apt-get aptitude apk | update |  | low
apt apt-get aptitude |  | -s --no-act --simulate --print-uris | low
apt apt-get aptitude | purge |  | high deletes+root: removes packages and their settings
apt apt-get aptitude | remove, autoremove, autopurge, dselect-upgrade |  | high deletes+root: removes packages
apt apt-get aptitude | upgrade, full-upgrade, dist-upgrade, safe-upgrade |  \
    | medium changes+root: changes installed packages
apt apt-get aptitude | install | --allow-unauthenticated --force-yes --allow-downgrades --allow-remove-essential \
    --no-check-gpg +http* | high runs-unknown-code+root: installs packages that nobody vouches for
apt apt-get aptitude | install, clean, autoclean, reinstall, edit-sources, build-dep, satisfy |  \
    | medium root: needs root
apt apt-get apt-cache aptitude | list, search, show, policy, depends, rdepends, changelog, showpkg, pkgnames, \
    download, source, why, madison, stats |  | low
apt-mark | showmanual, showauto, showhold |  | low
apt-mark |  |  | medium changes+root: changes installed packages
apt-key |  | +add +adv +del | high runs-unknown-code+root: trusts packages of somebody else
add-apt-repository apt-add-repository |  |  | high runs-unknown-code+root: trusts packages of somebody else
apt-file apt-config apt-listchanges debsums |  |  | low
dpkg |  | -l -L -S -s -p --list --listfiles --search --status --get-selections -c --contents -I --info \
    --print-architecture --audit -V --verify --compare-versions | low
dpkg |  | -P --purge | high deletes+root: removes packages and their settings
dpkg |  | -r --remove | high deletes+root: removes packages
dpkg |  | -i --install --configure --unpack --force-all --force-depends -a --set-selections \
    | medium changes+root: changes installed packages
dpkg-reconfigure dpkg-divert |  | !--list | medium changes+root: changes installed packages
dpkg-query dpkg-deb |  | !-x !-e !-R | low
gem | cleanup |  | medium deletes: removes packages
bundle | clean | !--dry-run | medium deletes: removes packages
alien |  | -i --install | medium changes+root: changes installed packages
dnf yum zypper tdnf microdnf | remove, erase, autoremove, rm, history undo, history rollback, swap, distro-sync, \
    system-upgrade |  | high deletes+root: removes packages
dnf yum zypper tdnf microdnf |  | --nogpgcheck --no-gpg-checks --skip-broken-signatures \
    | high runs-unknown-code+root: installs packages that nobody vouches for
dnf yum | config-manager, copr enable, module enable, localinstall |  \
    | medium runs-unknown-code+root: trusts packages of somebody else
zypper | addrepo, ar |  | medium runs-unknown-code+root: trusts packages of somebody else
dnf yum zypper tdnf microdnf | install, update, upgrade, in, up, dup, clean, groupinstall, reinstall, downgrade, \
    patch |  | medium root: needs root
dnf yum zypper tdnf microdnf \
    | list, search, info, se, if, repolist, provides, whatprovides, history, check-update, \
    lr, lu, repoquery, deplist |  | low
rpm |  | -q --query -V --verify -K --checksig | low
rpm |  | -e --erase | high deletes+root: removes packages
rpm |  | --import | medium runs-unknown-code+root: trusts packages of somebody else
rpm |  | --nodeps --force --nosignature --nodigest +http* \
    | high runs-unknown-code+root: installs packages that nobody vouches for
rpm |  | -i -U -F --install --upgrade --rebuilddb | medium root: needs root
pacman |  | -p --print -Rp -Rsp -Rnsp | low
pacman |  | -R --remove -Rns -Rsc | high deletes+root: removes packages
pacman yay paru |  | -Q -Ss -Si -Sl -Sg -F | low
pacman |  | -Scc -Syyu | medium changes+root: changes installed packages
pacman |  | -S -U --sync --upgrade | medium root: needs root
pacman-key |  | !-l !--list-keys | medium runs-unknown-code+root: trusts packages of somebody else
yay paru trizen | | -S -Syu -R -Rns 1 | medium runs-unknown-code: builds packages that others wrote
apk | del |  | high deletes+root: removes packages
apk |  | --allow-untrusted | high runs-unknown-code+root: installs packages that nobody vouches for
apk | add, update, upgrade, fix |  | medium root: needs root
apk | info, list, search, version, stats, audit, policy |  | low
emerge |  | -p --pretend -s --search --info | low
emerge |  | -C --unmerge --depclean -c | high deletes+root: removes packages
emerge |  | 1 | medium changes+root: changes installed packages
xbps-remove pkg_delete removepkg swupd-remove opkg-remove |  |  | high deletes+root: removes packages
xbps-install pkg_add installpkg upgradepkg slackpkg eopkg swupd |  | !+search !+info \
    | medium changes+root: changes installed packages
pkg | delete, remove, autoremove |  | high deletes+root: removes packages
pkg | install, upgrade, update, add |  | medium changes+root: changes installed packages
opkg | remove |  | high deletes+root: removes packages
opkg | install, update, upgrade |  | medium changes+root: changes installed packages
snap flatpak | remove, uninstall |  | high deletes+root: removes packages
snap | install | --dangerous --classic --devmode \
    | medium runs-unknown-code+root: installs a program with no fence around it
snap | install, refresh, revert, disable, set |  | medium root: needs root
snap flatpak | list, info, find, search, version, connections, remotes, changes, history |  | low
flatpak | override | --filesystem=host* --filesystem=home* --socket=session-bus --device=all --share=all \
    | high grants: lets an application out of its fence
flatpak | install, update, override, remote-add |  | medium changes: changes installed packages
port | uninstall |  | high deletes+root: removes packages
port | install, upgrade, selfupdate |  | medium changes+root: changes installed packages
brew | cleanup, autoremove | -n | low
brew | uninstall, remove, rm, autoremove, cleanup |  | medium deletes: removes packages
brew | upgrade |  | medium changes: changes installed packages
brew | install | +*/*/* | medium runs-unknown-code: installs what somebody else builds
brew | tap | 1 | medium runs-unknown-code: trusts packages of somebody else
nix-collect-garbage |  | !--dry-run | high deletes: deletes old generations
nix-env |  | -e --uninstall --delete-generations | medium deletes: removes packages
nix-store nix | --gc, store gc, store delete |  | high deletes: deletes old generations
nix-channel |  | --add | medium runs-unknown-code: trusts packages of somebody else
nixos-rebuild | switch, boot, test |  | medium changes+root: changes the whole system
pip pip3 pipx | uninstall, uninstall-all, cache purge, inject |  | medium deletes: removes packages
uv | pip uninstall, tool uninstall, remove, cache clean, python uninstall, tool install |  \
    | medium deletes: removes packages
npm pnpm yarn bun | unpublish |  | high deletes: takes a package back from the registry
npm pnpm yarn bun cargo twine poetry gem hatch flit uv | publish, push, upload |  \
    | medium leaks: publishes a package
npm pnpm yarn bun | uninstall, remove, rm, un, prune, r |  | medium deletes: removes packages
npm yarn pnpm | cache clean, store prune, cache verify |  | medium deletes: deletes the package cache
npm pnpm yarn | install, i, add, global add | -g --global +global \
    | medium runs-unknown-code: installs a program, and lets its scripts run
npm | owner add, access grant, token create, access public, deprecate, dist-tag add |  \
    | medium grants: changes who may publish
npm yarn pnpm | config set, set, config delete | +registry +*registry* +ignore-scripts +script-shell +strict-ssl \
    +*proxy* +node-options +//* | medium runs-unknown-code: changes where packages come from
ansible-galaxy | install, collection install, role install | !-r !--requirements-file \
    | medium runs-unknown-code: installs what somebody else wrote
perl |  | -M=CPAN* | medium runs-unknown-code: installs a program, and lets its scripts run
cpan cpanm cpm cpanp |  | 1 !-l !--info !-D !-v !--look \
    | medium runs-unknown-code: installs a program, and lets its scripts run
pip pip3 | config set |  | medium runs-unknown-code: changes where packages come from
gem | sources | -a --add | medium runs-unknown-code: changes where packages come from
gem cargo go | yank |  | high deletes: takes a package back from the registry
gem cargo rustup | uninstall, self uninstall, toolchain uninstall |  | medium deletes: removes packages
cargo | install, binstall | !--list !--path !--dry-run \
    | medium runs-unknown-code: installs a program, and lets its scripts run
cargo | clean |  | low
go | env | -w -u | medium persists: changes a setting of every later build
go | clean | -modcache !-n | medium deletes: deletes what it downloaded
go | clean |  | low
conda mamba micromamba | env remove |  | high deletes: removes an environment
poetry hatch | env remove, env prune |  | high deletes: removes an environment
pipenv |  | --rm | high deletes: removes an environment
conda mamba micromamba | remove, uninstall, clean |  | medium deletes: removes packages
composer | global remove, remove, clear-cache, global require |  | medium deletes: removes packages
update-alternatives alternatives |  | --set --remove --config --install --set-all --remove-all --all \
    | medium changes+root: changes a system setting
update-alternatives alternatives |  | --display --list --query --get-selections | low
do-release-upgrade |  | !-c | high changes+root: upgrades the whole system
softwareupdate |  | -i --install -ia | medium changes+root: changes the system
""")


_INSTALLERS = (
    "pip",
    "pip3",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "uv",
    "gem",
    "cargo",
    "poetry",
    "conda",
    "python",
    "python3",
    "pipx",
    "composer",
    "luarocks",
)
CHECKS = {**dict.fromkeys(RUNNERS, runner), "go": go, "deno": deno, "nix": nix}
MORE_CHECKS = dict.fromkeys(_INSTALLERS, other_index)
