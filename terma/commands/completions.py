"""`terma completions`: the shells' completion of terma's own command line, made from its parsers."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from terma.errors import UsageError

HELP = "print the completion code for zsh, bash, fish or xonsh"
DESCRIPTION = """zsh:    terma completions zsh > ~/.zfunc/_terma     (a directory in $fpath)
bash:   eval "$(terma completions bash)"
fish:   terma completions fish > ~/.config/fish/completions/terma.fish
xonsh:  execx($(terma completions xonsh))"""


@dataclass(frozen=True, slots=True)
class Form:
    """What may follow `path` ("", "agent", "agent start"): the words and the options, each with its help."""

    path: str
    words: dict[str, str]
    options: dict[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="{zsh,bash,fish,xonsh}", nargs="?", default="")


def run(args: argparse.Namespace) -> int:
    write = {"zsh": _zsh, "bash": _bash, "fish": _fish, "xonsh": _xonsh}
    if args.shell not in write:
        raise _none_for(args.shell, list(write))
    print(write[args.shell](forms()))
    return 0


def _none_for(shell: str, known: list[str]) -> UsageError:
    """What to say where `shell` has none, or is "": then for the one that we are in, where that is known."""
    from terma.machine.caller import calling_shell

    here = shell or Path(calling_shell()).name
    if here and here not in known:
        there = f"{', '.join(known[:-1])} and {known[-1]}"
        return UsageError(f"there are no completions for {here} yet", f"there are for {there}")
    lines = [f"terma completions {name}" for name in ([here] if here else known)]
    return UsageError("which shell shall complete?", " or ".join(lines))


def forms() -> list[Form]:
    """Every command line there is, read from the parsers, so that nothing can be forgotten."""
    from terma import cli

    names = {name: cli.load(name).HELP for name in cli.command_names()}
    found = [Form("", names, {"--help": "say what there is", "--version": "print the version"})]
    for name in names:
        found.extend(_forms_of(name, cli.command_parser(name)))
    return found


def _forms_of(path: str, parser: argparse.ArgumentParser) -> list[Form]:
    words: dict[str, str] = {}
    options: dict[str, str] = {}
    below: list[Form] = []
    for action in parser._actions:  # argparse offers no public way to list them
        if isinstance(action, argparse._SubParsersAction):
            words |= {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, inner in action.choices.items():
                below.extend(_forms_of(f"{path} {name}", inner))
        elif action.option_strings:
            options[action.option_strings[-1]] = action.help or ""
        else:
            words |= dict.fromkeys(map(str, action.choices or _in_braces(action.metavar)), "")
    return [Form(path, words, options), *below]


def _in_braces(metavar: object) -> list[str]:
    """The words of `{zsh,bash}`, which a command checks itself because it has more to say than argparse."""
    return metavar[1:-1].split(",") if isinstance(metavar, str) and metavar.startswith("{") else []


def _zsh(forms: list[Form]) -> str:
    cases = "\n".join(
        f"    {_quote(form.path)}) below=({_described(form.words)}) options=({_described(form.options)}) ;;"
        for form in forms
    )
    return f"""#compdef terma
# made by: terma completions zsh
_terma() {{
  local -a below options
  local -a before=("${{(@)words[2,CURRENT-1]:#-*}}")
  local line="${{(j: :)before}}"
  case $line in
{cases}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options; else _describe command below || _files; fi
}}
if [[ $funcstack[1] == _terma ]]; then _terma "$@"; else compdef _terma terma; fi"""


def _bash(forms: list[Form]) -> str:
    cases = "\n".join(
        f"    {_quote(form.path)}) words={_quote(' '.join([*form.words, *form.options]))} ;;"
        for form in forms
    )
    return f"""# made by: terma completions bash
_terma_complete() {{
  local word path='' words='' current=${{COMP_WORDS[COMP_CWORD]}}
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -* ]] || path+=${{path:+ }}$word
  done
  case $path in
{cases}
  esac
  COMPREPLY=()
  for word in $words; do
    if [[ $word == "$current"* && ($word != -* || $current == -*) ]]; then COMPREPLY+=("$word"); fi
  done
}}
complete -o default -F _terma_complete terma"""


def _fish(forms: list[Form]) -> str:
    lines: list[str] = []
    for form in forms:
        here = f"complete -c terma -n {_fish_quote(f'__terma_is_behind {_fish_quote(form.path)}')}"
        for word, text in form.words.items():
            lines.append(f"{here} -a {_fish_quote(word)}{_fish_told(text)}")
        for option, text in form.options.items():
            kind = "-l" if option.startswith("--") else "-s"
            lines.append(f"{here} {kind} {_fish_quote(option.lstrip('-'))}{_fish_told(text)}")
    return "\n".join([_FISH, *lines])


_FISH = """# made by: terma completions fish
function __terma_is_behind
    set -l words (string match -v -- '-*' (commandline -opc))
    test "$words[2..]" = "$argv[1]"
end"""


def _fish_told(text: str) -> str:
    return f" -d {_fish_quote(text)}" if text else ""


def _fish_quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _xonsh(forms: list[Form]) -> str:
    table = {form.path: [*form.words, *form.options] for form in forms}
    return f"""# made by: terma completions xonsh
def _terma_completer(context):
    \"\"\"Completes terma's own command line.\"\"\"
    command = context.command
    if command is None or not command.args or command.args[0].value != "terma":
        return None
    path = " ".join(a.value for a in command.args[1:command.arg_index] if not a.value.startswith("-"))
    words = {table!r}.get(path, ())
    return {{w for w in words if w.startswith(command.prefix) and (w[0] != "-" or command.prefix[:1] == "-")}}


def _terma_register():
    from xonsh.completers.completer import add_one_completer
    from xonsh.completers.tools import contextual_completer
    add_one_completer("terma", contextual_completer(_terma_completer), "start")


_terma_register()"""


def _described(entries: dict[str, str]) -> str:
    return " ".join(_quote(f"{word}:{text}" if text else word) for word, text in entries.items())


def _quote(text: str) -> str:
    from terma.shell_code import quote

    return quote(text)
