"""The dispute bundle of a claim: everything about it in one signed archive."""
