"""apt, dnf, pacman, brew, snap and gem: packages that do not exist, locks, broken states."""

from __future__ import annotations

import re
from pathlib import Path

from terma.machine.carriers import carriers
from terma.offline.explain.case import Case
from terma.offline.explain.known_packages import well_known
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.packages import install_package
from terma.offline.explain.rule import Facts, Rule

_UNREACHED = re.compile(
    r"unable to (?:download|resolve|connect)|socketerror|getaddrinfo|timed out|could ?n[o']t (?:resolve|connect)|unreachable|network"
)


def _near(case: Case, facts: Facts) -> list[str]:
    name = next((facts[k] for k in ("name", "b", "c") if facts.get(k)), "")
    known = carriers()
    if name in known and not known[name].installer and known[name].package != name:
        return [case.swap(name, known[name].package)]
    ours = {carrier.package for carrier in known.values() if not carrier.installer}
    return [case.swap(name, n) for n in nearest(name, ours, 2) if distance(name, n, 2.0) <= 2.0]


def _only_meant(case: Case) -> list[str]:
    """The one name that the output asks about; of several only the person knows which was meant."""
    told = re.search(r"[Dd]id you mean ([\w@.+-]+)(, | or )?", case.output)
    return [told[1].rstrip(".")] if told and not told[2] else []


def _perl_fixes(case: Case, module: str) -> list[str]:
    """Debian has a package of each well-known module, by a rule for its name; elsewhere CPAN has them."""
    if module not in well_known("perl"):
        return []
    if case.installed("apt-get") or case.installed("apt"):
        return [install_package(case, f"lib{module.lower().replace('::', '-').replace('_', '-')}-perl")]
    return [f"cpan {module}"]


def _in_inc(case: Case, path: str) -> list[str]:
    """The command with the module that lies nearly so in one of the folders which Perl says it searched."""
    told = re.search(r"@INC contains: ([^)]*)", case.evidence.flat)
    name = path.replace("/", "::")
    typed = next((word for word in case.args if name in word), "")
    if not told or not typed:
        return []
    folders = [
        *told[1].split(),
        *map(str, Path("/usr/lib").glob("*/perl-base")),
    ]  # the line may have been cut
    near = dict.fromkeys(
        found.removeprefix(f"{folder}/").removesuffix(".pm").replace("/", "::")
        for folder in folders
        if folder.startswith("/") and (found := case.near_path(f"{folder}/{path}.pm"))
    )
    return [case.swap(typed, typed.replace(name, next(iter(near))))] if len(near) == 1 else []


