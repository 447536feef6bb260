"""Data in code of another language: secrets that it reads and sends, start-up files that it writes, rights it gives."""

from __future__ import annotations

from terma import regex as re
from terma.risk import paths
from terma.risk.model import Finding, Findings
from terma.risk.sources import secret_names

SENDS = re.compile(
    r"urlopen|requests\.(?:post|put|get|request)|httpx\.|http\.client|HTTPSConnection|HTTPConnection|\bsocket\b"
    r"|smtplib|ftplib|paramiko|sendall"
    r"|fetch\(|\.request\(|[\"']https?[\"']|https?\.get\(|axios|net\.connect|dns\.|Net::HTTP|Net::SMTP|LWP"
    r"|HTTP::Tiny|IO::Socket|TCPSocket|open-uri"
    r"|curl_exec|curl_init|fsockopen|file_get_contents\(\s*[\"']https?:|stream_context|Invoke-WebRequest"
    r"|Invoke-RestMethod|gethostbyname|getaddrinfo|mail\("
)
_ENVIRONMENT = re.compile(
    r"os\.environ(?!\s*(?:\[|\.get\b|\.setdefault))|process\.env(?![.\[])|ENV\.(?:to_|each|map|inspect|sort)"
    r"|\bENV\b(?!\s*[\[.])|%ENV|\$_ENV|getenv\(\)|\$_SERVER\b(?!\[)|env:"
)
_NAMES = re.compile(r"'[^'\n]{2,120}'|\"[^\"\n]{2,120}\"")
_SHORT = re.compile(r"'[^'\n]?'|\"[^\"\n]?\"")
_APPENDS = re.compile(r"[\"'][wax]b?\+?[\"']|write|append|>>|puts|print\s+\{?\$|symlink|rename|copy")


_LOGS_IN = re.compile(r"auth|header|login|bearer", re.I)  # whose password it is gets it
_READ_BY_NAME = re.compile(r"\bprocess\.env\.(\w+)|\$ENV\{(\w+)")
_OF_ENVIRONMENT = re.compile(r"environ|getenv|\bENV\b|process\.env")


_ALIAS = re.compile(r"([A-Za-z_][\w.]*)\s+as\s+([A-Za-z_]\w*)")


def by_full_names(code: str) -> str:
    """`code` with modules called by their names where they were given others: `import requests as r`."""
    for name, other in _ALIAS.findall(code):
        code = re.sub(rf"(?<![\w.]){other}\.", f"{name}.", code)
    return code


def _names_secret(code: str, names: list[str]) -> bool:
    """Whether `code` reads a variable of the environment that is called after a secret, and logs in nowhere."""
    if not _OF_ENVIRONMENT.search(code) or _LOGS_IN.search(code):
        return False
    read = ["".join(found) for found in _READ_BY_NAME.findall(code)]
    return "secret" in secret_names(" ".join(f"${name}" for name in (*read, *names)))


def _not_addresses(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("http")]


def of(code: str) -> Findings:
    """Secrets that the code reads and sends, and start-up files that it writes."""
    sends, names = SENDS.search(code), [name[1:-1] for name in _NAMES.findall(_SHORT.sub("", code))]
    if sends and _ENVIRONMENT.search(code):
        yield Finding("high", "sends the environment with its secrets away", "leaks")
    elif sends and (_names_secret(code, names) or any(map(paths.secrecy, _not_addresses(names)))):
        yield Finding("high", "sends a key or a password away", "leaks")
    elif sends and any(name == "/etc/passwd" for name in names):
        yield Finding("high", "sends the machine's accounts away", "leaks")
    elif any(paths.secrecy(name) == "secret" for name in names) and re.search(
        r"print|puts|echo|console\.log|say", code
    ):
        yield Finding("medium", "shows a key or a password", "leaks")
    if _APPENDS.search(code):
        for name in names:
            if found := paths.startup(name):
                yield Finding(
                    "high" if found[0] in ("system", "login") else "medium", f"runs at {found[1]}", "persists"
                )
    if re.search(r"login item|LaunchAgents|CurrentVersion\\\\Run|crontab", code):
        yield Finding("medium", "runs at each login", "persists")
    if re.search(r"setuid\(\s*0|setreuid\(|\bseteuid\(\s*0", code):
        yield Finding("high", "becomes root where it may", "grants")
    if found_mode := re.search(r"chmod\([^()]*0?o?([2-7]?[0-7]{2}[2367])\b", code):
        yield Finding("high" if len(found_mode[1]) == 4 else "medium", "lets everyone write", "grants")
