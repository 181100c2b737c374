"""Closing gaming days and months: checklist, closing figures, the nightly comparison."""
