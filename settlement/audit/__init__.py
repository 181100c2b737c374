"""Reconciliation: stored rows held against what was recorded and what follows from it."""
