"""What a conversation is put together from."""
