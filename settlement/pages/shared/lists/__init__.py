"""Long lists: sorted by a column, narrowed by days, amount and person, read page by page by key."""
