"""What a person decides on a proposed command."""
