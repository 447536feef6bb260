"""Programs that outlive the agent: the small process that holds them (holder, program), and the agent's side of the
socket between the two (link, channel, kept). Frames and peers are both sides'."""
