"""A sentence without the words that ask for nothing: courtesies, where one sits, how one came to ask."""

from __future__ import annotations

from terma import regex as re

# Each stands for a way of talking around the matter; what it leaves is a sentence by itself.
_HEADS = re.compile(
    r"\A\s*(?:(?:please|pls|plz|hey|hi|hello|ok|okay|so|um+|uh+|well|kindly|quick(?:ly)?|quick question|sorry)\b"
    r"[,:!.]?\s+"
    r"|(?:can|could|would|will) (?:you|u)(?: please| pls| kindly)?"
    r"(?: (?:help me(?: to)?|show me how to|tell me how to))?\s+"
    r"|(?:how|wie) (?:do|can|could|would|should|might) (?:i|we|you|one) (?:go about )?"
    r"|how (?:to|2) |(?:what(?:'s| is|s)|is there) (?:the|a|an|any) (?:best |easiest |quickest |right |good )?"
    r"(?:command|way|cmd)(?: line)? (?:to|for|that) "
    r"|(?:i|we) (?:need|want|would like|'d like|wanna|have|wish) (?:you )?to |i'd like to |i wanna |i gotta "
    r"|i'm trying to |im trying to |trying to "
    r"|(?:tell|show) me how (?:to|i can) |command (?:to|for) |help me (?:to )?)",
    re.I,
)
_TAILS = re.compile(
    r"\s*(?:[,;]?\s+(?:please|pls|plz|thanks|thank you|thx|ty|cheers|right now|rn|now|asap|real quick|for me"
    r"|if (?:you can|possible)|on (?:this|my|the) (?:machine|computer|pc|laptop|box|system|linux box)"
    r"|from the (?:command ?line|terminal|shell)"
    r"|(?:using|in|with) (?:bash|the terminal|the command ?line|a shell|the shell|linux)))"
    r"\s*[.!?]*\s*\Z",
    re.I,
)

_HERE = re.compile(
    r"(?:,\s*)?\bon (?:this|my) (?:own )?(?:local )?(?:machine|computer|pc|laptop|box|system|linux box)\b",
    re.I,
)


def plain(words: str) -> str:
    """What is left when talk is taken off both ends; never nothing of something."""
    text = words.rstrip().rstrip("?!").rstrip() if not words.rstrip().endswith(("'", '"')) else words
    for pattern in (_HEADS, _TAILS):
        while match := pattern.search(text):
            rest = (text[: match.start()] + " " + text[match.end() :]).strip()
            if len(rest.split()) < 2:
                break
            text = rest
    rest = " ".join(_HERE.sub(" ", text).split()) if _HERE.search(text) else text
    return rest if len(rest.split()) > 1 else text or words
