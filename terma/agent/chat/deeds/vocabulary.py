"""The vocabulary of questions about what ran: which words do the same in them, and which do nothing."""

from __future__ import annotations

ROLES = {
    "what": "what which",
    "how": "how",
    "many": "many",
    "why": "why",
    "who": "who",
    "when": "when time",
    "where": "where",
    "i": "i my mine we our us",
    "you": "you terma your",
    "run": "run ran type enter execute use call start launch invoke try",
    "do": "do did done",
    "change": "change delete remove modify write create touch install move edit alter make made wrote break broke",
    "fail": "fail failure crash",
    "go": "go gone went turn out",
    "wrong": "wrong error problem trouble",
    "work": "work succeed success successful ok okay fine well well through",
    "end": "end finish complete stop ready over",
    "status": "exit status code return value",
    "printout": "output result",
    "output": "print say said show display report tell told give gave produce",
    "take": "take took lasted",
    "may": "can could would will shall should may might must",
    "long": "long",
    "longest": "longest slowest",
    "shortest": "shortest fastest quickest",
    "command": "command",
    "thing": "one line thing step bit part",
    "last": "last previous latest newest recent most preceding",
    "again": "again once more anew",
    "repeat": "repeat rerun redo",
    "undo": "undo revert unrun",
    "explain": "explain describe",
    "mean": "mean meaning",
    "ask": "ask question",
    "refuse": "refuse reject decline deny denied",
    "approve": "approve allow accept permit confirm",
    "summary": "summary summarize summarise recap history overview",
    "see": "see saw look",
    "been": "been",
    "propose": "propose suggest offer recommend",
    "screen": "screen terminal",
    "all": "everything all any anything something nothing every each both",
    "it": "it that this them these those they",
    "yes": "yes",
    "no": "no not n't never",
}
IDLE = frozenset(
    """a an the of for from to in on at by with about and or so but then please just now here there far already today
    yet earlier me is are was were be being does has have had am do ever else session conversation shell
    right until up if whether check number""".split()
)
PAST = frozenset("did has have had was were ran done took said".split())
OF = {word: role for role, words in ROLES.items() for word in words.split()}
SIDES = {"before": -1, "after": 1}
SOME = frozenset("any anything something".split())
ARTICLES = frozenset("a an the my".split())
WHETHER = frozenset("did has have had was were do does is are am can could would will should".split())
OPENS = frozenset("show tell give list print display say name".split())  # an order to speak asks of no output
