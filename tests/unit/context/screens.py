"""Screens as real shells leave them, each with the command that was run and what it printed."""

from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple


class Seen(NamedTuple):
    """`output` is None where the command does not stand on the screen."""

    screen: str
    command: str
    output: str | None
    asked: str = "?why"
    shell: str = "bash"
    columns: int = 0


def screen(text: str) -> str:
    return dedent(text).strip("\n")


SCREENS: dict[str, Seen] = {
    "one line": Seen(
        screen("""
            $ make
            make: *** No targets specified and no makefile found.  Stop.
            $ ?why
            """),
        "make",
        "make: *** No targets specified and no makefile found.  Stop.",
    ),
    "a question, and what is said to it already": Seen(
        screen("""
            user@host:~/src$ cc a.c
            a.c:1:1: error: unknown type name 'in'
            user@host:~/src$ ?why is that wrong
            terma · offline · reads what `cc a.c` printed
            """),
        "cc a.c",
        "a.c:1:1: error: unknown type name 'in'",
        "?why is that wrong",
    ),
    "no output": Seen("$ false\n$ ?why", "false", ""),
    "output without a newline, bash": Seen("$ printf foo\nfoo$ ?why", "printf foo", "foo"),
    "two lines, the last without a newline, bash": Seen(
        "me@box:~$ printf 'a\\nb'\na\nbme@box:~$ ?why", "printf 'a\\nb'", "a\nb"
    ),
    "output without a newline, zsh": Seen(
        "~ % printf foo\nfoo%" + " " * 36 + "\n~ % ?why", "printf foo", "foo", shell="zsh", columns=40
    ),
    "output without a newline, zsh, joined by the terminal": Seen(
        "~ % printf foo\nfoo%" + " " * 36 + "~ % ?why", "printf foo", "foo", shell="zsh", columns=40
    ),
    "a percentage is not zsh's mark": Seen("~ % df\n100%\n~ % ?why", "df", "100%", shell="zsh", columns=40),
    "the same command again and again": Seen(
        "$ make\nfirst\n$ make\nsecond\n$ make\nthird\n$ ?why", "make", "third"
    ),
    "the same failure again and again": Seen(
        "$ ls\na\n" + "$ make\nmake: *** No rule.\n" * 4 + "$ ?why", "make", "make: *** No rule."
    ),
    "a longer command of the same beginning": Seen(
        "$ make\nshort\n$ make test\nlong\n$ ?why", "make", "short\n$ make test\nlong"
    ),
    "the same failure again and again, the prompt tells what changes": Seen(
        "4.86 [me:~] $ true\n"
        + "".join(f"4.8{n} [me:~] 1 $ cat a\ncat: a: gone\n" for n in (6, 6, 7))
        + "4.87 [me:~] 1 $",
        "cat a",
        "cat: a: gone",
        "",
    ),
    "a prompt of three rows that counts": Seen(
        "[Sat 14:59][pts/1]\n<me@box:~>\nzsh 7 # cat a\ncat: a: gone\n"
        "[Sat 14:59][pts/1]\n<me@box:~>\nzsh 8 [1] # cat a\ncat: a: gone\n"
        "[Sat 15:00][pts/1]\n<me@box:~>\nzsh 9 [1] # ?why",
        "cat a",
        "cat: a: gone",
        shell="zsh",
    ),
    "rows of one prompt that look alike": Seen(
        "╭─ me ~/a\n╰─ cat a\ncat: a: gone\n╭─ me ~/a ↵ 1\n╰─ cat b\ncat: b: gone\n╭─ me ~/a ↵ 1\n╰─ ?why",
        "cat b",
        "cat: b: gone",
        shell="zsh",
    ),
    "a prompt that is wrapped itself": Seen(
        "ready ~/sub 14:59:45 a very lo\nng prompt # cat a\ncat: a: gone\n"
        "ready ~/sub 14:59:46 a very lo\nng prompt # cat a\ncat: a: gone\n"
        "ready ~/sub 14:59:49 a very lo\nng prompt # ?why",
        "cat a",
        "cat: a: gone",
        columns=30,
    ),
    "two-line prompt": Seen(
        screen("""
            ╭─me@box ~/src on main
            ╰─❯ ls
            a.c
            ╭─me@box ~/src on main
            ╰─❯ make
            make: *** No rule.  Stop.
            ╭─me@box ~/src on main ✘ 2
            ╰─❯ ?why
            """),
        "make",
        "make: *** No rule.  Stop.",
        shell="zsh",
    ),
    "two-line prompt with a blank line before it and the time on the right": Seen(
        screen("""
            ~/src                                  12:01:10
            ❯ cd lib

            ~/src/lib                              12:01:15
            ❯ make
            make: *** No rule.  Stop.

            ~/src/lib                            2 12:01:20
            ❯ ?why
            """),
        "make",
        "make: *** No rule.  Stop.",
        shell="zsh",
        columns=47,
    ),
    "right prompt": Seen(
        screen("""
            ~/src % make                           12:01:10
            make: *** No rule.  Stop.
            ~/src % ?why                           12:01:15
            """),
        "make",
        "make: *** No rule.  Stop.",
        shell="zsh",
        columns=47,
    ),
    "a right prompt that stands close": Seen(
        "~ % ls                12:01\na\n~ % printf abcdefghi 12:01\nabcdefghi\n~ % ?why              12:02",
        "printf abcdefghi",
        "abcdefghi",
        shell="zsh",
        columns=28,
    ),
    "zsh's trace": Seen(
        "ready> cat a\n+zsh:7> cat a\ncat: a: gone\nready> ?why",
        "cat a",
        "+zsh:7> cat a\ncat: a: gone",
        shell="zsh",
    ),
    "the same command at another prompt before": Seen(
        "~/b> cat a\nold\n~/b> cd ..\n+ ~> cat a\nnew\n~/b> ?why", "cat a", "new", shell="zsh"
    ),
    "transient prompt": Seen("❯ ls\na\n❯ make\nmake: error\n❯ ?why", "make", "make: error", shell="zsh"),
    "transient prompt, asked by a key": Seen(
        "❯ ls\na\n❯ make\nmake: error\n~/src main ❯", "make", "make: error", "", shell="zsh"
    ),
    "asked by a key": Seen("$ make\nmake: error\n$", "make", "make: error", ""),
    "asked by a key, a state line beneath": Seen(
        "me@box:~$ make\nmake: error\nme@box:~$\noffline · thinking", "make", "make: error", ""
    ),
    "asked by a key, with a right prompt": Seen(
        "~ % make                        12:01\nmake: error\n~ %                             12:02",
        "make",
        "make: error",
        "",
        shell="zsh",
        columns=37,
    ),
    "asked by a key that took the prompt away": Seen("$ make\nmake: error\n", "make", "make: error", ""),
    "the prompt tells another directory afterwards": Seen(
        "me@box:~$ cd src && make\nmake: error\nme@box:~/src$ ?why", "cd src && make", "make: error"
    ),
    "the prompt tells the status": Seen("✔ ~/src make\nmake: error\n✘ ~/src ?why", "make", "make: error"),
    "set -x": Seen("$ make -C a\n+ make -C a\nmake: error\n$ ?why", "make -C a", "+ make -C a\nmake: error"),
    "a program that prints the command": Seen(
        "me@box:~$ sh build.sh\nRunning:\nsh build.sh\n    $ sh build.sh\nfailed\nme@box:~$ ?why",
        "sh build.sh",
        "Running:\nsh build.sh\n    $ sh build.sh\nfailed",
    ),
    "history": Seen(
        "$ history\n  499  make\n  500  history\n$ ?why", "history", "  499  make\n  500  history"
    ),
    "wrapped by the shell, the terminal does not know": Seen(
        "~ % echo aaaaaaaaaa bbbbbbbb\nbb cccccccc\naaaaaaaaaa bbbbbbbbbb cccccccc\n~ % ?why",
        "echo aaaaaaaaaa bbbbbbbbbb cccccccc",
        "aaaaaaaaaa bbbbbbbbbb cccccccc",
        columns=28,
    ),
    "wrapped between two words": Seen(
        "$ echo aaaaaaaa\nbbbbbbbb\naaaaaaaa bbbbbbbb\n$ ?why",
        "echo aaaaaaaa bbbbbbbb",
        "aaaaaaaa bbbbbbbb",
        columns=16,
    ),
    "output that was wrapped": Seen(
        "$ cat a\ncat: No such fil\ne or directory\n$ ?why",
        "cat a",
        "cat: No such file or directory",
        columns=16,
    ),
    "a full row that was not wrapped": Seen(
        "$ pytest\n==== ERRORS ====\nE  none\n$ ?why", "pytest", "==== ERRORS ====\nE  none", columns=16
    ),
    "a full row of a terminal that joins": Seen(
        "$ cat a b\nabcdefgh\nsecond row, longer\n$ ?why",
        "cat a b",
        "abcdefgh\nsecond row, longer",
        columns=8,
    ),
    "the question is wrapped": Seen(
        "$ make\nmake: error\n$ ?why does it\nnot find my fi\nle\n",
        "make",
        "make: error",
        "?why does it not find my file",
        columns=14,
    ),
    "several lines, bash": Seen(
        "$ for i in 1 2\n> do\n>   echo $i\n> done\n1\n2\n$ ?why",
        "for i in 1 2; do   echo $i; done",
        "1\n2",
    ),
    "several lines, zsh, with a right prompt": Seen(
        "~ % for i in 1 2            12:01\nfor> do echo $i\nfor> done\n1\n2\n~ % ?why            12:02",
        "for i in 1 2\ndo echo $i\ndone",
        "1\n2",
        shell="zsh",
        columns=33,
    ),
    "a heredoc": Seen(
        "$ cat <<END\n> one\n> two words\n> END\none\ntwo words\n$ ?why",
        "cat <<END\none\ntwo words\nEND",
        "one\ntwo words",
    ),
    "lines joined by backslashes": Seen(
        "$ echo a \\\n> b\na b\n$ ?why",
        "echo a b",
        "a b",
    ),
    "an empty Enter, ^C and an older question in between": Seen(
        screen("""
            me@box:~$ make
            make: error
            me@box:~$
            me@box:~$ rm -r^C
            me@box:~$ ?why
            `make` has no rule.

              make all

            me@box:~$ make all^C
            me@box:~$ ?why
            """),
        "make",
        "make: error",
    ),
    "history expansion": Seen("$ ls x\nls: first\n$ !!\nls x\nls: second\n$ ?why", "ls x", "ls: second"),
    "wide characters": Seen(
        "我的机器 $ echo 日本語テキスト\n日本語テキスト\n我的机器 $ ?why 日本",
        "echo 日本語テキスト",
        "日本語テキスト",
        "?why 日本",
    ),
    "TABs": Seen("$ printf 'a\\tb\\n'\na\tb\n$ ?why", "printf 'a\\tb\\n'", "a\tb"),
    "an empty prompt": Seen("make\nmake: error\n?why", "make", "make: error"),
    "lines that begin like the prompt": Seen(
        "> npm run build\n\n> app@1.0.0 build\n> tsc\n\nerror TS2304\n> ?why",
        "npm run build",
        "> app@1.0.0 build\n> tsc\n\nerror TS2304",
    ),
    "the command is not known": Seen("me@box:~$ make\nmake: error\nme@box:~$ ?why", "", "make: error"),
    "the command is not known, empty prompts in between": Seen(
        "me@box:~$ make\nmake: error\nme@box:~$\nme@box:~$ terma doctor\nfine\nme@box:~$ ?why",
        "",
        "make: error",
    ),
    "what GNU screen keeps of other letters": Seen(
        "$ echo dxe9jxe0 x\\xe5\xff,\xff\ndxe9jxe0 x\n$ ?why".replace("xe9", "\xe9")
        .replace("xe0", "\xe0")
        .replace("x\\xe5", "\xe5"),
        "echo déjà 日本",
        "déjà x",
    ),
    "scrolled away": Seen("error 98\nerror 99\n$ ?why", "make", None),
    "cleared": Seen("$ ?why", "make", None),
    "only within its own output": Seen("+ make\nmake: error\n$ ?why", "make", None),
}
