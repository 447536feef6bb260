"""GNU commands in their BSD form: the shell's words, and one module for each kind of program."""
