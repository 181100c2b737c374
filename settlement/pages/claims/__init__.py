"""The list of claims, the page of one, and the acts on it."""
