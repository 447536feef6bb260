"""Terminal cells as a picture: what a screen shows, as a camera or a person would see it.

`cells` says what is drawn, whichever emulator it came from; `font` brings the letters; `painter` draws, and draws only
what changed. Needs numpy and Pillow (the extra `[target]`).
"""
