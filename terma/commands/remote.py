"""`terma remote`: another name of `terma eyes`."""

from __future__ import annotations

from terma.commands.eyes import DESCRIPTION, add_arguments, run

HELP = "another name of terma eyes"

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]
