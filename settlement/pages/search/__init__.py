"""The search of the console, as a page and in its palette, and the help that it leads to."""
