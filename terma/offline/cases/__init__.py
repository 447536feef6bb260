"""A memory of how people say things: sentences with the commands that answered them, the values of both left open."""
