"""Checkpoints for staff, and the public page of a meter with its proof."""
