"""The action log, and decisions by two people: proposals, capacities, second manager."""
