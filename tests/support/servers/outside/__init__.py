"""Whoever stands outside of the house: a log-in provider, receivers, a server that hangs."""
