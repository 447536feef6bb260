"""sed in its BSD form: scripts a line each, and an argument behind -i."""

from __future__ import annotations

from terma import regex as re
from terma.dialect.bsd.words import Piece, quoted

_SED_GNU = re.compile(r"\\[+?|ULEulwWsS]|\\[nt].*/[gI0-9]*$|^0,/|\d~\d|^:\w+;|;\s*[bt]\w+;")
_ONE_LINE = re.compile(r"((?:\d+|\{\w+\}|\$|/(?:[^/\\]|\\.)*/)?)([aic])\s*([^\\\s].*)\Z", re.S)


def sed(args: list[Piece], in_pipe: bool) -> bool:
    good = in_place = scripted = False
    scripts: list[Piece] = []
    at = 1
    while at < len(args):
        option = args[at].value
        if option in ("-i", "--in-place"):
            in_place = True
            done = at + 1 < len(args) and args[at + 1].text in ("''", '""')
            args[at].text = "-i" if done else "-i ''"
            at += done
        elif option.startswith("--in-place="):
            args[at].text = "-i" + args[at].text.partition("=")[2]
        elif option in ("--regexp-extended", "--quiet", "--silent", "--unbuffered"):
            args[at].text = {"r": "-E", "u": "-l"}.get(option[2], "-n")
        elif option.startswith("--expression="):
            args[at].text = "-e " + args[at].text.partition("=")[2]
            scripted = True
        elif option.startswith("--") or (option[:1] == "-" and "z" in option and option[1] != "i"):
            return False
        elif option[:2] in ("-e", "-f"):
            scripted = True
            if option == "-e" and at + 1 < len(args):
                scripts.append(args[at + 1])
            at += option in ("-e", "-f")
        elif option[:1] == "-" and option[1:2] != "i" and len(option) > 1:
            done = at + 1 < len(args) and args[at + 1].text in ("''", '""')
            args[at].text = _sed_letters(args[at].text, done)
            at += done
        elif not scripted and option[:2] != "-i":
            scripts.append(args[at])
            scripted = True
        at += 1
    good = all([_script(script) for script in scripts])
    if any(arg.value == "-s" for arg in args[1:]) and in_place:
        next(arg for arg in args[1:] if arg.value == "-s").text = ""
    elif any(arg.value == "-s" for arg in args[1:]):
        return False
    return good


def _sed_letters(text: str, done: bool) -> str:
    text = text.replace("r", "E").replace("u", "l")
    if not done and text.endswith("i") and set(text) <= set("-Enli"):
        return text + " ''"
    return text


def _script(piece: Piece) -> bool:
    """A sed program: one-line a, i, c get their own line, `q}` its semicolon; False for what only GNU reads."""
    script = piece.value
    if piece.text.startswith("$'"):
        return True  # written with its escapes spelled out: nothing here for sed to read
    if '"' in piece.text and piece.text[0] == '"' and ("$" in script or "`" in script):
        return not _SED_GNU.search(script) and "\\b" not in script
    new = script
    found = _ONE_LINE.match(script)
    if found and not script.startswith(("s", "y")):
        new = f"{found[1]}{found[2]}\\\n{found[3]}"
    elif re.search(r"[;{][a-zA-Z=]\}\Z", script):
        new = script[:-1] + ";}"
    if new.count("\\b") == 2:
        new = new.replace("\\b", "[[:<:]]", 1).replace("\\b", "[[:>:]]", 1)
    new = new.replace("\\<", "[[:<:]]").replace("\\>", "[[:>:]]")
    if "[" not in script:
        new = new.replace("\\s", "[[:space:]]").replace("\\S", "[^[:space:]]").replace("\\w", "[[:alnum:]_]")
    if new != script:
        piece.text = quoted(new)
    return not _SED_GNU.search(new) and "\\b" not in new
