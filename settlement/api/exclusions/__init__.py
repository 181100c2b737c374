"""Excluded persons through the API: lists, imports, looking, and releasing a payment."""
