"""What looks like something else is marked, and spelled out; what is written in another language is not."""

from __future__ import annotations

import pytest

from terma import risk
from terma.lookalikes import REASON, marked, reason
from terma.repl.display.drawing import Drawing

DECEIVING = {
    "l\u017f -la": "U+017F",
    "c\u0336at x": "U+0336",
    "ssh host\uff0ecom": "U+FF0E",
    "ls -\u2013all": "is no - but U+2013",
    "docker run n\u0261inx": "U+0261",
    "curl https://payp\u05d0l.com": "is Hebrew U+05D0",
    "curl https://\u0261oogle.com": "U+0261",
    "ssh \u0262ithub.com": "U+0262",
    "curl https\u2236//example.com": "is no : but U+2236",
    "curl https\ua789//example.com": "is no : but U+A789",
    "curl https://pаypal.com/x": "pаypal.com (а is Cyrillic U+0430)",
    "curl https://аррӏе.com": "а is Cyrillic U+0430",
    "git clone https://github.com∕evil.example/x": "∕ is Sign U+2215",
    "git clone https://github．com/x": "．",
    "ssh me@ехample.org": "е is Cyrillic U+0435",
    "ssh ехаmple.org": "Cyrillic",
    "ping ɡοοgle.com": "ο is Greek U+03BF",
    "wget https://gооgle.com/a.tgz": "Cyrillic",
    "scp a раyроl.com:": "Cyrillic",
    "саt x": "с is Cyrillic U+0441",
    "сат x": "Cyrillic",
    "ls; сd x": "Cyrillic",
    "sudo сhmod 777 x": "Cyrillic",
    "𝗿𝗺 -r x": "Mathematical",
    "ｒｍ -r x": "Fullwidth",
    "pip install rеquests": "е is Cyrillic U+0435",
    "npm install lοdash": "Greek",
    "ls\u3164-la": "U+3164",
    "rm a\u00ad b": "U+00AD (soft hyphen)",
    "ls a\u200db": "U+200D (zero width joiner)",
    "ls a\u200cb": "U+200C",
    "ls\u00a0-la": "U+00A0 (no-break space)",
    "ls\u2003x": "U+2003",
    "ls a\u3000b": "U+3000",
    "ls a\u2800b": "U+2800",
    "ls a\ufe0fb": "U+FE0F",
    "ls a\u034fb": "U+034F",
    "ls \u115f": "U+115F",
    "ls \u200bx": "U+200B",
    "ls \u202etxt.exe": "U+202E",
    "echo a\u037e rm b": "U+037E",
    "rm –rf x": "– is no - but U+2013",
    "rm −rf x": "U+2212",
    "kill ‐9 1": "U+2010",
    "cat etc\u2215passwd": "\u2215 is no / but U+2215",
    "cat \uff0fetc/hosts": "\uff0f is no / but U+FF0F",
    "rm a\u2044b": "U+2044",
    "g\u0131t push": "U+0131",
    "rm \u2018my file\u2019": "\u2018 is no ' but U+2018",
    "rm -r \u201cmy dir\u201d": '\u201c is no " but U+201C',
    "git log --author=\u201eAnn L\u201c": "U+201E",
    "rm \u00b4a b\u00b4": "\u00b4 is no ' but U+00B4",
    "rm \uff02a b\uff02": "U+FF02",
}
HONEST = [
    "ls -la",
    "cat 报告.txt",
    "cat 报告final.txt",
    "mv 'отчёт за май.docx' отчёты/",
    "cat документ.pdf",
    "cp Ünïcödé.txt café/",
    "ls ファイル名.txt",
    "rm الملف.txt",
    "ls می\u200cخواهم.txt",
    "ls क\u094d\u200dष.txt",
    "git commit -m 'Исправил ошибку в API-ключе'",
    "git commit -m 'Größe der Straße'",
    "echo '👨\u200d👩\u200d👧 ❤\ufe0f ☕'",
    "echo 'λ → μ'",
    "grep 'ελληνικά' αρχείο.txt",
    "curl https://münchen.de",
    "curl https://日本語abc.jp",
    "curl https://שלום.example",
    "curl https://istanbul-ığdır.example",
    "./café --help",
    "curl https://例え.jp",
    "curl https://яндекс.рф/карта",
    "curl https://example.org/путь/файл.txt",
    "curl -d 'имя=значение' https://example.org/x",
    "echo 'naïve — dash'",
    "touch 日本語",
    "echo 1\u20442 litre",
    "echo 'a \u2215 b'",
    "touch 報告\uff0f終稿.txt",
    "echo 'it’s “quoted” … 5 × 3 °C ½'",
    "ssh host.example.org ls отчёты",
    "echo 한국어",
    "echo it\u2019s",
    "touch «a»",
    "cat <<E\n\u201cx\u201d\nE",
    "# he said \u201chi\u201d",
    "find . -name 'Übung*'",
]


@pytest.mark.parametrize(("command", "told"), DECEIVING.items())
def test_what_deceives_is_marked_and_spelled_out(command: str, told: str) -> None:
    assert told in reason(command)
    found = risk.assess(command)
    assert found.level != "low"
    assert any(one.startswith(REASON) and told in one for one in found.reasons)


@pytest.mark.parametrize("command", HONEST)
def test_another_language_is_no_deceit(command: str) -> None:
    assert marked(command) == ()


def test_many_are_counted_and_not_all_told() -> None:
    assert "and 2 more" in reason("ls " + " ".join(f"аb{letter}" for letter in "cdefg"))


@pytest.mark.parametrize("char", ["\u3164", "\u00ad", "\u200d", "\u00a0", "\u2800", "\u034f", "\u115f"])
def test_what_cannot_be_seen_is_spelled_where_a_command_is_shown(char: str) -> None:
    (row,) = Drawing(colours=False).command(f"ls a{char}b", 80)
    assert char not in row and f"\\{'x' if ord(char) < 256 else 'u'}" in row


def test_what_writing_needs_is_shown_as_it_is() -> None:
    (row,) = Drawing(colours=False).command("echo می\u200cخواهم 👨\u200d👩", 80)
    assert "می\u200cخواهم 👨\u200d👩" in row
