"""Payments, forfeits and reversals."""
