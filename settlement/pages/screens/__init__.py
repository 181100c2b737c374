"""Pages of the promotional screens: pairing, each screen, slides, the look of the house."""
