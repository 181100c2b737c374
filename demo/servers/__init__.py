"""Servers and processes of a demo and of the tests: where they keep their files, start and stop."""
