"""Files that people import, as lines and cells."""
