"""Setting up by pages: the first run, casinos, systems, tables, rules of the house, changes."""
