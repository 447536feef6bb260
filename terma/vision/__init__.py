"""A screen seen by a camera and its keyboard typed by terma: frames in, keys out, every step checked on the screen.

`types` is what all share; `frames/` brings pictures, `screen/` finds and reads the terminal in them, `keyboards/`
types, `policy` and `loop` decide what may be typed and whether it arrived, `target/` is a machine to try all of it on.
What is heavy (numpy, OpenCV, pydantic, FastAPI) comes with extras and loads inside what needs it.
"""
