"""Setting up by pages: casinos, systems, tables, the first run, rules of the house."""
