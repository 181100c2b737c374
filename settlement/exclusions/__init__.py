"""Excluded persons: lists of them, who is on one, what stops a payment and who releases it."""
