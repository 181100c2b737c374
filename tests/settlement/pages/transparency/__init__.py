"""The page "Log"."""
