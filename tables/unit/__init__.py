"""A table unit: journal, receipts, display; and the simulated tables made of such units."""
