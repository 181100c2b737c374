"""Reading the books for a batch and writing what it made of them. The ledger's only door."""
