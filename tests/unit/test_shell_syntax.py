"""Shell text is read as the shell reads it, and what is not understood is refused."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.risk import assess
from terma.risk.syntax import read_as
from terma.shell_syntax import (
    BASH,
    BASH_PROMPT,
    DIALECTS,
    SH,
    ZSH,
    ZSH_PROMPT,
    Dialect,
    ShellSyntaxError,
    parse,
    readings,
)
from terma.shell_syntax import nodes as tree
from terma.shell_syntax.alike import read_alike
from tests.fuzz.strings import Strings


def words(line: str, dialect: Dialect = BASH) -> list[list[str]]:
    """The words of the simple commands right in `line`."""
    return [
        [word.text for word in command.words]
        for command in tree.commands(parse(line, dialect))
        if isinstance(command, tree.Simple)
    ]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda one: one.name)
@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("ls -l | wc", [["ls", "-l"], ["wc"]]),
        (r"ls \ #;rm -rf ~", [["ls", " #"], ["rm", "-rf", "~"]]),
        ("ls x\\\n#;rm y", [["ls", "x#"], ["rm", "y"]]),
        ("ls 2>&1\\\nx", [["ls"]]),
        ("ls 'a b'\"c d\"\\ e", [["ls", "a bc d e"]]),
        ('echo "a\\"b$(ls)`pwd`"', [["echo", 'a"b$(ls)`pwd`']]),
        ("a=1 b='2 3' env", [["env"]]),
        ("cat <<E; ls\nx; rm y\nE\nwc", [["cat"], ["ls"], ["wc"]]),
        ("cat <<'E' | wc\n$(\nE", [["cat"], ["wc"]]),
        ("ls a#b", [["ls", "a#b"]]),
        ("ls {path} @{u} HEAD~1 HEAD^ a=b", [["ls", "{path}", "@{u}", "HEAD~1", "HEAD^", "a=b"]]),
        ("[ a = b ] && ls", [["[", "a", "=", "b", "]"], ["ls"]]),
    ],
)
def test_what_all_shells_read_alike(line: str, commands: list[list[str]], dialect: Dialect) -> None:
    assert words(line, dialect) == commands


def test_a_comment_is_one_where_the_dialect_has_comments() -> None:
    for dialect in (BASH, BASH_PROMPT, ZSH, SH):
        assert words("ls # ; rm x", dialect) == [["ls"]]
    assert words("ls # ; rm x", ZSH_PROMPT) == [["ls", "#"], ["rm", "x"]]


@pytest.mark.parametrize(
    ("line", "dialects"),
    [
        ("diff <(ls) <(ls)", "bash zsh"),
        ("ls *(.om[1,3])", "bash zsh"),
        ("a=(1 2)", "bash zsh"),
        ("function f { ls; }", "bash zsh"),
        ("for f (*.txt) echo $f", "zsh"),
        ("if [[ -f x ]] { ls }", "zsh"),
        ("repeat 3 ls", "bash zsh sh"),
        ("foreach x (a b) ls; end", "zsh"),
        ("{ ls } always { pwd }", "zsh"),
        ("echo ${(f)x} ${x:h}", "zsh"),
        ("{fd}>x ls", "bash sh"),
        ("exec {fd}>x", "bash zsh sh"),
        ("ls <<< x", "bash zsh"),
        ("[[ $x =~ ^(a|b)$ ]]", "bash zsh"),
        ("for ((i=0; i<3; i++)); do ls; done", "bash zsh"),
        ("coproc x { ls; }", "bash"),
        ("case x in (a|b) ls;; c) pwd;& *) wc;; esac", "bash zsh"),
        ("f() ls", "zsh sh"),
        ("ls 12>x", "bash"),
    ],
)
def test_each_dialect_has_its_own_syntax(line: str, dialects: str) -> None:
    for dialect in (BASH, ZSH, SH):
        if dialect.name in dialects.split():
            assert parse(line, dialect).statements
        else:
            with pytest.raises(ShellSyntaxError):
                parse(line, dialect)


@pytest.mark.parametrize("line", ["echo !x", "sudo !!", 'echo "a !b"', "^a^b", "ls !$", "ls $'!x'", "ls;!x"])
def test_a_prompt_s_history_is_never_guessed(line: str) -> None:
    for dialect in (BASH_PROMPT, ZSH_PROMPT):
        with pytest.raises(ShellSyntaxError):
            parse(line, dialect)
    for dialect in (BASH, ZSH):
        assert parse(line, dialect).statements


@pytest.mark.parametrize(
    "line",
    [
        "'a",
        '"a',
        "`a",
        "$(a",
        "a &&",
        "a |",
        "if a; then b",
        "for x in a; do b",
        "{ a",
        "cat <<E\nx",
        "a\\",
        "((1",
        "f()",
    ],
)
def test_a_line_that_goes_on_is_told_from_one_that_is_wrong(line: str) -> None:
    with pytest.raises(ShellSyntaxError) as caught:
        parse(line, BASH)
    assert caught.value.incomplete


@pytest.mark.parametrize(
    "line", ["a )", "; a", "a ;; b", "fi", "a <", "a > | b", "if a; fi", "a (b)", "&& a", "x() a"]
)
def test_a_line_that_is_wrong_does_not_go_on(line: str) -> None:
    with pytest.raises(ShellSyntaxError) as caught:
        parse(line + "\nls", BASH)
    assert not caught.value.incomplete


def test_parts_say_where_they_stand_and_what_the_shell_would_do_with_them() -> None:
    line = "ls a'b'\"$c\"*{d,e}$(pwd) ~/x"
    command = next(tree.commands(parse(line, BASH)))
    assert isinstance(command, tree.Simple)
    kinds = [type(part).__name__ for part in command.words[1].parts]
    assert kinds == ["Literal", "SingleQuoted", "DoubleQuoted", "Glob", "Brace", "CommandSubstitution"]
    assert [line[part.start : part.end] for part in command.words[1].parts] == [
        "a", "'b'", '"$c"', "*", "{d,e}", "$(pwd)",
    ]  # fmt: skip
    assert [line[word.start : word.end] for word in command.words] == ["ls", "a'b'\"$c\"*{d,e}$(pwd)", "~/x"]
    inner = command.words[1].parts[-1]
    assert isinstance(inner, tree.CommandSubstitution)
    within = next(tree.commands(inner.script))
    assert line[within.start : within.end] == "pwd"


@pytest.mark.parametrize(
    "piece", ["$(", "(", "{ ", "${x:-", '"$(', "if (", "$((", "<(", "a=(", "[[ (", "f() { "]
)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda one: one.name)
def test_what_is_nested_without_end_is_refused(piece: str, dialect: Dialect) -> None:
    with pytest.raises(ShellSyntaxError):
        parse(piece * 4000, dialect)


def test_time_grows_with_the_text_alone() -> None:
    def spent(text: str) -> float:
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            parse.__wrapped__(text, BASH)
            best = min(best, time.process_time() - start)
        return best

    for piece in ("ls a | ", "x=1 ", "'a' ", "{a,b} ", "a[1] ", '$x"$y"', "a\\\n", "<a "):
        short, long = spent(piece * 200 + "ls"), spent(piece * 1600 + "ls")
        assert long < short * 8 * 4, piece


@given(st.text(max_size=80), st.sampled_from(DIALECTS))
def test_any_text_is_read_or_refused(text: str, dialect: Dialect) -> None:
    try:
        parse(text, dialect)
    except ShellSyntaxError as error:
        assert 0 <= error.at <= len(text)


def test_a_shell_is_known_by_its_name_or_path() -> None:
    assert readings("/usr/bin/zsh") == readings("-zsh") == (ZSH_PROMPT, ZSH)
    assert readings("bash", script=True) == (BASH,)
    assert readings("fish") == readings("xonsh") == ()


@pytest.mark.parametrize(
    "line",
    [
        "foreach a b (x) rm -rf F; end",
        "for a b (x) rm -rf F",
        "for a b in x y; do rm -rf F; done",
        "select x in a; do foreach y z (a) rm -rf F || time \\\necho; end; done",
    ],
)
def test_a_loop_over_several_variables_is_not_guessed_at(line):
    for dialect in (ZSH, ZSH_PROMPT):
        with pytest.raises(ShellSyntaxError):
            parse(line, dialect)
    assert assess(line).level == "high"


@pytest.mark.parametrize(
    "line", ["[[ '' < (.) ]]", "[[ -n (a) ]]", "[[ (a) < b ]]", "[[ a > ( b ) ]]", "[[ (a) (b) ]]"]
)
def test_brackets_in_a_test_are_no_operand(line):
    for dialect in (BASH, ZSH, ZSH_PROMPT):
        with pytest.raises(ShellSyntaxError):
            parse(line, dialect)
    assert assess(f"{line}; echo 'x\nrm -rf F\n'").level == "high"
    for fine in ("[[ ( a || b ) && ! ( c ) ]]", "[[ -n a && ( b < c ) ]]", "[[ ((a)) ]]"):
        parse(fine, ZSH_PROMPT)


@pytest.mark.parametrize("line", ["> 2>&1 a", "> {fd}>x", "< 3<&0 a", "a << 2>x\n2\n"])
def test_a_descriptor_is_no_file_of_a_redirection(line):
    for dialect in DIALECTS:
        with pytest.raises(ShellSyntaxError):
            parse(line, dialect)
    with pytest.raises(ShellSyntaxError):
        parse(">>! 2>&1 a", ZSH_PROMPT)


@pytest.mark.parametrize("line", ["ls a() rm -rf F; ls", "ls $(: f() rm -rf F; ls x)"])
def test_a_function_of_several_names_is_no_command_with_arguments(line):
    for dialect in (ZSH, ZSH_PROMPT):
        with pytest.raises(ShellSyntaxError):
            parse(line, dialect)
    assert assess(line, shell="zsh").level != "low"


def test_an_escaped_mark_is_a_bare_one_at_a_zsh_prompt():
    for line in (r"\! rm -rf F", r"ls x &\!rm F", r"[[ \! = a ]] && ls", "if \\! rm F; then ls; fi"):
        with pytest.raises(ShellSyntaxError):
            parse(line, ZSH_PROMPT)
    document = "cat <<E\\!\n$(rm -rf F)\nE!\n"
    assert assess(document, shell="zsh").level == "high"
    assert assess(document, shell="bash").level == "low"
    assert words(r"find . \! -name x", ZSH_PROMPT) == [["find", ".", "!", "-name", "x"]]


@pytest.mark.parametrize("line", ["a=1 do \\\nrm -rf F", "a[1]=x done; ls", ">x fi", "a=(1) end"])
def test_a_reserved_word_is_one_behind_an_assignment_too_in_zsh(line):
    for dialect in (ZSH, ZSH_PROMPT):
        with pytest.raises(ShellSyntaxError):
            parse(line, dialect)


@pytest.mark.parametrize("quoted", ["'a\n'", "$'a\n'", "$(ls 'a\n' ^b)"])
def test_what_follows_a_quote_over_two_lines_begins_a_line_at_a_zsh_prompt(quoted):
    with pytest.raises(ShellSyntaxError):
        parse(f"ls {quoted} ^a <<E\nrm -rf F\nE\n", ZSH_PROMPT)
    assert parse("ls 'a\nb' c ^a", ZSH_PROMPT).statements
    assert parse("ls 'a\nb' ^a", ZSH).statements


def test_what_looks_like_arithmetic_and_is_none_is_not_passed_over_in_zsh():
    for dialect in (ZSH, ZSH_PROMPT):
        for line in ("ls $((a[\nrm -rf F\n))", "ls $((]\nrm -rf F\n[))"):
            with pytest.raises(ShellSyntaxError):
                parse(line, dialect)
        parse("echo $((a[1]+2))", dialect)


def test_a_process_number_is_read_before_a_semicolon():
    assert words('sleep 9 & pid=$!; kill "$pid"', ZSH_PROMPT) == [["sleep", "9"], [], ["kill", "$pid"]]
    with pytest.raises(ShellSyntaxError):
        parse("echo a!&ls", ZSH_PROMPT)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_said_to_be_read_alike_is(seed):
    strings, alike = Strings(seed), 0
    for _ in range(1500):
        text = strings.next()
        if read_alike(text):
            alike += 1
            readings_of = [outline_of(text, dialect) for dialect in DIALECTS]
            assert all(one == readings_of[0] for one in readings_of), text
    assert alike > 20
    for line in (
        "ls =rm",
        "ls a(.)",
        "$x[1]",
        "repeat 3 ls",
        "ls # x",
        "echo a!",
        "ls {a,b}",
        "ls 12>x",
        "ls -1 >&2 x",
    ):
        assert not read_alike(line)
    assert read_alike("grep -rn 'a b' ~/src | sort -u > out.txt && wc -l out.txt")


def outline_of(text: str, dialect: Dialect) -> object:
    """What is read of `text`, or that it is refused."""
    try:
        return replace(read_as(text, dialect), foreign=False)
    except ShellSyntaxError:
        return None
