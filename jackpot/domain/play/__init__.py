"""Rounds, hands and high hands as they take their place in the order."""
