"""Programs on pseudo-terminals that live on between requests: for people, for coding agents, for conversations.

`pty` starts a program, `ring` and `files` keep what it prints, `shells` makes shells and REPLs mark where a command
ends, `session` is one of them, `waiting` waits for what it does, `probe` looks whether it waits for somebody,
`processes` finds and ends all that it started, `screen` draws it, and `manager` holds them by name. `operations` is
the one definition of what can be asked, and `remote` asks it of the agent.
"""
