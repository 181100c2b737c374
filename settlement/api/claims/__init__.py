"""Claims and the acts on them."""
