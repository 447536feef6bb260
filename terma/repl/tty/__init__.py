"""The person's terminal: its keys, its echo, and what interrupts."""
