"""What holds secrets by its name is asked about by one tool and passed over by the other; no slice of a key leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.redact.private import is_private
from terma.tools.search_files import MAX_RESULTS
from tests.unit.conversation.scripted import World
from tests.unit.test_redact_stream import DRESSES, key, leaked
from tests.unit.tools.test_files import READ, SEARCH, do, propose, work, world

__all__ = ["work", "world"]  # fixtures

PRIVATE = (
    "key.properties upload-keystore.properties .m2/settings-security.xml "
    ".kube/config kubeconfig service-account.json service-account-prod.json auth.json x.tfstate x.tfstate.backup "
    "server.key.old .netrc .pgpass .npmrc .pypirc .docker/config.json .bash_history .zsh_history fish_history x.kdbx "
    "id_rsa id_rsa~ id_ed25519.bak id_ecdsa_sk.old id_rsa.orig id_rsa.save .id_rsa.swp .netrc.swp .npmrc.swo .#id_rsa "
    "#auth.json# .env .env.local prod.env secrets.yaml credentials.json db_password.txt .ssh/config key4.db server.pem "
    "terraform.tfstate.1700000000.backup server.key.2024-01-01 vault.yml .vault_pass rootkey.csv env.production "
    ".flaskenv .config/github-copilot/hosts.json .config/hcloud/cli.toml .fly/config.yml .kaggle/kaggle.json .mbsyncrc "
    ".config/aerc/accounts.conf .local/share/atuin/key .config/helm/registry/config.json .config/pip/pip.conf "
    "work_rsa deploy_ed25519.old ssh_host_rsa_key gha-creds-1f.json kube_config_cluster.yml .mc/config.json "
    "userlist.txt private_key.txt privatekey rsa.private recovery-codes.txt backup_codes.txt mnemonic.txt app.hprof "
    "bitwarden_export.json .android/adbkey signing.snk x.pkcs8 .authinfo shadow- "
    "accessTokens.json dbPassword.txt key.pem.txt id_rsa.txt my-service-account-key.json netrc.bak pgpass cookies.txt "
    "prod.tfvars .aws/credentials .config/gcloud/x.db .git-credentials .gnupg/x wallet.dat".split()
)
OPEN = (
    "public.pem useTokens.ts passTime.py notes.txt LICENSE.txt "
    "main.py token.py tokens.md passwords.html id_rsa.pub README.md config.json package.json tokenizer.json keys.py "
    "key.txt .env.example history.py keyboard.c shadow.css id_generator.py package-lock.json Makefile pass.py "
    "deploy_rsa.pub core.py core.js core coredump.c .config/kitty/keys.conf recovery.md backup.sh private.md creds.py "
    "passes.md environment.yml .config/nvim/init.lua .config/atuin/config.toml .zcompdump bypass.txt hosts".split()
)


@pytest.mark.parametrize("name", PRIVATE)
def test_a_name_that_says_that_it_holds_secrets_is_known(name: str) -> None:
    assert is_private(f"/home/ann/{name}")


@pytest.mark.parametrize("name", OPEN)
def test_other_names_are_open(name: str) -> None:
    assert not is_private(f"/home/ann/{name}")


def test_a_link_is_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "server.key").write_text("x")
    (tmp_path / "notes.txt").symlink_to(tmp_path / "server.key")
    assert is_private(tmp_path / "notes.txt")


def test_the_search_passes_over_what_reading_asks_about(world: World, work: Path) -> None:
    (work / "server.key.old").write_text("needle first\n")
    (work / "kubeconfig").write_text("needle second\n")
    (work / "notes.txt").write_text("needle three\n")
    found = do(SEARCH, world, pattern="needle")
    assert "notes.txt:1: needle three" in found
    assert "first" not in found and "second" not in found
    assert "2 that hold keys or passwords were passed over" in found
    assert "kubeconfig (private)" in do(SEARCH, world)
    assert propose(READ, world, path="kubeconfig").risk.level == "medium"
    assert propose(READ, world, path="notes.txt").risk.level == "low"


@pytest.mark.parametrize("dress", DRESSES)
def test_no_slice_of_a_key_comes_out_of_a_file(world: World, work: Path, dress: str) -> None:
    lines = key()
    rows = [DRESSES[dress](number, line) for number, line in enumerate(lines, 1)]
    (work / "log.txt").write_text("\n".join(["start", *rows, "end of it", ""]))
    for start, count in ((4, 1), (4, 3), (2, 2), (len(rows) - 1, 3)):
        shown = do(READ, world, path="log.txt", start=start, lines=count)
        assert leaked(lines, shown) == []
        assert f"lines {start} to {start + count - 1}" in shown


def test_no_slice_of_a_key_is_found_by_a_search(world: World, work: Path) -> None:
    """One search looks through a file in each dress: its process costs more than what it does."""
    lines = key()
    folders = ("a", "b", "c")  # a third of the files each: that many lines are told
    for place, dress in enumerate(DRESSES):
        (folder := work / folders[place % 3]).mkdir(exist_ok=True)
        rows = [DRESSES[dress](number, line) for number, line in enumerate(lines, 1)]
        (folder / f"{place}.txt").write_text("\n".join(["start", *rows, "end of it", ""]))
    for pattern in (lines[5][20:30].replace("+", r"\+"), "[A-Za-z0-9+/]{20}"):
        assert leaked(lines, do(SEARCH, world, pattern=pattern, max=MAX_RESULTS)) == []
    for name in folders:
        found = do(SEARCH, world, pattern=".", path=name, max=MAX_RESULTS)
        assert "may be more" not in found and leaked(lines, found) == []
    ends = do(SEARCH, world, pattern="end of", max=MAX_RESULTS)
    for place in range(len(DRESSES)):
        assert f"/{place}.txt:{len(lines) + 2}: end of it" in ends


def test_a_line_that_is_cut_holds_no_half_of_a_token(world: World, work: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    (work / "log.txt").write_text("x" * 280 + f" {token}\n")
    assert token[:10] not in do(SEARCH, world, pattern="xxx")


def test_what_was_found_in_a_secret_alone_is_not_told(world: World, work: Path) -> None:
    (work / "log.txt").write_text("password=hunter2xyz\nhunter2xyz is no word\n")
    assert "log.txt:1" not in do(SEARCH, world, pattern="=hunter2")
