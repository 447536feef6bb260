"""Measurements, side by side in one run: `python -m bench` prints one table of medians and ratios."""
