"""Gathering evidence and identifying players."""
