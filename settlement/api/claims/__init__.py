"""Claims and the actions on them."""
