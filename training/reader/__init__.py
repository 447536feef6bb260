"""A small learned model of commands, by which drafts can be told apart: learned (`learn`, with torch), read in plain
Python (`plain`), and held against today's acceptance (`python -m training.reader`). docs/engine.md, "Tried with a GPU",
has what it earns. The engine does not use it yet."""
