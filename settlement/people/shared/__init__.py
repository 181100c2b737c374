"""What all rooms of people stand on: calls of the database, sealed secrets, the security log."""
