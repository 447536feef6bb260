"""Secrets leave a text, harmless lines stay, and what was taken out comes back."""

from __future__ import annotations

import base64
import json
import random
import re
import string
import subprocess
import sys
import time
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from terma.redact import Hiding, Redactor, commands, context, outputs, redact, restore, token_shapes, tokens
from terma.redact.lines import HotLines
from terma.redact.vocabulary import Vocabulary, piece_of
from tests.unit import redact_harmless

DATA = Path(__file__).parent.parent / "data"
ALPHABETS = {
    "": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "A": string.ascii_uppercase + "234567",
}
PASSWORDS = ("S3cr3t!pass", "hunter2xyz", "Tr0ub4dor-3", "zXcv9876")
KEYS = ("{40}", "{h32}", "{24}")


def filled(spec: str, seed: int = 7) -> str:
    """`{36}` becomes 36 letters and digits; no key stands whole in any file."""
    source = random.Random(f"{seed}{spec}")
    return re.sub(r"\{([hHA]?)(\d+)\}", lambda m: "".join(source.choices(ALPHABETS[m[1]], k=int(m[2]))), spec)


def lines(name: str) -> list[str]:
    rows = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [row.replace("\\n", "\n") for row in rows if row and not row.startswith("# ")]


def secret_lines() -> list[tuple[str, str]]:
    """(line, the secret in it), each of the data's lines with several secrets."""
    found = []
    for seed, row in enumerate(lines("redact_secrets.txt")):
        for value in PASSWORDS if "{P}" in row else KEYS:
            secret = filled(value, seed)
            found.append((row.replace("{P}", secret).replace("{K}", secret), secret))
    return found


def key_block(kind: str = "RSA ") -> str:
    body = base64.b64encode(random.Random(kind).randbytes(900)).decode()
    rows = [body[at : at + 64] for at in range(0, len(body), 64)]
    return "\n".join([f"-----BEGIN {kind}PRIVATE KEY-----", *rows, f"-----END {kind}PRIVATE KEY-----"])


def test_at_least_98_of_100_secrets_leave_their_line() -> None:
    cases = secret_lines()
    missed = [line for line, secret in cases if secret in redact(line).text]
    assert len(cases) >= 200
    assert len(missed) <= len(cases) * 0.02, "\n".join(missed)


def test_every_line_comes_back_from_its_placeholders() -> None:
    for line, _ in secret_lines():
        done = redact(line)
        assert restore(done.text, done.secrets) == line


@pytest.mark.parametrize("shape", token_shapes.SHAPES, ids=lambda shape: shape.service)
def test_a_key_is_known_by_its_shape_and_a_near_miss_is_not(shape: token_shapes.Shape) -> None:
    sample = filled(shape.sample)
    assert redact(f"see {sample} here").text == "see <SECRET_1> here"
    near_miss = f"see {filled(shape.counter)} here"
    assert list(tokens.spans(near_miss, Vocabulary(near_miss))) == []


def test_lines_that_speak_of_secrets_stay() -> None:
    touched = [line for line in lines("redact_harmless.txt") if redact(line).text != line]
    assert touched == []


@pytest.mark.parametrize(
    "line",
    [
        'password: "Nothing was found"',
        "password = form.data",
        "    password=settings.database,",
        'password="vault.json"',
        "password=apps/web/Login2",
        "routing_key = orders.created",
        "define('AUTH_SALT', '(put yours here)');",
    ],
)
def test_what_a_program_or_a_form_says_of_a_password_stays(line: str) -> None:
    assert redact(line).text == line


