"""What a report is, and the rows that several of them are made of."""
