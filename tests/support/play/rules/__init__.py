"""Hands, reports and terms for tests of the rule book."""
