"""Reading the database, and reporting what was found."""
