"""The command line: parse, dispatch, and the one place where an error becomes a line and an exit status."""
