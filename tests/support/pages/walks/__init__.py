"""Walks over every page and command, as each role."""
