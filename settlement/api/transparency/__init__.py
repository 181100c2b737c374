"""The log of each system over the API: reading alone."""
