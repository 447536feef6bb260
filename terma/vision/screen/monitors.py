"""Whether a text is a monitor's own, or a capture device's, and no machine's: that there is no signal, that it sleeps.

Each maker words it in another way, and all of them with the same few words: what fails (signal, input, cable), how
(no, lost, not supported), and what stands around that. A machine's text of so few lines holds others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]{2,}")
_SHARE = (
    0.8  # of the words, at least, that are words of monitors: the rest is names, and what was read wrongly
)
_LONG = 5  # letters of a word that is looked for within others

# Asleep, in itself; and what may fail.
_ASLEEP = frozenset("sleep standby".split())
_WHAT = _ASLEEP | frozenset(
    "signal sync input video source cable timing frequency range resolution format hdcp power hdmi"
    " displayport dp dvi vga señal senal segnale sinal signaal".split()
)
_HOW = _ASLEEP | frozenset(
    "no not lost invalid unknown out over unsupported missing disconnected unplugged error check weak waiting searching"
    " detecting stopped sav save saver saving kein keine pas de aucun sin nessun sem geen".split()
)
_AROUND = frozenset(
    "the is of to in into or and for from by on it there will this your please any at mode monitor display device"
    " screen found detected connected supported coming current change settings entering enter going go auto analog"
    " digital attention pc press key keyboard usb recommended optimum move mouse wake up port"
    " type rgb khz hz minutes".split()
)


def names(rows: Iterable[str]) -> bool:
    """Whether `rows`, that look like a display's own words already, name what fails there: whole, or in another word
    (Eingangssignal), as read without its spaces."""
    words = [word.lower() for row in rows for word in _WORD.findall(row)]
    return any(word in _WHAT or any(one in word for one in _WHAT if len(one) >= _LONG) for word in words)


def says(rows: Iterable[str], *, strict: bool = True) -> bool:
    """Whether `rows`, all that stands on a screen, are such a text. Not `strict` where they stand like one."""
    words = [word.lower() for row in rows for word in _WORD.findall(row)]
    known = [word for word in words if word in _WHAT or word in _HOW or word in _AROUND]
    told = _WHAT.intersection(known) and _HOW.intersection(known)
    return bool(told) and len(known) >= (_SHARE if strict else _SHARE / 2) * len(words)
