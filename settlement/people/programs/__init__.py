"""Programs that use the API, and their access tokens."""
