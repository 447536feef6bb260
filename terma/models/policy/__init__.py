"""What holds for every model: time-outs, retries, the rate limit, and the models to fall back to."""
