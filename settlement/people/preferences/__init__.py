"""What people choose for themselves: language, and lists as they want them."""
