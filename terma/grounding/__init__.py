"""What in a suggested command is not so on this machine: programs that are missing, options and files that are not."""

from __future__ import annotations

from terma.grounding.checks import can_tell, check, problems

__all__ = ["can_tell", "check", "problems"]
