"""A small semantic grammar: sentences about sets of files and about lines of text, composed into commands.

Each module with a `candidates(sentence, context)` is a reader of its own; the engine finds them by that name.
A reader scans the sentence with the phrase rules (match.py) of its folder, which fill a frame (frame.py there), and
renders the frame only when every word that carries meaning was taken by some phrase (leftover.py)."""
