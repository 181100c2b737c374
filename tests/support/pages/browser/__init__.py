"""Pages in a real browser: how people press, what is in their way, what a passkey does."""
