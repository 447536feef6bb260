"""What is said to models and read out of what they say: prompts, tools, and the commands they propose."""
