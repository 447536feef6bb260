"""What commands leave running, and what becomes of it."""
