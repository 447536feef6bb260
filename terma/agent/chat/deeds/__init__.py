"""Questions about what ran here, what was asked and what was refused: answered off the record of the conversation."""
