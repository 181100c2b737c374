"""Table units in the hand of a visitor: on a page or in a terminal, real ones behind it."""
