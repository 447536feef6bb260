"""A command in the form that its machine and shell take: GNU's for BSD and macOS, a POSIX shell's for xonsh."""
