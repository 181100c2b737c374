"""What a claim's page shows of decisions that take two people of their own."""
