"""Linters, type checkers and test runners: they found something; the tool itself worked, and there is nothing to retype."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.rule import Facts, Rule

_FINDING = r"^(?P<path>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?P<why>[^\n]+)"
_CHECKERS = "ruff flake8 pylint mypy pyright eslint shellcheck golangci-lint stylelint hadolint yamllint markdownlint black isort prettier rubocop phpstan biome tflint ansible-lint cppcheck clang-tidy uv npx poetry pre-commit make npm"


def _count(case: Case) -> str:
    found = re.search(r"(?:Found (\d+) errors?|(\d+) (?:problems?|errors?|offenses?)\b)", case.output)
    number = next((g for g in found.groups() if g), "") if found else ""
    return f" {number} in all." if number and number != "1" else ""


def _finding(case: Case, facts: Facts) -> str:
    return f"{case.program} works and found something: {facts['path']}, line {facts['line']}: {facts['why']}.{_count(case)} Correct the source."


def _eslint(case: Case, facts: Facts) -> str:
    return f"The linter works and found something: {facts['path'].rpartition('/')[2]}, line {facts['line']}: {facts['why'].strip()}.{_count(case)} Correct the source."


def _first_failing(case: Case) -> str:
    return "; ".join(re.findall(r"^ {2,}1\) ([^\n]+)", case.output, re.MULTILINE)[:1])


RULES = (
    Rule("checkers.eslint", (" problem", "✖"), r"^(?P<path>\S+\.\w+)\n\s+(?P<line>\d+):\d+\s+error\s+(?P<why>[^\n]+)", _eslint, program=_CHECKERS, rank=27),
    Rule("checkers.format", ("would be reformatted", "code style issues", "would reformat"), r"(?:would reformat:? |\[warn\] )(?P<path>\S+)", "{path} is not formatted as {program} wants it; nothing is broken. Run it without its check option to have it rewritten.", program="black ruff prettier npx isort", rank=27),
    Rule("checkers.finding", "", _FINDING, _finding, program="ruff flake8 pylint mypy pyright shellcheck golangci-lint yamllint cppcheck clang-tidy hadolint", rank=40),
    Rule("checkers.mocha", "failing", r"^\s*(?P<count>\d+) failing", lambda c, f: f"{f['count']} of the tests are failing: {_first_failing(c)}. Compare what was expected with what came.", rank=24),
    Rule("checkers.phpunit", "failures!", r"Failures: (?P<count>\d+)", "{count} of the tests failed. The first one above says what was expected.", rank=24),
    Rule("checkers.junit", "there are test failures", r"Tests run: (?P<run>\d+), Failures: (?P<count>\d+)", "{count} of {run} tests failed. The reports are in target/surefire-reports.", rank=17),
    Rule("checkers.ctest", "tests failed out of", r"(?P<count>\d+) tests failed out of (?P<run>\d+)", "{count} of {run} tests failed. ctest --output-on-failure shows what they printed.", rank=24),
    Rule("checkers.assertion", "assertion", r"^(?P<program_name>\S+): (?P<path>[^\s:]+):(?P<line>\d+): (?:[^:\n]+: )?Assertion [`'‘](?P<why>[^'’\n]+)['’] failed", "An assertion in the program did not hold: {why}, at {path}, line {line}; so it aborted (SIGABRT).", rank=22),
)  # fmt: skip
