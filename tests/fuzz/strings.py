"""Strings that shells disagree about: commands from a grammar, then bent; and heaps of what shells treat specially."""

from __future__ import annotations

import random

RUNS, CALLS = (
    "shred -u F",
    "touch F",
)  # what may not run: in a line that is called low, in one that a list allows
_HARMLESS = ("ls", "ls x", "echo a", "echo", "ls -l", ":", "echo x y")
_WORDS = (
    "a",
    "x",
    "F",
    "'a b'",
    '"a b"',
    "$x",
    '"$x"',
    "${x}",
    "*",
    "a*",
    "[ab]",
    "~",
    "{a,b}",
    "a=b",
    "=",
    "#",
    "a#b",
    "%",
    "@",
)
_WORDS += (
    "\\#",
    "'#'",
    "\\;",
    "';'",
    "$'a'",
    "$'\\''",
    '$"a"',
    "é",
    "^a",
    "!",
    "a!",
    "(.)",
    "*(.)",
    "=ls",
    "=\\\nls",
    "-",
    "--",
    "$((1+1))",
)
_WORDS += (
    "$#",
    "$$",
    "$?",
    "${x:-a}",
    "${#x}",
    "${x#a}",
    "${x/a/b}",
    "`ls`",
    "$(ls)",
    "<(ls)",
    "a\\\nb",
    "\\",
    "''",
    '""',
    "]",
    "}",
)
_PIECES = (
    " ", " ", " ", "\t", "\n", "\n", "\\\n", "\\", "'", "'", '"', '"', "`", "$", "$(", ")", "(", "${x",
    "${x:-", "${", "}", "{", "{ ", "; }", "{a,", ",", "$((", "))", "((", "[[ ", " ]]", "[", "]", "#", " #",
    " # ", ";", ";;", "&", "&&", "|", "||", "|&", "&!", "&|", "<", ">", ">>", "<<E\n", "\nE\n", "<<-E\n",
    "\n\tE\n", "<<'E'\n", "<<\\E\n", "<<", "<<<", "<(", ">(", "=(", "2>&1", "&>", ">|", ">!", "<>", ">&-",
    "{f}>", "1>", "12>", "!", "~", "*", "?", "*(", "(.)", "(e:", ":)", "=", "x=", "x=(", "x+=", "a[",
    "a[1]=", "if ", "then ", "fi", "else ", "for x in a", "do ", "done", "case x in ", "a) ", "esac",
    "function f ", "f()", " } ", "time ", "coproc ", "repeat 1 ", "foreach x (a) ", "end", "always",
    "select x in a", "-", "noglob ", "nocorrect ", "builtin ", "command ", "$'", '$"', "\\'", '\\"', "\\$",
    "\\`", "\\\\", "^", "!!", "!\"", "%", "@", "é", "a", "x", "F", "ls ", "echo ", "ls", "; ls", f";{RUNS}",
    f"\n{RUNS}\n", f"$({RUNS})", f"`{RUNS}`", f"'$({RUNS})'", f"#{RUNS}", f" #;{RUNS}", f"# ' \n{RUNS} #'",
    f"\\\n{RUNS}", f"|{RUNS}", f"&{RUNS}", f"<({RUNS})", f"{{{RUNS}}}", "{shred,-u,F}", ";touch F",
    "x[`shred -u F`]", "\u00a0", "\u3000", "\\\t", "&&\\\n", "|\\\n&", "$\\\n(", "<\\\n<E", "2\\\n>", "\\\n#",
    "i\\\nf ", "\\!", "\\! ", f"\\! {RUNS}", "()", f" a() {RUNS}", "<<\\!\n", "\n!\n", "\\^", "<->",
)  # fmt: skip


