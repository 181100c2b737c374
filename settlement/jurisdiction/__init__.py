"""What the law asks of a payment: packs, thresholds, tax forms, withholding, excluded people."""
