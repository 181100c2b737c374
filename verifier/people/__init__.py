"""Promises about people: permissions, two people, conflicts, what decisions rest on."""
