"""The dispute bundle as a file."""
