"""OpenAI's chat format: requests written, answers read, failures told in one line."""
