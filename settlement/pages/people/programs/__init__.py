"""Programs that log in by a token, and tokens of people."""
