"""Whole casinos, furnished: a small one, an evening, a month of the office."""
