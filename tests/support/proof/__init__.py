"""Bundles, witnesses and whoever tampers, for the verifier."""
