"""A machine to watch and type on that is none: a shell on a terminal, drawn as a picture, served over HTTP.

With a simulated camera in front of it, all of `terma eyes` can be tried without any hardware. `machine` is the shell
and its screen, `camera` what a lens makes of it, `stream` the pictures over time, `app` what HTTP offers, `serving` the
server. Needs the extra `[target]`.
"""
