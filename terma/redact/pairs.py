"""A user and a password side by side, in commands, calls, chats and addresses, and values that nothing else explains."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

from terma.redact.forms import S, Surrounding, V, rule, spaced_out
from terma.redact.judges import call, certain, encoded, named, random, whole
from terma.redact.lines import HINTS
from terma.redact.partners import (
    an_argument,
    beside,
    given,
    link,
    named_by_nothing,
    next_to,
    partner,
    phrase_of_words,
    stored,
    unlike_a_name,
    word_said,
)
from terma.redact.phrases import FOREIGN, WRITTEN
from terma.redact.spoken_judges import odd

USER = r"(?:-u|-U|-l|-login|--?user(?:name)?|--login)[ \t=]{1,3}['\"]?[\w.@\\+-]{1,80}['\"]?"
NAME = r"(?<![\w./@:=-])[\w.+-]{1,60}(?:@[\w.-]{1,80})?"
WHERE = "wifi|wi-fi|wlan|success|cracked|login|log in|logged in|log on|sign in|creds|credential|connecting|connected|connect |vpn|demo|box|account|access|zugang|anmeld|acceso|accès|dostęp|доступ"
HERE = r"(?:wi-?fi|wlan|success|cracked|log(?:ged)?[ -]?(?:in|on)|login|sign in|cred(?:s|entials?)|connect(?:ing|ed)?|vpn|box|account|access|zugang(?:sdaten)?|anmeldung|acceso|accès|dostęp|доступ)"
ACCOUNT = r"(?:root|admin|administrator|sa|postgres|scott|system|sys|oracle|ubuntu|pi|deploy|guest|demo|elastic|neo4j|svc[\w-]{0,20}|ec2-user|vagrant)"
BEFORE_USER = r"(?:--?(?:\w{1,12}-)?(?:creds?|credentials?|auth-?cred|auth|basic-auth|id)|-n)[ \t=]{1,3}['\"]?[\w.@+-]{1,80}:"
HERE_OPENS = "wi|wlan|success|cracked|log|sign in|cred|connect|vpn|box|account|access|zugang|anmeld|acceso|accès|dostęp|доступ"
ACCOUNT_OPENS = (
    "root|admin|sa|postgres|scott|sys|oracle|ubuntu|pi|deploy|guest|demo|elastic|neo4j|svc|ec2|vagrant"
)
RULES: tuple[Surrounding, ...] = (
    # commands
    rule(" -p | -pw | -pass | -p=| -w ", USER + r"[ \t]{1,3}(?:-p|-P|-pw|-pass|-w)[ \t=]{1,3}" + V, beside, ("-u", "-l", "user", "login")),
    rule(" -p | -pw | -pass ", r"(?<![\w-])(?:-p|-P|-pw|-pass)[ \t]{1,3}" + V + r"['\"]?[ \t]{1,3}" + USER, beside, ("-u", "-l", "user", "login")),
    rule(" -p | -pw | -w ", r"(?<![\w-])(?:-p|-pw|-w)[ \t]{1,3}['\"]?(?P<v>[^\s'\":/=.,]{6,100})", partner),
    rule("erlang|setcookie", r"(?:erlang[._-]?cookie[\"']?[ \t]{0,3}[:= ]|-setcookie)[ \t]{0,3}[\"']?(?P<v>[\w-]{6,100})", whole),
    rule("send ", r"\bsend[ \t]{1,3}(?:--[ \t]{1,3})?\"(?P<v>[^\"\s\\]{6,100})\\[rn]", next_to),
    rule("cred| -auth|--auth|basic-auth| -id | -n ", r"(?<![\w-])" + BEFORE_USER + r"(?P<v>[^\s'\"]{4,200})", partner),
    rule("login |auth |authtoken ", r"^[ \t$>#]{0,6}[a-z][\w-]{1,20}[ \t](?:login|auth|authtoken|add-authtoken|set-token|login-with-token)[ \t]{1,3}(?P<v>[\w-]{20,200})[ \t]*$", link),
    rule("login|auth ", r"\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]+)?(?:['\"]%s(?:\\n)?['\"][ \t]+)?['\"]?(?P<v>[\w.-]{20,200})['\"]?[ \t]{0,4}\|[ \t]{0,4}[a-z][^\n|]{1,60}?[ \t](?:login|auth)\b", link, ("echo", "printf")),
    rule("login|auth ", r"[a-z][\w-]{1,20}[ \t](?:[a-z]{1,20}[ \t])?(?:login|auth)\b[^\n|]{0,80}<<<[ \t]{0,4}['\"]?(?P<v>[\w.-]{20,200})", link, ("<<<",)),
    rule("login=|login =", r"login[ \t]?=[ \t]?['\"]?(?P<v>[\w-]{20,200})(?![\w.(-])", link),
    rule("snyk auth", r"snyk auth[ \t](?P<v>[\w-]{20,60})", whole),
    rule(" -t | --key | -k | -a | -s ", r"[a-z][ \t]{1,3}(?:-[a-zA-Z]|--key)[ \t](?P<v>(?![0-9a-f-]{1,200}(?![\w+/=]))[\w+/-]{28,200}={0,2})(?![\w.:/+=-])", odd),
    rule("secret |passw|token|cred|base64", r"\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]+)?['\"]?(?P<v>[^\s'\"]{4,200})['\"]?[ \t]{0,4}\|[ \t]{0,4}"
         r"(?:sudo[ \t]+)?(?:base64|[^\n|]{0,60}\b(?:secrets?|passw(?:or)?ds?|tokens?|credentials?)[ \t](?:set|put|create|add|insert|update)\b|openconnect\b|pass[ \t]insert)", encoded, ("echo", "printf")),
    rule("|".join(HINTS), r"\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]+)?(?:['\"]?%s(?:\\n)?['\"]?[ \t]+)?['\"]?(?P<v>[^\n'\"|;>]{4,200}?)['\"]?[ \t]{0,4}>{1,2}[ \t]{0,4}['\"]?(?:[^\s'\"]{0,200}/)?\.?(?P<name>[\w.-]{1,60})['\"]?", stored, (">",)),
    rule("<<<", r"(?:--passwd-on-stdin|-stdin|user[ \t][\w.-]{1,40})[ \t]{1,3}(?:<<<[ \t]{0,3})?['\"]?(?P<v>[^\s'\"]{4,200})", random),
    rule("|".join(HINTS), r"^(?![ \t]{0,40}[\w.-]{1,60}[ \t])?[^\n:={}()\"]{0,100}?\b(?P<name>password|passwd|passphrase|secret|pre-shared-(?:key|secret)|psk|key-string|authtok|pw)[ \t]{1,3}(?:(?:[05789]|local|remote|ascii-text|hexadecimal)[ \t]{1,3})?[\"']?(?P<v>[^\s\"'(){}<>:;,=]{6,200})[\"']?[ \t]*;?$", given,
         spaced_out("password", "passwd", "passphrase", "secret", "key", "psk", "key-string", "authtok", "pw")),
    rule("pass |" + FOREIGN, r"\b(?:pass|" + WRITTEN + r")[ \t]{1,3}['\"]?(?P<v>[^\s'\"(){}<>:;,=/]{6,100})['\"]?[ \t]*$", partner),
    rule("createuser|setuser|identify|oper |login |message-digest|auth plain", r"(?:\bcreateUser[ \t]+\S{1,60}[ \t]+(?:MD5|SHA(?:-?\d+)?)|\bsetuser[ \t][^\n]{1,60}?>|NickServ[ \t]+IDENTIFY(?:[ \t]+\S{1,40}(?=[ \t]+\S))?|^[ \t/]{0,4}oper[ \t]+\S{1,40}"
         r"|\bLOGIN[ \t]+[\w.@+-]{1,80}|\bAUTH[ \t]+PLAIN)(?:[ \t]+|(?<=>))[\"']?(?P<v>[^\s\"']{6,200})", partner),
    rule("message-digest", r"message-digest-key[ \t]+\d+[ \t]+md5(?:[ \t]+\d)?[ \t]+(?P<v>\S{3,100})", whole),
    rule(" / ", r"(?<!\S)[\w.@-]{2,40} / (?P<v>[^\s/]{6,60})(?=\s|$)", certain),
    rule("createuser", r"\bcreateUser[ \t]+\S{1,60}[ \t]+(?:MD5|SHA(?:-?\d+)?)[ \t]+\S{1,200}[ \t]+(?:AES|DES)\w{0,4}[ \t]+[\"']?(?P<v>[^\s\"']{6,200})", whole),
    rule("identified by", r"identified[ \t]+by[ \t]+[\"]?(?P<v>(?!values\b|password\b)[^\s'\";]{4,100})", partner),
    rule("openrowset", r"openrowset\([^\n;]{1,60};[ \t]?'[^'\n]{1,60}'[ \t]?;[ \t]?'(?P<v>[^'\n]{1,200})'", whole),
    rule("wifi:", r"\bWIFI:[^\n]{0,120}?\bP:(?P<v>(?:\\.|[^;\n\\]){1,120});", whole),
    rule("wordpress_", r"\bwordpress_(?:logged_in|sec)\w{0,40}=(?P<v>[^\s;\"']{16,400})", whole),
    rule("bitcoin|wif|privkey", r"(?:bitcoin|\bWIF\b|privkey)[^\n]{0,60}?(?<!\w)(?P<v>(?-i:[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|[5KLc][A-Za-z0-9]{50,51}))(?!\w)", whole),
    # addresses
    rule("creds|pwn3d|smb |corp|domain|ntlm", r"(?<![\w\\/.])[A-Za-z][\w.-]{1,40}\\{1,2}[A-Za-z][\w.$-]{1,40}:(?P<v>[^\s'\"\\:/]{6,100})(?![\w:\\/])", partner),
    rule("@", r"(?<![\w/.:@])[\w.-]{1,60}[/\\][\w.$-]{1,60}:(?P<v>[^\s'\"@/]{4,100})@(?!sha\d)[\w.\[-]", next_to),
    rule("@", r"(?<![\w/.:@-])[a-zA-Z]\w{1,30}/(?P<v>[^\s'\"@/]{4,100})@(?:/{2}|[\w.-]{1,60}:\d{4}|\w{2,20}(?:[\s'\"]|$))", partner),
    rule("@", r"(?<![\w/.:@<=-])[A-Za-z0-9][\w.+-]{0,40}:(?P<v>[^\s'\"@/:<>]{6,100})@(?!sha\d)[A-Za-z\d][\w.-]{2,}", next_to),
    rule("trojan:|hysteria|tuic:|ss:/|juicity:|anytls:", r"\b(?:trojan|hysteria2?|hy2|tuic|ss|juicity|anytls)://(?P<v>[^\s@/'\"]{4,300})@", whole),
    rule("/reset|reset/|/verify|/confirm|/activat|/invit|/private-|/magic|password/|/hook|/webhook|/unsubscribe|hc-ping",
         r"/(?:[\w-]{0,20}(?:reset|verify|confirm|activat|invit|magic|password|hook|unsubscribe|private)[\w-]{0,20}?|hc-ping\.com)[/-](?P<v>[\w-]{20,300})(?![\w./])", link),
    rule("/private-", r"/private-(?P<v>[0-9a-f]{24,64})\b", whole),
    rule("hc-ping.com/", r"hc-ping\.com/(?P<v>[0-9a-f-]{36})", whole),
    rule(":25 |:465 |:587 ", r"^[\w.-]{1,100}:(?:25|465|587)[ \t]{1,20}[\w.@+-]{1,80}:(?P<v>\S{3,200})$", whole),
    # calls
    rule("encrypt(|decrypt(|signwith(|secretkeyspec(|cipher(|aes", r"(?:encrypt|decrypt|signwith|secretkeyspec|cipher|aes\w{0,10})\((?:[\w. ]{1,40},[ \t]{0,3})?" + S, named_by_nothing),
    rule("changeuserpassword(|sequelize(", r"(?:changeuserpassword|sequelize)\((?:['\"][^\n\"']{0,80}['\"],[ \t]{0,3}){1,2}" + S, call),
    rule("algolia|client(|sdk(|api(|init(|configure(", r"(?:algolia\w*|client|sdk|api|init|configure)\([ \t]{0,3}['\"][\w.-]{1,60}['\"],[ \t]{0,3}['\"](?P<v>[\w-]{20,200})['\"]", link),
    rule("|".join(HINTS), r"[\"'](?P<name>[\w-]{1,60})[\"'][ \t]{0,3}:\s{0,20}\{\s{0,40}[\"']value[\"'][ \t]{0,3}:[ \t]{0,3}[\"'](?P<v>[^\"'\n]{1,400})[\"']", named, ("value",)),
    rule("|".join(HINTS), r"<(?:\w{1,20}:)?(?P<name>[\w.-]{1,60})[ \t]{1,4}value=[\"'](?P<v>[^\"'\n]{1,400})[\"']", named, ("value=",)),
    rule("sp_add|sp_password|pgp_sym|aes_encrypt|aes_decrypt|pragma key|pragma hexkey",
         r"(?:sp_add\w+|sp_password|pgp_sym_\w+|aes_(?:en|de)crypt|pragma[ \t]+(?:hex)?key)[ \t]*[(=]?[^\n;']{0,100}(?:'[^'\n]{0,100}'[ \t]{0,2},[^\n;']{0,40}){0,4}?'(?P<v>[^'\n]{4,200})'[ \t]{0,3}(?:[);]|,[ \t]{0,2}'sa'|$)", call),
    rule("ftp(|mysqli(|connect(|pw_set(|basic(|usernamepassword|login(|redis(|signin(|sign_in(|logon(|imap|smtp|authenticate(|credentials(",
         r"(?:ftp|mysqli|connect|pw_set|basic|usernamepassword\w*|login|redis|signin|sign_in|logon|authenticate|credentials)[({][^\n\"']{0,60}(?:['\"][^\n\"']{0,120}['\"],[ \t]{0,3}(?:[\w.]{1,30},[ \t]{0,3}){0,3}){1,3}" + S, named_by_nothing),
    rule("pw_set(|credentials.basic(|usernamepassword|ftp(|login(", r"(?:pw_set|credentials\.basic|usernamepassword\w*|login)[({][ \t]{0,3}['\"][\w@.+-]{1,80}['\"],[ \t]{0,3}" + S + r"[ \t]{0,3}[)}]", call),
    rule("ftp(|mysqli(", r"(?:ftp|mysqli)\((?:['\"][^\n\"']{0,80}['\"],[ \t]{0,3}){2}" + S, call),
    rule("hashpw(|bcrypt(|scrypt(|argon2", r"(?:hashpw|bcrypt|scrypt|argon2\w{0,12}|bcrypt\.\w{2,20})\([ \t]{0,3}[bru]{0,2}" + S, an_argument),
    rule("hash_hmac(|_verify(|_hash(|_password(|setpassword(|checkpassword(|verifypassword(", r"(?:hash_hmac|pass(?:word)?_(?:verify|hash)|\w*_password|(?:set|check|verify)password)\((?:[ \t]{0,3}(?:['\"][^\n'\"]{1,60}['\"]|[^\n()'\",]{1,60}),){0,3}[ \t]{0,3}" + S + r"[ \t]{0,3}[,)]", an_argument),
    rule("passw", r"passw[^\n\"']{0,20}[\"'][)\]]*(?:,|\.(?:type|send_?keys|fill|setvalue|set_value|input|entertext)\()[ \t]{0,3}" + S + r"[ \t]{0,3}\)", call, ("type(", "fill", "keys(", "value(", "input(", "text(")),
    rule("passw|pwd|pass|pw", r"\b(?P<name>\w{1,40})[ \t]{0,3}[!=]==?[ \t]{0,3}" + S, lambda match: named(match) if unlike_a_name(match["v"]) else None, ("== ", "!= ", "===", "==\"", "=='")),
    rule("|".join(HINTS), r"(?<![\w.])(?:set|with)?_?(?P<name>[a-z]\w{1,30})\([ \t]{0,3}" + S + r"[ \t]{0,3}\)", lambda match: named(match) if unlike_a_name(match["v"]) else None, ("(\"", "('", "( ")),
    rule("|".join(HINTS), r"type[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?password[\"']?,?\s{1,40}[\"']?value[\"']?:[ \t]{0,3}[\"']?(?P<v>[^\s\"',]{4,200})", whole, ("value",)),
    # what people say
    rule(WHERE, HERE + r"[^\n]{0,40}?[ \t:('\"]" + NAME + r"(?::|[ \t]{0,2}[/|][ \t]{0,2})(?P<v>[^\s\"'/<>(){}\[\]@:]{6,100})(?![/\w@:])", next_to, ("/", ":", "|"), opens=HERE_OPENS),
    rule(WHERE, HERE + r"[^\n]{0,40}?\b(?:is|with|as|are)[ \t]" + NAME + r"[ \t]+(?:and|with|,)[ \t]+(?P<v>[^\s\"'/<>(){}\[\]@]{6,100})", partner, (" and ", " with ", " , "), opens=HERE_OPENS),
    rule(WHERE, HERE + r"[^\n]{0,40}?[ \t]" + NAME + r"[ \t]/[ \t](?P<v>(?=\S{0,40}\d)[^\s\"'/<>(){}\[\]@.]{6,60})(?=[\s,.;]|$)", lambda match: match.span("v") if not match["v"].isdigit() else None, (" / ",), opens=HERE_OPENS),
    rule("root|admin|postgres|scott|system|oracle|ubuntu|deploy|guest|demo|elastic|svc", r"(?<![\w./@:=-])" + ACCOUNT + r"[ \t]?[/:][ \t]?(?P<v>[^\s\"'/<>(){}\[\]@:]{6,60})(?![/\w@:])", partner, opens=ACCOUNT_OPENS),
    rule("wifi|wi-fi|wlan|ssid|network", r"(?:wi-?fi|wlan|ssid|network)[^\n]{0,60}\b(?:key|pw|pass|code)[ \t:=]{1,3}(?:is[ \t])?(?P<v>[^\s\"',;]{6,80})", random, ("key", "pw", "pass", "code")),
    rule("u: |user: ", r"\b(?:u|user|usr|login):[ \t]{0,2}[\w.@+-]{1,60}[ \t,;/]{1,4}(?:p|pw|pass|pwd):[ \t]{0,2}(?P<v>[^\s\"',;]{4,100})", whole),
    rule("password ", r"\bpassword[ \t](?P<v>(?=[^a-z\s]*[a-z])(?=[^A-Z\s]*[A-Z])(?=\D{0,40}\d)(?!(?-i:[A-Z]?[a-z]+[A-Z][a-z]+\d))[^\s\"'`<>(){}\[\]=:/,.]{8,60})(?=[\s,.;]|$)", partner),
    rule("password is|passphrase is|passwort ist|wachtwoord is|password: ", r"\b(?:password|passphrase|wachtwoord)(?:[ \t]for[ \t][^\n]{1,40}?)?[ \t]is[ \t]:?[ \t]?['\"`]?(?P<v>[a-z]{6,16})['\"`]?[.!]?[ \t]*$", word_said),
    rule("mnemonic|seed|recovery phrase|secret phrase|backup phrase|wallet", r"(?:mnemonic|seed|phrase|wallet)[\w \t\"']{0,24}(?:[:=]|[ \t]is|[ \t]are|[ \t]-)[ \t]{0,3}[\"'`]?(?P<v>[a-z]{3,8}(?:[ \t][a-z]{3,8}){11,23})(?![ \t]?\w)", phrase_of_words),
    # values that nothing else explains
    rule("licen|serial|product key|activation|windows key", r"(?:licen[cs]e|serial|product|activation|windows)[^\n]{0,40}?(?<![\w-])(?P<v>[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3,5})(?![\w-])", random),
    rule("pat:|pat=|pat ", r"\bpat[\"']?[ \t]{0,3}[:= ][ \t]{0,3}[\"']?(?P<v>[\w-]{20,100})(?![\w.])", odd),
    rule("kubeadm|certificate key|certificate-key", r"certificate[ -]key[ \t=:]{1,4}(?P<v>[0-9a-f]{64})\b", whole),
    rule("keymaterial", r"<keymaterial>(?P<v>[^<>\s]{4,200})</", whole),
    rule("chpasswd", r"(?:list|users)?[^\n]{0,60}\b(?:root|[a-z][\w-]{0,30}):(?P<v>[^\s\"'|,:]{4,100})", partner),
)  # fmt: skip
