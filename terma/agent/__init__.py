"""The process that answers the shells: a unix socket in front, engines behind."""
