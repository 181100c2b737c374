"""Claims as rows of a table: whose turn each is, how they are filtered."""
