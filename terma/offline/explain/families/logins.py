"""Tools that want a login, a key or a first set-up before they work."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.rule import Facts, Rule


def _told(case: Case, facts: Facts) -> list[str]:
    """The tool's own advice, then the command again."""
    return (
        [f"{facts['line'].strip(' .`')} && {case.command}"]
        if not re.search(r"[;&|<>$`]", facts["line"])
        else []
    )


RULES = (
    Rule("logins.told", ("please run", "to get started", "run `", "run the command", "you must first", "not logged in", "to log in"),
         r"(?:[Pp]lease (?:first )?run:?|run|with|try|[Tt]o log ?in,? (?:please )?run:?)[ \t]*\n?[ \t]*[`'\"]?(?P<line>(?P<tool>gh|az|gcloud|heroku|npm|docker|aws|fly|flyctl|vercel|firebase|railway|doctl|oc|huggingface-cli|wrangler) (?:auth login|login|sso login|adduser|configure))\b",
         "{tool} does not know who you are: it wants authentication first. {line} logs you in.", _told, rank=19),
    Rule("logins.no_key", ("no identities found", "could not open a connection to your authentication agent"), r"ERROR: No identities found", "You have no ssh key yet: no identities were found. ssh-keygen makes a pair; then copy the public one.", lambda c, f: [f"ssh-keygen -t ed25519 && {c.command}"], program="ssh-copy-id", rank=17),
    Rule("logins.aws_configure", "unable to locate credentials", "", "aws has no credentials: none are configured. aws configure asks for them.", ("aws configure",), program="aws", rank=17),
    Rule("logins.gpg_key", ("no secret key", "no public key"), r"(?:ID (?P<id>[0-9A-F]{8,40}))?[\s\S]*?(?P<why>No (?:secret|public) key)", "gpg lacks the key {id} for this: {why}. gpg --list-keys shows those you have; gpg --recv-keys fetches a public one.", program="gpg gpg2 git", rank=18),
    Rule("logins.docker", ("docker login", "no basic auth credentials", "unauthorized: authentication required", "denied: requested access"), r"(?P<why>no basic auth credentials|unauthorized|denied: requested access)", "The registry did not let you in: {why}. docker login first.", lambda c, f: [f"docker login && {c.command}"] if "push" in c.operands[:2] else [], program="docker podman", rank=19),
)  # fmt: skip
