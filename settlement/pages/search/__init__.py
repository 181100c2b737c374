"""The search of the console, as a page and in its palette."""
