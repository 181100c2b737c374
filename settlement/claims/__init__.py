"""A claim from report to confirmation: decisions, status, derivation, stops, reversals."""
