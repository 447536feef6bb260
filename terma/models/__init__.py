"""Ways to chat models: each module exports one as PLUGIN, and what they share lies in the folders beside them."""
