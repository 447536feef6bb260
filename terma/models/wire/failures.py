"""A failed request told in one line: what a status and a server's words mean, and what to do next."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from terma.chat import ModelError, ModelSpec, Trouble
from terma.text import one_line

MAX_SAID = 160  # code points of a server's own words
MAX_WAIT = 600.0  # seconds: a longer Retry-After is cut to it

_CONTEXT = re.compile(
    r"context[ _-]?(length|size|window)|maximum context|prompt is too long|too many (input )?tokens"
    r"|exceeds? the (maximum|available).{0,40}tokens|input token count.{0,40}exceeds",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(does not|doesn't|not) support(ed)?\b.{0,30}\b(tools?\b|tool[ _]?(use|calling|choice))|tool.{0,40}not supported"
    r"|no endpoints found that support tool|requires --jinja|enable-auto-tool-choice",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|credit balance|billing"
    r"|insufficient (credits|funds|balance)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"content[ _](policy|filter|management)|moderation|flagged|safety (system|settings)|guardrail",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model.{0,80}(not[ _]found|does not exist|not exist|unknown|not available)"
    r"|(unknown|no such|invalid) model|pull(ing)? it first|no models? loaded",
    re.IGNORECASE,
)
_ERRNO = re.compile(r"\[Errno -?\d+\] ?")  # a number that means nothing to a person
_BAD_KEY = re.compile(
    r"api[ _-]?key.{0,20}(not valid|invalid|incorrect)|(invalid|incorrect).{0,12}api[ _-]?key|authentication",
    re.IGNORECASE,
)


def from_status(status: int, said: str, headers: Mapping[str, str], spec: ModelSpec) -> ModelError:
    """The error of an HTTP answer: its status, its body's text, its headers (lower case)."""
    words = server_words(said, spec)
    code = _code(status, said, spec)
    message, hint = _TEXT[code]
    places = {"who": _who(spec), "model": spec.name, "said": words or f"HTTP {status}", "status": status}
    return ModelError(code, message.format(**places), hint.format(**places), retry_after=retry_after(headers))


def from_words(said: str, spec: ModelSpec) -> ModelError:
    """The error of an answer that began well and then held an error object."""
    found = re.search(r'"(?:code|status)"\s*:\s*"?([45]\d\d)\b', said)
    return from_status(int(found[1]) if found else 500, said, {}, spec)


def timed_out(what: str, seconds: float, setting: str, spec: ModelSpec) -> ModelError:
    """`what` ("did not take the connection") within `seconds`; `setting` is the key that bounds it."""
    return ModelError(
        "timeout", f"{_who(spec)} {what} within {seconds:g} s", f"try again, or raise timeouts.{setting}"
    )


def unreachable(reason: str, spec: ModelSpec) -> ModelError:
    """Nothing answers there."""
    why = _ERRNO.sub("", one_line(reason))[:MAX_SAID] or "no connection"
    hint = "is the server running? terma models looks for one" if _is_here(spec) else "check the network"
    return ModelError("unreachable", f"{_who(spec)} cannot be reached: {why}", hint)


def broken_off(spec: ModelSpec) -> ModelError:
    """The connection ended before the answer did."""
    return ModelError("unreachable", f"{_who(spec)} closed the connection in mid-answer", "try again")


def bad_tls(reason: str, spec: ModelSpec) -> ModelError:
    """The server's certificate is not trusted, or it speaks no TLS."""
    return ModelError(
        "tls",
        f"no safe connection to {_who(spec)}: {one_line(reason)[:MAX_SAID]}",
        "for a certificate of your own set ca_file; for a server without TLS write http:// in api_base",
    )


def bad_proxy(reason: str, spec: ModelSpec) -> ModelError:
    """The proxy of the settings does not work."""
    return ModelError(
        "proxy",
        f"the proxy for {_who(spec)} does not work: {hidden(one_line(reason), spec)[:MAX_SAID]}",
        "check the model's proxy setting",
    )


def bad_response(what: str, spec: ModelSpec) -> ModelError:
    """What came back is not a chat completion."""
    return ModelError(
        "bad_response",
        f"{_who(spec)} {what}",
        "is api_base an OpenAI-compatible address? it often ends in /v1",
    )


