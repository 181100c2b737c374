"""Promotional screens (19.7(d)): how one is paired, what it reads, what it says that it draws."""
