"""What the law of a place asks of payments: dated packs of rules, and what follows from them."""
