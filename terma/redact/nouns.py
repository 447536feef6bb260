"""What people call a secret in the languages that they write, and the small words of a sentence that tells one."""

# Tables: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re

# Nouns of one word in ASCII letters: a line that holds one of them as a word, or as the end of one, is read.
PLAIN = tuple(
    "password passwords passphrase passphrases passcode passcodes passwd puk pwd pw pass pws token tokens secret secrets "
    "credentials creds passwort kennwort mdp senha clave parola haslo hasla heslo wachtwoord adgangskode passord "
    "salasana salasanan lozinka slaptazodis parool geslo sandi jeton codes pin otp tan zugangsdaten "
    "contrasena contrasenya geheim jelszo losenord loesenord sifre schluessel streamkey zugangswort cle chave klucz llave "
    "unlock decrypt".split()
)
_KINDS = "cipher|stream|activation|licence|product|recovery|global|integration|subscription|write|deploy|client|access|secret|private|auth|signing|encryption|account|master|license|admin|hmac|app"
# Nouns of several words or with other letters, in lower case: looked for as they stand.
OTHERS = tuple(
    "mot de passe|contraseña|palavra-passe|parola d'ordine|parolă|hasło|hasła|jelszó|lösenord|şifre|парол|токен|密码|密碼"
    "|口令|密钥|令牌|パスワード|トークン|暗証番号|비밀번호|암호|토큰|mật khẩu|κωδικό|كلمة المرور|كلمة السر|סיסמ|phrase secrète"
    "|schlüssel|api key|api-key|api_key|apikey|d'api|d’api|clé api|clé secrète|api-nyckel|api-sleutel|apinyckel|apisleutel|clave api|clave de api|clave de la api|clave secreta|chiave api"
    "|chiave segreta|chave api|chave de api|chave da api|klucz api|ключ api|キー|키|api密|api 密|api-密|code to |one-time code|verification code|security code|login code|access code|alarm code|installer code|gate code|lock code|safe code|entry code|türcode|zugangscode"
    "|entsperr|安全码|backup code|recovery code|stream key|totp seed|otp seed|totp secret|mfa seed|2fa secret|2fa seed|totp key|otp key|mfa key|2fa key|code d'acc|code d’acc|código de acc|codice d|kod dost| combination".split(
        "|"
    )
) + tuple(f"{kind} key" for kind in _KINDS.split("|"))
_WORD = (
    r"pass(?:word|phrase|code)s?|passwd|pwd?s?|pass|mots? de passe|phrase secrète|mdp"
    r"|contraseñas?|clave|senhas?|palavra-passe|parola d'ordine|parola|parolă|has(?:ło|ła|lo|la|łem)|hesl[oa]|jelszó\w{0,3}"
    r"|lösenord(?:et)?|adgangskoden?|passord(?:et)?|salasanan?|şifre\w{0,4}|парол[ьяеюи]\w{0,2}|密[码碼]|口令|パスワード"
    r"|비밀번호|암호|lozinka|mật khẩu|κωδικό[ςσ]|كلمة (?:المرور|السر)|סיסמ[הא]|slaptazodis|parool|geslo|kata sandi"
    r"|codes? d['’]accès|códigos? de acceso|codic[ei] d(?:i |['’])accesso|kod(?:u|em)? dostępu"
    r"|cred(?:ential)?s|zugangsdaten|secret"
)
# What a key is for, where a word before it says so.
KEY_KINDS = tuple(
    "api secret access private auth signing encryption account master shared app client service license deploy preshared "
    "admin hmac jwt session token storage write read subscription functions consumer unseal tls authentication wifi fi "
    "integration bot validation decryption local network crypt cipher wrapping recovery encrypt decrypt webhook cookie csrf "
    "fernet gossip sas data".split()
)
_KEY = (
    rf"tokens?|streamkeys?|(?:totp|otp|mfa|2fa) (?:seed|secret|key)|api[ _-]?keys?|(?:{_KINDS}) keys?|api-?schlüssel|zugangsschlüssel|clé (?:d'|d’|)api|clé secrète|jetons?"
    r"|clave (?:de (?:la )?)?api|clave secreta|chiave (?:api|segreta)|chave (?:de |da )?api|klucz api|api-?(?:nyckel|sleutel)"
    r"|токен\w{0,2}|(?:api[- ])?ключ api|api[- ]?(?:密[钥鑰]|キー|키)|密钥|令牌|トークン|토큰"
)
_NUMBER = (
    r"pin(?:[ -]?codes?)?|puk(?:[ -]?codes?|2)?|code pin|código pin|otp|tan(?:-code)?|(?:one[- ]time|verification|security|login|access|confirmation"
    r"|2fa|mfa|sms|pin|door|auth\w{0,10}) codes?|(?:alarm|installer|gate|lock|safe|entry|keypad|building)[ -]?codes?|(?:tür|zugangs|zutritts|alarm|safe)codes?|(?:backup|recovery)[ -]codes?|(?:safe|lock|locker|vault) combinations?|code to (?:verify|log ?in|sign in|unlock)"
    r"|暗証番号"
)
_VERB = r"unlock(?:s|ed)?|decrypt(?:s|ed)?|entsperr\w{1,3}|entschlüssel\w{1,2}"
_LETTER = r"A-Za-zÀ-ɏͰ-ϿЀ-ӿ0-9_"
NOUN = re.compile(  # of text in small letters
    rf"(?:(?P<compound>passw[oö]rt|kennwort|wachtwoord)|(?<![{_LETTER}$@./\\])(?:(?P<key>{_KEY})|(?P<number>{_NUMBER})|(?P<password>{_WORD})|(?P<verb>{_VERB})))"
    rf"(?![{_LETTER}/\\=(\[.@\"'\])}}>,;-])"
)
# What makes a noun of the one before it the name of another thing, of which a sentence says what it is called.
OF_ANOTHER = re.compile(
    r"[ \t-]{1,2}(?:managers?|polic(?:y|ies)|hash(?:es|ing)?|files?|fields?|prompts?|lengths?|stores?|vaults?|generators?|hints?"
    r"|rules?|protection|types?|endpoints?|buckets?|limits?|counts?|(?<!secret[ -])ids?|names?|requests?|providers?|services?|ur[li]s?"
    r"|formats?|algorithms?|famil(?:y|ies)|usage|class(?:es)?|objects?|models?|lists?|kinds?|schemes?|rotation|sprays?"
    r"|strength|hosts?|servers?|backends?|clients?|databases?|validators?|authentication|auth|spraying|attacks?|dumps?|scopes?|budget|windows?"
    r"|ring|holders?|exchange|bindings?|stream|parser|sequences?|embeddings?|refs?|references?)\b",
    re.IGNORECASE,
)
# "is", as verbs and particles.
COPULAS = frozenset(
    "is was are be to now still ist lautet lauten war bleibt est était reste c'est c’est es era sigue é è continua resta jest "
    "er är je jsou olan adalah là este είναι это є remains becomes -> → — – - : ： är blir ahora nu jetzt "
    "now: is: ist: est: are: à em".split()
)
# Behind these stands where something is, or what it is for, and no value.
PLACES = frozenset(
    "in on at for of from via by with within inside into under behind per using through against off onto over and or if "
    "im am auf für von vom bei aus mit über der die das des dem den zu zum zur und oder "
    "dans sur pour de du des chez avec le la les et en el los las por para con y o do da no na dos das com ao "
    "nel nella del della di per su con il lo gli dei van voor het een op bij uit met en na "
    "do od dla z ze w na i lub для от до на из в к у с и або від til för från på i och av ja ve için "
    "version than host user".split()
)
STILL = frozenset(
    "still noch toujours encore sigue siendo aún todavía ancora continua ainda nog wciąż nadal всё ещё".split()
)
# Of what was made or given out just now.
MADE = frozenset(
    "generated created set reset assigned issued given changed updated following below new temporary initial "
    "erzeugt generiert gesetzt généré créé generada creada".split()
)
WITH = frozenset("with mit avec con com med".split())