def server_words(said: str, spec: ModelSpec) -> str:
    """The server's own message, out of whatever JSON it came in: one short line, without the key."""
    try:
        found = _message(json.loads(said))
    except ValueError:
        found = "" if said.lstrip().startswith("<") else said  # a web page says nothing in a line
    return _short(hidden(one_line(found), spec))


def hidden(text: str, spec: ModelSpec) -> str:
    """`text` without the secrets of `spec`: servers repeat a wrong key."""
    secrets = [spec.api_key, *spec.headers.values(), spec.proxy]
    for secret in secrets:
        if len(secret) >= 6:
            text = text.replace(secret, "…")
    return text


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `Retry-After` (RFC 9110: seconds or a date); None when absent."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            return min(max(float(value) * scale, 0.0), MAX_WAIT)
        except ValueError:
            pass
    try:
        when = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return min(max(when.timestamp() - time.time(), 0.0), MAX_WAIT)


def _code(status: int, said: str, spec: ModelSpec) -> Trouble:
    if _CONTEXT.search(said) and status in (400, 413, 422, 500):
        return "context_length"
    if status == 413:
        return "context_length"
    if status == 402 or (_QUOTA.search(said) and status in (400, 403, 429)):
        return "quota"
    if status == 401 or (status in (400, 403) and _BAD_KEY.search(said)):
        return "auth" if spec.api_key else "no_key"
    if status in (400, 403, 422, 451) and _REFUSED.search(said):
        return "refused"
    if _NO_TOOLS.search(said) and status in (400, 404, 422, 500, 501):
        return "no_tools"
    if status == 404 or (status in (400, 422) and _NO_MODEL.search(said)):
        return "no_model"
    if status == 403:
        return "auth" if spec.api_key else "no_key"
    if status == 429:
        return "rate"
    if status in (408, 409, 425) or status >= 500:
        return "server"
    return "bad_request"


_TEXT: dict[Trouble, tuple[str, str]] = {
    "no_key": (
        "{who} wants an API key, and none is set",
        "set api_key_env or api_key_command for this model",
    ),
    "auth": ("{who} does not take the API key: {said}", "check the key in the settings: terma config show"),
    "no_model": ("{who} has no model {model}: {said}", "terma models lists what there is"),
    "no_tools": ("{model} cannot call tools", "terma asks such a model for JSON instead"),
    "quota": ("the account at {who} has nothing left: {said}", "add credit there, or choose another model"),
    "rate": ("{who} has had too many requests: {said}", "wait a little, or choose another model"),
    "context_length": (
        "the question is longer than {model} can read: {said}",
        "ask about less output, or choose a model with a larger context",
    ),
    "refused": ("{who} refused to answer: {said}", "say it in other words"),
    "bad_request": ("{who} did not understand the request: {said}", "check the model's settings"),
    "server": ("{who} failed: {said}", "try again in a moment"),
}


def _who(spec: ModelSpec) -> str:
    """The place, as a person would name it: never with a user name or password in it."""
    if not spec.api_base:
        return spec.name.partition("/")[0] if "/" in spec.model else spec.name
    address = spec.api_base.removeprefix("http://").removeprefix("https://")
    return one_line(address if address.startswith("unix:") else address.partition("/")[0].rpartition("@")[2])


def _is_here(spec: ModelSpec) -> bool:
    """Whether the server is on this machine."""
    here = r"unix:.*|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?"
    return re.fullmatch(here, _who(spec)) is not None


def _message(parsed: Any) -> str:
    """The most telling string of an error body: OpenAI's, Ollama's, FastAPI's, vLLM's, Gemini's list."""
    if isinstance(parsed, str):
        return parsed
    if isinstance(parsed, list):
        return next((found for item in parsed if (found := _message(item))), "")
    if not isinstance(parsed, Mapping):
        return ""
    metadata = parsed.get("metadata")  # OpenRouter: what the provider behind it said
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    for inner in (parsed.get("error"), raw, *(parsed.get(key) for key in ("message", "detail", "msg"))):
        if found := _message(inner):
            return found
    return ""


def _short(text: str) -> str:
    return text if len(text) <= MAX_SAID else text[: MAX_SAID - 1] + "…"
