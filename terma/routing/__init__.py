"""Whether a line is a command for the shell or words for the model, and how sure that is."""

from terma.routing.decide import is_certain_command, route
from terma.routing.dictionary import is_here
from terma.routing.evidence import Kind, Known, Route, Signal
from terma.routing.prefix import forced
from terma.routing.replied import is_prose

__all__ = ["Kind", "Known", "Route", "Signal", "forced", "is_certain_command", "is_here", "is_prose", "route"]
