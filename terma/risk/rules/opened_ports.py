"""Ports that are opened to others: tunnels of ssh, and servers that show a folder."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings


def over_ssh(call: Call) -> Findings:
    """Tunnels: a port of this side or the other, opened to whoever comes."""
    if any(
        re.fullmatch(r"-[46AaCfGgKkMNnqsTtVvXxYy]*R", word.text) or word.text.startswith("-R")
        for word in call.args
    ):
        yield Finding("high", "opens a port of this side to another machine", "network")
    if (
        call.name == "autossh"
        or any(re.match(r"(0\.0\.0\.0|\*|\[::\]|:)", word.text) for word in call.values("-L", "-D"))
        or "-g" in call.flags()
    ):
        yield Finding("medium", "opens a tunnel to everybody", "network")
    if any(
        re.match(r"(?i)(StrictHostKeyChecking[= ]no|UserKnownHostsFile[= ]/dev/null)", word.text)
        for word in call.values("-o")
    ):
        yield Finding("low", "does not check who answers", "network")
    if any(word.text.startswith("-w") and word.text[2:3].isdigit() for word in call.args):
        yield Finding("medium", "changes the network", "network")


def serves(call: Call) -> Findings:
    """`python3 -m http.server`: which folder, and who may come."""
    texts = [word.text for word in call.args]
    if not any(
        module in texts for module in ("http.server", "SimpleHTTPServer", "pyftpdlib", "uploadserver")
    ):
        return
    bind, folder = call.value("--bind", "-b", "-i"), call.value("--directory", "-d")
    if bind is not None and re.match(r"127\.|localhost|::1", bind.text):
        return
    at_home = folder is None and "here" in call.words[0].holds
    if (folder is not None and folder.holds) or "-w" in texts or at_home:
        yield Finding("high", "offers a home directory or keys to others", "leaks")
    elif bind is not None:
        yield Finding("medium", "offers files to others", "network")
