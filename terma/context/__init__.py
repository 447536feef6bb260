"""What is known of the terminal that asks: one source a file."""
