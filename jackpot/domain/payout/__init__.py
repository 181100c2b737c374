"""What a claim pays, and what it may still come to while earlier claims are open."""
