"""Between a draft and the prompt: what the sentence says as facts, what the finished command does, and whether they
agree; then how certain that is."""
