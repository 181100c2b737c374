"""Claims with their evidence, payees, shares, stops and slips."""
