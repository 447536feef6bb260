"""`terma shell`: sits between a terminal and a shell, passes every byte on, and remembers what commands printed.

`relay` moves bytes, `marks` finds where a command begins and ends, `ring` keeps its output within bounds,
`serve` hands it out, `terminal` looks after the outer terminal, `rc` starts the shell with its marks, and
`session` puts them together. All of it lives in memory and ends with the shell.
"""
