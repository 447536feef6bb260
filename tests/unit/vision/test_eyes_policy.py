"""What may be typed on a machine that is watched."""

from __future__ import annotations

import pytest

from terma.config import eyes
from terma.errors import UsageError
from terma.vision.lines import Composer, enters, logical_line, may_enter, readings, told
from terma.vision.policy import Policy
from terma.vision.types import Combination, Cursor, Keystroke, Line, TerminalState, Text
from tests.unit.vision.dangerous import LINES

ENTER = Keystroke(key="Enter")
PROMPT = "user@box:~$ "


def screen(*rows: str, columns: int = 80, password: bool = False, column: int | None = None) -> TerminalState:
    """A screen whose cursor stands behind the last row."""
    place = len(rows[-1]) if column is None else column
    return TerminalState(
        rows=rows,
        columns=columns,
        cursor=Cursor(row=len(rows) - 1, column=place),
        password=password,
        confidence=(1.0,) * len(rows),
    )


def policy(auto: bool = False, **settings) -> Policy:
    return Policy(eyes.Policy(**settings), auto=auto)


def typed(*actions, prompt: str = PROMPT) -> Composer:
    composer = Composer()
    for action in actions:
        composer.typed(action, screen(prompt))
    return composer


def test_there_are_forty_of_them():
    assert len(LINES) == len(set(LINES)) == 40


@pytest.mark.parametrize("line", LINES)
def test_a_dangerous_line_is_refused_however_it_comes(line):
    judge = policy(auto=True, allow=(".*",), risk="high")
    assert judge.before(Line(text=line), Composer()).what == "refuse"
    half = len(line) // 2
    split = typed(Text(text=line[:half]))
    assert judge.before(Text(text=line[half:]), split).what == "refuse"
    one_by_one = typed(*(Keystroke(key="Space" if c == " " else c) for c in line))
    assert judge.entering(one_by_one, screen(PROMPT + line)).what == "refuse"


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("prompt", ["user@box:~$ ", "# ", "host% ", "~ ❯ ", "[#1] root # ", "=> ", "PS> "])
def test_a_dangerous_line_that_stands_there_already_is_not_entered(line, prompt):
    assert policy().entering(Composer(), screen(prompt + line)).what == "refuse"


@pytest.mark.parametrize(
    "line",
    [
        "ls -la",
        "df -h",
        "cat /etc/passwd",
        "grep reboot log",
        "git status",
        "uname -a",
        "echo 'it is #1 > all'",
        "make",
    ],
)
def test_a_harmless_line_is_a_persons_to_decide_or_on_the_list(line):
    assert policy().before(Line(text=line), Composer()).what == "ask"
    listed = policy(auto=True, allow=("ls *", "df -h"))
    assert (listed.before(Line(text=line), Composer()).what == "allow") == line.startswith(("ls", "df"))
    assert policy().entering(typed(Text(text=line)), screen(PROMPT + line)).what == "allow"


def test_a_line_that_goes_on_over_several_rows_is_judged_as_one():
    composer = typed(Text(text="rm -rf \\"), ENTER)
    assert composer.entered
    more = screen(PROMPT + "rm -rf \\", "> ")
    composer.typed(Text(text="/"), more)
    assert policy().entering(composer, screen(PROMPT + "rm -rf \\", "> /")).what == "refuse"


def test_a_draft_before_what_was_typed_counts_too():
    draft = screen(PROMPT + "rm -rf ")
    composer = Composer()
    composer.typed(Text(text="/"), draft)
    assert policy().entering(composer, screen(PROMPT + "rm -rf /")).what == "refuse"


def test_a_line_that_is_wrapped_is_read_whole():
    line = "rm -rf /" + "a" * 10
    text = "user$ " + line
    rows = [text[at : at + 12] for at in range(0, len(text), 12)]
    state = screen(*rows, columns=12)
    assert logical_line(state) == text
    assert policy().entering(Composer(), state).what == "refuse"


