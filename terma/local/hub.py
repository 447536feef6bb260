"""A model at the public hub: its file, size, hash and licence, from the hub's own metadata."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from terma.local.catalogue import Model
from terma.local.fetching import only_https
from terma.local.places import LocalError

MAX_ANSWER = 4_000_000  # bytes of metadata
_HASH = re.compile(r"[0-9a-f]{64}")
_REVISION = re.compile(r"[0-9a-f]{40}")
_PART = re.compile(r"-\d+-of-\d+\.gguf$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Offer:
    """A file that can be fetched. `size` is in bytes; `revision` is the commit in which it lies."""

    address: str
    size: int
    sha256: str
    licence: str
    revision: str

    @property
    def source(self) -> str:
        """As `terma local install --model` takes it."""
        return f"{self.address}#sha256={self.sha256}"


def offer(model: Model, hub: str) -> Offer:
    """What the hub at `hub` has for `model`. Raises LocalError."""
    if urlsplit(hub).scheme != "https":
        raise LocalError(f"a hub is asked over https alone: {hub[:120]}")
    told = _asked(
        f"{hub.rstrip('/')}/api/models/{model.repository}/revision/{quote(model.revision)}?blobs=true", hub
    )
    revision = told.get("sha")
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
        raise _odd(hub, f"no revision of {model.repository}")
    found = [entry for entry in _files(told) if str(entry.get("rfilename", "")).lower().endswith(model.file)]
    whole = [entry for entry in found if not _PART.search(entry["rfilename"])]
    if len(whole) != 1:
        raise _odd(hub, f"{len(whole)} files {model.file} in {model.repository}")
    lfs = whole[0].get("lfs")
    size, digest = (lfs.get("size"), lfs.get("sha256")) if isinstance(lfs, dict) else (None, None)
    if not isinstance(size, int) or size <= 0 or not isinstance(digest, str) or not _HASH.fullmatch(digest):
        raise _odd(hub, f"neither size nor hash of {whole[0]['rfilename'][:120]}")
    path = quote(whole[0]["rfilename"])
    address = f"{hub.rstrip('/')}/{model.repository}/resolve/{revision}/{path}"
    return Offer(address, size, digest, _licence(told), revision)


def _files(told: dict[str, Any]) -> list[dict[str, Any]]:
    files = told.get("siblings")
    return [entry for entry in files if isinstance(entry, dict)] if isinstance(files, list) else []


def _licence(told: dict[str, Any]) -> str:
    card = told.get("cardData")
    named = card.get("license_name") or card.get("license") if isinstance(card, dict) else ""
    return named[:80] if isinstance(named, str) and named.isprintable() and named else "not told"


def _asked(address: str, hub: str) -> dict[str, Any]:
    import httpx

    try:
        hooks = {"request": [only_https]}
        with (
            httpx.Client(follow_redirects=True, timeout=30.0, event_hooks=hooks) as client,
            client.stream("GET", address, headers={"accept": "application/json"}) as answer,
        ):
            if answer.status_code != 200:
                raise LocalError(
                    f"{hub}: the server says {answer.status_code} to {address}", "terma local list"
                )
            body = b""
            for chunk in answer.iter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER:
                    raise _odd(hub, "far too much")
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        raise LocalError(
            f"{hub} cannot be asked: {reason}", "HTTPS_PROXY names a proxy; or --model FILE"
        ) from None
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise _odd(hub, "something else than metadata")
    return told


def _odd(hub: str, what: str) -> LocalError:
    return LocalError(f"{hub} tells {what}", "another name of terma local list, or --model FILE")