class Strings:
    """An endless supply, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def next(self) -> str:
        """A string with something in it that may not run."""
        text = self._text()
        if RUNS in text or CALLS in text:
            return text
        at = self._random.randint(0, len(text))
        return text[:at] + self._one((RUNS, f";{RUNS}", f"\n{RUNS}\n", CALLS, f" {RUNS} ")) + text[at:]

    def _text(self) -> str:
        pick = self._random.random()
        if pick < 0.35:
            return self._bent(self._list(2))
        if pick < 0.7:
            return self._bent(f"{self._one(_HARMLESS)} {self._word(1)}") + self._heap(6)
        return self._one(("ls ", "echo ", "", "ls x", "echo '", 'echo "', "ls $(")) + self._heap(12)

    def _one(self, choices: tuple[str, ...]) -> str:
        return self._random.choice(choices)

    def _heap(self, most: int) -> str:
        return "".join(self._one(_PIECES) for _ in range(self._random.randint(0, most)))

    def _bent(self, text: str) -> str:
        """With up to three pieces put in, left out, or said twice."""
        for _ in range(self._random.choice((0, 1, 1, 2, 3))):
            at = self._random.randint(0, len(text))
            to = min(len(text), at + self._random.randint(0, 3))
            piece = self._random.choice((self._one(_PIECES), "", text[at:to] * 2))
            text = text[:at] + piece + text[to:]
        return text

    def _command(self) -> str:
        return self._one((*_HARMLESS, *_HARMLESS, RUNS, CALLS))

    def _word(self, depth: int) -> str:
        word = self._one(_WORDS)
        if depth and self._random.random() < 0.25:
            inner = self._list(depth - 1)
            word = self._one(
                (
                    "$(%s)",
                    '"$(%s)"',
                    "`%s`",
                    "<(%s)",
                    "'%s'",
                    '"%s"',
                    "${x:-$(%s)}",
                    "$(%s # )\n)",
                    "# %s",
                    "\\%s",
                )
            )
            word = word.replace("%s", inner)
        return word + (self._one(_WORDS) if self._random.random() < 0.2 else "")

    def _simple(self, depth: int) -> str:
        words = [self._command(), *(self._word(depth) for _ in range(self._random.randint(0, 3)))]
        if self._random.random() < 0.25:
            redirect = self._one(
                (">F", "> F", ">>F", "2>&1", "<F", "&>F", ">|F", "<<<a", "2> F", ">&2", "<>F", ">&-", "1>F")
            )
            words.insert(self._random.randint(0, len(words)), redirect)
        if self._random.random() < 0.1:
            words.insert(
                0,
                self._one(
                    ("x=1", "x=(a b)", "x+=1", "x[1]=a", "! ", "time", "x='a b'", "x=$(ls)", "noglob", "-")
                ),
            )
        if self._random.random() < 0.1:
            ending = self._one(("E", "'E'", "\\E", "-E", "- 'E'", "E\\!"))
            body = self._one((f"$({RUNS})", RUNS, "a", "'", "`ls`", "\\", "$x", f"E {RUNS}", "\tE", "a\\"))
            return f"{' '.join(words)} <<{ending}\n{body}\nE{'!' * ending.endswith('!')}\n"
        return self._one((" ", " ", " ", "  ", "\t", " \\\n")).join(words)

    def _list(self, depth: int) -> str:
        commands = [self._compound(depth) for _ in range(self._random.choice((1, 1, 1, 2, 3)))]
        text = commands[0]
        for command in commands[1:]:
            text += (
                self._one(
                    (
                        ";",
                        "; ",
                        " && ",
                        " || ",
                        " | ",
                        "\n",
                        " & ",
                        " # ",
                        " #",
                        " |& ",
                        "&&\n",
                        " &! ",
                        ";\\\n",
                    )
                )
                + command
            )
        return text

    def _compound(self, depth: int) -> str:
        if not depth or self._random.random() < 0.65:
            return self._simple(depth)
        shapes = (
            "if %s; then %s; fi", "for x in a %w; do %s; done", "{ %s; }", "(%s)", "( %s )", "f() { %s; }",
            "case %w in a) %s;; esac", "[[ %w = a ]] && %s", "(( 1 )) && %s", "for x in a; { %s }",
            "if [[ a ]] { %s }", "repeat 1 %s", "foreach x (a) %s; end", "for x (a b) %s",
            "case a in (a) %s;; (*) %s;; esac", "{ %s } always { %s }", "function f { %s; }; f", "! %s",
            "time %s", "\\! %s", "[[ \\! %w = %w ]]; %s", "ls a() %s; ls",
            "for ((i=0;i<1;i++)); do %s; done", "coproc %s", "f() { %s; }; f",
            "select x in a; do %s; done", "if %s\nthen\n%s\nelse %s\nfi", "while false; do %s; done",
            "until :; do %s; done", "[[ %w < %w ]]; %s", "x=(%w %w); %s", "x=%w; %s", "%s &", "() { %s }",
        )  # fmt: skip
        made = self._one(shapes)
        while "%s" in made:
            made = made.replace("%s", self._list(depth - 1), 1)
        while "%w" in made:
            made = made.replace("%w", self._word(0), 1)
        return made
