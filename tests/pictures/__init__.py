"""Pictures of the user guides: `make pictures` takes them."""
