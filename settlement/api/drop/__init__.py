"""Drop and bank through the API: counts by day, entering them."""
