"""From a hand to its claims: for which prizes it is, what they may come to, and who shares them."""
