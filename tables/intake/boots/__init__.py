"""Boots of units: how far each is held, its gaps, what came again or out of order, and eras."""
