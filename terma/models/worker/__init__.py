"""litellm in a process of its own: 200 MB and seconds of imports that the agent never sees."""
