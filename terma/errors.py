"""The tree of errors that a user may see: each is a message, a hint and a code, and nothing else."""

from __future__ import annotations


class TermaError(Exception):
    """Shown to the user as one line: what happened, then what to do next.

    `code` is the machine's word for it: it crosses the wire in an `error` frame.
    """

    code = "internal"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(TermaError):
    """The caller asked for something that does not exist or does not fit."""

    code = "usage"


class UnknownAnswer(TermaError):
    """The engine does not know a command for the sentence, and says so instead of inventing one."""

    code = "unknown"


class UnsureAnswer(UnknownAnswer):
    """The engine does not know, but has something near: `nearest`, as certain as `confidence` (0..1) says, which does
    not answer the words in `unknown`. Without anything near, only the words that it does not know. `by` names the
    engine that has it near, "" for the one that was asked."""

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        nearest: str = "",
        confidence: float = 0.0,
        unknown: tuple[str, ...] = (),
        by: str = "",
    ) -> None:
        super().__init__(message, hint)
        self.by = by
        self.nearest = nearest
        self.confidence = confidence
        self.unknown = unknown


class ProtocolError(TermaError):
    """A frame broke the grammar of the wire: malformed, oversized, or of another major version."""

    code = "protocol"


class AgentUnavailable(TermaError):
    """No agent answers and none could be started."""

    code = "agent"


class UnsafePath(TermaError):
    """A runtime directory or socket that is not ours alone: another's, too open, or a symbolic link."""

    code = "path"


class ProviderError(TermaError):
    """An engine failed while it answered."""

    code = "provider"


class ConfigError(TermaError):
    """A setting is wrong or cannot be read: the message names the file, the line and the key."""

    code = "config"
