"""Promotional screens (19.7(d)) as people manage them: pairing, slides, the look of the house."""
