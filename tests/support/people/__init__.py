"""People with roles, keys and log-ins, and what each may do."""
