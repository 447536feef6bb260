"""A small semantic grammar: sentences about sets of files and about lines of text, composed into commands.

Each module with a `candidates(sentence, context)` is a reader of its own; the engine finds them by that name.
A reader scans the sentence with phrase rules (match.py) that fill a frame (file_frame.py, text_frame.py), and renders
the frame only when every word that carries meaning was taken by some phrase (leftover.py)."""
