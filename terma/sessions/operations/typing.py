"""What starts a program, and what is typed into it."""

from __future__ import annotations

from terma.sessions.operations._common import LENGTH, RAW, SESSION, SETTLE, TIMEOUT, WAIT
from terma.sessions.parameters import Operation, Parameter

_HIDDEN_INPUT = (
    "never type one that you know or made up. The person does it (`terma session attach NAME` in their terminal), "
    "session_secret does where they gave you a secret's name, or you send a placeholder, such as <SECRET_1>, that an "
    "answer showed you: terma puts in what it stands for, which you never see."
)
OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "create",
        "start a program on a terminal that lives on",
        "Start a shell (default), a REPL or any program on a persistent terminal. State (directory, variables, "
        "logins) is kept between calls.",
        (
            SESSION,
            Parameter(
                "command", "array", "the program and its arguments (default: your shell)", positional="rest"
            ),
            Parameter("cwd", "string", "its working directory (default: the caller's)"),
            Parameter("env", "array", "NAME=VALUE to set in its environment"),
            Parameter("cols", "integer", "columns of its terminal", 120),
            Parameter("rows", "integer", "rows of its terminal", 32),
            Parameter(
                "tui", "boolean", "keep its screen, for full-screen programs: read it with snapshot", False
            ),
            Parameter("if_not_exists", "boolean", "it is fine when the session exists already", False),
            Parameter(
                "kind",
                "string",
                "what reads the commands, where the program does not tell (sh: any POSIX shell or fish, over ssh too)",
                choices=("auto", "zsh", "bash", "fish", "python", "sh", "none"),
                default="auto",
            ),
            Parameter(
                "storage",
                "string",
                "where output is kept (default: memory, or as the settings say)",
                choices=("memory", "file"),
            ),
            Parameter(
                "capacity",
                "integer",
                "bytes of output that are kept, 0: no limit (default: 10 MB, in files 64 MB, or as the settings say)",
            ),
            Parameter(
                "ttl",
                "integer",
                "seconds until it is forgotten after its end, 0: never (default: 3600, or as the settings say)",
            ),
        ),
    ),
    Operation(
        "exec",
        "run a command in it and wait for its end",
        "Run one command (or several lines) and return its output and exit status. In a program that is no known "
        "shell or REPL, it ends when the program waits for input again. state=needs_input: answer with session_send. "
        "state=unsure: a line like a question stands there, and nobody can tell whether it asks. "
        f"state=password: {_HIDDEN_INPUT} ended_by=timeout: it runs on; session_read has the rest. The first line of "
        "the answer says what happened; truncated: of `length` characters the middle is left out, session_read with "
        "since=start and a higher limit, or session_search, has it; redacted: secrets that terma took out.",
        (
            SESSION,
            Parameter("input", "string", "what to run", positional="one", dash=True),
            WAIT,
            SETTLE,
            TIMEOUT,
            RAW,
            LENGTH,
        ),
        destructive=True,
    ),
    Operation(
        "send",
        "type text or keys into it",
        "Type into the program: an answer to its question, or keys. With keys: <Enter>, <Down>, <F10>, <C-c>, <M-x>, "
        "<Click:ROW,COLUMN> (from 0, as highlighted pieces of a screen are told), "
        "or \\r \\e \\x03. With settle or wait it returns what was printed after that. Where a password is asked for: "
        f"{_HIDDEN_INPUT}",
        (
            SESSION,
            Parameter(
                "text",
                "array",
                "text to type, one after the other",
                positional="some",
                dash=True,
            ),
            Parameter("enter", "boolean", "press Enter after the text", False),
            Parameter(
                "keys",
                "boolean",
                "the text holds keys: <Enter> <Tab> <Esc> <Up> <PageDown> <F1> <C-c> <M-x> <S-Tab> (<lt> is <), the "
                "mouse: <Click:ROW,COLUMN> <RightClick:…> <ScrollDown:…>, or "
                "escapes: \\r \\n \\t \\e \\xHH \\uHHHH",
                False,
            ),
            Parameter("base64", "boolean", "the text is base64", False),
            WAIT,
            SETTLE,
            TIMEOUT,
            LENGTH,
        ),
        destructive=True,
    ),
    Operation(
        "secret",
        "type a secret of your settings where a password is asked for",
        "Answer state=password with a secret that the person keeps in their settings, by its name, and press Enter. "
        "You never see it. Typed nowhere else. The person says which names there are.",
        (SESSION, Parameter("secret", "string", "its name in [sessions.secrets]", positional="one")),
        destructive=True,
    ),
)
