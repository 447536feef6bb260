"""Differential fuzzing of how shells read lines: strings from a grammar, real shells as witnesses."""
