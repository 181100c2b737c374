"""Pools, their history, roll-forward and adjustments."""
