"""Backups by both tools on real servers, restored and looked through."""
