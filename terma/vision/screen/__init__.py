"""Where the terminal stands in a camera's picture, whether it changed, and what it says."""
