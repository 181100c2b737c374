"""Pages of the close of days and months."""
