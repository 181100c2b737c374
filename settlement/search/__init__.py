"""Find anything: what a person typed, looked for among all that this person may see. Selectors."""
