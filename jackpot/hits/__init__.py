"""What a hit is made of, for the fold and for whoever reads rows. Pure."""
