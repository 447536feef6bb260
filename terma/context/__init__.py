"""What is known of the terminal that asks: what it shows, what was typed before, and where that was."""
