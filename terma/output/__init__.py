"""What a command printed, made fit to be read: as it looked on the screen, and shortened to what tells something."""

from terma.output.shorten import digest
from terma.output.terminal import plain

__all__ = ["digest", "plain"]
