"""How the tests run: how many of them, which clock, which style; waiting for a condition."""