def test_a_suggestion_behind_the_cursor_was_not_typed():
    composer = typed(Text(text="ls"))
    assert composer.arrived(screen(PROMPT + "ls -la", column=len(PROMPT) + 2))


@pytest.mark.parametrize("shown", ["echo helo", "echo hello x", "xecho hello", ""])
def test_what_arrived_wrong_is_not_entered(shown):
    verdict = policy().entering(typed(Text(text="echo hello")), screen(PROMPT + shown))
    assert verdict.what == "refuse" and "does not show" in verdict.reason


def test_a_line_from_the_history_is_a_persons_to_enter_even_with_auto():
    judge = policy(auto=True, allow=(".*",))
    assert judge.entering(typed(Keystroke(key="Up")), screen(PROMPT + "ls")).what == "ask"
    assert judge.entering(typed(Keystroke(key="Up")), screen(PROMPT + "rm -rf /")).what == "refuse"


def test_nothing_is_entered_where_a_password_is_asked_for():
    assert policy().entering(Composer(), screen("Password: ", password=True)).what == "refuse"


@pytest.mark.parametrize("key", ["j", "m", "M", "o", "Enter"])
def test_other_ways_to_press_enter_are_enter(key):
    assert enters(Combination(modifiers=("ctrl",), key=key))
    assert not enters(Combination(modifiers=("ctrl",), key="c"))


@pytest.mark.parametrize("text", ["mysql -p{{secret:db}}", "echo <SECRET_1>", "export T=<SECRET>"])
def test_a_secret_never_stands_on_a_line(text):
    assert policy().before(Line(text=text), Composer()).what == "refuse"


def test_restarting_by_keys_is_refused():
    assert policy().before(Combination(modifiers=("ctrl", "alt"), key="Delete"), Composer()).what == "refuse"


def test_the_settings_deny_more_and_lower_the_bar():
    own = policy(deny=(r"\bprod\b",))
    assert own.before(Line(text="ssh prod uptime"), Composer()).what == "refuse"
    assert policy(risk="medium").before(Line(text="rm file"), Composer()).what == "refuse"


def test_what_could_destroy_something_is_marked_and_asked_for_on_whatever_list_it_is():
    verdict = policy(auto=True, allow=(".*",)).before(Line(text="rm notes.txt"), Composer())
    assert verdict.what == "ask" and "deletes" in verdict.reason


def test_auto_without_a_list_is_an_error():
    with pytest.raises(UsageError, match="--auto"):
        policy(auto=True)


def test_keys_are_on_the_list_by_their_name():
    judge = policy(auto=True, allow=("<Up>", "<ctrl+c>"))
    assert judge.before(Keystroke(key="Up"), Composer()).what == "allow"
    assert judge.before(Combination(modifiers=("ctrl",), key="c"), Composer()).what == "allow"
    assert judge.before(Keystroke(key="Down"), Composer()).what == "ask"


def test_a_wrong_expression_in_the_settings_is_refused():
    with pytest.raises(ValueError, match="no regular expression"):
        eyes.Policy(deny=("(",))


LISTED = ("ls *", "echo *", "df -h")


@pytest.mark.parametrize(
    "line",
    [
        "ls ; touch F",
        "ls && touch F",
        "ls > F",
        "ls $(touch F)",
        "ls {a,-b}",
        "ls *",
        "echo $X",
        "ls --made-up",
        "git log",
    ],
)
def test_the_list_is_of_commands_and_not_of_characters(line):
    judge = policy(auto=True, allow=(*LISTED, "git log"))
    assert judge.before(Line(text=line), Composer()).what == "ask"
    assert judge.entering(typed(Text(text=line)), screen(PROMPT + line)).what == "ask"


