"""Facts of this machine, each looked up only when a rule wants it: bounded in time, read only."""
