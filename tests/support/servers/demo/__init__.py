"""The demo as a whole, its floor within a test, and whether its processes live."""
