"""Secrets that give themselves away by their shape: one row a service, each with a sample and a near miss."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BOUND = r"(?<![A-Za-z0-9_-])"
EDGE = re.compile(r"[A-Za-z0-9_-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shape:
    """`pattern` matches at one of `heads`, or, when `floats`, anywhere in a text that holds a head.

    `sample` and `counter` are what must and must not match. `{36}` stands for 36 letters and digits, `{h32}` for hex,
    `{A16}` for capitals and digits: no file holds a whole key, so no scanner of repositories takes one for real."""

    service: str
    heads: tuple[str, ...]
    pattern: re.Pattern[str]
    sample: str
    counter: str
    floats: bool = False


def _shape(service: str, heads: str, tail: str, sample: str, counter: str) -> Shape:
    """The common form: a literal head and a tail of bounded length."""
    words = tuple(heads.split())
    head = "|".join(re.escape(word) for word in words)
    return Shape(service, words, re.compile(f"(?:{head}){tail}", re.ASCII), sample, counter)


def _float(service: str, heads: str, pattern: str, sample: str, counter: str) -> Shape:
    return Shape(service, tuple(heads.split()), re.compile(BOUND + pattern, re.ASCII), sample, counter, True)


W, AN, HEX = r"[\w-]", "[A-Za-z0-9]", "[0-9a-f]"

SHAPES = (
    _shape("AWS", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", "AKIA{A16}", "AKIA{A9}"),
    _shape("Google API", "AIza", W + "{35}", "AIza{35}", "AIza{12}"),
    _shape("Google OAuth", "ya29.", r"[\w-]{20,1000}", "ya29.{60}", "ya29.{4}"),
    _shape("Google client", "GOCSPX-", W + "{20,40}", "GOCSPX-{28}", "GOCSPX-{5}"),
    _shape("Google refresh", "1//0", W + "{30,200}", "1//0{60}", "1//0{8}"),
    _float("Azure client", "Q~", r"[\w.~-]{3}\dQ~[\w.~-]{31,34}", "abc8Q~{34}", "abc8Q~{9}"),
    _shape("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_", AN + "{30,255}", "ghp_{36}", "ghp_{9}"),
    _shape("GitHub fine", "github_pat_", r"\w{40,255}", "github_pat_{22}_{59}", "github_pat_{9}"),
    _shape("GitLab", "glpat- glptt- gldt- glrt- glcbt- glsoat-", r"[\w.-]{20,120}", "glpat-{20}", "glpat-{9}"),
    _shape("Slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp-", r"[\w.%-]{20,400}", "xoxb-{12}-{24}",
           "xoxb-{6}"),
    _shape("Slack hook", "hooks.slack.com/services/", r"T\w{5,20}/B\w{5,20}/\w{16,40}",
           "hooks.slack.com/services/T{A9}/B{A9}/{24}", "hooks.slack.com/services/help"),
    _float("Discord", ".", r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}", "M{23}.{6}.{38}", "M{23}.{3}.{38}"),
    _shape("Discord hook", "/api/webhooks/", r"\d{15,22}/[\w-]{50,80}", "/api/webhooks/123456789012345678/{68}",
           "/api/webhooks/12/{9}"),
    _shape("Stripe", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9+/]{16,250}", "sk_live_{24}",
           "sk_live_{6}"),
    _shape("OpenAI and kin", "sk-", r"(?:(?:proj|svcacct|admin|ant|or|lf)-)?[\w-]{20,250}", "sk-proj-{48}", "sk-{9}"),
    _shape("Hugging Face", "hf_", AN + "{30,60}", "hf_{34}", "hf_{7}"),
    _shape("Groq, xAI, Perplexity", "gsk_ xai- pplx-", AN + "{40,100}", "gsk_{52}", "gsk_{9}"),
    _shape("Replicate", "r8_", AN + "{30,50}", "r8_{37}", "r8_{9}"),
    _shape("npm", "npm_", AN + "{36}", "npm_{36}", "npm_{9}"),
    _shape("PyPI", "pypi-", r"Ag[\w-]{50,1000}", "pypi-AgEIcHlwaS5vcmc{60}", "pypi-{70}"),
    _shape("RubyGems", "rubygems_", HEX + "{48}", "rubygems_{h48}", "rubygems_{9}"),
    _shape("Docker Hub", "dckr_pat_ dckr_oat_", W + "{20,60}", "dckr_pat_{27}", "dckr_pat_{5}"),
    _shape("SendGrid", "SG.", r"[\w-]{16,32}\.[\w-]{30,60}", "SG.{22}.{43}", "SG.{22}.{9}"),
    _shape("Mailgun", "key-", HEX + "{32}(?![0-9a-f])", "key-{h32}", "key-{h9}"),
    _float("Mailchimp", "-us", HEX + r"{32}-us\d{1,2}", "{h32}-us14", "{h12}-us14"),
    _shape("Twilio", "SK", HEX + "{32}(?![0-9A-Za-z])", "SK{h32}", "SK{h12}"),
    _float("Telegram", ":AA", r"\d{8,10}:AA[\w-]{32,34}", "1234567890:AA{33}", "12:AA{33}"),
    _shape("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", HEX + "{64}", "dop_v1_{h64}", "dop_v1_{h9}"),
    _shape("Shopify", "shpat_ shpss_ shpca_ shppa_", "[0-9a-fA-F]{32}", "shpat_{h32}", "shpat_{h9}"),
    _shape("Square", "sq0atp- sq0csp- sq0idp-", W + "{22,60}", "sq0atp-{22}", "sq0atp-{9}"),
    _shape("Meta", "EAAC EAAG EAAB EAAJ EAAD", AN + "{60,400}", "EAAG{120}", "EAAG{9}"),
    _shape("Linear, Figma, Postman", "lin_api_ figd_ PMAK-", W + "{30,100}", "lin_api_{40}", "lin_api_{9}"),
    _shape("Notion", "secret_ ntn_", AN + "{43,50}", "secret_{43}", "secret_{20}"),
    _float("Airtable", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", "pat{14}.{h64}", "pat{14}.{h9}"),
    _shape("Atlassian", "ATATT3 ATCTT3 ATBB", r"[\w=-]{28,250}", "ATATT3{180}", "ATATT3{9}"),
    _shape("New Relic", "NRAK- NRJS- NRII-", AN + "{19,40}", "NRAK-{27}", "NRAK-{9}"),
    _shape("Grafana, Sentry", "glsa_ glc_ sntrys_ sntryu_", r"[\w+/=]{32,400}", "glsa_{32}_{h8}", "glsa_{9}"),
    _shape("HashiCorp Vault", "hvs. hvb. hvr.", W + "{24,300}", "hvs.{90}", "hvs.{5}"),
    _float("Terraform Cloud", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}", "{14}.atlasv1.{67}",
           "{14}.atlasv1.{9}"),
    _shape("Databricks", "dapi", HEX + "{32}", "dapi{h32}", "dapi{h9}"),
    _shape("Supabase, Netlify, Tailscale", "sbp_ nfp_ tskey-", W + "{30,100}", "sbp_{h40}", "sbp_{9}"),
    _shape("PlanetScale, Doppler", "pscale_tkn_ pscale_pw_ dp.pt. dp.st.", r"[\w.-]{30,100}", "pscale_tkn_{43}", "dp.pt.{9}"),
    _shape("Heroku", "HRKU-", W + "{30,100}", "HRKU-{60}", "HRKU-{9}"),
    _shape("age", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,60}", "AGE-SECRET-KEY-1{A58}", "AGE-SECRET-KEY-1{A9}"),
    _shape("JWT", "eyJ", r"[\w-]{8,8000}\.[\w-]{8,8000}\.[\w-]{0,2000}(?:\.[\w-]{1,8000}){0,2}", "eyJ{33}.eyJ{60}.{43}",
           "eyJ{20}.{5}"),
    _shape("password hash", "$1$ $5$ $6$ $y$ $7$ $apr1$ $2a$ $2b$ $2y$ $argon2", r"[\w./$,=+-]{24,300}",
           "$6$abcdefgh${86}", "$1$2"),
    _shape("private key in base64", "LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBSU0EgUFJJVkFUR LS0tLS1CRUdJTiBFQyBQUklWQVRF"
           " LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVE LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFUR", r"[A-Za-z0-9+/]*=*",
           "LS0tLS1CRUdJTiBQUklWQVRF{200}", "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{90}"),
)  # fmt: skip


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every token-shaped secret in `text`; they may overlap."""
    for shape in SHAPES:
        if shape.floats:
            if any(head in text for head in shape.heads):
                yield from (match.span() for match in shape.pattern.finditer(text))
            continue
        for head in shape.heads:
            yield from _at(text, head, shape.pattern)


def _at(text: str, head: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Literal search first: it is some fifty times as fast as the pattern alone."""
    start = text.find(head)
    while start >= 0:
        after = start + len(head)
        if not (start and head[0].isalnum() and EDGE.match(text, start - 1)):
            found = pattern.match(text, start)
            if found:
                yield found.span()
                after = max(after, found.end())
        start = text.find(head, after)
