"""Connections to model servers, kept warm: everything of terma that knows httpx."""
