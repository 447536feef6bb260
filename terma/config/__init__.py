"""What a person chose: one TOML file, the same as TERMA_ variables, and what a project may forbid."""

from __future__ import annotations

from terma.config.settings import Conversation, Limits, Model, Privacy, Settings, Suggestions, Timeouts

__all__ = ["Conversation", "Limits", "Model", "Privacy", "Settings", "Suggestions", "Timeouts"]
