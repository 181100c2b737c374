"""The books in memory, and how hits, rounds and corrections move them."""
