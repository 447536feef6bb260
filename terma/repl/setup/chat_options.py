"""What a conversation is to be: said on the command line, changed at the prompt, told with every request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from terma.repl.setup.agent import Inside

OFFLINE, LOCAL = "offline", "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions:
    """What the command line said. `fields` are those that every request to the agent has; `resume` is the id of a
    saved conversation, "last" for the newest of this shell or directory, "" for a new one. `shell` is where it is
    asked, `follow` whether it may go on with what was asked there a moment ago, `another_pane` whether what is seen is
    another pane than that of the conversation. `inside` makes what answers where
    there can be no agent."""

    fields: Mapping[str, str]
    temperature: float | None = None
    max_steps: int = 0
    resume: str = ""
    shell: str = ""
    follow: bool = False
    save: bool = True
    yes: bool = False
    another_pane: bool = False
    inside: Callable[[], Inside] | None = None

    def asked(self) -> dict[str, str]:
        """The fields of a request, before there is a shell that could have gone elsewhere."""
        warmth = {} if self.temperature is None else {"temperature": str(self.temperature)}
        return {**self.fields, **warmth}


class Fields(Mapping[str, str]):
    """The fields of requests. /model and /role change them, and the directory is the shell's."""

    def __init__(self, options: ChatOptions) -> None:
        self._given = options.asked()
        self.cwd: Callable[[], str] = lambda: ""

    def __call__(self) -> dict[str, str]:
        here = self.cwd()
        return self._given | ({"cwd": here} if here else {})

    def __getitem__(self, key: str) -> str:
        return self()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self())

    def __len__(self) -> int:
        return len(self())

    def model(self, name: str) -> None:
        """Another model from now on."""
        settings = self._given.get("settings", "").split("\n")
        kept = [line for line in settings if not line.startswith(("TERMA_MODEL=", "TERMA_ENGINE="))]
        self._given["settings"] = "\n".join(kept if name == OFFLINE else [*kept, f"TERMA_MODEL={name}"])
        self._given["engine"] = OFFLINE if name == OFFLINE else "auto"
        self._given["model"] = "" if name == OFFLINE else name

    def role(self, name: str) -> None:
        """Another role from now on."""
        self._given["role"] = name

    def kept(self) -> dict[str, str]:
        """What was given, to be restored."""
        return dict(self._given)

    def restore(self, kept: Mapping[str, str]) -> None:
        self._given = dict(kept)
