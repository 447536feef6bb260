"""Packages: what is installed for everybody or from strangers, removed, or taken back from a registry."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import asks, operand_texts, rows

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
pip pip3 | config set |  | medium runs-unknown-code: changes where packages come from
gem | sources | -a --add | medium runs-unknown-code: changes where packages come from
gem cargo go | yank |  | high deletes: takes a package back from the registry
gem cargo rustup | uninstall, self uninstall, toolchain uninstall |  | medium deletes: removes packages
cargo | install | !--list !--path | medium runs-unknown-code: installs a program, and lets its scripts run
cargo | clean |  | low
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

_FETCH = "fetches and runs a program of somebody else's"
_INDEX = "takes packages from an index of somebody else's"
_PLAIN = "fetches code without encryption"
# What is run from a project's own packages every day, and does what its name says.
_EVERYDAY = set(
    "eslint prettier tsc jest vitest webpack vite next nuxt tsx ts-node mocha ava nyc c8 playwright cypress "
    "rollup esbuild babel "
    "stylelint husky lint-staged nx turbo lerna changeset tailwindcss postcss sass npm-check-updates ncu rimraf "
    "prisma typeorm "
    "sequelize knex ng react-scripts expo gatsby astro svelte-check svelte-kit vue-tsc parcel serve http-server "
    "concurrently "
    "nodemon pm2 depcheck madge license-checker tsup swc biome oxlint commitlint semantic-release storybook "
    "remix wrangler "
    "ruff black mypy pytest flake8 isort pylint bandit pyright pre-commit poetry tox nox httpie cookiecutter "
    "ipython jupyter "
    "mkdocs sphinx-build build twine pip-audit uvicorn ansible-lint yamllint codespell hatch pdm poethepoet "
    "pyupgrade "
    "rimraf shellcheck tldr markdownlint markdownlint-cli markdownlint-cli2 js-yaml json2yaml".split()
)
_FORGES = re.compile(
    r"(git\+|https?://|git@|git://|ssh://|github:|gitlab:|bitbucket:|file:/tmp|hg\+|svn\+)|^[\w.-]+/[\w.-]+(#.*)?$"
)
_OWN = re.compile(
    r"https://(pypi\.org|files\.pythonhosted\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|rubygems\.org"
    r"|proxy\.golang\.org|download\.pytorch\.org|npm\.pkg\.github\.com|test\.pypi\.org|jsr\.io|npm\.jsr\.io)\b"
)


def _runner(call: Call) -> Findings:
    """npx, pipx run, uvx: a name is fetched and run. What a project keeps for itself is not fetched."""
    operands = [
        word.text
        for word in call.operands(
            "-p --package --from --with --python --spec -c --call --index-url --index --pip-args"
        )
    ]
    verb = {
        "pipx": ("run",),
        "pnpm": ("dlx",),
        "yarn": ("dlx",),
        "npm": ("exec", "x", "init", "create"),
        "bun": ("x", "create"),
        "uv": ("tool",),
        "deno": (),
    }
    flags = call.flags()
    if call.name in verb:
        if operands[:1] == [] or operands[0] not in verb[call.name]:
            return
        operands = operands[1:]
        if call.name == "uv":
            if operands[:1] != ["run"]:
                return
            operands = operands[1:]
    if not operands or asks(call.inner(call.words[:2])) or flags & {"--no-install", "--offline", "--no"}:
        return
    name = operands[0]
    given = [name, *(word.text for word in call.values("-p", "--package", "--from", "--with", "--spec"))]
    if any(_FORGES.search(text) and not text.startswith("@") for text in given):
        yield Finding("high", _FETCH, "runs-unknown-code")
    elif name.partition("@")[0] not in _EVERYDAY and not (
        call.name == "npm" and "--" in [w.text for w in call.args]
    ):
        yield Finding("medium", _FETCH, "runs-unknown-code")


def _index(call: Call) -> Findings:
    """Where packages come from: `--index-url`, `--registry`, an address in place of a name."""
    operands = operand_texts(call)
    verb = operands[0] if operands else ""
    if call.name in ("python", "python3"):
        if operands[:2] != ["pip", "install"] and not (call.value("-m") and "install" in operands):
            return
        verb, operands = "install", operands[operands.index("install") :]
    if verb == "pip" and call.name == "uv":
        verb, operands = (operands[1] if len(operands) > 1 else ""), operands[1:]
    if verb not in ("install", "i", "add", "ci", "download", "require", "sync") or asks(call):
        return
    for word in call.values(
        "-i",
        "--index-url",
        "--extra-index-url",
        "--registry",
        "--index",
        "--default-index",
        "--source",
        "-s",
        "--find-links",
        "-f",
    ):
        if re.match(r"https?://", word.text) and not _OWN.match(word.text):
            yield Finding("high", _INDEX, "runs-unknown-code")
    if call.flags() & {"--trusted-host", "--allow-insecure", "--no-check-certificate"}:
        yield Finding("high", _PLAIN, "runs-unknown-code")
    for text in operands[1:]:
        if text.startswith(("http://", "git+http://", "git://")):
            yield Finding("high", _PLAIN, "runs-unknown-code")
        elif re.match(r"https://", text) and not _OWN.match(text):
            yield Finding("high" if call.name.startswith("pip") else "medium", _FETCH, "runs-unknown-code")
        elif _FORGES.match(text) and call.name not in ("brew", "go", "composer", "cargo", "conda"):
            yield Finding(
                "medium", "builds what lies in a repository of somebody else's", "runs-unknown-code"
            )
    if call.name in ("pip", "pip3") and "--break-system-packages" in call.flags():
        yield Finding("medium", "changes the system's own packages")
    if call.flags() & {"--git", "--github"} or (
        call.name in ("gem", "cargo") and call.flags() & {"-g", "--git"}
    ):
        yield Finding("medium", "builds what lies in a repository of somebody else's", "runs-unknown-code")


def _go(call: Call) -> Findings:
    """`go run example.com/x@v1` fetches, builds and runs; `go run .` runs what is here."""
    verb, *rest = operand_texts(call) or [""]
    if (
        verb in ("run", "install", "get", "generate")
        and rest
        and re.match(r"[\w-]+(\.[\w-]+)+/|.*@", rest[0])
        and not rest[0].endswith(".go")
    ):
        yield Finding(
            "medium",
            _FETCH if verb == "run" else "builds what lies in a repository of somebody else's",
            "runs-unknown-code",
        )


def _deno(call: Call) -> Findings:
    verb, *rest = operand_texts(call) or [""]
    target = rest[0] if verb in ("run", "install", "test", "eval") and rest else verb
    if re.match(r"https?://|npm:|jsr:", target):
        free = bool(call.flags() & {"-A", "--allow-all", "--allow-run"}) or target.startswith("http")
        yield Finding("high" if free else "medium", "runs what it downloads", "runs-unknown-code")


def _nix(call: Call) -> Findings:
    verb, *rest = operand_texts(call) or [""]
    if verb in ("run", "shell", "develop") and any(
        re.match(r"(github|gitlab|git\+|https?):", text) for text in rest
    ):
        yield Finding("medium", _FETCH, "runs-unknown-code")


_RUNNERS = ("npx", "pnpx", "bunx", "uvx", "pipx", "pnpm", "yarn", "npm", "bun", "uv")
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
CHECKS = {**dict.fromkeys(_RUNNERS, _runner), "go": _go, "deno": _deno, "nix": _nix}
MORE_CHECKS = dict.fromkeys(_INSTALLERS, _index)
