"""What every printed page takes: the fonts, and the logo of the house."""
