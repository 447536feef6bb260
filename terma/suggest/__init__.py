"""A sentence in, candidates out: what an engine says becomes frames or JSON that are safe to show."""
