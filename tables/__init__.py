"""Floor 1: what the gaming tables said, kept exactly as they said it."""
