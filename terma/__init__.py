"""terma: say what you want at the prompt; a local agent writes the command, you press Enter."""

__version__ = "0.1.0"
