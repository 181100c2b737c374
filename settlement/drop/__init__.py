"""Counted drop and bank balances, and the findings that their variances open."""
