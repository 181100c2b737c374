"""The list of claims, the page of one, and the actions on it."""
