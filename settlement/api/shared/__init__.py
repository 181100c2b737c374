"""What all addresses of the API have in common."""
