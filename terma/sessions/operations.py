"""The one definition of what can be asked about sessions: the command line, the MCP tools and the documentation all
come from here, so they cannot say different things.
"""

from __future__ import annotations

from terma.sessions.parameters import DEFAULT_TIMEOUT, Operation, Parameter, checked, schema

__all__ = ["BY_NAME", "DEFAULT_TIMEOUT", "LIMIT", "OPERATIONS", "Operation", "Parameter", "checked", "schema"]

LIMIT = 30_000  # characters of output that a model is shown, where it asks for no other number
_HIDDEN_INPUT = (
    "never type one that you know or made up. The person does it (`terma session attach NAME` in their terminal), or "
    "you send a placeholder, such as <SECRET_1>, that an answer showed you: terma puts in what it stands for, which "
    "you never see."
)
_SESSION = Parameter("session", "string", "the session's name", positional="one")
_TIMEOUT = Parameter(
    "timeout", "number", f"seconds to wait at most (default: {DEFAULT_TIMEOUT:g})", DEFAULT_TIMEOUT
)
_WAIT = Parameter("wait", "string", "wait until this regular expression matches the output, behind the echo")
_SETTLE = Parameter("settle", "integer", "wait until nothing was printed for this many milliseconds")
_RAW = Parameter(
    "raw", "boolean", "the bytes as they were printed, escape sequences and all", False, only="cli"
)
_LIMIT = Parameter(
    "limit", "integer", "characters of output at most; the middle is left out", LIMIT, only="mcp"
)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "create",
        "start a program on a terminal that lives on",
        "Start a shell (default), a REPL or any program on a persistent terminal. State (directory, variables, "
        "logins) is kept between calls.",
        (
            _SESSION,
            Parameter(
                "command", "array", "the program and its arguments (default: your shell)", positional="rest"
            ),
            Parameter("cwd", "string", "its working directory (default: the caller's)"),
            Parameter("env", "array", "NAME=VALUE to set in its environment"),
            Parameter("cols", "integer", "columns of its terminal", 120),
            Parameter("rows", "integer", "rows of its terminal", 32),
            Parameter("tui", "boolean", "keep its screen, for full-screen programs: read --snapshot", False),
            Parameter("if_not_exists", "boolean", "it is fine when the session exists already", False),
            Parameter(
                "kind",
                "string",
                "what reads the commands, where the program does not tell (sh: any POSIX shell, over ssh too)",
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
        f"state=password: {_HIDDEN_INPUT} ended_by=timeout: it runs on; session_read has the rest. The first line of "
        "the answer says what happened; truncated: of `length` characters the middle is left out, session_read with "
        "since=start and a higher limit, or session_search, has it; redacted: secrets that terma took out.",
        (
            _SESSION,
            Parameter("input", "string", "what to run; - reads standard input", positional="one"),
            _WAIT,
            _SETTLE,
            _TIMEOUT,
            _RAW,
            _LIMIT,
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
            _SESSION,
            Parameter(
                "text",
                "array",
                "text to type, one after the other; - reads standard input",
                positional="some",
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
            _WAIT,
            _SETTLE,
            _TIMEOUT,
            _LIMIT,
        ),
        destructive=True,
    ),
    Operation(
        "read",
        "show what it printed",
        "Output since the last read (default), all of it, its first or last lines, or the screen of a full-screen "
        "program. With wait or settle it waits first.",
        (
            _SESSION,
            Parameter("all", "boolean", "everything that is kept", False),
            Parameter("head", "integer", "the first N lines"),
            Parameter("tail", "integer", "the last N lines"),
            Parameter("since", "integer", "from this position on"),
            Parameter("cursor", "string", "read on behalf of this reader: each has its own place", ""),
            Parameter("snapshot", "boolean", "the screen as it looks now (made with --tui)", False),
            Parameter(
                "form",
                "string",
                "how the screen is shown: text, text with its colours, or a picture",
                choices=("plain", "ansi", "png"),
                default="plain",
            ),
            Parameter(
                "changed",
                "boolean",
                "with snapshot: only the rows that this reader has not seen so, with their numbers from 0",
                False,
            ),
            Parameter("follow", "boolean", "go on until it exits", False, only="cli"),
            _WAIT,
            _SETTLE,
            _TIMEOUT,
            _RAW,
            _LIMIT,
        ),
        read_only=True,
        consumes=True,
    ),
    Operation(
        "search",
        "find lines of its output",
        "Lines of the output that match a regular expression, with their context.",
        (
            _SESSION,
            Parameter("pattern", "string", "a regular expression", positional="one"),
            Parameter("context", "integer", "lines around each", 0),
            Parameter("ignore_case", "boolean", "upper and lower case are alike", False),
            Parameter("max", "integer", "matches at most", 100),
        ),
        read_only=True,
    ),
    Operation("list", "show the sessions there are", "All sessions with their state.", (), read_only=True),
    Operation(
        "info",
        "show all about one",
        "State, process, times, sizes, cursors and exit status of one session.",
        (_SESSION, Parameter("size", "boolean", "its position alone: how much it has printed", False)),
        read_only=True,
    ),
    Operation(
        "wait",
        "wait until one of several is idle, has exited, or prints something",
        "Wait until one of the sessions is idle (its command has ended, or it waits for an answer), has exited, or "
        "prints what one of the patterns matches. What is not read yet counts; no reader's place moves.",
        (
            Parameter("sessions", "array", "the names of sessions", positional="some"),
            Parameter(
                "until",
                "string",
                "what ends it beside a pattern and an exit (default: idle, with patterns: exit)",
                choices=("idle", "exit"),
            ),
            Parameter(
                "pattern", "array", "NAME=REGEX or REGEX: the first that is printed ends it, by its name"
            ),
            _TIMEOUT,
        ),
        read_only=True,
    ),
    Operation(
        "cursor",
        "list, move or drop the places of its readers",
        "The places where readers of one session stopped: list them, move one, or drop it.",
        (
            _SESSION,
            Parameter("cursor", "string", 'the reader (default: the one without a name, "")', ""),
            Parameter("to", "string", "move it to this position, to the start or to the end"),
            Parameter("drop", "boolean", "forget it: it begins anew", False),
        ),
    ),
    Operation(
        "resize",
        "give its terminal another size",
        "Change the size of its terminal.",
        (
            _SESSION,
            Parameter("cols", "integer", "columns", positional="one"),
            Parameter("rows", "integer", "rows", positional="one"),
        ),
    ),
    Operation(
        "clear",
        "drop its output",
        "Drop the output that is kept; positions go on.",
        (_SESSION,),
        destructive=True,
    ),
    Operation(
        "stop",
        "end its program and all that it started; keep the output",
        "End the program and everything it started. The output can still be read.",
        (_SESSION, Parameter("grace", "number", "seconds until it is ended by force", 2.0)),
        destructive=True,
    ),
    Operation(
        "kill",
        "end its program and all that it started; delete everything",
        "End the program and everything it started, at once, and delete the session with its output.",
        (_SESSION,),
        destructive=True,
    ),
    Operation(
        "attach",
        "put this terminal in its place; Ctrl+] comes back",
        "",
        (_SESSION, Parameter("watch", "boolean", "look on without typing", False)),
        only="cli",
    ),
    Operation(
        "record",
        "record what it shows, until it exits or Ctrl+C, as an asciicast file",
        "",
        (_SESSION, Parameter("file", "string", "the file to write", positional="one")),
        only="cli",
    ),
    Operation(
        "replay",
        "play such a recording",
        "",
        (
            Parameter("file", "string", "the file", positional="one"),
            Parameter("speed", "number", "times as fast", 1.0),
            Parameter("pause", "number", "seconds that nothing happens at most", 2.0),
        ),
        only="cli",
    ),
    Operation(
        "skills",
        "list, show or install what teaches a coding agent to use sessions",
        "",
        (
            Parameter("show", "string", "print this one"),
            Parameter("install", "string", "write all of them into this folder, such as ~/.claude/skills"),
        ),
        only="cli",
    ),
)
BY_NAME = {operation.name: operation for operation in OPERATIONS}
