"""The conversation's own shell, and the person's terminal in its place."""
