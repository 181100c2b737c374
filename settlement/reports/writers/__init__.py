"""Files of a report: one module a format. None holds more than some rows in memory."""
