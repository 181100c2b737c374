"""Pages of jurisdiction packs, tax forms and excluded people."""