def test_at_most_1_in_100_lines_of_real_output_is_touched() -> None:
    real = redact_harmless.real_output()
    touched = [line for line in real if redact(line).text != line]
    assert len(real) >= 2000
    assert len(touched) <= len(real) * 0.01, "\n".join(touched[:40])


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("mount -o username=me,password=monkey.copper53 //s/x /m", "monkey.copper53"),
        ("spring.datasource.password=compass.hockey7", "compass.hockey7"),
        ("POETRY_HTTP_BASIC_FOO_PASSWORD=falcon.rocket7", "falcon.rocket7"),
        ("password is generated for root@localhost: cactus-harbor20", "cactus-harbor20"),
        ("cloudflared service install eyJhIjoiMTIzNCIsInQiOiI1Njc4In0", "eyJhIjoiMTIzNCIsInQiOiI1Njc4In0"),
        ("security add-generic-password -a me -s x -w falcon-tiger7", "falcon-tiger7"),
        ("pass insert -e x <<< copper_silver73", "copper_silver73"),
        ("das Passwort für den Server lautet: maple_silver55", "maple_silver55"),
        ("la contraseña de la base de datos es bridge-copper47", "bridge-copper47"),
        ('CREATE USER app IDENTIFIED BY "granite44"', "granite44"),
        ("define('DB_PASSWORD', '[9hR!w2$Kz');", "[9hR!w2$Kz"),
        ("datasource.password=Gr4nit/Berg", "Gr4nit/Berg"),
        ('    psk="sieben rote Lampen"', "sieben rote Lampen"),
        ('<property name="db.password">copper.River</property>', "copper.River"),
        ('connect(host="db", password="silver.Mountain")', "silver.Mountain"),
        (': PSK "Granit.Tal"', "Granit.Tal"),
        (': RSA host.pem "Granit Tal"', "Granit Tal"),
        ("rclone config create box webdav url https://x.example user me pass Granit-Tal", "Granit-Tal"),
        (
            "pager_routing_key: 0f9d3c55a1b2e4d7889900aabbccddee",
            "0f9d3c55a1b2e4d7889900aabbccddee",
        ),
    ],
)
def test_a_password_of_words_is_one_where_nothing_else_can_stand(line: str, secret: str) -> None:
    assert secret not in redact(line).text


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        # letters alone that make no words
        ('Created user "robot" with password "dVdIINaCQ"', "dVdIINaCQ"),
        ("X-Vault-Token: s.uIMDDYOIQZLMgyHyxKQyuazt", "uIMDDYOIQZLMgyHyxKQyuazt"),
        ("Password for ann: aoBrwKfKVReJ", "aoBrwKfKVReJ"),
        ("default login anonymous password oqprLZAuxyh", "oqprLZAuxyh"),
        # what was made, or stands beside a user and a host
        ("The initial password has been generated: granite-meadow84", "granite-meadow84"),
        ("the credentials are ann:granite.meadow68 for staging", "granite.meadow68"),
        ("sftp -P 22 ann:granite-meadow39@box", "granite-meadow39"),
        ("your login is ann and the password granite_meadow89. Please change it", "granite_meadow89"),
        ("[+] 10.0.0.4:22 - Success: 'ann:granite.meadow26'", "granite.meadow26"),
        # an interpreter, a protocol, an address says it
        (
            ">>> os.environ['API_KEY']\\n'oeH64I5nHvMhS80iKrqoSNM7jARu9SHy'",
            "oeH64I5nHvMhS80iKrqoSNM7jARu9SHy",
        ),
        ('irb> App.credentials.aws[:secret]\\n=> "YAk1AcSyaeb00fuWoaxN"', "YAk1AcSyaeb00fuWoaxN"),
        ("S: 334 UGFzc3dvcmQ6\\nC: bWFwbGUuZmFsY29uMjA=", "bWFwbGUuZmFsY29uMjA="),
        ('1700000000.1 [0 127.0.0.1:5000] "AUTH" "Granite1605$"', "Granite1605$"),
        ('write(3, "PASS Granite1696#\\r", 15) = 15', "Granite1696#"),
        ("x=%7B%22password%22%3A%222gZjBbYvGJdG5q3z%22%7D", "2gZjBbYvGJdG5q3z"),
        # a call that takes one by its name, and names of more than one word
        ("hash_hmac('sha256', $data, 'granite.meadow96')", "granite.meadow96"),
        ("t.auth_password('ann', 'Granite1643#')", "Granite1643#"),
        ("define('DB_PASSWORD', 'granite_meadow54');", "granite_meadow54"),
        ('signingKey := []byte("fIfOcixINgtTV6")', "fIfOcixINgtTV6"),
        ("set wireless.@wifi-iface[0].key='granite-meadow21'", "granite-meadow21"),
        ("TOTP_SEED=5RJSH6GFYCXDGDWI", "5RJSH6GFYCXDGDWI"),
        ("pagerduty integration key 2aaf8614d034c266cf646537a4e88e6b", "2aaf8614d034c266cf646537a4e88e6b"),
        ("'passwordsalt' => 'jCwULXavtyeTcJ83kDXMfT6fHWCByb',", "jCwULXavtyeTcJ83kDXMfT6fHWCByb"),
        ("vault kv put secret/db password=#xTDf+QSwOvUx", "#xTDf+QSwOvUx"),
        ('sops --set \'["db"]["password"] "granite.meadow16"\' s.yaml', "granite.meadow16"),
        ("mysql --x=<(printf 'password=\"%s\"' 'Granite1166$')", "Granite1166$"),
        ("openconnect -u ann --passwd-on-stdin vpn <<< k69QVuqfpN3B", "k69QVuqfpN3B"),
        ("passwd ann <<EOF\\nCUdjE52CyESGNCb\\nCUdjE52CyESGNCb", "CUdjE52CyESGNCb"),
        ('user = "ann:kTTFyx3vK"', "kTTFyx3vK"),
        ('.basic_auth("ann", Some("PVmHwi4s1Do9ps"))', "PVmHwi4s1Do9ps"),
        ('passwordeval "echo granite-meadow44"', "granite-meadow44"),
        ("the passphrase of the backup disk is granite_meadow6", "granite_meadow6"),
        ('send "granite_meadow97\\r"', "granite_meadow97"),
        ("kadmin -w R6aA8vF40zK5mW -q listprincs", "R6aA8vF40zK5mW"),
        ("radtest ann granite.meadow27 10.0.0.1 0 vMDQNrlJW7QiBgG", "vMDQNrlJW7QiBgG"),
    ],
)
def test_what_no_name_of_a_program_looks_like_is_hidden(line: str, secret: str) -> None:
    assert secret not in redact(line.replace("\\n", "\n")).text


