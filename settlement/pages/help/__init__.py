"""Help: the whole, of one page, and of one rule."""
