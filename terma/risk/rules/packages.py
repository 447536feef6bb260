"""Packages: what is installed for everybody, removed, or taken back from a registry."""

from __future__ import annotations

from terma.risk.rules.table import Rule

_REMOVES = "removes packages"
_CHANGES = "changes installed packages"

RULES = (
    Rule("apt apt-get aptitude", "low", "", flags="-s --no-act"),
    Rule("apt apt-get aptitude", "high", "removes packages and their settings", "purge"),
    Rule("apt apt-get aptitude", "high", _REMOVES, "remove|autoremove|autopurge|dselect-upgrade", root=True),
    Rule(
        "apt apt-get aptitude",
        "medium",
        _CHANGES,
        "upgrade|full-upgrade|dist-upgrade|safe-upgrade",
        root=True,
    ),
    Rule(
        "apt apt-get aptitude",
        "medium",
        "",
        "install|update|clean|autoclean|reinstall|edit-sources",
        root=True,
    ),
    Rule("dpkg", "high", "removes packages and their settings", flags="-P --purge", root=True),
    Rule("dpkg", "high", _REMOVES, flags="-r --remove", root=True),
    Rule("dpkg", "medium", "", flags="-i --install --configure --unpack", root=True),
    Rule(
        "dnf yum zypper tdnf microdnf", "high", _REMOVES, "remove|erase|autoremove|rm|history undo", root=True
    ),
    Rule(
        "dnf yum zypper tdnf microdnf",
        "medium",
        "",
        "install|update|upgrade|in|up|dup|clean|groupinstall",
        root=True,
    ),
    Rule("rpm", "high", _REMOVES, flags="-e --erase", root=True),
    Rule("rpm", "medium", "", flags="-i -U -F --install --upgrade", unless="-q --query", root=True),
    Rule("pacman", "high", _REMOVES, flags="-R --remove", root=True),
    Rule("pacman", "low", "", flags="-Q -Ss -Si -Sl -Sg"),
    Rule("pacman", "medium", "", flags="-S -U --sync --upgrade", root=True),
    Rule("apk", "high", _REMOVES, "del", root=True),
    Rule("apk", "medium", "", "add|update|upgrade", root=True),
    Rule("emerge", "high", _REMOVES, flags="-C --unmerge --depclean", root=True),
    Rule("snap flatpak", "high", _REMOVES, "remove|uninstall", root=True),
    Rule("snap", "medium", "", "install|refresh", root=True),
    Rule("port", "high", _REMOVES, "uninstall", root=True),
    Rule("brew", "medium", _REMOVES, "uninstall|remove|rm|autoremove|cleanup"),
    Rule("brew", "medium", _CHANGES, "upgrade"),
    Rule("nix-collect-garbage", "high", "deletes old generations"),
    Rule("nix-env", "medium", _REMOVES, flags="-e --uninstall --delete-generations"),
    Rule("pip pip3 pipx", "medium", _REMOVES, "uninstall|uninstall-all|cache purge"),
    Rule("uv", "medium", _REMOVES, "pip uninstall|tool uninstall|remove|cache clean|python uninstall"),
    Rule("npm pnpm yarn bun", "high", "takes a package back from the registry", "unpublish"),
    Rule("npm pnpm yarn bun cargo twine poetry gem", "medium", "publishes a package", "publish|push|upload"),
    Rule("npm pnpm yarn bun", "medium", _REMOVES, "uninstall|remove|rm|un|prune|r"),
    Rule("npm yarn pnpm", "medium", "deletes the package cache", "cache clean|store prune"),
    Rule("gem cargo go", "high", "takes a package back from the registry", "yank"),
    Rule("gem cargo rustup", "medium", _REMOVES, "uninstall|self uninstall|toolchain uninstall"),
    Rule("cargo", "medium", "deletes what was built", "clean"),
    Rule("go", "medium", "deletes caches", "clean"),
    Rule("conda mamba micromamba", "high", "removes an environment", "env remove"),
    Rule("poetry hatch", "high", "removes an environment", "env remove"),
    Rule("pipenv", "high", "removes an environment", flags="--rm"),
    Rule("conda mamba micromamba", "medium", _REMOVES, "remove|uninstall|clean"),
    Rule(
        "update-alternatives alternatives",
        "medium",
        "changes a system setting",
        flags="--set --remove --config",
        root=True,
    ),
    Rule("do-release-upgrade", "high", "upgrades the whole system", root=True),
)
