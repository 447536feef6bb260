"""Requests to a server: what the method, the words of the address and those of the body say that it shall do."""

from __future__ import annotations

from itertools import islice

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.lexicon import OF_WEIGHT, VERBS
from terma.risk.rules.sinks import LOCAL
from terma.risk.rules.table import asks
from terma.risk.rules.verb_words import verb_in
from terma.risk.sources import METADATA

RULES = ()

_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS PURGE BAN".split())
_ITEMS = frozenset({"http", "https", "xh", "xhs", "curlie"})  # the method is a word of its own here
_METHOD = re.compile(r"-[a-zA-Z]*X(\w*)|--(?:request|method)(?:=(\w+))?")
_BODY = re.compile(
    r"-[a-zA-Z]*[dF](.*)|--(?:data\S*?|json|form|form-string|post-data|body-data|post-file|body-file|raw)(?:=(.*))?",
    re.S,
)
_ADDRESS = re.compile(r"(?:https?://)?(?:[^\s/@]*@)?[\w.$\[\]{}-]*(?::\d+)?(/[^\s?#]*)?(?:[?#].*)?")
_MANY = re.compile(r"_all\b|/\*|_delete_by_query|/_shutdown|/indices")
_A_WHOLE = re.compile(
    r"https?://[^/\s]+/?[^/?\s]*/?"
)  # an address one step deep: a database, an index, a bucket
_SAID = re.compile(
    r"[\"'](?:action|op|operation|method|command|cmd|type|verb|request|state|query)[\"']\s*:\s*[\"']([A-Za-z_-]{3,40})[\"']"
    r"|\b(?:action|op|cmd|command|method)=([A-Za-z_-]{3,40})|[\"']([A-Za-z_-]{3,40})[\"']\s*:|<([A-Za-z_-]{3,40})[\s/>]"
)
_MUTATION = re.compile(r"\bmutation\b[\s\S]*?[{\s]([a-z]+)([A-Z]\w*)\s*[({]")
_EVERY = re.compile(r"<delete>\s*<query>\s*\*:\*|match_all|\"\*\"")
_MOST_SAID = 40  # words of a body that are looked at


def requested(call: Call) -> Findings:
    """What a request of `call` does at the other end."""
    if asks(call):
        return
    texts = [word.text for word in call.args]
    method, body, urls = _read(call, texts)
    local = any(LOCAL.match(text) for text in urls)
    if method == "DELETE":
        whole = any(_MANY.search(text) or ":9200" in text or _A_WHOLE.fullmatch(text) for text in urls)
        whole = whole or (not local and any(map(_of_weight, urls)))
        yield Finding("high" if whole else "medium", "deletes at the other end", "deletes")
    elif method not in ("GET", "HEAD", "OPTIONS"):
        found = [*_by_words(urls, body)]
        yield from found
        if any(map(_MANY.search, urls)) and method != "POST":
            yield Finding("high", "deletes at the other end", "deletes")
        elif not found and not local and method in ("PUT", "PATCH", "PURGE", "BAN"):
            yield Finding("medium", "changes what is at the other end", "changes")
    if any(map(METADATA.search, texts)):
        yield Finding("medium", "shows the credentials of this machine in the cloud", "leaks")
    if any("docker.sock" in text for text in texts) and method != "GET":
        yield Finding("high", "commands docker, which is root", "grants")


def _of_weight(url: str) -> bool:
    """Whether `url` names all of a kind, and not one by its number: `…/v1/tenants`."""
    path = (found[1] or "") if (found := _ADDRESS.fullmatch(url)) else ""
    return path.rstrip("/").rpartition("/")[2].lower() in OF_WEIGHT


def _read(call: Call, texts: list[str]) -> tuple[str, str, list[str]]:
    """The method, the text of the body, and what may be an address."""
    method, bodies = "", []
    words = iter(texts)
    urls: list[str] = []
    for text in words:
        if found := _METHOD.fullmatch(text):
            method = found[1] or found[2] or next(words, "")
        elif found := _BODY.fullmatch(text):
            bodies.append(found[1] or found[2] or next(words, ""))
        elif not method and call.name in _ITEMS and text.upper() in _METHODS and not urls:
            method = text
        elif text in ("-T", "--upload-file"):
            method = method or "PUT"
            next(words, "")
        elif text in ("-G", "--get"):
            method = method or "GET"
        elif text in ("-H", "--header", "-u", "--user", "-o", "-A", "-e", "-b"):
            next(words, "")
        elif text[:1] != "-":
            urls.append(text)
    return (method.upper() or ("POST" if bodies else "GET")), "\n".join(bodies), urls


def _by_words(urls: list[str], body: str) -> Findings:
    """`…/api/system/shutdown`, `{"action": "delete"}`, `mutation { deleteUser(…) }`."""
    for text in urls[:2]:
        path = (found[1] or "") if (found := _ADDRESS.fullmatch(text)) else ""
        if one := _first([part for part in path.split("/") if part]):
            yield one
            return
    said = ["".join(filter(None, found.groups())) for found in islice(_SAID.finditer(body), _MOST_SAID)]
    said += [f"{found[1]}-{found[2].lower()}" for found in _MUTATION.finditer(body)]
    if one := _first(said):
        yield Finding("high", one.reason, one.kind) if _EVERY.search(body) else one


def _first(words: list[str]) -> Finding | None:
    for text in words:
        verb = VERBS.get(verb_in(text, VERBS, OF_WEIGHT)[0])
        if verb is not None and verb.alone != "low" and verb.kind in ("deletes", "stops", "changes"):
            return Finding(verb.alone, f"{verb.reason} at the other end", verb.kind)
    return None


CHECKS = dict.fromkeys((*_ITEMS, "curl", "wget"), requested)
