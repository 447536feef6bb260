"""GNU commands in their BSD form: the shell's words, and one module for each kind of program.

A module names the programs that it rewrites: IN_PIPES (words, whether stages may be added to the pipe) and ON_SYSTEMS
(words, "macos" or "bsd"), each with a function that changes the words in place and says whether that was possible.
"""
