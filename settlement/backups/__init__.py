"""Backups: made and restored by a tool of the house's choice, and proved by restoring them."""
