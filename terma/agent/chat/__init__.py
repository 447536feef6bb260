"""A conversation in the agent: its model, or the embedded partner, with secrets hidden on the way out."""
