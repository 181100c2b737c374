"""The doctor: is this installation well? A point is a small function in the file of its subject."""
