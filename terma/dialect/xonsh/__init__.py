"""Commands of a POSIX shell in xonsh's syntax, or handed to bash where that has none."""
