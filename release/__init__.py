"""Making a release, on the roof: `python -m release`. Nothing imports it, and no image has it."""
