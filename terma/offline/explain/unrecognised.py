"""What is said of a failure that no rule knows."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight

NO_MORE = " terma knows no more of it than its output tells."
# Words of the messages that common tools have in German, French, Spanish, Portuguese and Italian.
_FOREIGN = re.compile(
    r"(?i)\b(?:nicht|Datei|Verzeichnis|Befehl|keine|fichier|dossier|commande|aucun|introuvable|permission non"
    r"|archivo|directorio|orden|permiso|ning\u00fan|ficheiro|arquivo|comando|diret\u00f3rio|permiss\u00e3o|impossibile"
    r"|directory inesistente)\b|[\u0400-\u04ff\u3040-\u9fff]{3}"
)
_ENGLISH = " It reads English messages; LC_ALL=C in front of the command gives them."


def unrecognised(case: Case) -> str:
    """How the command ended, where, and that no more is known."""
    plain = re.fullmatch(r"[\w.+@\[:-]+", case.program) and ":?" not in case.program
    name = case.program if plain and case.blamed else "The command"
    if case.status < 0:
        return f"{name}: how it ended is not known here, so terma cannot say why."
    if case.status == 0 and case.goes_on and not any(case.failure.statuses):
        return (
            "The line ended with status 0: its last command succeeded, and how those before it ended is not "
            "known here."
        )
    if case.status == 0 and not any(case.failure.statuses):
        complains = any(weight > Weight.PLAIN for weight in case.evidence.weights)
        said = "its output complains all the same" if complains else "nothing failed"
        return f"{name} ended with status 0, which means success: {said}."
    ended = f"{name} ended with status {case.ended}"
    if not case.output.strip():
        had = "all that was printed is what was to be shown" if case.only_contents else "no output is at hand"
        return f"{ended} and {had}, so terma cannot say why."
    tongue = _ENGLISH if _FOREIGN.search(case.output) else ""
    place = case.evidence.place
    where = f" at {place}" if place and place.own else ""
    return f"{ended}{where}.{NO_MORE}{tongue}"
