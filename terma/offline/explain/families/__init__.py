"""The rules, one family of failures a file: a module here with RULES is found by its name."""