RULES = (
    Rule("packages.apt_other", "invalid operation", r"Invalid operation (?P<name>search|show|policy|depends|rdepends|madison)", "apt-get has no operation {name}: invalid. Looking things up is apt-cache's work.",
         lambda c, f: [c.swap("apt-get", "apt-cache")], program="apt-get", rank=18, rewrites=True),
    Rule("packages.bundle_missing", "install missing gem executables", r"command not found: (?P<name>\S+)", "Bundler found no program {name}: its gem is not installed. bundle install fetches what the Gemfile lists.", lambda c, f: [f"bundle install && {c.command}"], rank=18),
    Rule("packages.apt_missing", ("unable to locate package", "has no installation candidate", "couldn't find any package"), r"locate package (?P<name>\S+)|[Pp]ackage '?(?P<b>[^'\s]+)'? has no installation|package by (?:glob|regex) '(?P<c>[^']+)'",
         "apt is unable to locate the package {name}{b}{c}: none of that name in its lists can be installed. Check the spelling (apt search), or refresh the lists with apt update.", _near, rank=18, speakers="apt apt-get aptitude e w"),
    Rule("packages.apt_lock", ("could not get lock", "unable to acquire the dpkg frontend lock", "is another process using it", "waiting for cache lock"), r"(?:lock (?P<path>/\S+?)[. ])?(?:.*process (?P<pid>\d+) \((?P<who>[^)]+)\))?", "Another program holds the package lock ({who} {pid}). Wait until it has finished; do not delete the lock.", rank=34),
    Rule("packages.apt_broken", ("unmet dependencies", "held broken packages", "fix-broken", "--fix-broken"), "", "Packages depend on others that cannot be installed (unmet dependencies). apt can try to repair that.", ("sudo apt --fix-broken install",), rank=18),
    Rule("packages.dpkg", "dpkg was interrupted", "", "An earlier installation was interrupted in the middle. dpkg must finish it first.", ("sudo dpkg --configure -a",), rank=16),
    Rule("packages.apt_key", ("no_pubkey", "the following signatures couldn't be verified", "is not signed"), r"(?:NO_PUBKEY (?P<name>\w+))?", "apt cannot verify a repository: its public key {name} is missing, so it is not trusted. Add the key from the repository's own page.", rank=18),
    Rule("packages.apt_release", ("does not have a release file", "404  not found"), r"repository '(?P<name>[^']+)'|(?:URI: |Err:\d+ )(?P<b>\S+)", "The repository {name}{b} does not exist for this release (404, no Release file). Correct it in /etc/apt/sources.list.d.", program="apt apt-get", rank=17),
    Rule("packages.apt_file", "unsupported file", r"Unsupported file (?P<path>\S+)", "apt found no package file {path}. A local file is named with ./ in front.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], rank=18),
    Rule("packages.dnf_missing", ("no match for argument", "no package", "unable to find a match"), r"(?:No match for argument: |No package |find a match: )(?P<name>[^\s]+)", "No repository has a package {name}: no match found. Search for its right name.", _near, program="dnf yum", rank=18),
    Rule("packages.pacman_missing", "target not found", r"target not found: (?P<name>\S+)", "pacman has no package {name}: target not found. pacman -Ss searches, pacman -Sy refreshes the lists.", _near, rank=18, speakers="pacman yay paru error"),
    Rule("packages.pacman_lock", "unable to lock database", "", "Another pacman holds the database lock, or one crashed and left /var/lib/pacman/db.lck. If none runs, remove that file.", rank=18),
    Rule("packages.brew_missing", ("no available formula", "no formulae or casks found", "no formulae found"), r"(?:name|for) \"?(?P<name>[\w@.+-]+)", "Homebrew has no formula or cask {name}. brew search finds the right name.",
         lambda c, f: [c.swap(f["name"], n) for n in _only_meant(c)] or _near(c, f), program="brew", rank=18),
    Rule("packages.brew_installed", "is already installed", r"(?P<name>[\w@.+-]+) [\d._]+ is already installed", "{name} is already installed. brew upgrade brings it up to date.", lambda c, f: [c.swap("install", "upgrade")], program="brew", rank=18),
    Rule("packages.snap_missing", "snap \"", r"snap \"(?P<name>[^\"]+)\" not found", "The snap store has no {name}: not found. snap find searches.", rank=18),
    Rule("packages.snap_classic", "using classic confinement", "", "This snap needs access to the whole system (classic confinement), which must be granted.", lambda c, f: [c.append("--classic")], rank=18),
    Rule("packages.gem", "could not find a valid gem", r"valid gem '(?P<name>[^']+)'", lambda c, f: f"gem could not reach the repository, so whether there is a gem {f['name']} is not known." if _UNREACHED.search(c.low) else f"There is no gem {f['name']} in the repository: not found.", rank=18),
    Rule("packages.bundler", ("could not locate gemfile", "could not find gem", "run `bundle install`"), r"(?:gem '(?P<name>[^']+)')?", "Bundler lacks a gem or the Gemfile: could not find {name}. bundle install fetches what the Gemfile lists.", lambda c, f: ["bundle install"] if "gemfile" not in c.low or "install missing gems" in c.low else [], rank=18),
    Rule("packages.ruby_load", "cannot load such file", r"cannot load such file -- (?P<name>\S+)", "Ruby cannot load {name} (LoadError): no gem that is installed has it, nor a folder that Ruby searches.", ("gem install {name}",), rank=18),
    Rule("packages.perl_module", "can't locate", r"Can't locate (?P<path>\S+?)\.pm in @INC", lambda c, f: f"Perl cannot locate the module {f['path'].replace('/', '::')}: it is not installed, nor in a folder that Perl searches.", lambda c, f: _in_inc(c, f["path"]) or _perl_fixes(c, f["path"].replace("/", "::")), rank=18, program="perl", rewrites=True),
    Rule("packages.perl_module_of", "can't locate", r"Can't locate (?P<path>\S+?)\.pm in @INC", lambda c, f: f"Perl cannot locate the module {f['path'].replace('/', '::')}: it is not installed, nor in a folder that Perl searches.", lambda c, f: _perl_fixes(c, f["path"].replace("/", "::")), rank=19),
)  # fmt: skip
