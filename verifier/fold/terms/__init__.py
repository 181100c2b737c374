"""What is posted, and what it speaks of: terms, cards, payees, periods, the shapes of JSON."""
