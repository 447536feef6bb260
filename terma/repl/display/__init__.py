"""How a conversation is drawn: on a terminal, in a pipe, for programs."""
