"""The line where a person types, and what it offers."""