@pytest.mark.parametrize(
    "line",
    [
        "echo {} | wandb login --relogin",
        "printf '%s\\n' '{}' | hf auth login",
        "hf auth login <<< {}",
        "mvn -Dsonar.login={} verify",
        "bw unlock --raw {}",
    ],
)
def test_what_a_login_is_given_is_hidden_wherever_it_stands(line: str) -> None:
    token = random.Random(3).randbytes(20).hex()
    assert token not in redact(line.format(token)).text
    for harmless in ("some-feature-of-the-release", "$TOKEN", "request_user_login_name"):
        assert redact(line.format(harmless)).text == line.format(harmless) or "unlock" in line


@pytest.mark.parametrize(
    "key", ["FKobQXvO/ZVdORPMXYnOngf/UoEbuPt8x/AsO/az", "hbMNc1XMp7o/J6IM8Cu9/i2Wnod1f1Y/hZfh2iV/"]
)
def test_base64_with_slashes_is_no_path(key: str) -> None:
    for line in (
        "aws configure set aws_secret_access_key {}",
        "AWS Secret Access Key [None]: {}",
        "secret key: {}",
    ):
        assert key not in redact(line.format(key)).text
    path = "app_secret: Sources/Main2/PasswordView/Assets/Login/Key"
    assert redact(path).text == path


@pytest.mark.parametrize(
    "line",
    [
        "password = settings.database_key2",
        "password: options.value1",
        "token = monkey.sessions",
        "password=hashlib.sha256",
        "las contraseñas de la base de datos es un archivo de texto",
    ],
)
def test_an_attribute_is_none(line: str) -> None:
    assert redact(line).text == line


@pytest.mark.parametrize("kind", ["RSA ", "", "OPENSSH ", "EC ", "ENCRYPTED "])
def test_a_private_key_goes_whole(kind: str) -> None:
    assert redact(f"cat key\n{key_block(kind)}\n$ ls").text == "cat key\n<SECRET_1>\n$ ls"


def test_a_private_key_without_its_end_goes_as_far_as_it_looks_like_one() -> None:
    cut = "\n".join(key_block().splitlines()[:5])
    assert redact(f"{cut}\n$ ls -l here").text == "<SECRET_1>\n$ ls -l here"


def test_a_private_key_folded_into_json_goes_whole() -> None:
    assert redact(json.dumps({"k": key_block(), "n": 1})).text == '{"k": "<SECRET_1>", "n": 1}'


