"""Headers, URLs, settings, code and prose: surroundings that give a secret away, one rule a form."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

from terma.redact.forms import BARE, ESCAPED, QUOTED, WORD_CHARS, S, Surrounding, V, rule, spaced_out
from terma.redact.judges import (
    as_said,
    call,
    column,
    credential,
    flag,
    held,
    mixed,
    named,
    paired,
    put,
    random,
    said,
    setting,
    spoken,
    spoken_to,
    userinfo,
    whole,
    wrapped,
)
from terma.redact.lines import HINTS
from terma.redact.partners import an_argument, next_to, partner
from terma.redact.spoken_judges import bare_key, inserted, labelled, odd, once, spaced

# How others call a password. Σ in small letters is ς at the end of a word and σ before other letters: both are looked for.
FOREIGN = (
    "passwort|kennwort|mot de passe|contraseña|senha|palavra-passe|parola|clave|hasło|heslo|jelszó|wachtwoord|lösenord|"
    "adgangskode|passord|salasana|şifre|пароль|парола|密码|密碼|パスワード|비밀번호|lozinka|mật khẩu|κωδικός|κωδικόσ"
)
# The same as they stand in a text: the rules are matched in ASCII, which takes Пароль and ПАРОЛЬ for other words.
WRITTEN = "|".join(
    dict.fromkeys(
        form
        for word in FOREIGN.split("|")
        for form in (
            word,
            word.capitalize(),
            word.upper(),
            word.upper().replace("I", "\u0130"),
        )  # ŞİFRE has its dot
    )
)
# The ends of api, access, auth, … with the key that follows.
KEYS = "|".join(
    f"{end}{mark}key"
    for end in ("pi", "ss", "th", "on", "ry", "te", "al", "er", "ng", "se")
    for mark in ("", " ", "_", "-")
)
# What opens a string of a program, perhaps one of its own kind.
QUOTED_IN = tuple(bracket + quote for bracket in "([{" for quote in "\"'")
OPENED = (
    *QUOTED_IN[:4],
    *(
        bracket + kind
        for bracket in "(["
        for kind in (" ", "\t", *(kind + quote for kind in "bru" for quote in "\"'"))
    ),
)
SAID = "pass|pw|secret|wi-?fi|api|acce|auth|encr|reco|priv|unse|mast|sign|lice|back|token|cred"
RULES: tuple[Surrounding, ...] = (
    rule("|".join(HINTS), r"^[ \t]{0,40}(?:(?:[#;*]{1,3}|//|/\*|--|<!--|rem)[ \t]{0,3})?(?:-[ \t]|export[ \t]{1,4}|set[ \t]|\$env:|declare -x |[+>] ?)?[\"']?"
          r"(?P<name>[A-Za-z0-9_/.][\w.:/-]{0,90})[\"']?(?P<sep>=| = | -> |:(?=[ \t])|:(?=[^\s:/][^\s]{4,100}$))[ \t]{0,12}(?P<v>[^ \n\"'][^ \n]{0,399})[ \t]{0,40}(?:(?:\*/|-->)[ \t]{0,40})?$", setting, looks_back=True),
    rule("|".join(HINTS), r"(?:-(?<![\w-]-)-?(?P<name>[a-z][\w.-]{0,60}+)(?P<sep>=|:(?=\S)|[ \t])|/(?<=[ \t]/)(?P<slashed>[a-z]\w{0,40}+):)(?:" + ESCAPED + "|" + QUOTED + "|" + BARE + ")",
          flag),
    rule("://", r"://[^\s/:@\"'<>|]{0,120}:(?P<v>(?:(?!://)[^\s\"'<>|\[]){1,300})@(?=[\w.\[$%{-])", userinfo),
    rule("://", r"://[^\s/:@\"'<>|]{0,120}:(?P<v>[^\s/\"'<>|]{1,300})@", userinfo),
    rule("authorization", r"authorization\\?[\"']?\]?[ \t]{0,8}(?:[:=]>?|,)[ \t]{0,8}\\?[\"'f]{0,2}(?:(?!digest[ \t])[a-z][\w-]{1,24}[ \t=]{1,4})?(?:token=|key=)?"
          r"(?P<v>[^\s\"',;\\]{1,8000})", credential),
    rule("bearer |basic |token ", r"\b(?:bearer|basic|token)[ \t]{1,4}(?P<v>[\w.~+/-]{16,4000}={0,2})(?![\w.])", random),
    rule("signature", r"\b(?:x-amz-)?signature=(?P<v>[0-9a-z%+/]{32,120})", random),
    rule("sig=", r"(?:[?&;\"' ]|^)sig=(?P<v>[\w%+/-]{20,120}=?)", random),
    rule("accountkey=", r"key=(?P<v>[a-z0-9+/]{40,100}={0,2})", whole),
    rule("cookie", r"(?<=[;:,'\" ])[\w.%-]{1,80}=(?P<v>[\w.%+/:~-]{16,4000}={0,2})", odd),
    rule(" -b |--cookie", r"(?<![\w-])(?:-b|--cookie)[ \t=]{1,3}['\"]?[\w.-]{1,80}=(?P<v>[\w.%+/:~-]{8,4000}={0,2})", random),
    rule("cookie", r"cookie:(?:(?!cookie:)[^\n]){0,400}?\b(?:\w{0,20}sess\w{0,20}|sid|auth\w{0,20}|\w{0,20}token)=(?P<v>[^\s;,\"']{6,4000})",
          whole),
    rule("chpasswd", r"['\"]?[a-z_][\w-]{0,31}:(?P<v>[^\s'\"|]{1,200})['\"]?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+)?chpasswd", whole),
    rule("sudo -s|passwd|docker login|cryptsetup|kinit| su |-stdin|-fd 0|-with-token|registry login|stdin:|pass stdin",
          r"\b(?:echo|printf|yes)[ \t]{1,4}(?:-\w{1,3}[ \t]+)?(?:['\"]%s(?:\\n)?['\"][ \t]+)?" + V[:-len("{1,400})")] + r"{1,200}?)(?:\\n[^\n|]{0,100}?)?['\"]?[ \t]{0,4}\|[ \t]{0,4}"
          r"(?:sudo[ \t]+-\w{0,4}S|(?:sudo[ \t]+)?(?:passwd|smbpasswd|vncpasswd|kinit|su|cryptsetup|docker login)\b|[^\n|]{1,160}(?:-stdin|-fd[ =]0|--?with-token|pass(?:in|out)? stdin))", whole),
    rule("password", r"\b(?:login|user(?:name)?|account)[ \t]{1,8}\S{1,120}[ \t]{1,8}password[ \t]{1,8}" + V, random, ("login", "user", "account")),
    rule("password", r"\b(?:machine[ \t]+\S{1,200}|default)[ \t]{1,8}login[ \t]+\S{1,120}[ \t]{1,8}password[ \t]{1,8}" + V, whole, ("machine", "default")),
    rule("passw", r"^[ \t]{0,8}passw(?:or)?d[ \t]{1,8}(?P<v>[^\s'\"]{4,200})[ \t]*$", random, spaced_out("passwd", "password")),
    rule("identified|passw", r"\b(?:identified(?:[ \t]+with[ \t]+\w{1,40})?[ \t]+by|(?:encrypted[ \t]+)?password)[ \t]{1,4}'(?P<v>[^'\n]{1,200})'",
          whole, ("'",)),
    rule("identified", r"\bidentified(?:[ \t]+with[ \t]+\w{1,40})?[ \t]+by[ \t]{1,4}\"(?P<v>[^\"\n]{1,200})\"", whole),
    rule("|".join(HINTS), r"\b(?:setenv|setx|set[ \t]+-\w{1,4}|ENV|config[\w:.-]{0,12}[ \t]+set|configure[ \t]+set|config(?:[ \t]+--\w+)?|SetEnv|fastcgi_param|proxy_set_header)[ \t]+"
          r"(?P<name>[\w./:-]{1,120})[ \t=]" + V, named, ("set", "env", "config", "fastcgi", "proxy_")),
    rule("|".join(HINTS), r"(?:name|key)\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?P<name>[\w.:-]{1,90})\\?[\"']?[ \t]{0,4},?\s{0,40}"
          r"(?:-[ \t])?\\?[\"']?\w{0,20}value\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?P<v>[^\s'\"\\]{1,400})", named, ("value",)),
    rule("|".join(HINTS), r"\\?[\"']value\\?[\"']?[ \t]{0,4}:[ \t]{0,4}\\?[\"'](?P<v>[^\s\"'\\]{1,400})\\?[\"'][ \t]{0,4},[ \t]{0,4}\\?[\"']\w{0,20}(?:name|key)\\?[\"'][ \t]{0,4}:[ \t]{0,4}\\?[\"'](?P<name>[\w.:/-]{1,90})\\?[\"']", named, ("value",)),
    rule("|".join(HINTS), r"<(?P<name>[\w:.-]{1,60})(?:[ \t][^<>\n]{1,120})?>(?:\s{0,20}<value>)?(?P<v>[^<>\s]{1,400})</", named, ("</",)),
    rule("|".join(HINTS), r"(?<=[(\[{])[ \t]{0,2}['\"](?P<name>[\w.-]{1,60})['\"][ \t]{0,12},[ \t]{0,12}['\"](?P<v>[^'\"\n]{1,400})['\"]", paired, (*QUOTED_IN, "( ", "[ ", "{ ", "(\t", "[\t", "{\t")),
    rule("|".join(HINTS), r"^[ \t]{0,40}(?P<name>[\w.-]{1,60}):[ \t]{0,4}[|>][-+]?[ \t]*\n[ \t]{1,40}(?P<v>[^\s]{1,4000})", named, (": |", ": >", ":|", ":>")),
    rule("5432|*:|3306|6432", r"(?:^|[ \t\"'])[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:(?P<v>(?![\d:]{1,200}$)(?!\S{0,100}:/)\S{4,200})$", whole),
    rule("://", r"://(?P<v>[a-z0-9_~.-]{20,400})@(?=[\w.-])", random),
    rule("@tcp(|@unix(", r"(?<![\w/])[\w.-]{1,80}:(?P<v>[^\s\"'@]{1,200})@(?:tcp|unix)\(", whole),
    rule("jdbc:oracle", r"jdbc:oracle:\w+:\w{1,60}/(?P<v>[^\s@/\"']{1,100})@", whole),
    rule("|".join(HINTS), r"(?<![\w$@])(?P<name>[\w$@]{1,60}+)[ \t]{0,3}(?::[ \t]{0,3}[&\w.\[\]<>|?' ]{1,40}|[ \t](?:As[ \t])?(?:string|str))[ \t]{0,3}=[ \t]{0,3}(?:b|r|u)?" + S, named, ("= \"", "= '", "=\"", "='", "= b", "= r", "= u"), by_name=WORD_CHARS + "$@"),
    rule("|".join(HINTS), r"#[ \t]{0,3}define[ \t]{1,8}(?P<name>\w{1,60})[ \t]{1,40}L?" + S, named, ("define",)),
    rule("auth=|auth =|.login(|basicauth(|basic_auth(|basic_auth=(|credential|authentication(|.auth(|ftp_login(",
          r"(?:\bauth[ \t]?=[ \t]?|\.login|basic_?auth=?|credentials?|authentication|\.auth|ftp_login)"
          r"\((?:\$\w{1,20},[ \t]?)?['\"][\w@.+-]{1,80}['\"],[ \t]{0,3}(?:Some\()?" + S, call),
    rule("getconnection(|new pdo(|mysqli|connect(|logon(", r"(?:getconnection|new pdo|new mysqli|mysqli_connect|oci_connect|(?:->|\.)connect|logon)"
          r"\((?:[^\n\"'(),]{1,60}|['\"][^\n\"']{0,200}['\"]),[ \t]{0,3}['\"][\w@.+-]{1,80}['\"],[ \t]{0,3}" + S, call),
    rule("jwt.", r"\bjwt\.(?:sign|verify|encode|decode)\([^\n\"']{1,200},[ \t]{0,3}" + S, call),
    rule("client|api|sdk", r"(?:client|api|sdk)\w{0,20}(?:(?:::|\.)\w{1,12})?\([ \t]{0,3}['\"](?P<v>[\w-]{20,200})['\"]", odd, ("(\"", "('", "( ", "(\t")),
    rule("|".join(HINTS), r"\.(?:set|with|add)?_?(?P<name>\w{1,30})\([ \t]{0,3}" + S + r"[ \t]{0,3}\)", named, ("(\"", "('", "( ")),
    rule("|".join(HINTS), r"(?<![\w.-])(?P<name>[\w.-]{1,60}+)[\"']?[\])]?[ \t]{0,3}(?:\|\||\?\?|\bor\b)[ \t]{0,3}" + S, named, ("||", "??", "or \"", "or '", "or\"", "or'", "or  ", "or\t"), by_name=WORD_CHARS + ".-"),
    rule("|".join(HINTS), r"\$\{(?P<name>[\w.]{1,60}):[-=]?(?P<v>[^{}\s$]{3,200})\}", named, ("${",)),
    rule("code=|state=|ticket=|nonce=|sid=|session=|key=|appid=|sig=|hmac=|signature=|hash=|?k=|&k=|?t=|&t=", r"[?&](?:code|state|ticket|nonce|sid|session|key|k|t|appid|sig|hmac|signature|hash)=(?P<v>[\w%+/~.-]{20,400}={0,2})", odd),
    rule("api", r"^[ \t]{0,20}\w{0,20}api\w{0,20}:[ \t]*\n[ \t]{1,20}(?:key|value):[ \t]{1,4}[\"']?(?P<v>[^\s\"']{12,200})", random, ("key:", "value:")),
    rule("--from-literal", r"--from-literal[= \t]['\"]?[\w.-]{1,100}=['\"]?(?P<v>[^\s'\"]{1,400})", whole),
    rule("|".join((*HINTS, "http-basic")), r"\"(?P<name>[\w-]{1,60})\"[ \t]{0,3}:\s{0,20}\{\s{0,40}\"[\w.:/-]{1,100}\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>[^\"\s]{12,400})\"", held, ("{",)),
    rule("pwd=|password=|pass=", r";[ \t]?(?:pwd|password|pass)=(?P<v>[^\s;\"'<>/][^\s;\"'<>]{0,200})", whole, (";p", "; p", ";\tp")),
    rule("bindpw|rootpw|psk|auth_pass|requirepass|masterauth|keypw|stats auth| on >|key-password|truststorepass|keystorepass",
          r"^[ \t]{0,20}(?:root)?(?:bindpw|rootpw|\w{0,12}-?psk|auth_pass|requirepass|masterauth|keypw|key-password|stats[ \t]+auth[ \t]+[\w.-]{1,60}:|user[ \t]+[\w.-]{1,60}[ \t]+on[ \t]+>)"
          r"[ \t]{0,8}(?<=[ \t:>])[\"']?(?P<v>[^\s\"']{3,200})", once),
    rule("passw|user_pass", r"pass(?:word|wd)?[ \t]{0,3}=[ \t]{0,3}\w{2,14}\([ \t]{0,2}'(?P<v>[^'\n]{1,200})'", spoken_to, ("(",)),
    rule("insert into", r"insert[ \t]+into[ \t]+\S{1,100}[ \t]{0,3}\((?P<names>[^()\n]{3,400})\)[ \t]{0,3}values[ \t]{0,3}\((?P<values>[^()\n]{3,1000})\)", inserted),
    rule("|".join(HINTS), r"(?<![\w.-])(?P<name>[\w.-]{3,60}+)[ \t]{1,60}+(?=(?P<q>[\"']?)(?P<v>[^\s\"'=:(){}<>,;|]{4,400}={0,2})(?P=q)(?:[;\s]|$))", spaced, by_name=WORD_CHARS + ".-"),
    rule("|".join(HINTS), r"%22(?P<name>[\w.-]{1,60})%22(?:%3A|:)(?:%20|\+)?%22(?P<v>(?:[^\s&%\"']|%(?!22)[0-9A-F]{2}){1,400})%22", named, ("%22",)),
    rule('"auth"', r"\"AUTH\"(?:[ ,]{1,3}\"[^\"\n]{1,60}\")??[ ,]{1,3}\"(?P<v>[^\"\n]{3,200})\"(?=[ \t\r]*(?:$|\]))", whole),
    rule('"pass ', r"\"PASS[ ](?P<v>[^\s\"\\]{3,200})\\r", whole),
    rule("|".join(HINTS), r"\[[\"'](?P<name>[\w.-]{1,60})[\"']\][ \t]{1,3}[\"'](?P<v>[^\"'\n]{1,400})[\"']", named, ("\"] ", "'] ")),
    rule("|".join(HINTS), r"(?P<name>[\w.-]{1,60})[=:][ ]?[\"']?%s[^\n'\"]{0,40}[\"']{1,2}[ \t]{1,3}[\"'](?P<v>[^\"'\n]{1,400})[\"']", named, ("%s",)),
    rule("<<<", r"(?:pass|stdin|login|auth)[^\n|;]{0,80}?<<<[ \t]{0,3}[\"']?(?P<v>[^\s'\"]{6,200})", random, ("pass", "stdin", "login", "auth")),
    rule("login=|login =|user=|user =|auth=|auth =|userpass", r"\b(?:login|user(?:pass|pwd)?|auth)[ \t]?=[ \t]?[\"']?[\w.@+-]{1,60}:(?P<v>[^\s\"'/:]{6,200})", next_to),
    rule("://", r"://(?P<v>[\w~.-]{16,400}):@", random),
    rule("::", r"::[a-z-]{3,20}[ \t]name=(?P<name>[\w-]{1,60})::(?P<v>[^\s]{1,400})", named, ("name=",)),
    rule("type=\"password|type='password|type=password", r"type=[\"']?password[\"']?[^<>\n]{0,200}?\bvalue=[\"'](?P<v>[^\"'\n]{1,200})[\"']", whole),
    rule("key content", r"key content[ \t]{0,20}:[ \t]{1,8}(?P<v>[^\s][^\n]{3,200}?)[ \t\r]{0,8}$", whole),
    rule("generated ", r"generated(?:[ \t]for)?[ \t]\S{1,60}@\S{1,60}:[ \t]{1,4}(?P<v>\S{6,200})[ \t\r]{0,8}$", whole),
    rule("true\t|false\t", r"^\S{1,200}\t(?:TRUE|FALSE)\t/\S{0,200}\t(?:TRUE|FALSE)\t\d{1,14}\t[^\t\n]{1,80}\t(?P<v>[^\t\n]{8,4000}?)[ \t\r]{0,4}$", random),
    rule(") 0x", r"^[ \t]{0,8}\(\d{1,3}\)[ \t](?P<v>0x[0-9a-f]{64})(?!\w)", whole),
    rule("://", r"://(?P<v>[\w~.-]{20,400}):[^\s/@]{1,300}@", random),
    rule("::add-mask", r"::add-mask::(?P<v>[^\s]{4,400})", whole),
    rule("pwd={|password={", r"(?:pwd|password)=\{(?P<v>(?:[^}\n]|\}\}){1,100})\}", whole),
    rule("cwjap", r"cwjap=\"[^\"\n]{1,60}\",\"(?P<v>[^\"\n]{1,80})\"", whole),
    rule("pass|secret|token|key|cred|auth|psk", r"<\([ \t]{0,3}(?:echo|printf)[ \t]{1,3}['\"]?(?P<v>[^\s'\"()]{4,200})['\"]?[ \t]{0,3}\)", whole, ("<(",)),
    rule("identified by values", r"identified[ \t]+by[ \t]+values[ \t]+'(?P<v>[^'\n]{4,400})'", whole),
    rule("/t/", r"/t/(?P<v>[\w-]{24,80})/", random),
    rule("credentials(", r"credentials\((?:\"[^\"\n]{0,200}\",[ \t]{0,3}){3}\"(?P<v>[^\"\n]{1,200})\"", call),
    rule("oracle", r"oracle\w*\.(?:connect|create_pool|session\w*)\((?:[\"'][\w@.-]{1,60}[\"'],[ \t]{0,3}[\"']|[\"']\w{1,60}/)(?P<v>[^\"'\n@]{1,200})", call),
    rule("fernet(|hmac|aesgcm(|aes.new(", r"(?:fernet|hmac\.new|hmac|aesgcm|aes\.new|createhmac)\((?:['\"]sha\d+['\"],[ \t]?)?b?['\"](?P<v>[^'\"\n]{8,400})['\"]", call),
    rule("|".join(HINTS), r"name=[\"'](?P<name>[\w:.-]{1,60})[\"'][^<>\n]{0,60}>\s{0,20}<value>(?P<v>[^<>\s]{1,400})</", named, ("<value>",)),
    rule("option key", r"option[ \t]+key[ \t]+[\"'](?P<v>[^\"'\n]{4,100})[\"']", whole),
    rule("isakmp key|pre-shared-key address", r"(?:isakmp|address[ \t]+[\w.:]{3,60})[ \t]+key[ \t]+(?:\d[ \t]+)?(?P<v>\S{3,100})", whole),
    rule("key=|key:|key |key\"|key'|key\t", r"\bkey[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?P<v>(?!AAAA|[0-9a-fA-F-]{1,200}(?![\w+/=.-]))[\w+/=.-]{20,200})(?![\w+/=.-])", bare_key),
    rule("plain-text-password", r"plain-text-password(?:-value)?[ \t]+[\"']?(?P<v>[^\s\"']{3,100})", whole),
    rule("convertto-securestring", r"convertto-securestring[ \t]{1,4}(?:-\w{4,12}[ \t]{1,4}){0,3}" + S, whole),
    rule("password(", r"\bpassword\([ \t]{0,2}'(?P<v>[^'\n]{1,200})'[ \t]{0,2}\)", whole),
    rule("|".join(HINTS), r"\b(?:key|name|id)=[\"'](?P<name>[\w:.-]{1,60})[\"'][^<>\n]{0,60}>(?P<v>[^<>\s]{1,400})</", named, ("</",)),
    rule("|".join(HINTS), r"<(?:key|name)>(?P<name>[\w:. -]{1,60})</(?:key|name)>\s{0,40}<(?:string|value)>(?P<v>[^<>\s]{1,400})</", named, ("</",)),
    rule("assword", r"assword[^\n]{0,30}\n?[^\n]{0,12}\bsend(?:[ \t]+--?)?[ \t]+\"(?P<v>[^\"\n\\]{1,100})\\[rn]", whole, ("send",)),
    rule("-command|passwordeval|passwordcmd|password_command", r"(?:--pass\w{1,10}-command|password(?:eval|cmd|_command))[ \t=:]{1,3}[\"']echo[ \t]{1,3}(?P<v>[^\s\"']{1,200})", whole),
    rule("auth |requirepass|masterauth", r"^(?:[\w.:-]{1,60}(?:\[\d+\])?>[ \t]*)?(?:AUTH(?:[ \t]+[\w.-]{1,60})?|requirepass|masterauth)[ \t]{1,8}(?P<v>[^\s'\"]{4,200})[ \t]*$", mixed),
    rule("enable |username |community|com2sec|rootpw|set passw| key 7|tacacs|radius|neighbor", r"^[ \t+-]{0,8}(?:enable[ \t]+(?:password|secret)|username[ \t]+\S{1,60}[ \t]+(?:privilege[ \t]+\d+[ \t]+)?(?:password|secret)|"
          r"neighbor[ \t]+\S{1,60}[ \t]+password|(?:tacacs|radius)-server[ \t]+(?:[^\n]{0,80}[ \t])?key|snmp-server[ \t]+community|r[ow]community6?|com2sec6?[ \t]+\S{1,60}[ \t]+\S{1,60}|rootpw|set[ \t]+passw(?:or)?d)"
          r"[ \t]{1,8}(?!level[ \t]+\d+[ \t]*(?:\?|$))(?:(?:level[ \t]+)?\d{1,2}[ \t]+|--\w{1,20}[ \t]+){0,2}(?P<v>[^\s-]\S{2,200})", whole),
    rule("pass|pw|token|secret|credential|recovery|backup|wifi|wi-fi|" + KEYS, r"(?<![A-Za-z0-9])(?<!checksum/)(?=[^\d!@#$%^*+\n]{0,560}+[\d!@#$%^*+])(?P<what>pass(?:word|phrase|code|wd)?|pwd?|secret(?:[ _-]key)?|wi-?fi[ _-]key|(?:api|access|secret access|auth|encryption|recovery|private|unseal|master|signing|license)[ _-]key(?:[ _-]id)?|(?:recovery|backup)[ _-]codes?|token|credentials?)\b"
          r"(?P<mid>[^\n=\"`]{0,60}?)(?:(?:[ \t](?:is|was|to|are|from)(?:[ \t](?:now|still|just|set to))?[ \t]?:?|:|[ \t][-–—]|[ \t]?=)[ \t]{1,3}|[ \t]{2,20}(?=\S{1,200}$))[\"'`]?(?=[^\s\"'`]*[\d!@#$%^*+])(?P<v>[^\s\"'`<>(){}\[\]]{6,400})", said, opens=SAID),
    rule("pass|token|secret|" + KEYS, r"\b(?P<what>pass(?:word|phrase|code|wd)|secret|(?:api|access|auth)[ _-]?key|token)(?P<mid>)[ \t]{1,3}[\"'`](?P<v>[^\s\"'`<>(){}\[\]]{6,400})[\"'`]", said, (" \"", " '", " `", "\t\"", "\t'", "\t`"), opens=SAID),
    rule("|".join(HINTS), r"^[ \t|]{0,40}(?P<name>[\w.-]{1,60})[ \t]{0,40}(?:\t|[ \t]{2}|\|)[ \t]{0,40}(?P<v>[^\s|]{6,400})[ \t|]*$", column, ("\t", "  ", "|")),
    rule("creds|credential|user/pass|login:|user:pass", r"(?:(?:creds?|user/pass\w{0,4}|user:pass\w{0,4}|login):|credentials?(?::|[ \t]))[ \t]{0,3}[\w@.+-]{1,60}[ \t]{0,2}[:/][ \t]{0,2}(?P<v>[^\s\"'/]{5,200})", mixed),
    rule("api key |api-key |access key |secret key |token ", r"\b(?:(?:api|access|secret)[ -]key|token)[ \t](?P<v>[\w+/.-]{20,400}={0,2})(?=[\s,;.]|$)", odd),
    rule("pass|pw|token|api key|api-key", r"(?<![^\s\"'`(])(?P<v>[^\s\"'`<>(){}=:/]{6,100})[\"'`]?[ \t]{1,3}as[ \t](?:(?:the|my|your|a|an)[ \t])?(?:\w{1,12}[ \t])?"
          r"(?:pass(?:word|phrase|code)?|pw|token|api[ -]key)\b(?![ \t](?!(?:for|on|to|in|and|at|when)\b)\w)", as_said, (" as ", "\tas ", "\"as ")),
    rule(FOREIGN, r"(?:" + WRITTEN + r")(?:[ \t][^\s:：=]{1,20}){0,6}?(?:[ \t]{0,3}[:：=][ \t]{0,3}|[ \t](?:ist|est|es|è|é|jest|is|lautet|war|wordt|—|-)[ \t]:?[ \t]{0,2})[\"'`«]?(?P<v>[^\s\"'`<>(){}\[\]»]{5,200})", mixed),
    rule("eap|xauth|ntlm|psk|rsa|ecdsa|pkcs", r":[ \t]{0,4}(?:EAP|XAUTH|NTLM|PSK|(?:RSA|ECDSA|PKCS\d{1,2}|P12)[ \t]{1,4}\S{1,120})[ \t]{1,4}\"(?P<v>[^\"\n]{3,200})\"", whole, (": ",)),
    rule("schlüssel|geheimnis|clé|ключ|токен|密钥|令牌", r"(?:schlüssel|geheimnis|clé(?:[ _](?:api|secrète))?|ключ(?:[ _]api)?|токен|密钥|令牌)\"?[ \t]{0,3}[:：=][ \t]{0,3}[\"'`«]?(?P<v>[^\s\"'`<>(){}\[\]»]{8,200})", odd),
    rule("ntlm|nthash|lm hash|nt hash", r"\b(?:ntlm|nthash|nt|lm)(?:[ _-]?hash(?:es)?)?[ \t]{0,3}[ :=][ \t]{0,3}(?P<v>(?:[0-9a-f]{32}:)?[0-9a-f]{32})\b", whole),
    rule("hashcat|potfile|john.pot|cracked", r"(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|\$[0-9a-zA-Z$./=]{20,120}):(?P<v>[^\s:]{3,80})[ \t]*$", whole),
    rule("auth md5|auth sha|-key |priv aes|priv des|key-string", r"\b(?:auth(?:entication)?(?:-key)?[ \t]+(?:\d+[ \t]+)?(?:md5|sha\S{0,6}|hmac-\S{1,12})|message-digest-key[ \t]+\d+[ \t]+md5|priv[ \t]+(?:aes|des|3des)(?:[ \t]+\d{2,3})?|key-string)[ \t]+(?:[07][ \t]+)?(?P<v>[^\s\"'-][^\s\"']{3,100})", whole),
    rule("hello 2 auth|hello 3 auth", r"^(?:[\w.:-]{1,60}>[ \t]*)?HELLO[ \t]+[23][ \t]+AUTH[ \t]+\S{1,60}[ \t]+(?P<v>\S{4,200})", whole),
    rule(" login ", r"^[A-Za-z]{1,4}\d{1,6}[ \t]+LOGIN[ \t]+[\w.@+-]{1,80}[ \t]+\"?(?P<v>[^\s\"]{4,100})\"?[ \t\r]*$", whole),
    rule("to log|to sign|to verify|to confirm|to complete", r"\b(?:code|pin)[ \t:]{1,3}(?P<v>(?:[A-Z]{1,3}-)?\d{4,8})[ \t]to[ \t](?:log|sign|verify|confirm|complete)", whole),
    rule("is your ", r"(?<![\w.-])(?P<v>(?:[A-Z]{1,3}-)?\d{4,8})[ \t]is[ \t]your[ \t](?:[\w-]{1,20}[ \t]){0,4}(?:code|pin|otp|passcode|password)\b", whole),
    rule("{plain}|{clear}|{cleartext}|{cram-md5}", r"\{(?:PLAIN|CLEAR|CLEARTEXT|CRAM-MD5)\}(?P<v>[^\s:'\"]{4,200})", whole),
    rule("static:|relay|smtp|mail", r"(?:^|[ \t])(?:static:|[\w-]{1,40}(?:\.[\w-]{1,40}){1,6}[ \t]{1,20})[\w.@+-]{1,80}:(?P<v>[^\s:]{6,200})[ \t]*$", partner),
    rule("\" \"", r"^\"[\w.@+-]{1,80}\"[ \t]{1,8}\"(?P<v>[^\"\s]{6,200})\"[ \t]*$", partner),
    rule(" * |\t*\t", r"(?<!\S)[\w.@\\+-]{1,80}[ \t]{1,20}\*[ \t]{1,20}(?P<v>[^\s\"*]{6,200})[ \t]{1,20}(?:\*|[\d.:/a-f]{7,40})[ \t]*$", partner),
    rule("to log in|to sign in|to login", r"\buse[ \t]+[\"'`]?(?P<v>[^\s\"'`]{6,80})[\"'`]?[ \t]+to[ \t]+(?:log ?in|sign[ \t]in)\b", as_said),
    rule("@localhost:", r"\b[a-z]\w{1,30}@localhost:[ \t]{1,3}(?P<v>\S{8,80})[ \t\r]*$", as_said),
    rule("client(|session(|connect(|login(|auth(", r"\w{0,30}(?:client|session|connect|login|auth)\([ \t]{0,3}['\"][\w@.+-]{1,80}['\"],[ \t]{0,3}" + S, an_argument),
    rule("-u |--user", r"(?<![\w-])(?:-u|--user)[ \t=]{1,3}[\"']?(?P<v>[\w.-]{20,200}):(?=[\s\"']|$)", random),
    rule("rtmp", r"rtmps?://[^\s/'\"]{1,120}/(?:[\w.-]{1,40}/){1,3}(?P<v>[\w-]{12,120})", odd),
    rule('"key"', r"\"user(?:name)?\"[ \t]{0,3}:[ \t]{0,3}\"[^\"\n]{1,80}\"[ \t]{0,3},\s{0,20}\"key\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>[0-9a-zA-Z]{16,80})\"", whole, ('"user',)),
    rule("pass=|password=", r"(?<![\w-])user(?:name)?=[^\s,'\"]{1,80},(?:[\w.=-]{1,60},){0,4}pass(?:word)?=(?P<v>[^\s,'\"]{2,200})", whole, ("user",)),
    rule("]:25 |]:465 |]:587 |]:25\t|]:465\t|]:587\t", r"(?:^|[ \t])\[[\w.-]{1,100}\]:\d{2,3}[ \t]{1,20}[\w.@+-]{1,80}:(?P<v>\S{3,200})$", whole),
    rule("|".join(HINTS), r"\b(?:put|add|set|write)[ \t]{1,3}[\"']?(?P<name>[\w./:-]{3,100})[\"']?[ \t]{1,3}[\"']?(?P<v>[^\s\"'=]{5,400})", put, ("put ", "add ", "set ", "write ")),
    rule("|".join(HINTS), r"(?<![\w.-])(?P<name>[\w.-]{3,60}+)[\"']?[ \t]{0,3}[:=][ \t]{0,3}(?:new[ \t])?(?:[A-Za-z][\w.:]{0,30}\(|\[)[ \t]{0,3}[bru]?" + S, wrapped, OPENED, by_name=WORD_CHARS + ".-"),
    rule("pass |password |pw ", r"\b(?:pass|password|pw)[ \t](?P<v>[^\s\"'`<>(){}\[\]=:/,]{8,100})(?=[\s,;]|$)", odd),
    rule("password:|passphrase:|passwd:", r"^(?P<label>[^\n:=(){}\"']{0,48})\bpass(?:word|phrase|wd):[ \t]{1,3}(?P<v>[^\s\"'`<>(){},;]{5,100})[ \t]*$", labelled),
    rule(FOREIGN, r"^(?P<label>[^\n:=(){}\"']{0,48})(?:" + WRITTEN + r"):[ \t]{1,3}(?P<v>[^\s\"'`<>(){},;]{5,100})[ \t]*$", labelled),
    rule("wifi.begin", r"wifi\.begin\([^\n,]{1,80},[ \t]{0,3}" + S, call),
    rule("* \"|*\t\"", r"^\"?[^\"\s]{1,80}\"?[ \t]{1,20}\*[ \t]{1,20}\"(?P<v>[^\"\n]{4,200})\"", whole),
    rule("user |login |account ", r"\b(?:user(?:name)?|login|account)[ \t]+[\w@.+-]{1,60}[ \t]{0,2}[/|][ \t]{0,2}(?P<v>[^\s\"'/]{8,200})", odd),
    rule("recovery|bitlocker", r"(?P<v>(?:\d{6}-){7}\d{6})(?!\d)", whole),
    rule("twilio|account_sid|accountsid", r"\bAC[0-9a-f]{32}[^\w\n]{1,6}(?P<v>[0-9a-f]{32})\b", whole, ("'", '"', ":", ",")),
    rule("pw |password |pass |passwd |token |key ", r"\b(?:pw|pass(?:word|wd)?|token|key)[ \t]+(?:(?:is|was|has been)[ \t]+\w{3,12}[ \t]+)?for[ \t][^\n]{1,60}?(?:[?:=]|[ \t]is)[ \t]{1,3}(?:<[\w.-]{1,40}>[ \t]*)?[\"'`]?(?P<v>[^\s\"'`<>()\[\]{}]{6,200})", spoken, ("for ", "for\t")),
    rule("digest ", r"\bresponse=\"?(?P<v>[0-9a-f]{32,64})", whole),
    rule('"key"', r"\"key\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>(?![0-9a-f-]{1,200}\")[\w+/=-]{20,200})\"", odd),
    rule("|".join(HINTS), r"[\"']--?(?P<name>[\w-]{1,60})[\"'],[ \t]{0,3}" + S, named, ("\"-", "'-")),
    rule("msmtp|pass|secret", r"^[ \t]{0,8}(?:\w{1,12}[ \t]{1,4})?(?:passw(?:or)?d|passphrase|secret)[ \t]{1,8}(?P<v>[^\s'\"]{6,200})[ \t]*$", random, spaced_out("passwd", "password", "passphrase", "secret")),
    rule("akia|asia", r"A[KS]IA[A-Z0-9]{16}[\"']?[\s,:;|]{1,4}[\"']?(?P<v>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])", whole),
    rule('"kty"', r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]{0,3}:[ \t]{0,3}\"(?P<v>[\w-]{16,2000})\"", whole),
)  # fmt: skip
