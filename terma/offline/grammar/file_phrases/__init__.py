"""What phrases say about a set of files, one concern a module, and how the frame they fill becomes a command."""