def cut_to_columns(rows: list[str], number: int, width: int) -> list[str]:
    """As `pr -2` prints them: down the first column, then down the next, which may be shorter."""
    height = -(-len(rows) // number)
    columns = [[row[:width] for row in rows[at : at + height]] for at in range(0, len(rows), height)]
    return ["\t".join(filter(None, cells)) for cells in zip_longest(*columns, fillvalue="")]


LAID_OUT = {
    "side by side": lambda rows: [" ".join(pair) for pair in zip(rows[::2], rows[1::2], strict=False)],
    "in columns": lambda rows: [f"{one:<70}\t{two}" for one, two in zip(rows[:6], rows[6:12], strict=True)],
    "a list": lambda rows: [str(rows)],
    "cut to a page": lambda rows: cut_to_columns(rows, 2, 35),
    "cut to three columns": lambda rows: cut_to_columns(rows, 3, 23),
    "cut to another page": lambda rows: cut_to_columns(rows, 2, 54),
    "folded": lambda rows: [row[at : at + 32] for row in rows for at in (0, 32)],
    "folded otherwise": lambda rows: re.findall(".{1,48}", "".join(rows)),
}


@pytest.mark.parametrize("layout", LAID_OUT)
@pytest.mark.parametrize("opened", [True, False])
def test_key_material_that_was_laid_out_anew_goes(layout: str, opened: bool) -> None:
    head, *rows, _ = key_block().splitlines()
    shown = redact(
        "\n".join(["$ show", *LAID_OUT[layout]([head, *rows] if opened else rows[2:14]), "$ ls"])
    ).text
    left = [row for row in rows if row[:20] in shown]
    assert left == []
    assert shown.startswith("$ show\n")
    assert shown.endswith("\n$ ls")


@pytest.mark.parametrize("how", ["-2", "-3", "-2 -w 110", "-2 -w 130", "-2 -n", "-4 -w 120"])
@pytest.mark.parametrize("kind", ["RSA ", "EC ", ""])
def test_a_key_that_pr_cut_to_a_page_goes_to_its_last_row(how: str, kind: str) -> None:
    rows = key_block(kind).splitlines()[1:-1]
    cut = subprocess.check_output(["pr", "-t", *how.split()], input=key_block(kind), text=True)
    shown = redact(f"$ pr\n{cut}$ ls").text
    assert [row for row in rows if row[:14] in shown] == []
    assert shown.startswith("$ pr\n")
    assert shown.endswith("$ ls")


def test_lines_of_identifiers_and_sums_are_no_key_material() -> None:
    sums = "\n".join(random.Random(n).randbytes(20).hex() for n in range(5))
    names = "getAbstractSingletonProxyX1\nsetAbstractSingletonProxyX2\nhasAbstractSingletonProxyX3\n"
    integrity = " ".join(
        f"sha384-{base64.b64encode(random.Random(n).randbytes(48)).decode()}" for n in (1, 2)
    )
    for text in (sums, names, integrity, "\n".join(["a" * 40] * 4)):
        assert redact(text).text == text


def test_one_secret_has_one_placeholder_in_every_text_of_a_session() -> None:
    session = Redactor()
    first = session.redact("password=hunter2x").text
    second = session.redact("token=abcd1234efgh password=hunter2x").text
    assert (first, second) == ("password=<SECRET_1>", "token=<SECRET_2> password=<SECRET_1>")
    assert session.restore(second) == "token=abcd1234efgh password=hunter2x"


def test_a_placeholder_that_stood_there_before_keeps_its_meaning() -> None:
    done = redact("echo <SECRET_1>; password=hunter2x")
    assert done.text == "echo <SECRET_1>; password=<SECRET_2>"
    assert restore(done.text, done.secrets) == "echo <SECRET_1>; password=hunter2x"


def test_lines_stream_and_a_key_block_waits_for_its_end() -> None:
    source = f"a\npassword=hunter2x\n{key_block()}\nz\n".splitlines(keepends=True)
    assert settled_lines(source) == "a\npassword=<SECRET_1>\n<SECRET_2>\nz\n"


def test_every_value_of_a_kubernetes_secret_goes_whatever_its_name() -> None:
    text = "kind: Secret\nmetadata:\n  name: web\ndata:\n  conf: c29tZXRoaW5n\n---\nkind: ConfigMap\ndata:\n  a: b\n"
    assert redact(text).text == text.replace("c29tZXRoaW5n", "<SECRET_1>")


def test_a_key_whose_head_was_cut_off_goes_as_far_up_as_it_looks_like_one() -> None:
    cut = "\n".join(key_block().splitlines()[4:])
    assert redact(f"$ cat k\n{cut}\n").text == "$ cat k\n<SECRET_1>\n"
    shown = settled_lines([f"{row}\n" for row in f"$ cat k\n{cut}".splitlines()])
    assert [row for row in cut.splitlines() if row in shown] == []


def test_a_secret_is_hidden_wherever_it_stands_again_in_the_session() -> None:
    value = filled("{24}")
    session = Redactor()
    assert session.redact(f"token={value}\nsent {value}.").text == "token=<SECRET_1>\nsent <SECRET_1>."
    assert session.redact(f"got {value}, and x{value} too").text == "got <SECRET_1>, and x<SECRET_1> too"


def test_a_word_that_was_a_password_once_stays_a_word_elsewhere() -> None:
    assert redact("password: monkey\nthe monkey sleeps").text == "password: <SECRET_1>\nthe monkey sleeps"


@pytest.mark.parametrize(
    "text",
    [
        "- name: DB_PASSWORD\n  value: hunter2x\n",
        "password: |\n    hunter2x\n",
        '"password":\n  "hunter2x"\n',
        "kind: Secret\nstringData:\n  conf: hunter2x\n",
    ],
)
def test_a_stream_knows_what_the_line_before_names(text: str) -> None:
    assert settled_lines(text.splitlines(keepends=True)) == text.replace("hunter2x", "<SECRET_1>")


@pytest.mark.parametrize(
    "line",
    [
        "rpcpassword={}",
        "MAPS_KEY={}",
        "password <- '{}'",
        'let secret = Some("{}");',
        "vercel env add API_KEY {}",
        "use {} as the password",
        "mot de passe : {}",
        "пароль: {}",
        "[debug] using api key {}",
        'ana : EAP "{}"',
        "[smtp.example.org]:587 ana:{}",
        "net use Z: \\\\srv\\share {} /user:ana",
    ],
)
def test_what_stands_around_gives_a_secret_away(line: str) -> None:
    value = filled("{12}a7Kq{12}")
    assert redact(line.format(value)).text == line.format("<SECRET_1>")


@pytest.mark.parametrize("value", ["$ecret99!Q", "@dmin2024#x", "#Gr8Pass", "%Tr0ub4dor!"])
@pytest.mark.parametrize("line", ["DB_PASSWORD={}", "postgres://app:{}@db/x", "password: '{}'"])
def test_a_password_may_open_as_a_variable_does(line: str, value: str) -> None:
    assert value not in redact(line.format(value)).text


@pytest.mark.parametrize("value", ["$DB_PASS2", "${DB_PASS:-}", "#fff000", "%DB_PASS1%", "%(pass1)s"])
def test_a_variable_is_no_password(value: str) -> None:
    line = f"DB_PASSWORD={value}"
    assert redact(line).text == line


@pytest.mark.parametrize(
    "line",
    [
        "key: v2-deps-linux-9f8e7d6c5b4a",
        "request_id: req_011CQx8yZbK3mNvT5wUjLpRa",
        "Version=4.0.0.0, Culture=neutral, PublicKeyToken=31bf3856ad364e35",
        "Key: backups/2024-05-17T08:12:44Z/db.dump",
        '"login.error.password": "Wrong password, try again",',
        'grep -rn "password=" src/ --include=*.py2',
        "Use OAuth2 as the token provider",
    ],
)
def test_what_is_plainly_something_else_stays(line: str) -> None:
    assert redact(line).text == line


def settled_lines(lines: list[str]) -> str:
    """As `terma redact` gives lines that come one at a time, long apart."""
    stream = Hiding(Redactor())
    return "".join([*(stream.feed(line) + stream.settle() for line in lines), stream.flush()])


def test_a_url_keeps_its_shape() -> None:
    text = "git clone https://ann:hunter2x@example.com:8443/x.git"
    assert redact(text).text == "git clone https://ann:<SECRET_1>@example.com:8443/x.git"


def test_a_long_text_is_read_in_pieces_and_loses_nothing_between_them() -> None:
    row = "password={}\n" + "all is well here\n" * 40
    values = [filled("{20}", seed) for seed in range(300)]
    done = redact("".join(row.format(value) for value in values))
    assert [value for value in values if value in done.text] == []
    assert restore(done.text, done.secrets) == "".join(row.format(value) for value in values)


FRAGMENTS = [
    "password=",
    "token: ",
    "'",
    '"',
    "://a:",
    "@",
    "<SECRET_1>",
    "eyJ",
    "-p",
    "mysql ",
    "\n",
    "Bearer ",
    "A1b2C3d4E5",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=12)), max_size=14).map("".join))
