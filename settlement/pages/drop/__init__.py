"""Pages of counted drop, bank balances and findings."""
