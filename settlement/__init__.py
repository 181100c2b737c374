"""Floor 3: people and payment."""