def test_any_text_survives_comes_back_and_is_done_after_once(text: str) -> None:
    done = redact(text)
    assert restore(done.text, done.secrets) == text
    assert redact(done.text).text == done.text


def test_the_command_filters_and_passes_other_bytes_through() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "terma.cli", "redact"],
        input=b"\xff\r\npassword=hunter2x\nend",
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"\xff\r\npassword=<SECRET_1>\nend"


def test_the_command_reports_in_json() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "terma.cli", "redact", "--json"],
        input=b"password=hunter2x\n",
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"text": "password=<SECRET_1>\n", "secrets": {"<SECRET_1>": "hunter2x"}}


LONG = (
    100_000  # characters: half a second for the slowest of these, a minute where time grows with the square
)
MEAN = [
    "a", "=", "password=", "token: ", "eyJ", "-eyJ", "a@", "://a:", "'", "\"", "\\", "-p ", "mysql ",
    "mysql -p", "$6$", "sk-", "Authorization: ", "cookie: a=b;", "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n", "a=b&", "name=", "<pass>", "curl -u ", "docker login ",
    "password: |\n", "pass.", "\n", "\u0130pass=", "login a password ", "Q~.", "1:AA", "pat", "sig=",
]  # fmt: skip


@pytest.mark.parametrize("piece", MEAN)
def test_a_long_text_made_to_be_slow_is_read_to_its_end(piece: str) -> None:
    text = piece * (LONG // len(piece))
    before = time.process_time()
    done = redact(text)
    assert time.process_time() - before < 10
    assert restore(done.text, done.secrets) == text


HEADS = sorted({head for head, *_ in tokens.ELSE} | {head for _, heads in tokens.FLOATS for head, _ in heads})
HINTS = sorted(
    {literal for rule in context.RULES for literal in rule.hints} | set(commands.BY_START) | {*outputs.HINTS}
)


@given(st.text(max_size=40), st.sampled_from(HEADS), st.text(max_size=40), st.booleans())
def test_no_text_that_holds_the_head_of_a_token_is_passed_over(before, literal, after, loud) -> None:
    words = Vocabulary(f"{before}{literal.upper() if loud else literal}{after}")
    assert piece_of(literal) in words.pieces


@given(st.text(max_size=40), st.sampled_from(HINTS), st.text(max_size=40), st.booleans())
def test_no_line_that_holds_what_is_looked_for_is_passed_over(before, literal, after, loud) -> None:
    text = f"one\n{before}{literal.upper() if loud else literal}{after}\ntwo"
    words = Vocabulary(text)
    either = (
        literal.replace("ς", "σ"),
        literal.removesuffix("σ") + "ς" if literal.endswith("σ") else literal,
    )  # Σ is the one or the other, by what stands behind it
    at = next(found for each in either if (found := words.low.find(each)) >= 0)
    # A letter alone that opens a literal is a word of its own: `u: `, and no `menu: `.
    assume(not (re.match(r"[a-z0-9]\W", literal) and re.match(r"[a-z0-9_-]", words.low[at - 1])))
    lines = HotLines(words)
    assert len(words.low) == len(text)
    assert lines.hold(either)
    assert any(start <= at < end for start, end in lines.of(either))


@pytest.mark.parametrize(
    "name", ["Пароль", "ПАРОЛЬ", "Κωδικός", "ΚΩΔΙΚΌΣ", "Hasło", "HASŁO", "Lösenord", "Şifre", "ŞİFRE"]
)
def test_a_password_has_its_name_in_capitals_of_any_script(name: str) -> None:
    assert redact(f"{name}: hunter2x9Q").text == f"{name}: <SECRET_1>"


@given(st.text(" \t\n;|", max_size=5), st.sampled_from(sorted(commands.BY_WORD)), st.text(max_size=40))
def test_no_line_that_calls_a_tool_is_passed_over(before, tool, after) -> None:
    text = f"{before}{tool.decode()} {after}"
    hints = [hints for _, hints in commands.tools_in(Vocabulary(text)) if f"{tool.decode()} " in hints]
    assert hints
    assert HotLines(Vocabulary(text)).of(hints[0])


@pytest.mark.parametrize(
    "text",
    [
        "wget --password='{}' https://files.example.org/a.zip",
        'export DB_PASSWORD="{}"',
        '{{"password": "{}"}}',
        "passphrase = '{}'",
        "user:\n  password: '{}'",
    ],
)
@pytest.mark.parametrize("phrase", ["harvest moon over 7 barns", "Vier Birnen im Korb 12", "tin drum 44"])
def test_a_quoted_phrase_with_a_number_is_a_password(text: str, phrase: str) -> None:
    assert phrase not in redact(text.format(phrase)).text


@pytest.mark.parametrize(
    "text",
    [
        '{"password": "At least 8 characters"}',
        "password: 'Enter the 6 digits that we sent'",
        'password = "must have 12 letters"',
    ],
)
def test_what_a_form_says_of_a_password_is_none(text: str) -> None:
    assert redact(text).text == text


def test_a_table_with_wide_columns_is_read() -> None:
    for wide in (12, 24, 48):
        rows = [("NAME", "VALUE"), ("DB_HOST", "db1"), ("DB_PASS", "osprey-Lantern")]
        assert "osprey-Lantern" not in redact("\n".join(a.ljust(wide) + b for a, b in rows)).text


def test_a_label_in_another_language_alone_on_its_line() -> None:
    for label in ("Passord", "Nytt passord", "Wachtwoord", "Senha"):
        assert "bolle-og-brus" not in redact(f"{label}: bolle-og-brus\n").text
    assert redact("Passord: se side 4 i boka\n").text == "Passord: se side 4 i boka\n"


def test_a_quoted_value_alone_behind_the_command_that_prints_it() -> None:
    shown = '$ aws ssm get-parameter --name /app/db --with-decryption --query Parameter.Value\n"hV3mQ9xT2bLw8RkZ"\n'
    assert "hV3mQ9xT2bLw8RkZ" not in redact(shown).text


def test_a_long_secret_is_hidden_also_where_something_stands_right_before_it() -> None:
    secret = "ghp_" + "a1B2" * 9
    redactor = Redactor()
    redactor.redact(f"Authorization: Bearer {secret}")
    glued = redactor.redact(f"curl http://x{secret}y and x{secret[4:]}").text
    assert secret not in glued
    assert glued.startswith("curl http://x<SECRET_1>y")


@pytest.mark.parametrize(
    "line",
    [
        '  + secret_string = "{}"',
        r'{{"SecretString":"{{\"username\":\"app\",\"password\":\"{}\"}}"}}',
        '{{"Value": "{}", "Name": "/prod/db/password"}}',
        r"\"value\":\"{}\",\"name\":\"DB_PASSWORD\"",
    ],
)
def test_a_secret_within_a_string_or_before_its_name_is_hidden(line: str) -> None:
    value = "wI84oPVG5CdbbF7b5IME"
    assert value not in redact(line.format(value)).text


@pytest.mark.parametrize("sign", ["(!", "$(", "%(", "&"])
def test_a_generated_key_is_one_whatever_it_opens_with(sign: str) -> None:
    value = f"{sign}(Eifkrvv(BIQ%GVRRoLE!r_nPf0jWsqRoWj)_C+kIUL+(o6J"
    assert value not in redact(f"DJANGO_SECRET_KEY={value}\n").text
    assert value not in redact(f"SECRET_KEY = '{value}'\n").text


@pytest.mark.parametrize(
    "value", ["$(openssl rand -hex 32)", "%(asctime)s-%(levelname)s-%(name)s", "$(($RANDOM%100+1))"]
)
def test_what_is_put_in_later_stays(value: str) -> None:
    assert redact(f"SECRET_KEY={value}\n").text == f"SECRET_KEY={value}\n"
