"""The shapes of keys and tokens that give themselves away: one row a service, each with a sample and a near miss."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass

from terma.redact.lazy import ASCII, compiled

BOUND = r"(?<![A-Za-z0-9_-])"
EDGE = re.compile(r"[A-Za-z0-9_-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shape:
    """`pattern` matches at one of `heads`, or, when `floats`, anywhere in a text that holds a head.

    `sample` and `counter` are what must and must not match. `{36}` stands for 36 letters and digits, `{h32}` for hex,
    `{A16}` for capitals and digits: no file holds a whole key, so no scanner of repositories takes one for real."""

    service: str
    heads: tuple[str, ...]
    source: str
    sample: str
    counter: str
    floats: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.source, ASCII)


def _shape(service: str, heads: str, tail: str, sample: str, counter: str) -> Shape:
    """The common form: a literal head and a tail of bounded length."""
    words = tuple(heads.split())
    head = "|".join(re.escape(word) for word in words)
    return Shape(service, words, f"(?:{head}){tail}", sample, counter)


def _float(service: str, heads: str, pattern: str, sample: str, counter: str) -> Shape:
    return Shape(service, tuple(heads.split()), BOUND + pattern, sample, counter, True)


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
    _shape("GitLab", "glpat- glptt- gldt- glrt- glcbt- glsoat- glft- glimt- glagent- gloas- glffct-", r"[\w.-]{20,120}",
           "glpat-{20}", "glpat-{9}"),
    _shape("Slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp-", r"[\w.%-]{20,400}", "xoxb-{12}-{24}",
           "xoxb-{6}"),
    _shape("Slack hook", "hooks.slack.com/services/", r"T\w{5,20}/B\w{5,20}/\w{16,40}",
           "hooks.slack.com/services/T{A9}/B{A9}/{24}", "hooks.slack.com/services/help"),
    _shape("Discord", "M N O", r"[\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}", "M{23}.{6}.{38}", "M{23}.{3}.{38}"),
    _shape("Discord hook", "/api/webhooks/", r"\d{15,22}/[\w-]{50,80}", "/api/webhooks/123456789012345678/{68}",
           "/api/webhooks/12/{9}"),
    _shape("Stripe", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9+/]{16,250}", "sk_live_{24}",
           "sk_live_{6}"),
    _shape("Mapbox", "sk.eyJ", r"[\w-]{20,200}\.[\w-]{20,60}", "sk.eyJ{60}.{22}", "sk.eyJ{9}"),
    _shape("OpenAI and kin", "sk-", r"(?:(?:proj|svcacct|admin|ant|or|lf)-)?[\w-]{20,250}", "sk-proj-{48}", "sk-{9}"),
    _shape("Hugging Face", "hf_", AN + "{30,60}", "hf_{34}", "hf_{7}"),
    _shape("Groq, xAI, Perplexity", "gsk_ xai- pplx-", AN + "{40,100}", "gsk_{52}", "gsk_{9}"),
    _shape("Replicate", "r8_", AN + "{30,50}", "r8_{37}", "r8_{9}"),
    _shape("npm", "npm_", AN + "{36}", "npm_{36}", "npm_{9}"),
    _shape("PyPI", "pypi-", r"Ag[\w-]{50,1000}", "pypi-AgEIcHlwaS5vcmc{60}", "pypi-{20}"),
    _shape("RubyGems", "rubygems_", HEX + "{48}", "rubygems_{h48}", "rubygems_{9}"),
    _shape("Docker Hub", "dckr_pat_ dckr_oat_", W + "{20,60}", "dckr_pat_{27}", "dckr_pat_{5}"),
    _shape("SendGrid", "SG.", r"[\w-]{16,32}\.[\w-]{30,60}", "SG.{22}.{43}", "SG.{22}.{9}"),
    _shape("Mailgun", "key-", HEX + "{32}(?![0-9a-f])", "key-{h32}", "key-{h9}"),
    _float("Mailchimp", "-us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9", HEX + r"{32}-us\d{1,2}", "{h32}-us14", "{h12}-us14"),
    _shape("Twilio", "SK", HEX + "{32}(?![0-9A-Za-z])", "SK{h32}", "SK{h12}"),
    Shape("Telegram", (":AA",), r"(?:(?<![A-Za-z0-9_-])|(?<=bot))\d{8,10}:AA[\w-]{32,34}", "1234567890:AA{33}", "12:AA{33}", floats=True),
    _shape("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", HEX + "{64}", "dop_v1_{h64}", "dop_v1_{h9}"),
    _shape("Shopify", "shpat_ shpss_ shpca_ shppa_", "[0-9a-fA-F]{32}", "shpat_{h32}", "shpat_{h9}"),
    _shape("Square", "sq0atp- sq0csp-", W + "{22,60}", "sq0atp-{22}", "sq0atp-{9}"),
    _shape("Meta", "EAA", AN + "{80,400}", "EAAG{120}", "EAAG{9}"),
    _shape("Instagram", "IGQV IGAA", W + "{60,400}", "IGQVJ{120}", "IGQVJ{9}"),
    _shape("Braintree", "access_token$production$ access_token$sandbox$", r"[0-9a-z]{16}\$[0-9a-f]{32}",
           "access_token$production${h16}${h32}", "access_token$production${h9}"),
    _shape("Teams hook", "webhook.office.com/webhookb2/ outlook.office.com/webhook/", r"[0-9a-f-]{36}@[0-9a-f-]{36}/\w{4,40}/"
           r"[0-9a-f]{32}(?:/[0-9a-f-]{36})?(?:/[\w-]{20,100})?", "webhook.office.com/webhookb2/{h36}@{h36}/IncomingWebhook/{h32}/{h36}",
           "webhook.office.com/webhookb2/{h9}"),
    _shape("Zapier, IFTTT, Make hook", "hooks.zapier.com/hooks/catch/ maker.ifttt.com/trigger/ .make.com/", r"[\w/]{4,60}/?[\w-]{6,60}(?<=[\w-]{6})",
           "hooks.zapier.com/hooks/catch/12345/{7}", "hooks.zapier.com/hooks/catch/1"),
    _shape("Artifactory reference", "cmVmdGtu", AN + "{40,90}", "cmVmdGtu{56}", "cmVmdGtu{9}"),
    _shape("Artifactory token", "reftkn:", r"\d{2}:\d{8,12}:\w{20,60}", "reftkn:01:1700000000:{28}", "reftkn:01:{9}"),
    _shape("Docker swarm", "SWMTKN-", r"1-[0-9a-z]{40,60}-[0-9a-z]{20,30}", "SWMTKN-1-{h50}-{h25}", "SWMTKN-1-{h9}"),
    _shape("wallet", "xprv yprv zprv tprv", AN + "{100,110}", "xprv{107}", "xprv{9}"),
    _shape("GitLab runner", "GR1348941", W + "{20}", "GR1348941{20}", "GR1348941{9}"),
    _shape("Bitbucket, Adafruit, Duffel, Frame.io", "BBDC- aio_ duffel_test_ duffel_live_ fio-u- mdb_sa_sk_", W + "{28,80}", "BBDC-{44}", "BBDC-{9}"),
    _shape("NuGet", "oy2", "[0-9a-z]{43}(?![0-9a-z])", "oy2{h43}", "oy2{h9}"),
    _float("FCM", ":APA91b", r"AAAA[\w-]{7}:APA91b[\w-]{120,150}", "AAAA{7}:APA91b{134}", "AAAA{7}:APA91b{9}"),
    _shape("Twitter bearer", "AAAAAAAAAAAAAAAAAAAAA", r"[\w%]{60,120}", "AAAAAAAAAAAAAAAAAAAAA{80}", "AAAAAAAAAAAAAAAAAAAAA{9}"),
    _float("k3s", "::server:", r"K10[0-9a-f]{40,64}::server:\w{16,64}", "K10{h64}::server:{h32}", "K10{h9}::server:{h9}"),
    _float("1Password key", "A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}", "A3-{A6}-{A6}-{A5}-{A5}-{A5}-{A5}", "A3-{A6}-{A6}"),
    _float("Windows hashes", ":::", r"\w[\w.$\\-]{0,60}:\d{1,10}:[0-9a-fA-F]{32}:[0-9a-fA-F]{32}:::", "ann:500:{h32}:{h32}:::", "ann:500:{h9}:::"),
    _float("NetNTLM", "::", r"\w[\w.$-]{0,60}::[\w.-]{1,60}:[0-9a-fA-F]{16,48}:[0-9a-fA-F]{32,48}:[0-9a-fA-F]{16,2000}", "ann::CORP:{h16}:{h32}:{h80}", "ann::CORP:{h9}"),
    _shape("minisign, signify", "RWRTY0Iy RWRCS", r"[\w+/]{40,300}={0,2}", "RWRTY0Iy{160}", "RWRTY0Iy{9}"),
    _shape("LDAP and Django hashes", "{SSHA} {SSHA256} {SSHA512} {SHA} {CRYPT} pbkdf2_sha256$ pbkdf2_sha512$ bcrypt_sha256$ SCRAM-SHA-256$ $pbkdf2- $scrypt$ $7a$",
           r"[\w./$,:=+-]{24,300}", "{SSHA}{40}", "{SSHA}{9}"),
    _shape("Linear, Figma, Postman", "lin_api_ figd_ PMAK-", W + "{30,100}", "lin_api_{40}", "lin_api_{9}"),
    _shape("Twitch chat", "oauth:", r"[0-9a-z]{30}(?![0-9A-Za-z])", "oauth:{h30}", "oauth:{h9}"),
    _shape("Notion", "secret_ ntn_", AN + "{43,50}", "secret_{43}", "secret_{20}"),
    _shape("Airtable", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}", "pat{14}.{h64}", "pat{14}.{h9}"),
    _shape("Atlassian", "ATATT3 ATCTT3 ATBB", r"[\w=-]{28,250}", "ATATT3{180}", "ATATT3{9}"),
    _shape("New Relic", "NRAK- NRJS- NRII-", AN + "{19,40}", "NRAK-{27}", "NRAK-{9}"),
    _shape("Grafana, Sentry", "glsa_ glc_ sntrys_ sntryu_", r"[\w+/=]{32,400}", "glsa_{32}_{h8}", "glsa_{9}"),
    _shape("AWS Bedrock", "ABSK", r"[A-Za-z0-9+/]{60,200}={0,2}", "ABSK{110}", "ABSK{9}"),
    _shape("signed cookie", "s%3A", r"[\w-]{20,64}\.[\w%+/-]{27,60}", "s%3A{32}.{43}", "s%3A{9}"),
    _shape("ASP.NET data protection", "CfDJ8", W + "{60,4000}", "CfDJ8{100}", "CfDJ8{9}"),
    _shape("Jenkins secret", "{AQAAABAAAA", r"[\w+/]{16,4000}={0,2}\}", "{AQAAABAAAA{60}=}", "{AQAAABAAAA{9}"),
    _shape("nostr", "nsec1", "[0-9a-z]{58}", "nsec1{h58}", "nsec1{h9}"),
    _shape("a token by its own name", "secret-token:", r"[\w.~%-]{12,300}", "secret-token:{40}", "secret-token:{9}"),
    _shape("Postgres hash", "md5", HEX + "{32}(?![0-9a-z])", "md5{h32}", "md5{h9}"),
    _shape("MySQL hash", "*", "[0-9A-F]{40}(?![0-9A-Za-z])", "*0{H39}", "*0{H9}"),
    _shape("Kerberos and domain hashes", "$krb5tgs$ $krb5asrep$ $krb5pa$ $DCC2$ $8$ $9$ $14$ $ml$ $office$ $keepass$ $bitcoin$ $ansible$", r"[\w./$*@#,=+-]{24,4000}",
           "$krb5tgs$23${h60}", "$8$2"),
    _shape("HashiCorp Vault", "hvs. hvb. hvr.", W + "{24,300}", "hvs.{90}", "hvs.{5}"),
    _float("Terraform Cloud", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}", "{14}.atlasv1.{67}",
           "{14}.atlasv1.{9}"),
    _shape("Databricks", "dapi", HEX + "{32}", "dapi{h32}", "dapi{h9}"),
    _shape("Supabase, Netlify, Tailscale", "sbp_ sb_secret_ nfp_ nfc_ nfo_ nfu_ tskey- tfp_ vercel_blob_rw_", W + "{30,100}", "sbp_{h40}", "sbp_{9}"),
    _shape("PlanetScale, Doppler", "pscale_tkn_ pscale_pw_ pscale_oauth_ dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{30,100}", "pscale_tkn_{43}", "dp.pt.{9}"),
    _shape("Heroku", "HRKU-", W + "{30,100}", "HRKU-{60}", "HRKU-{9}"),
    _shape("1Password", "ops_eyJ", r"[\w-]{60,2000}", "ops_eyJ{300}", "ops_eyJ{9}"),
    _shape("Brevo", "xkeysib- xsmtpsib-", HEX + r"{64}-\w{16}", "xkeysib-{h64}-{16}", "xkeysib-{h9}"),
    _shape("UUID keys", "pat-na1- pat-eu1- access-sandbox- access-production- access-development- sk-lf- fig-", HEX + r"{8}-"
           + HEX + "{4}-" + HEX + "{4}-" + HEX + "{4}-" + HEX + "{12}", "pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}", "pat-na1-{h8}"),
    _shape("LaunchDarkly", "sdk- mob-", HEX + r"{8}-" + HEX + "{4}-" + HEX + "{4}-" + HEX + "{4}-" + HEX + "{12}",
           "sdk-{h8}-{h4}-{h4}-{h4}-{h12}", "sdk-{h8}"),
    _shape("hex keys", "ck_ cs_ shpua_ pul- squ_ sqp_ sqa_ bkua_ bkat_ rdme_ CLOJARS_ sntryu_ sk_ lsv2_pt_ lsv2_sk_ EZAK EZTK shippo_live_ shippo_test_"
           " figu_ pnu_ pnb_ napi_ rpa_ wandb_v1_ ico- tsec_ FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-",
           r"(?=[A-Za-z]*\d)[A-Za-z0-9]{32,120}(?:_[0-9a-z]{8,12}|-X)?(?!\w)", "pul-{h40}", "pul-{h9}"),
    _float("New Relic licence", "NRAL", HEX + "{36}NRAL", "{h36}NRAL", "{h9}NRAL"),
    _shape("Square access", "EAAAE EAAAl", r"[\w-]{54,64}", "EAAAE{59}", "EAAAE{9}"),
    _shape("Artifactory", "AKCp", AN + "{60,80}", "AKCp{69}", "AKCp{9}"),
    _shape("Alibaba", "LTAI", AN + "{16,24}", "LTAI5t{18}", "LTAI{4}"),
    _shape("Tencent", "AKID", AN + "{32}(?![A-Za-z0-9])", "AKID{32}", "AKID{9}"),
    _shape("Contentful", "CFPAT-", W + "{40,50}", "CFPAT-{43}", "CFPAT-{9}"),
    _shape("CircleCI", "CCIPAT_ CCIPRJ_", r"\w{20,30}_[0-9a-f]{40}", "CCIPAT_{22}_{h40}", "CCIPAT_{9}"),
    _shape("Dropbox", "sl.", r"(?:u\.)?[\w-]{100,2000}", "sl.B{135}", "sl.B{20}"),
    _shape("Dynatrace", "dt0", r"[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}", "dt0c01.{A24}.{A64}", "dt0c01.{A24}"),
    _shape("Fly", "fm1r_ fm1a_ fm2_ fo1_", r"[\w+/=-]{40,2000}", "fm2_{100}", "fm2_{9}"),
    _shape("Pinecone, Resend, Render", "pcsk_ re_ rnd_ rzp_live_ rzp_test_", r"(?=[A-Za-z_]*\d)\w{14,80}(?!\w)",
           "pcsk_{6}_{63}", "re_{4}"),
    _shape("Tavily, Buildkite, Fireworks", "tvly- tvly-dev- fw_ bkct_ csk- r9_ fc- jina_", AN + "{24,80}", "tvly-{32}", "tvly-{9}"),
    _shape("Cloudflare", "cfut_ cfat_ cfk_", W + "{30,80}", "cfut_{40}", "cfut_{9}"),
    _float("Okta", "SSWS", r"SSWS[ \t]+[\w-]{40,44}(?![\w-])", "SSWS 00{40}", "SSWS 00{9}"),
    _shape("OpenShift", "sha256~", W + "{40,50}", "sha256~{43}", "sha256~{9}"),
    _shape("PuTTY, age plugin", "AGE-PLUGIN-", r"[A-Z0-9-]{40,200}", "AGE-PLUGIN-X-1{A50}", "AGE-PLUGIN-X"),
    _shape("age", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,60}", "AGE-SECRET-KEY-1{A58}", "AGE-SECRET-KEY-1{A9}"),
    _shape("JWT", "eyJ", r"[\w-]{8,8000}\.[\w-]{8,8000}\.[\w-]{0,2000}(?:\.[\w-]{1,8000}){0,2}", "eyJ{33}.eyJ{60}.{43}",
           "eyJ{20}.{5}"),
    _shape("password hash", "$1$ $5$ $6$ $y$ $7$ $apr1$ $2a$ $2b$ $2y$ $argon2", r"[\w./$,=+-]{24,300}",
           "$6$abcdefgh${86}", "$1$2"),
    _shape("private key in base64", "LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBSU0EgUFJJVkFUR LS0tLS1CRUdJTiBFQyBQUklWQVRF"
           " LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVE LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFUR", r"[A-Za-z0-9+/]*=*",
           "LS0tLS1CRUdJTiBQUklWQVRF{200}", "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{90}"),
)  # fmt: skip
