"""What two people of their own decide on a claim: reversals, stops, delegation."""
