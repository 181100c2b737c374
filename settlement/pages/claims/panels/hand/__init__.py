"""What a claim's page shows of the hand: as sent, as it counts, and the hands near it."""
