"""The conversation as a person meets it on a terminal: what is shown, asked, typed and interrupted."""
