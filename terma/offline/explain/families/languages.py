"""Run-time errors of php, perl, ruby and java: what the message means, and what is looked up for it."""

from __future__ import annotations

import io
import zipfile
import zlib
from contextlib import suppress

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.packages import install_package
from terma.offline.explain.rule import Facts, Rule

# What the functions and classes of an extension of PHP begin with, and the extension's package.
_EXTENSIONS = {
    "simplexml_": "xml", "SimpleXML": "xml", "DOM": "xml", "dom_": "xml", "xml_": "xml", "XMLReader": "xml", "XMLWriter": "xml", "utf8_": "xml",
    "mb_": "mbstring", "curl_": "curl", "image": "gd", "gd_": "gd", "mysqli": "mysql", "pg_": "pgsql", "ZipArchive": "zip", "zip_": "zip",
    "bcadd": "bcmath", "bcsub": "bcmath", "bcmul": "bcmath", "bcdiv": "bcmath", "bccomp": "bcmath", "bcpow": "bcmath", "NumberFormatter": "intl",
    "Collator": "intl", "IntlDateFormatter": "intl", "Normalizer": "intl", "grapheme_": "intl", "SQLite3": "sqlite3", "ldap_": "ldap", "imap_": "imap",
    "SoapClient": "soap", "SoapServer": "soap", "gmp_": "gmp", "Imagick": "imagick", "Redis": "redis", "Memcached": "memcached", "apcu_": "apcu",
}  # fmt: skip
_MAX_JAR = 8 << 20
# What zipfile lets through of a file that is cut, damaged, encrypted or packed in a way that is not read here.
_BROKEN_JAR = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)


def _extension(name: str) -> str:
    return next((package for begin, package in _EXTENSIONS.items() if name.startswith(begin)), "")


def _php_text(case: Case, facts: Facts) -> str:
    name = facts["name"]
    package = _extension(name)
    what = f"{facts['kind']} {name}"
    if package:
        return f"PHP has no {what}: it comes with the extension {package}, which is not installed or not enabled. The package php-{package} carries it."
    return f"PHP knows no {what}: undefined or not found. Is it misspelt, the file that defines it not included, or an extension that has it not enabled?"


def _php_fixes(case: Case, facts: Facts) -> list[str]:
    package = _extension(facts["name"])
    return (
        [install_package(case, f"php-{package}")]
        if package and (case.installed("apt-get") or not case.path)
        else []
    )


def _jar(case: Case) -> str:
    return next((b for a, b in zip(case.args, case.args[1:], strict=False) if a == "-jar"), "")


def _mains(case: Case) -> list[str]:
    """The classes of the jar that have a main, as java names them."""
    data = case.bytes_of(_jar(case), _MAX_JAR)
    found = []
    with (
        suppress(*_BROKEN_JAR),
        zipfile.ZipFile(io.BytesIO(data)) as jar,
    ):
        for item in jar.infolist()[:400]:
            if item.filename.endswith(".class") and "$" not in item.filename and item.file_size < 1 << 18:
                code = jar.read(item)
                if b"\x04main" in code and b"([Ljava/lang/String;)V" in code:
                    found.append(item.filename.removesuffix(".class").replace("/", "."))
    return found


def _main_fixes(case: Case, facts: Facts) -> list[str]:
    mains = _mains(case)
    rest = case.args[case.args.index("-jar") + 2 :] if len(mains) == 1 else ()
    return (
        [" ".join(["java", "-cp", quote(_jar(case)), mains[0], *(quote(value) for value in rest)])]
        if len(mains) == 1 and len(case.words) == len(rest) + 3
        else []
    )


def _main_text(case: Case, facts: Facts) -> str:
    mains = _mains(case)
    known = (
        f" Its class {mains[0]} has a main."
        if len(mains) == 1
        else f" Classes with a main: {', '.join(mains[:4])}."
        if mains
        else ""
    )
    return f"{_jar(case)} names no class to start: its manifest has no Main-Class (no main manifest attribute).{known}"


RULES = (
    Rule("php.undefined", "call to undefined", r"Call to undefined (?P<kind>function|method) (?P<name>[\w\\:]+)\(", _php_text, _php_fixes, program="php", rank=20),
    Rule("php.class", "class ", r"(?P<kind>Class) \"(?P<name>[\w\\]+)\" not found", _php_text, _php_fixes, program="php", rank=20),
    Rule("php.null", "on null", r"Call to a member function (?P<name>\w+)\(\) on null", "What {name}() is called on is null there: nothing was assigned to it, or a lookup found nothing.", program="php", rank=20),
    Rule("perl.global", "global symbol", r"Global symbol \"(?P<name>[^\"]+)\" requires explicit package name", "The variable {name} is not declared there: use strict wants my {name} before it is used. Is it misspelt, or declared in another block?", program="perl", rank=20),
    Rule("perl.zero", "illegal division by zero", "", "The program divides by zero there: the divisor was 0 or empty.", program="perl", rank=20),
    Rule("ruby.method", "undefined method", r"undefined method [`'](?P<name>[^'`]+)' for (?P<what>[^\n(]+)", "{what} has no method {name} (NoMethodError). Is it misspelt, or the value of another kind than was meant?", program="ruby rails rake rspec bundle", rank=20),
    Rule("ruby.local", "undefined local variable", r"undefined local variable or method [`'](?P<name>[^'`]+)'", "Ruby knows no variable or method {name} there: undefined. Is it misspelt, or not yet assigned (NameError)?", program="ruby rails rake rspec", rank=20),
    Rule("java.manifest", "no main manifest attribute", "", _main_text, _main_fixes, program="java", rank=20, rewrites=True),
    Rule("java.null", "nullpointerexception", r"NullPointerException: (?P<why>[^\n]+)", "The Java program used something that is null: {why}.", program="java mvn gradle", rank=26),
)  # fmt: skip
