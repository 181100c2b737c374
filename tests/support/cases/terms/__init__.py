"""Terms that people put into effect, suspend and close; pools that they adjust; limits."""
