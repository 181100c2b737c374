"""What happens at tables, and the plain models of money that it is held against. No pages."""
