"""The commands of `terma`, one file each: found by their names, so that a new one is a new file and no more.

A module has `HELP: str`, `add_arguments(parser)` and `run(args) -> int`. `try_.py` is `terma try`. What costs
is imported inside `run`.
"""
