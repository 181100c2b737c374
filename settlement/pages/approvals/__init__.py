"""What waits for a second person."""