@pytest.mark.parametrize(
    "stood",
    [
        "touch PWNED; ",
        "touch PWNED; echo $ ",
        "x # ",
        "sudo ",
        "> ",
        "dquote> ",
        "Proceed? [Y/n] ",
        "touch a\\",
    ],
)
def test_what_stands_there_already_is_a_persons_to_see_even_with_auto(stood):
    row = stood if stood.startswith(("> ", "dquote", "Proceed")) else PROMPT + stood
    composer = Composer()
    composer.typed(Text(text="echo fine"), screen(row))
    judge = policy(auto=True, allow=LISTED)
    assert judge.entering(composer, screen(row + "echo fine")).what == "ask"
    assert judge.entering(composer, screen(row + "echo fine"), approved=PROMPT).what == "ask"
    assert judge.entering(composer, screen(row + "echo fine"), approved=row).what == "allow"


@pytest.mark.parametrize("prompt", ["$ ", "user@box:~$ ", "host% ", "~ ❯ ", "[#1] root # ", "/srv/a b # "])
def test_a_prompt_alone_is_nothing(prompt):
    composer = typed(Text(text="echo fine"), prompt=prompt)
    assert policy(auto=True, allow=LISTED).entering(composer, screen(prompt + "echo fine")).what == "allow"


@pytest.mark.parametrize(
    ("stood", "now", "what"),
    [
        ("", " -la", "allow"),  # a suggestion, which came with the typing
        (" " * 40 + "12:30", " " * 31 + "12:30", "allow"),  # a prompt at the right, which stands still
        (" " * 8 + "12:30", "", "allow"),  # or goes
        (" " * 40 + "; touch F", " " * 40 + "; touch F", "ask"),
        ("; touch F", "; touch F", "ask"),
        ("; touch FILES", "ILES", "ask"),  # overwritten
        ("; rm -rf ~", "; rm -rf ~", "refuse"),
    ],
)
def test_what_stood_behind_the_cursor_is_part_of_the_line(stood, now, what):
    composer = Composer()
    composer.typed(Text(text="echo fine"), screen(PROMPT + stood, column=len(PROMPT)))
    typed_there = screen(f"{PROMPT}echo fine{now}", column=len(PROMPT) + 9)
    assert policy(auto=True, allow=LISTED).entering(composer, typed_there).what == what
    assert policy().entering(composer, typed_there, approved=PROMPT).what == what


def test_a_person_is_told_the_whole_line():
    state = screen(PROMPT + "echo ; touch F", column=len(PROMPT) + 5)
    assert told(state) == ("on the line: user@box:~$ echo", "behind the cursor: ; touch F")


def test_every_reading_of_a_row_is_considered():
    assert readings("a $ b # c > d") == ("b # c > d", "c > d", "d", "a $ b # c > d")


@pytest.mark.parametrize(
    "keys",
    [
        (Combination(modifiers=("alt",), key="a"),),
        (Combination(modifiers=("alt",), key="A"),),
        (Combination(modifiers=("alt", "ctrl"), key="j"),),
        (Combination(modifiers=("ctrl",), key="x"),),
        (Keystroke(key="F5"),),
        (Keystroke(key="Escape"), Keystroke(key="a")),
        (Combination(modifiers=("ctrl",), key="["), Keystroke(key="A")),
        (Keystroke(key="Escape"), Text(text="a")),
    ],
    ids=str,
)
def test_a_key_that_may_run_the_line_is_pressed_on_no_dangerous_one(keys):
    composer = typed(Text(text="rm -rf ~"), *keys[:-1])
    assert may_enter(keys[-1], composer)
    stands = screen(PROMPT + "rm -rf ~")
    assert policy().standing(composer, stands).what == "refuse"
    assert policy().standing(typed(Text(text="ls"), *keys[:-1]), screen(PROMPT + "ls")).what == "allow"


@pytest.mark.parametrize(
    "key",
    [
        Keystroke(key="Up"),
        Keystroke(key="x"),
        Text(text="a"),
        Combination(modifiers=("shift",), key="Tab"),
        Combination(modifiers=("ctrl",), key="E"),
        Combination(modifiers=("alt",), key="b"),
    ],
    ids=str,
)
def test_a_key_that_edits_the_line_runs_none(key):
    assert not may_enter(key, Composer())
