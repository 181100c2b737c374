"""Claims, prizes, rounds and terms in a state of their own, each on a small house."""
