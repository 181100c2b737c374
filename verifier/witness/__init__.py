"""A witness: a program of somebody else that cosigns what a log has come to."""
