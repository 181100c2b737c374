"""Hands: bad beats, high hands and their periods, hands that people enter."""
