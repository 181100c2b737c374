"""The office of a small casino, its month, and its reports as lines and as files."""
