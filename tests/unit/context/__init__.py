"""The capture of what a terminal shows: tests of its parts."""
