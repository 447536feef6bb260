"""Where a terminal's text can be had: one place a file, each a plug-in that says at once when it is not here."""
