"""What phrases say about lines of text, one concern a module, and how the frame they fill becomes a pipe."""
