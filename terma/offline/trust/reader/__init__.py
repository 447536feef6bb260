"""A small learned model of commands that reads a sentence and says how well each draft answers it."""
