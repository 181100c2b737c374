"""What migrations are made of: guards from `*/sql/`, steps, storage, and what none may do."""
