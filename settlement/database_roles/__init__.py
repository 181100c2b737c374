"""The database's roles: grants, limits, passwords, functions taken away."""
